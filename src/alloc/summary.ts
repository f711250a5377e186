/** The table that `torch.cuda.memory_summary()` prints, from the flat statistics. */

import type { AllocatorRules } from "../torch/allocator-rules.ts";

const WIDTH = 75;
const RULE = "-".repeat(WIDTH);
const DOUBLE_RULE = "=".repeat(WIDTH);
const FIELDS = ["current", "peak", "allocated", "freed"] as const;

const BYTE_ROWS = [
  ["allocated_bytes", "Allocated memory"],
  ["active_bytes", "Active memory"],
  ["requested_bytes", "Requested memory"],
  ["reserved_bytes", "GPU reserved memory"],
  ["inactive_split_bytes", "Non-releasable memory"],
] as const;
const COUNT_ROWS = [
  ["allocation", "Allocations"],
  ["active", "Active allocs"],
  ["segment", "GPU reserved segments"],
  ["inactive_split", "Non-releasable allocs"],
] as const;
const OVERSIZE_ROWS = [
  ["oversize_allocations", "Oversize allocations"],
  ["oversize_segments", "Oversize GPU segments"],
] as const;
const SUBROWS = [
  ["large_pool", "      from large pool"],
  ["small_pool", "      from small pool"],
] as const;

/** Prints a value in the unit that suits the reference value. */
type CellFormat = (value: number, reference: number) => string;

function scaled(
  value: number,
  reference: number,
  limit: number,
  step: number,
  units: readonly string[],
): [number, string] {
  let unit = 0;
  while (unit + 1 < units.length && reference >= limit) {
    value = Math.floor(value / step);
    reference /= step;
    unit++;
  }
  return [value, units[unit]];
}

function byteFormat(rules: AllocatorRules): CellFormat {
  return (value, reference) => {
    const [shown, unit] = scaled(value, reference, 768 * 1024, 1024, rules.summaryUnits);
    return `${String(shown).padStart(rules.summaryUnitWidth)} ${unit}`;
  };
}

const countFormat: CellFormat = (value, reference) => {
  const [shown, unit] = scaled(value, reference, 750 * 1000, 1000, [" ", "K", "M"]);
  return `${String(shown).padStart(7)} ${unit} `;
};

/** The whole text, with a newline at its end. */
export function memorySummaryText(
  stats: Record<string, number>,
  rules: AllocatorRules,
  device: number,
  abbreviated: boolean,
): string {
  const lines = [
    DOUBLE_RULE,
    ` ${" ".repeat(16)} PyTorch CUDA memory summary, device ID ${String(device).padEnd(17)} `,
    RULE,
    `  ${" ".repeat(9)} CUDA OOMs: ${String(stats.num_ooms).padEnd(12)} | ${" ".repeat(6)} cudaMalloc retries: ${String(stats.num_alloc_retries).padEnd(8)}  `,
    DOUBLE_RULE,
    "        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ",
  ];
  const row = (label: string, prefix: string, referencePrefix: string, format: CellFormat): void => {
    const cells = FIELDS.map((field) => format(stats[`${prefix}.${field}`], stats[`${referencePrefix}.${field}`]));
    lines.push(` ${label.padEnd(21)} | ${cells.join(" | ")} `);
  };
  const group = (metric: string, label: string, format: CellFormat): void => {
    if (!(`${metric}.all.current` in stats)) return; // requested_bytes before 2.0
    lines.push(RULE);
    row(label, `${metric}.all`, `${metric}.all`, format);
    if (!abbreviated)
      for (const [pool, sublabel] of SUBROWS) row(sublabel, `${metric}.${pool}`, `${metric}.all`, format);
  };
  for (const [metric, label] of BYTE_ROWS) group(metric, label, byteFormat(rules));
  for (const [metric, label] of COUNT_ROWS) group(metric, label, countFormat);
  for (const [metric, label] of OVERSIZE_ROWS) {
    lines.push(RULE);
    row(label, metric, metric, countFormat);
  }
  lines.push(DOUBLE_RULE);
  return lines.map((line) => `|${line}|\n`).join("");
}
