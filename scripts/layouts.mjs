/**
 * Holds layouts against published figures, in bytes: `node scripts/layouts.mjs ROWS.jsonl [--only TEXT] [--every N] [--from N]
 * [--write FILE] [--json FILE]`.
 */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { answers, rowsOf } from "./layouts/answers.mjs";
import { markdown, summary } from "./layouts/table.mjs";

const text = { type: "string" };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: text, every: text, from: text, write: text, json: text },
});
const every = Number(values.every ?? 1);
const rows = rowsOf(positionals[0], values.only).filter((_, i) => i % every === Number(values.from ?? 0) % every);
const results = await answers(rows, (count) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${count}/${rows.length} `);
});
console.log(summary(results));
if (values.write !== undefined) writeFileSync(values.write, markdown(results));
const line = ({ row, states, peak, cause }) =>
  JSON.stringify({ id: row.id, states, peak, cause, figures: row.figures });
if (values.json !== undefined) writeFileSync(values.json, results.map(line).join("\n"));
