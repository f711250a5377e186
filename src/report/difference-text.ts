/** The difference of two traces as text, Markdown and JSON. */

import { formatBytes } from "../base/bytes.ts";
import type { Difference, DifferenceRow } from "../explain/difference.ts";
import { isMessageCode, message, type Locale } from "../i18n/index.ts";
import type { Grouping } from "../trace/queries.ts";
import { escapeCell, markdownTable } from "./markdown-table.ts";
import type { Painter } from "./paint.ts";
import { displayWidth, padEnd, padStart } from "./width.ts";

const MOST_ROWS = 20;
const TOTALS = ["peakAllocatedBytes", "peakReservedBytes", "endAllocatedBytes"] as const;

export function signedBytes(bytes: number): string {
  if (bytes === 0) return formatBytes(0);
  return `${bytes > 0 ? "+" : "-"}${formatBytes(Math.abs(bytes))}`;
}

const cells = (name: string, beforeBytes: number, afterBytes: number): string[] => [
  name,
  formatBytes(beforeBytes),
  formatBytes(afterBytes),
  signedBytes(afterBytes - beforeBytes),
];

function keyName(locale: Locale, by: Grouping, { key }: DifferenceRow): string {
  if (key === null) {
    const code = `share_no_${by}`;
    return isMessageCode(code) ? message(locale, code) : "";
  }
  const code = `${by}_${key}`;
  return isMessageCode(code) ? message(locale, code) : key;
}

interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly leftOut: number;
}

function tables(difference: Difference, locale: Locale): Table[] {
  const head = (first: string) => [
    first,
    message(locale, "diff_column_before"),
    message(locale, "diff_column_after"),
    message(locale, "column_change"),
  ];
  const { before, after, groups, remainders } = difference;
  const totals = TOTALS.map((name) => cells(message(locale, `diff_${name}`), before[name], after[name]));
  if (remainders.beforeBytes !== remainders.afterBytes) {
    totals.push(cells(message(locale, "share_remainder"), remainders.beforeBytes, remainders.afterBytes));
  }
  return [
    {
      title: message(locale, "diff_title", { before: before.program, after: after.program }),
      head: head(""),
      rows: totals,
      leftOut: 0,
    },
    ...groups.map(({ by, rows }) => ({
      title: message(locale, "diff_group", { by: message(locale, `by_${by}`) }),
      head: head(""),
      rows: rows.slice(0, MOST_ROWS).map((row) => cells(keyName(locale, by, row), row.beforeBytes, row.afterBytes)),
      leftOut: Math.max(0, rows.length - MOST_ROWS),
    })),
  ];
}

export function differenceText(difference: Difference, locale: Locale, painter: Painter): string {
  const sections = tables(difference, locale).map(({ title, head, rows, leftOut }) => {
    if (rows.length === 0) return [painter.strong(title), `  ${message(locale, "diff_nothing")}`];
    const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => displayWidth(row[column]!))));
    const line = (row: readonly string[]) =>
      `  ${row.map((cell, column) => (column === 0 ? padEnd : padStart)(cell, widths[column]!)).join("  ")}`;
    return [
      painter.strong(title),
      painter.faint(line(head)),
      ...rows.map(line),
      ...(leftOut > 0 ? [`  ${message(locale, "items_left_out", { count: leftOut })}`] : []),
    ];
  });
  return `${sections.map((section) => section.join("\n")).join("\n\n")}\n`;
}

export function differenceMarkdown(difference: Difference, locale: Locale): string {
  const sections = tables(difference, locale).map(({ title, head, rows, leftOut }) => {
    const body = rows.length === 0 ? `${message(locale, "diff_nothing")}\n` : markdownTable(head, rows);
    const more = leftOut > 0 ? `\n${message(locale, "items_left_out", { count: leftOut })}\n` : "";
    return `#### ${escapeCell(title)}\n\n${body}${more}`;
  });
  return `${sections.join("\n")}\n`;
}

/** A plain object with every row. */
export function differenceJson(difference: Difference): Record<string, unknown> {
  const { groups, ...rest } = difference;
  return { schemaVersion: 1, ...rest, groups: Object.fromEntries(groups.map(({ by, rows }) => [by, rows])) };
}
