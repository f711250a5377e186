/** The table of tensors saved for backward, as text, with what was there anyway and what was not kept. */

import { fixed2, MIB } from "../base/bytes.ts";
import type { ReleasedRow, SavedOwner, SavedRow, SavedTable } from "../explain/saved-table.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Trace } from "../trace/model.ts";
import { tensorText } from "./block-words.ts";
import { deathText, whereText } from "./holder-words.ts";
import type { Painter } from "./paint.ts";
import { cut, displayWidth, padEnd, padStart, wrap } from "./width.ts";

const INDENT = "  ";
const GAP = "  ";
const MOST_ROWS = 40;
const MOST_SENTENCES = 12;

interface Cells {
  readonly size: string;
  readonly times: string;
  readonly line: string;
  readonly end: string;
  readonly tensor: string;
  readonly slot: string;
}

/** Rows that say the same, such as those of a model's layers, are one with a count. */
interface Group {
  readonly row: SavedRow;
  count: number;
}

function groupRows(trace: Trace, rows: readonly SavedRow[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const owners = row.owners.map((o) => `${o.node}.${o.slot} ${whereText(trace, o.frame)} ${o.end}`);
    const key = [row.block.bytes, row.block.dtype, row.block.shape?.join(), ...owners].join(" ");
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { row, count: 1 });
    else known.count += 1;
  }
  return [...groups.values()];
}

function endText(locale: Locale, trace: Trace, owner: SavedOwner): string {
  return message(locale, `saved_end_${owner.end}`, { where: lineText(trace, owner.endFrame) });
}

/** A line's number alone, with its file when that is not the program's. */
function lineText(trace: Trace, index: number): string {
  const frame = trace.frames[index];
  if (frame === undefined) return "";
  return frame.file === trace.program ? String(frame.line) : `${frame.file.split("/").at(-1)}:${frame.line}`;
}

function cellsOf(locale: Locale, trace: Trace, { row, count }: Group): Cells[] {
  const { block, owners } = row;
  return owners.map((owner, index) => ({
    size: index === 0 ? fixed2((block.bytes * count) / MIB) : "",
    times: index === 0 && count > 1 ? `${count} x` : "",
    line: lineText(trace, owner.frame),
    end: endText(locale, trace, owner),
    tensor: index === 0 ? tensorText(locale, block) : message(locale, "saved_same_storage"),
    slot: `${owner.node}.${owner.slot}`,
  }));
}

/** Rows as columns; one that is empty, or says the same in every row, is left out. */
function table(cells: readonly Cells[], withEnds: boolean, locale: Locale, painter: Painter): string[] {
  const header: Cells = {
    size: message(locale, "saved_column_size"),
    times: "",
    line: message(locale, "saved_column_line"),
    end: message(locale, "saved_column_end"),
    tensor: message(locale, "saved_column_tensor"),
    slot: message(locale, "saved_column_slot"),
  };
  const all = [header, ...cells];
  const widthOf = (column: keyof Cells) => Math.max(...all.map((row) => displayWidth(row[column])));
  const columns = (["times", "size", "line", "end", "tensor"] as const)
    .filter((column) => (column === "end" ? withEnds : cells.some((row) => row[column] !== "")))
    .map((column) => ({ column, width: widthOf(column) }));
  const isNumber = (column: keyof Cells) => column === "times" || column === "size" || column === "line";
  const ellipsis = painter.ascii ? "~" : "…";
  const text = (row: Cells) => {
    const parts = columns.map(({ column, width }) => (isNumber(column) ? padStart : padEnd)(row[column], width));
    return cut(INDENT + [...parts, row.slot].join(GAP), painter.width, ellipsis).trimEnd();
  };
  return [painter.faint(text(header)), ...cells.map(text)];
}

/** How slots let go, each way once. */
function endsOf(locale: Locale, trace: Trace, rows: readonly SavedRow[]): Set<string> {
  return new Set(rows.flatMap(({ owners }) => owners.map((owner) => endText(locale, trace, owner))));
}

function rowsText(rows: readonly SavedRow[], trace: Trace, locale: Locale, painter: Painter): string[] {
  const groups = groupRows(trace, rows);
  const kept =
    groups.length <= MOST_ROWS
      ? groups
      : new Set(
          groups.toSorted((a, b) => b.row.block.bytes * b.count - a.row.block.bytes * a.count).slice(0, MOST_ROWS),
        );
  const shown = groups.filter((group) => (kept instanceof Set ? kept.has(group) : true));
  const lines = table(
    shown.flatMap((group) => cellsOf(locale, trace, group)),
    endsOf(locale, trace, rows).size > 1,
    locale,
    painter,
  );
  if (shown.length < groups.length) {
    const restBytes = groups
      .filter((group) => !shown.includes(group))
      .reduce((sum, { row, count }) => sum + row.block.bytes * count, 0);
    lines.push(INDENT + message(locale, "saved_rows_left_out", { count: groups.length - shown.length, restBytes }));
  }
  return lines;
}

/** How everything was released, when it was in one way. */
function endSentence(rows: readonly SavedRow[], trace: Trace, locale: Locale, painter: Painter): string[] {
  const ends = endsOf(locale, trace, rows);
  const [owner] = rows[0]?.owners ?? [];
  if (ends.size !== 1 || owner === undefined) return [];
  const text =
    owner.end === "kept" ? message(locale, "saved_never") : message(locale, "saved_all_end", { end: [...ends][0]! });
  return wrap(INDENT + text, painter.width, INDENT);
}

/** What was made and not kept, or is alive without a slot, as sentences; the largest, in the order of their making. */
function madeText(
  rows: readonly ReleasedRow[],
  alive: boolean,
  trace: Trace,
  locale: Locale,
  painter: Painter,
): string[] {
  const largest = rows.toSorted((a, b) => b.block.bytes * b.count - a.block.bytes * a.count).slice(0, MOST_SENTENCES);
  return largest
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ block, count, death }) => {
      const times = count > 1 ? ` (${message(locale, "saved_times", { count })})` : "";
      const text = message(locale, alive ? "saved_alive" : "saved_made", {
        bytesBytes: block.bytes,
        tensor: tensorText(locale, block) + times,
        op: trace.ops[block.op] ?? "",
        where: whereText(trace, block.frame),
        death: deathText(locale, trace, death),
      });
      return wrap(`${INDENT}- ${text}`, painter.width, `${INDENT}  `);
    });
}

/** The section's blocks of lines, to be joined with empty lines between them. */
export function savedSections(saved: SavedTable | null, trace: Trace, locale: Locale, painter: Painter): string[][] {
  if (saved === null) return [[INDENT + message(locale, "saved_none")]];
  const where = whereText(trace, trace.events.frame[saved.event]!);
  const made = (heading: string, rows: readonly ReleasedRow[], alive: boolean) =>
    rows.length === 0 ? [] : [painter.strong(heading), ...madeText(rows, alive, trace, locale, painter)];
  const total = message(locale, "saved_total", { keptBytes: saved.keptBytes, where });
  return [
    [
      painter.strong(message(locale, "section_saved")),
      ...wrap(INDENT + total, painter.width, INDENT),
      ...(saved.kept.length === 0 ? [] : rowsText(saved.kept, trace, locale, painter)),
      ...endSentence(saved.kept, trace, locale, painter),
    ],
    saved.there.length === 0
      ? []
      : [
          painter.strong(message(locale, "section_saved_there", { thereBytes: saved.thereBytes })),
          ...rowsText(saved.there, trace, locale, painter),
        ],
    made(message(locale, "section_saved_unsaved"), saved.unsaved, true),
    made(message(locale, "section_saved_released"), saved.released, false),
  ].filter((section) => section.length > 0);
}
