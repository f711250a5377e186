/** The table of source lines: source text beside allocated bytes after it, its change, the peak within it and its module. */

import { fixed2, GIB, KIB, MIB } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { LineRow } from "../trace/lines.ts";
import type { Painter } from "./paint.ts";
import { cut, cutFront, displayWidth, padEnd, padStart } from "./width.ts";

/** Text of a source file as lines, or undefined when it cannot be shown. */
export type SourceOf = (file: string) => readonly string[] | undefined;

/** More rows than this do not help a reader. */
const MOST_ROWS = 60;
const GAP = "  ";
const NARROWEST_SOURCE = 12;
const WIDEST_MODULE = 28;

export interface TableUnit {
  readonly name: string;
  readonly bytes: number;
}

/** One unit for the whole table, so that columns can be compared at a glance. */
export function unitFor(largestBytes: number): TableUnit {
  if (largestBytes >= 1024 * GIB) return { name: "GiB", bytes: GIB };
  return largestBytes >= MIB ? { name: "MiB", bytes: MIB } : { name: "KiB", bytes: KIB };
}

/** What all the paths begin with, numbers that differ as `*`: `layers.0.attn` and `layers.1.mlp` are `layers.*`. */
export function commonPath(paths: readonly string[]): string {
  const [first, ...others] = paths.map((path) => path.split("."));
  if (first === undefined) return "";
  const common: string[] = [];
  for (const [index, segment] of first.entries()) {
    const segments = others.map((other) => other[index]);
    if (segments.every((other) => other === segment)) common.push(segment);
    else if ([segment, ...segments].every((other) => other !== undefined && /^\d+$/.test(other))) common.push("*");
    else break;
  }
  return common.join(".");
}

const moved = (row: LineRow): number => row.allocationBytes + Math.abs(row.changeBytes);

/** Those that moved most bytes first: of a recording one looks for the lines that matter, not for a place in a file. */
export function rowsByBytes(rows: readonly LineRow[], most = MOST_ROWS): LineRow[] {
  return rows.toSorted((a, b) => moved(b) - moved(a) || a.firstEvent - b.firstEvent).slice(0, most);
}

/** The rows worth showing: those that moved most bytes, in the order of the source; the program's own file first. */
export function shownRows(rows: readonly LineRow[], program: string, most = MOST_ROWS): LineRow[] {
  const kept = rows.length <= most ? [...rows] : rows.toSorted((a, b) => moved(b) - moved(a)).slice(0, most);
  const firstOf = new Map<string, number>();
  for (const row of rows) {
    firstOf.set(row.file, Math.min(firstOf.get(row.file) ?? row.firstEvent, row.firstEvent));
  }
  const fileOrder = (file: string) => (file === program ? -1 : firstOf.get(file)!);
  // files that began with the same event, a caller's and its callee's, stay apart
  return kept.sort((a, b) => fileOrder(a.file) - fileOrder(b.file) || byName(a.file, b.file) || a.line - b.line);
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function signed(bytes: number, unit: TableUnit): string {
  const text = fixed2(bytes / unit.bytes);
  return bytes > 0 ? `+${text}` : text;
}

/** As much of a source line as a row can show, which bounds what must be measured. */
function oneLine(source: string, { width, ascii }: Painter): string {
  return cut(source.trim().replaceAll(/\s+/g, " "), Math.max(width, NARROWEST_SOURCE), ascii ? "~" : "…");
}

/** File and line, the folders shortened in front: what tells lines apart is at the end. */
function placeName({ file, line }: LineRow, { width, ascii }: Painter): string {
  return cutFront(`${file}:${line}`, Math.max(24, Math.floor(width / 3)), ascii ? "~" : "…");
}

/** The table's lines of text, each at most `painter.width` columns. */
export function lineTableText(
  rows: readonly LineRow[],
  program: string,
  sourceOf: SourceOf,
  locale: Locale,
  painter: Painter,
  unit: TableUnit,
  /** Rows of any order name their files themselves. */
  order: "source" | "bytes" = "source",
): string[] {
  const header = {
    line: message(locale, "column_line"),
    allocated: message(locale, "column_allocated"),
    change: message(locale, "column_change"),
    peak: message(locale, "column_peak"),
    source: message(locale, "column_source"),
    module: message(locale, "column_module"),
  };
  const cells = rows.map((row) => ({
    file: row.file,
    line: order === "source" ? String(row.line) : placeName(row, painter),
    allocated: fixed2(row.allocatedAfterBytes / unit.bytes),
    change: signed(row.changeBytes / Math.max(1, row.visits), unit),
    peak: fixed2(row.peakBytes / unit.bytes),
    source: oneLine(sourceOf(row.file)?.[row.line - 1] ?? row.function, painter),
    module: commonPath(row.modules),
  }));
  type Cells = typeof header;
  const widthOf = (column: keyof Cells) =>
    Math.max(displayWidth(header[column]), ...cells.map((cell) => displayWidth(cell[column])));
  const numbers = (["line", "allocated", "change", "peak"] as const).map((column) => ({
    column,
    width: widthOf(column),
  }));
  const numbersWidth = numbers.reduce((sum, { width }) => sum + GAP.length + width, 0);
  const room = painter.width - numbersWidth - GAP.length;
  const hasModules = cells.some((cell) => cell.module !== "");
  let moduleWidth = hasModules ? Math.min(widthOf("module"), WIDEST_MODULE, Math.floor((room * 2) / 5)) : 0;
  // Columns give way by rank: first the module, then the source.
  if (moduleWidth < 6 || room - moduleWidth - GAP.length < NARROWEST_SOURCE) moduleWidth = 0;
  const sourceRoom = room - (moduleWidth === 0 ? 0 : moduleWidth + GAP.length);
  const sourceWidth = sourceRoom < 6 ? 0 : Math.min(sourceRoom, widthOf("source"));
  const ellipsis = painter.ascii ? "~" : "…";
  const rowText = (cell: Cells) => {
    let text = numbers.map(({ column, width }) => GAP + padStart(cell[column], width)).join("");
    if (sourceWidth > 0) text += GAP + padEnd(cut(cell.source, sourceWidth, ellipsis), sourceWidth);
    if (moduleWidth > 0) text += GAP + cut(cell.module, moduleWidth, ellipsis);
    return text.trimEnd();
  };
  const lines = [painter.faint(rowText(header))];
  let file = program;
  for (const cell of cells) {
    if (order === "source" && cell.file !== file) {
      file = cell.file;
      lines.push(painter.faint(GAP + cut(file, painter.width - GAP.length, ellipsis)));
    }
    lines.push(rowText(cell));
  }
  return lines;
}
