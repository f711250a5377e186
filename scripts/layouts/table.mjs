/** Results of published rows as a summary and as a page: errors by group, and what did not come out with its cause. */

import { optionLines } from "./swift-table.mjs";

const relative = (ours, theirs) => (ours - theirs) / theirs;
const MIB = 2 ** 20;

/** After the last step; rows without it have a peak alone. */
const statesOf = ({ row, states }) => {
  const theirs = row.figures.memory_allocated_after_last_step;
  return states === undefined || theirs === undefined ? null : relative(states, theirs);
};
const peakOf = ({ row, peak }) => {
  const theirs = row.figures.max_memory_allocated;
  return peak === undefined || theirs === undefined ? null : relative(peak, theirs);
};

/** Beyond these a row is listed with what is known about why. */
const STATES_LIMIT = 0.01;
const PEAK_LIMIT = 0.03;
/** What is not modelled, by the option that asks for it; the first that a row has. */
const REASONS = [
  ["cuda-graph-impl", "CUDA graphs keep memory of their own"],
  ["enable-cuda-graph", "CUDA graphs keep memory of their own"],
  ["fp8-format", "8-bit products and weights are not modelled"],
  [
    "fine-grained-activation-offloading",
    "of activations that are moved to the host, those of attention alone are modelled",
  ],
  ["overlap-moe-expert-parallel-comm", "two micro-batches that overlap are not modelled"],
  ["optimizer", "Muon's temporaries, and which rank owns which matrix, are not modelled"],
  ["cross-entropy-loss-fusion", "the compiled loss of containers of long-term support takes more"],
  ["num-experts", "tokens are not balanced in the real run; buffers of the dispatcher are taken by rule"],
];

const TOO_HIGH = "not explained; the figures may be older than the arguments beside them";
const TOO_LOW = "not explained; blocks may stay whole after a checkpoint was loaded";

const reasonOf = (result) => {
  const { row, cause } = result;
  if (cause !== undefined) return cause;
  const off = Math.abs(statesOf(result) ?? 0) > STATES_LIMIT || Math.abs(peakOf(result) ?? 0) > PEAK_LIMIT;
  if (!off) return "";
  const known = REASONS.find(([option]) => row.args[option] !== undefined)?.[1];
  return known ?? ((statesOf(result) ?? 0) > STATES_LIMIT ? TOO_HIGH : TOO_LOW);
};

const sorted = (values) => values.map(Math.abs).sort((a, b) => a - b);
const share = (values, limit) => values.filter((value) => value <= limit).length / Math.max(1, values.length);
const at = (values, q) => values[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;
const percent = (value) => `${(100 * value).toFixed(2)} %`;

function line(name, values) {
  const all = sorted(values);
  return `${name}: ${all.length} rows, median ${percent(at(all, 0.5))}, within 0.5 % ${percent(share(all, 0.005))}, 1 % ${percent(share(all, 0.01))}, 3 % ${percent(share(all, 0.03))}, 90th ${percent(at(all, 0.9))}`;
}

export function summary(results) {
  const causes = new Map();
  for (const { cause } of results) if (cause !== undefined) causes.set(cause, (causes.get(cause) ?? 0) + 1);
  const states = results.map(statesOf).filter((value) => value !== null);
  const peaks = results.map(peakOf).filter((value) => value !== null);
  return [
    `${results.length} rows`,
    optionLines(results),
    line("states", states),
    line("peak", peaks),
    ...[...causes].sort((a, b) => b[1] - a[1]).map(([cause, count]) => `  ${count} not answered: ${cause}`),
  ].join("\n");
}

export function markdown(results) {
  const cell = (value) => (value === null ? "" : `${value >= 0 ? "+" : ""}${(100 * value).toFixed(2)}`);
  const mib = (bytes) => (bytes === undefined ? "" : (bytes / MIB).toFixed(1));
  const rows = results.map((result) =>
    [
      "",
      result.row.id.replace("megatron-ci/", ""),
      mib(result.states),
      cell(statesOf(result)),
      mib(result.peak),
      cell(peakOf(result)),
      reasonOf(result),
      "",
    ]
      .join(" | ")
      .trim(),
  );
  return [
    "| configuration | states | off by | peak | off by | why |",
    "| --- | ---: | ---: | ---: | ---: | --- |",
    ...rows,
  ].join("\n");
}

const INTRODUCTION = [
  "# Layouts against published figures",
  "",
  "Written by `node scripts/layouts.mjs ROWS.jsonl --write docs/layouts.md`. Of Megatron-LM's CI: allocated MiB after the last step and at the",
  "peak, on the last rank, and how far that is from what was published (percent); rows further off than 1 % of states or 3 % of the peak have",
  "what is known about why. Of ms-swift's scripts: GiB reserved on the rank that needs most against the figure in the script's first lines, which",
  "is often the size of the author's cards; where sequences are not packed, data decide, and what is known is an interval. A pack of pairs (DPO, reward",
  "models) may hold one pair whose answers are both as long as a pack, and is taken so. Of torchtitan and torchao: GiB reserved with FSDP2; where whole",
  "blocks are computed again, rows with a compiler or 8-bit products are answered without, as those change what lives inside of one block. Megatron-LM's",
  "figures are taken for as old as they are by its history (`scripts/layouts/figure-dates.mjs`): later commits touched their files without measuring.",
  "So are ms-swift's (`swift-dates.mjs`): the day decides PyTorch's release and with it the Trainer's optimizer, and options that were changed since then",
  "are named. Sections are written one at a time (`--group`), so one may be older than another.",
];

export const sectionLines = (title, lines, rows) => [`## ${title}`, "", "```", lines, "```", "", rows].join("\n");

/** A section of a page that was written before; empty where it has none. */
export function sectionOf(text, title) {
  const [, after] = text.split(`## ${title}\n`);
  return after === undefined ? "" : `## ${title}\n${after.split("\n## ")[0].trimEnd()}`;
}

export const page = (sections) => [...INTRODUCTION, ...sections.flatMap((section) => ["", section]), ""].join("\n");
