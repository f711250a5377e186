// docs/accuracy.md from results: plain functions from data to Markdown.

import { PEERS_ABOUT, PEERS_HEAD, PEERS_TITLE } from "./peers.mjs";

const WORDS = { exact: "exact", near: "within 1 %", covered: "inside the interval", off: "off" };
const INTERVAL_WORDS = { inside: "inside", above: "measured more", below: "measured less" };

const digits = (n) =>
  Number.isInteger(n) ? n.toLocaleString("en-US") : n.toLocaleString("en-US", { maximumFractionDigits: 10 });
const percent = (error) => {
  if (error === 0) return "0";
  if (!Number.isFinite(error)) return "∞";
  const text = (error * 100).toPrecision(2);
  return `${error > 0 ? "+" : ""}${Math.abs(error) < 1e-6 ? "0.0000" : Number(text)} %`;
};
const cell = (text) => String(text).replaceAll("|", "\\|");
const row = (cells) => `| ${cells.map(cell).join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

/** One line of a group's table; the page's test looks these lines up. */
export function figureLine(r) {
  return row([
    r.case,
    r.point,
    r.measure,
    r.verdict === "covered"
      ? `${digits(r.predicted)} (${digits(r.low)} to ${digits(r.high)}) ${r.unit}`
      : `${digits(r.predicted)} ${r.unit}`,
    `${digits(r.measured)} ${r.unit}`,
    percent(r.error),
    WORDS[r.verdict],
  ]);
}

export function sequenceLine(entry, sequence) {
  return row([
    entry.id,
    "recorded step",
    "requested sizes in order",
    `${digits(sequence.predicted)} events`,
    `${digits(sequence.measured)} events`,
    sequence.same ? "0" : "differs",
    sequence.same ? "exact" : "off",
  ]);
}

/** Of these an interval is predicted. */
export function intervalLine(r) {
  return row([
    r.case,
    r.point,
    r.measure,
    `${digits(r.low)} to ${digits(r.high)} ${r.unit}`,
    `${digits(r.measured)} ${r.unit}`,
    INTERVAL_WORDS[r.verdict],
  ]);
}

const HEAD = ["case", "point", "measure", "predicted", "measured", "error", ""];
const INTERVAL_HEAD = ["case", "point", "measure", "predicted", "measured", ""];

export function lines(group, result) {
  if (group.interval) return result.rows.map(intervalLine);
  const found = result.rows.map(figureLine);
  return result.sequence ? [...found, sequenceLine(result.entry, result.sequence)] : found;
}

function details({ entry }) {
  if (entry.engine) return engineDetails(entry);
  const parts = [
    `measured on ${entry.measuredOn.gpu}, PyTorch ${entry.measuredOn.torch}`,
    `run as \`--gpu ${entry.gpu} --torch ${entry.torch}\``,
  ];
  if (entry.recipe)
    parts.push(
      `estimated for ${entry.model ?? entry.config.model_type} from its configuration: ${recipeText(entry.recipe)}`,
    );
  if (entry.why) parts.push(entry.why);
  if (entry.license) parts.push(`licence of the source: ${entry.license}`);
  return `- **${entry.id}**: ${entry.source}; ${parts.join("; ")}.`;
}

const recipeText = (recipe) =>
  Object.entries(recipe)
    .filter(([name]) => name !== "task")
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

/** A start-up of an engine: which model stands for it, and what it was asked. */
function engineDetails(entry) {
  const model = entry.model ?? entry.config.model_type;
  const options = Object.entries(entry.options).map(([name, value]) => `${name} ${value}`);
  const runAs = entry.runAs ? ` (the weights of ${entry.runAs} have its shapes)` : "";
  const parts = [
    `measured on ${entry.measuredOn.gpu}, ${entry.measuredOn.torch}`,
    `computed for ${model}${runAs}: ${options.join(", ")}`,
  ];
  if (entry.license) parts.push(`licence of the source: ${entry.license}`);
  return `- **${entry.id}**: ${entry.source}; ${parts.join("; ")}.`;
}

export function groupSection(group, results) {
  const head = group.interval ? INTERVAL_HEAD : HEAD;
  const body = results.flatMap((result) => lines(group, result));
  const failed = results.filter((result) => result.problem);
  const parts = [`## ${group.title}`, group.about, [row(head), row(head.map(() => "---")), ...body].join("\n")];
  parts.push(...reasons(results));
  if (failed.length) parts.push("Did not run:\n\n" + failed.map((f) => `- ${f.entry.id}: ${f.problem}`).join("\n"));
  parts.push(
    "<details><summary>Sources and how each was run</summary>\n\n" + results.map(details).join("\n") + "\n\n</details>",
  );
  return parts.join("\n\n");
}

const EXPECTED = new Set(["exact", "inside", "covered"]);

/** Why figures differ, once for all cases with the same reason. */
function reasons(results) {
  const cases = new Map();
  for (const { entry, rows } of results)
    if (entry.note && rows.some((r) => !EXPECTED.has(r.verdict)))
      cases.set(entry.note, [...(cases.get(entry.note) ?? []), entry.id]);
  if (cases.size === 0) return [];
  return ["Why not exact:\n\n" + [...cases].map(([note, ids]) => `- ${ids.join(", ")}: ${note}.`).join("\n")];
}

/** Counts of one group. */
export function counts(results) {
  const rows = results.flatMap((r) => r.rows);
  const sequences = results.flatMap((r) => (r.sequence ? [r.sequence] : []));
  const of = (verdict) => rows.filter((r) => r.verdict === verdict).length;
  return {
    figures: rows.length + sequences.length,
    exact: of("exact") + sequences.filter((s) => s.same).length,
    near: of("near"),
    covered: of("covered"),
    off: of("off") + sequences.filter((s) => !s.same).length,
    under: rows.filter((r) => r.under).length,
    inside: of("inside"),
    above: of("above"),
    below: of("below"),
    failed: results.filter((r) => r.problem).length,
  };
}

const JUDGED_HEAD = [
  "measured on a GPU",
  "figures",
  "exact",
  "within 1 %",
  "inside the interval",
  "off by more",
  "under-estimates",
  "did not run",
];
const RANGES_HEAD = ["predicted as an interval", "figures", "inside", "measured more", "measured less", "did not run"];

function summary(groups) {
  const [intervals, judged] = [true, false].map((is) => groups.filter(({ group }) => Boolean(group.interval) === is));
  return summaryTables(judged.map(summaryCells), intervals.map(summaryCells));
}

/** One group's line of its summary table, as cells. */
export function summaryCells({ group, results }) {
  const c = counts(results);
  return group.interval
    ? [group.title, c.figures, c.inside, c.above, c.below, c.failed]
    : [group.title, c.figures, c.exact, c.near, c.covered, c.off, c.under, c.failed];
}

export function summaryTables(judged, intervals) {
  const total = judged.reduce((sum, r) => sum.map((n, i) => n + r[i + 1]), [0, 0, 0, 0, 0, 0, 0]);
  return [
    table(JUDGED_HEAD, [...judged, ["**all**", ...total.map((n) => `**${n}**`)]]),
    table(RANGES_HEAD, intervals),
  ].join("\n\n");
}

export function conformanceSection(conformance) {
  const rows = conformance.groups.map((g) => [g.name, g.runs, g.runs - g.failed.length, g.failed.length]);
  const sum = (key) => conformance.groups.reduce((n, g) => n + key(g), 0);
  rows.push([
    "**all**",
    `**${sum((g) => g.runs)}**`,
    `**${sum((g) => g.runs - g.failed.length)}**`,
    `**${sum((g) => g.failed.length)}**`,
  ]);
  const failed = conformance.groups.flatMap((g) => g.failed);
  return [
    "## Conformance",
    "Scripts that ran under the real PyTorch 2.14 and 2.6 with a stand-in for the device. Their output must come out byte for byte (kernel temporaries off, because that recorder does not see them); where a list of allocations was recorded, its sizes and operators in order, too.",
    table(["subject", "outputs", "the same", "different"], rows),
    ...(failed.length ? [`Different: ${failed.join(", ")}.`] : []),
  ].join("\n\n");
}

export const INTRO = `# Accuracy

<!-- Made by \`npm run accuracy\`; do not edit. -->

What the simulator predicts against what people measured, figure by figure, failures included. *Exact* means the same to the last digit that the source
prints. An *under-estimate* is a prediction below the measurement by any amount, those aside: it is the direction that lets a program run out of memory.
The programs are in \`test/measured/programs\` and \`examples\`, the figures with their sources in \`test/measured/cases\`; \`npm run accuracy\` runs all and writes this page.`;

export function skippedSection(skipped) {
  const rows = skipped.map((s) => [s.what, s.figures, s.why]);
  return `## Not compared\n\n${table(["what", "how many", "why"], rows)}`;
}

export function peersSection(rows) {
  return `## ${PEERS_TITLE}\n\n${PEERS_ABOUT}\n\n${table(PEERS_HEAD, rows)}`;
}

export function page(groups, conformance, skipped) {
  return (
    [
      INTRO,
      summary(groups),
      conformanceSection(conformance),
      ...groups.map(({ group, results }) => groupSection(group, results)),
      skippedSection(skipped),
    ].join("\n\n") + "\n"
  );
}
