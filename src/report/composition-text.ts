/** Shares of allocated bytes as a table with bars: by category, module, line, operator or dtype. */

import { formatBytes } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Composition } from "../trace/composition.ts";
import type { Category, Phase } from "../trace/model.ts";
import type { Grouping } from "../trace/queries.ts";
import { bar, type Painter } from "./paint.ts";
import { cut, cutFront, displayWidth, padEnd, padStart } from "./width.ts";
import { categoryName, phaseName } from "./words.ts";

const INDENT = "  ";
const WIDEST_BAR = 32;
const WIDEST_LABEL = 44;

interface Row {
  readonly label: string;
  readonly bytes: number;
}

function shareName(locale: Locale, by: Grouping, key: string | null): string {
  if (by === "category") return categoryName(locale, (key ?? "unknown") as Category);
  if (by === "phase") return phaseName(locale, (key ?? "other") as Phase);
  if (key !== null) return key;
  return message(locale, `share_no_${by}`);
}

/** Shares as rows, largest first; remainders and what no block accounts for are rows of their own. */
export function shareRows(locale: Locale, by: Grouping, composition: Composition): Row[] {
  const { shares, remainderBytes, unlistedBytes } = composition;
  return [
    ...shares.map(({ key, bytes }) => ({ label: shareName(locale, by, key), bytes })),
    ...(remainderBytes > 0 ? [{ label: message(locale, "share_remainder"), bytes: remainderBytes }] : []),
    ...(unlistedBytes > 0 ? [{ label: message(locale, "share_unlisted"), bytes: unlistedBytes }] : []),
  ];
}

/** The table's lines; beyond `most` rows the rest is one line. */
export function shareTable(
  rows: readonly Row[],
  totalBytes: number,
  most: number,
  locale: Locale,
  painter: Painter,
): string[] {
  const shown = rows.slice(0, most);
  const rest = rows.slice(most);
  const largestBytes = Math.max(...shown.map((row) => row.bytes));
  const widest = Math.max(...shown.map((row) => displayWidth(row.label)));
  const labelWidth = Math.min(widest, WIDEST_LABEL, Math.max(12, painter.width - 24));
  const valueWidth = Math.max(...shown.map((row) => formatBytes(row.bytes).length));
  const lines = shown.map(({ label, bytes }) => {
    const percent = `${Math.round((bytes / totalBytes) * 100)}%`;
    const shorten = /\S[/\\].*:\d+$/.test(label) ? cutFront : cut;
    const name = padEnd(shorten(label, labelWidth, painter.ascii ? "~" : "…"), labelWidth);
    const start = `${INDENT}${name}  ${padStart(formatBytes(bytes), valueWidth)}  ${padStart(percent, 4)}`;
    const barWidth = Math.min(WIDEST_BAR, painter.width - displayWidth(start) - 2);
    return barWidth < 4 ? start : `${start}  ${bar(bytes / largestBytes, barWidth, painter.ascii)}`.trimEnd();
  });
  if (rest.length > 0) {
    const restBytes = rest.reduce((sum, row) => sum + row.bytes, 0);
    lines.push(INDENT + message(locale, "shares_left_out", { count: rest.length, restBytes }));
  }
  return lines;
}
