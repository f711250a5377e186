/**
 * Holds layouts against published figures: `node scripts/layouts.mjs ROWS.jsonl [--group megatron|swift|titan] [--only TEXT] [--every N]
 * [--from N] [--write FILE] [--kept FILE]`. A file that is written has a section for each group; with one group the other sections stay. Answers are put into the file that is kept
 * as they come, and those that it has already are not computed again: what was interrupted goes on, and one line that is taken out is
 * computed anew.
 */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allRows, answers, rowsOf } from "./layouts/answers.mjs";
import { runsOnCuda } from "./layouts/swift-row.mjs";
import { swiftAnswers } from "./layouts/swift-answers.mjs";
import { swiftMarkdown, swiftSummary } from "./layouts/swift-table.mjs";
import { markdown, page, sectionLines, sectionOf, summary } from "./layouts/table.mjs";
import { isTitan, titanAnswers, titanMarkdown, titanSummary } from "./layouts/titan-rows.mjs";

const text = { type: "string" };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { group: text, only: text, every: text, from: text, write: text, kept: text },
});
const every = Number(values.every ?? 1);

/** Groups by name: their rows, how they are answered, and how answers are shown. */
const GROUPS = [
  {
    name: "megatron",
    title: "Megatron-LM's CI",
    rows: () => rowsOf(positionals[0], values.only, "megatron-lm-ci"),
    answers,
    summary,
    markdown,
  },
  {
    name: "swift",
    title: "ms-swift's launch scripts",
    rows: () => rowsOf(positionals[0], values.only, "ms-swift-examples").filter(runsOnCuda),
    answers: swiftAnswers,
    summary: swiftSummary,
    markdown: swiftMarkdown,
  },
  {
    name: "titan",
    title: "torchtitan and torchao",
    rows: () => allRows(positionals[0]).filter((row) => isTitan(row) && row.id.includes(values.only ?? "")),
    answers: titanAnswers,
    summary: titanSummary,
    markdown: titanMarkdown,
  },
];

const lines = values.kept !== undefined && existsSync(values.kept) ? readFileSync(values.kept, "utf8").split("\n") : [];
const kept = new Map(
  lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .map(({ id, ...answer }) => [id, answer]),
);
const keep = ({ row, ...answer }) => {
  if (values.kept !== undefined) appendFileSync(values.kept, `${JSON.stringify({ id: row.id, ...answer })}\n`);
};

const sections = [];
for (const group of GROUPS.filter(({ name }) => values.group === undefined || values.group === name)) {
  const rows = group.rows().filter((_, i) => i % every === Number(values.from ?? 0) % every);
  const made = await group.answers(
    rows.filter(({ id }) => !kept.has(id)),
    keep,
  );
  const fresh = new Map(made.map((result) => [result.row.id, result]));
  const results = rows.map((row) => fresh.get(row.id) ?? { row, ...kept.get(row.id) });
  console.log(group.summary(results));
  sections.push([group.title, group.summary(results), group.markdown(results)]);
}
if (values.write !== undefined) {
  const before = existsSync(values.write) ? readFileSync(values.write, "utf8") : "";
  const made = new Map(sections.map(([title, ...rest]) => [title, sectionLines(title, ...rest)]));
  const all = GROUPS.map(({ title }) => made.get(title) ?? sectionOf(before, title)).filter((text) => text !== "");
  writeFileSync(values.write, page(all));
}
