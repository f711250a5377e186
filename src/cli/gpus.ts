/** `vramscope gpus`: the catalogue as a table or as JSON. */

import { shownJson } from "../base/shown-text.ts";
import { fixed2, GIB } from "../base/bytes.ts";
import { GPUS, type GpuRow } from "../gpus/catalogue.ts";
import { findOtherGpu, OTHER_GPUS } from "../gpus/other-rows.ts";
import { message } from "../i18n/index.ts";
import { cut, displayWidth, padEnd, padStart, wrap } from "../report/width.ts";
import { widthOf } from "./colour.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { UsageError } from "./usage-error.ts";

export const gpusCommand: Command = {
  name: "gpus",
  summary: "command_gpus",
  usage: "[options] [filter]",
  arguments: [{ name: "filter", summary: "argument_filter" }],
  options: [{ name: "json", summary: "option_gpus_json" }],
  examples: [],
  run,
};

function matches(gpu: GpuRow, filter: string): boolean {
  const text = [gpu.id, gpu.name, gpu.vendor, gpu.architecture, ...gpu.aliases].join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const [filter = "", extra] = parsed.positionals;
  if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
  const gpus = [...GPUS, ...OTHER_GPUS].filter((gpu) => matches(gpu, filter));
  if (gpus.length === 0) {
    const asked = findOtherGpu(filter);
    if (asked === undefined) throw new UsageError("gpus_none", { filter });
    gpus.push(asked);
  }
  if (parsed.flags.has("json")) {
    io.out(`${shownJson({ schemaVersion: 1, gpus }, 2)}\n`);
    return EXIT.ok;
  }
  const mark = (evidence: string) => (evidence === "recalled" ? "*" : " ");
  const header: Row = {
    id: message(locale, "gpus_column_id"),
    name: message(locale, "gpus_column_name"),
    capability: message(locale, "gpus_column_capability"),
    total: message(locale, "gpus_column_total"),
    smi: message(locale, "gpus_column_smi"),
    aliases: message(locale, "gpus_column_aliases"),
  };
  const rows = gpus.map((gpu): Row => ({
    id: gpu.id,
    name: gpu.name,
    capability: gpu.otherAllocator === null ? gpu.computeCapability : gpu.vendor,
    total: `${fixed2(gpu.totalBytes / GIB)} GiB${mark(gpu.totalMark)}`,
    smi: `${gpu.memoryMiB} MiB${mark(gpu.memoryMark)}`,
    aliases: gpu.aliases.join(", "),
  }));
  const lines = table([header, ...rows], widthOf(io.env, io.outInfo));
  const others = [...new Set(gpus.flatMap(({ otherAllocator }) => (otherAllocator === null ? [] : [otherAllocator])))];
  const legend = [message(locale, "gpus_legend"), ...others.map((code) => message(locale, code))];
  io.out(`${[...lines, "", ...legend.flatMap((text) => wrap(text, widthOf(io.env, io.outInfo)))].join("\n")}\n`);
  return EXIT.ok;
}

type Column = "id" | "name" | "capability" | "total" | "smi" | "aliases";
type Row = Readonly<Record<Column, string>>;
/** In the order of the table. */
const COLUMNS: readonly Column[] = ["id", "name", "capability", "total", "smi", "aliases"];
/** Columns give way in this order where the terminal is narrow; the last one left is only cut. */
const GIVING_WAY: readonly Column[] = ["aliases", "name", "capability", "smi", "total"];
const RIGHT: ReadonlySet<Column> = new Set(["capability", "total", "smi"]);
/** Aliases are worth a column from this width on; they are cut where there are many. */
const NARROWEST_ALIASES = 12;

function table(rows: readonly Row[], width: number): string[] {
  const widest = (column: Column) => Math.max(...rows.map((row) => displayWidth(row[column])));
  const widths = new Map(COLUMNS.map((column) => [column, column === "aliases" ? NARROWEST_ALIASES : widest(column)]));
  const needed = () => [...widths.values()].reduce((sum, columnWidth) => sum + columnWidth + 2, -2);
  for (const column of GIVING_WAY) if (needed() > width) widths.delete(column);
  return rows.map((row) => {
    const cells = COLUMNS.filter((column) => widths.has(column)).map((column) =>
      RIGHT.has(column) ? padStart(row[column], widths.get(column)!) : padEnd(row[column], widths.get(column)!),
    );
    return cut(cells.join("  ").trimEnd(), width);
  });
}
