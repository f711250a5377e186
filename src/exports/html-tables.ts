/** The tables of the HTML report: what is allocated at the peak, its largest blocks, and the memory of each line. */

import { fixed2, formatBytes } from "../base/bytes.ts";
import { message, type Locale, type MessageCode } from "../i18n/index.ts";
import type { ReportFacts, SourceOf } from "../report/index.ts";
import { commonPath, shownRows, unitFor } from "../report/line-table.ts";
import { categoryName, noteName } from "../report/words.ts";
import { aliveAt } from "../trace/queries.ts";
import type { Trace } from "../trace/model.ts";
import { CATEGORY_COLOURS } from "./html-style.ts";
import { escapeMarkup } from "./markup.ts";

const REMAINDER_COLOUR = "#9aa0a6";
const MOST_BLOCKS = 20;
const MOST_LINES = 400;

function table(
  head: readonly { readonly text: string; readonly numeric?: boolean }[],
  rows: readonly string[],
): string {
  const cells = head.map(({ text, numeric }) => `<th${numeric ? ' class="n"' : ""}>${escapeMarkup(text)}</th>`);
  return `<div class="scroll"><table><thead><tr>${cells.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

const text = (value: string): string => `<td>${escapeMarkup(value)}</td>`;
const code = (value: string): string => `<td><code>${escapeMarkup(value)}</code></td>`;
const number = (value: string): string => `<td class="n">${escapeMarkup(value)}</td>`;

export function compositionPart(facts: ReportFacts, locale: Locale): string {
  const total = Math.max(1, facts.allocated.peakBytes);
  const percent = (bytes: number) => ((bytes / total) * 100).toFixed(1);
  const bar = facts.categories.map(
    ({ category, bytes }) =>
      `<i style="width:${percent(bytes)}%;background:${CATEGORY_COLOURS[category]}" title="${escapeMarkup(`${categoryName(locale, category)} ${formatBytes(bytes)}`)}"></i>`,
  );
  const rows = facts.categories.map(
    ({ category, bytes, blocks }) =>
      `<tr><td><span class="swatch" style="background:${CATEGORY_COLOURS[category]}"></span>${escapeMarkup(categoryName(locale, category))}</td>${number(formatBytes(bytes))}${number(`${percent(bytes)} %`)}${number(String(blocks))}</tr>`,
  );
  const { remainderBytes, remainderBlocks } = facts.charged;
  if (remainderBytes > 0) {
    const name = escapeMarkup(message(locale, "share_remainder"));
    bar.push(
      `<i style="width:${percent(remainderBytes)}%;background:${REMAINDER_COLOUR}" title="${name} ${formatBytes(remainderBytes)}"></i>`,
    );
    rows.push(
      `<tr><td><span class="swatch" style="background:${REMAINDER_COLOUR}"></span>${name}</td>${number(formatBytes(remainderBytes))}${number(`${percent(remainderBytes)} %`)}${number(String(remainderBlocks))}</tr>`,
    );
  }
  const word = (key: MessageCode) => message(locale, key);
  return `<div class="bar">${bar.join("")}</div>${table(
    [
      { text: word("html_column_category") },
      { text: word("html_column_bytes"), numeric: true },
      { text: "%", numeric: true },
      { text: word("html_column_blocks"), numeric: true },
    ],
    rows,
  )}`;
}

/** The largest blocks that are allocated at the peak. */
export function blocksPart(trace: Trace, event: number, locale: Locale): string {
  const largest = aliveAt(trace, event)
    .map((index) => trace.blocks[index]!)
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MOST_BLOCKS);
  const rows = largest.map((block) => {
    const frame = trace.frames[block.frame];
    const tensor = block.dtype === null || block.shape === null ? "" : `${block.dtype}[${block.shape.join(", ")}]`;
    const what = block.note === null ? tensor : noteName(locale, block.note);
    return `<tr>${number(formatBytes(block.bytes))}${text(categoryName(locale, block.category))}${code(what)}${code(frame === undefined ? "" : `${frame.file}:${frame.line}`)}${code(trace.ops[block.op] ?? "")}${code(trace.modules[block.module] ?? "")}</tr>`;
  });
  const word = (key: MessageCode) => message(locale, key);
  return table(
    [
      { text: word("html_column_bytes"), numeric: true },
      { text: word("html_column_category") },
      { text: word("html_column_tensor") },
      { text: word("column_line") },
      { text: word("html_column_op") },
      { text: word("column_module") },
    ],
    rows,
  );
}

export function linesPart(facts: ReportFacts, sourceOf: SourceOf, locale: Locale): string {
  const unit = unitFor(Math.max(...facts.lines.map((row) => row.peakBytes)));
  const shown = shownRows(facts.lines, facts.program, MOST_LINES);
  const amount = (bytes: number) => fixed2(bytes / unit.bytes);
  const rows: string[] = [];
  let file = facts.program;
  for (const row of shown) {
    if (row.file !== file) {
      file = row.file;
      rows.push(`<tr class="file"><td colspan="6">${escapeMarkup(file)}</td></tr>`);
    }
    const atPeak = facts.peak !== null && row.file === facts.peak.file && row.line === facts.peak.line;
    const change = `${row.changeBytes > 0 ? "+" : ""}${amount(row.changeBytes)}`;
    const source = sourceOf(row.file)?.[row.line - 1]?.trimEnd() ?? row.function;
    rows.push(
      `<tr${atPeak ? ' class="peak-row"' : ""}>${number(String(row.line))}${number(amount(row.allocatedAfterBytes))}${number(change)}${number(amount(row.peakBytes))}${code(source)}${code(commonPath(row.modules))}</tr>`,
    );
  }
  const word = (key: MessageCode) => message(locale, key);
  const leftOut = facts.lines.length - shown.length;
  const note =
    leftOut === 0
      ? ""
      : `<p class="soft">${escapeMarkup(message(locale, "html_lines_left_out", { count: leftOut }))}</p>`;
  return `<p class="soft">${escapeMarkup(word("line_names_explained"))}</p>${table(
    [
      { text: word("column_line"), numeric: true },
      { text: word("column_allocated"), numeric: true },
      { text: word("column_change"), numeric: true },
      { text: word("column_peak"), numeric: true },
      { text: word("column_source") },
      { text: word("column_module") },
    ],
    rows,
  )}${note}`;
}
