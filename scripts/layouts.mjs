/**
 * Holds layouts against published figures: `node scripts/layouts.mjs ROWS.jsonl [--group megatron|swift|titan] [--only TEXT] [--every N]
 * [--from N] [--write FILE] [--json FILE]`. A file that is written has a section for each group.
 */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allRows, answers, rowsOf } from "./layouts/answers.mjs";
import { runsOnCuda } from "./layouts/swift-row.mjs";
import { swiftAnswers } from "./layouts/swift-answers.mjs";
import { offBy, swiftMarkdown, swiftSummary } from "./layouts/swift-table.mjs";
import { markdown, page, summary } from "./layouts/table.mjs";
import { isTitan, titanAnswers, titanMarkdown, titanSummary } from "./layouts/titan-rows.mjs";

const text = { type: "string" };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { group: text, only: text, every: text, from: text, write: text, json: text },
});
const every = Number(values.every ?? 1);
const chosen = (group) =>
  rowsOf(positionals[0], values.only, group).filter((_, i) => i % every === Number(values.from ?? 0) % every);
const wanted = (group) => values.group === undefined || values.group === group;
const said = (total) => (count) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${count}/${total} `);
};

const lines = [];
const sections = [];
if (wanted("megatron")) {
  const rows = chosen("megatron-lm-ci");
  const results = await answers(rows, said(rows.length));
  console.log(summary(results));
  sections.push(["Megatron-LM's CI", summary(results), markdown(results)]);
  for (const { row, states, peak, cause } of results)
    lines.push({ id: row.id, states, peak, cause, figures: row.figures });
}
if (wanted("swift")) {
  const rows = chosen("ms-swift-examples").filter(runsOnCuda);
  const results = await swiftAnswers(rows, said(rows.length));
  console.log(swiftSummary(results));
  sections.push(["ms-swift's launch scripts", swiftSummary(results), swiftMarkdown(results)]);
  for (const { row, reserved, states, verdict, cause, ...result } of results)
    lines.push({ id: row.id, reserved, states, verdict, cause, off: offBy({ row, reserved, states, ...result }) });
}
if (wanted("titan")) {
  const results = await titanAnswers(allRows(positionals[0]).filter(isTitan));
  console.log(titanSummary(results));
  sections.push(["torchtitan and torchao", titanSummary(results), titanMarkdown(results)]);
  for (const { row, reserved, cause } of results) lines.push({ id: row.id, reserved, cause, figures: row.figures });
}
if (values.write !== undefined) writeFileSync(values.write, page(sections));
if (values.json !== undefined) writeFileSync(values.json, lines.map((line) => JSON.stringify(line)).join("\n"));
