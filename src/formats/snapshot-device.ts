/** The rows of one device of a snapshot as whole columns, with rows that must be put in between. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { KIND } from "../trace/codes.ts";
import type { Chunked } from "./chunked.ts";
import type { Insertion } from "./snapshot-repair.ts";
import type { SnapshotRows } from "./snapshot-rows.ts";
import { NO_CATEGORY } from "./snapshot-rows.ts";
import type { EntryRows } from "./snapshot-folder.ts";
import type { SnapshotAnnotation, SnapshotParts, SnapshotSegment } from "./snapshot.ts";

/** Columns of equal length; they become the events of the trace. */
export interface DeviceRows {
  kind: Uint8Array;
  /** What the driver had free, for a failed request. */
  address: Float64Array;
  /** Requested bytes first, charged bytes later. */
  bytes: Float64Array;
  stream: Uint16Array;
  timeUs: Float64Array;
  /** Stack first, line later. */
  frame: Int32Array;
  /** Metadata first, operator later. */
  op: Int32Array;
  category: Uint8Array;
  readonly metadata: readonly string[];
  readonly hasCompletions: boolean;
}

export interface ChosenDevice {
  readonly rows: DeviceRows;
  readonly device: number;
  readonly segments: readonly SnapshotSegment[];
  /** Other devices that did something. */
  readonly others: readonly number[];
}

const MARK = KIND.mark;
const FREE_REQUESTED = KIND.free_requested;
const FREE_COMPLETED = KIND.free_completed;

type Numbers = Uint8Array | Uint16Array | Int32Array | Float64Array;

function column<T extends Numbers>(all: Chunked<T>, ranges: readonly EntryRows[]): T {
  const [only] = ranges;
  if (ranges.length === 1 && only!.first === 0 && only!.count === all.length) return all.take();
  if (ranges.length === 1) return all.slice(only!.first, only!.first + only!.count);
  const pieces = ranges.map(({ first, count }) => all.slice(first, first + count));
  const whole = all.slice(0, 0).constructor as new (length: number) => T;
  const joined = new whole(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** @throws {DiagnosticError} `snapshot_no_such_device` with those that there are. */
export function deviceRows(parts: SnapshotParts, all: SnapshotRows, wanted: number | undefined): ChosenDevice {
  const active = new Set(parts.segments.map((segment) => segment.device));
  parts.rows.forEach((ranges, device) => {
    if (ranges.some((range) => range.count > 0)) active.add(device);
  });
  const devices = [...active].sort((a, b) => a - b);
  const device = wanted ?? devices[0] ?? 0;
  if (wanted !== undefined && !active.has(wanted)) {
    throw new DiagnosticError(
      diagnostic("snapshot_no_such_device", { device: wanted, known: devices.slice(0, 16).join(", ") }),
    );
  }
  const ranges = parts.rows[device] ?? [];
  const kind = column(all.kinds, ranges);
  return {
    device,
    segments: parts.segments.filter((segment) => segment.device === device),
    others: devices.filter((other) => other !== device),
    rows: {
      kind,
      address: column(all.addresses, ranges),
      bytes: column(all.bytes, ranges),
      stream: column(all.streams, ranges),
      timeUs: column(all.times, ranges),
      frame: column(all.frameLists, ranges),
      op: column(all.metadataIds, ranges),
      category: column(all.categories, ranges),
      metadata: all.metadata.names,
      hasCompletions: kind.includes(FREE_REQUESTED) || kind.includes(FREE_COMPLETED),
    },
  };
}

/** Names of annotations as marks: where a span begins and ends, or one mark where both are the same moment. */
function annotationMarks(rows: DeviceRows, annotations: readonly SnapshotAnnotation[], device: number): Insertion[] {
  const own = annotations
    .filter((annotation) => annotation.device === device || annotation.device < 0)
    .sort((a, b) => a.timeUs - b.timeUs);
  const marks: (Insertion & { readonly timeUs: number; readonly label: string })[] = [];
  let row = 0;
  for (const { timeUs, fields } of own) {
    while (row < rows.kind.length && rows.timeUs[row]! < timeUs) row += 1;
    const label = fields["name"] ?? Object.values(fields).join(" ");
    const stage = fields["stage"] ?? "";
    const last = marks.at(-1);
    if (stage === "END" && last?.label === label && last.timeUs === timeUs) {
      marks[marks.length - 1] = { ...last, name: label };
      continue;
    }
    const name = stage === "" ? label : `${label} ${stage.toLowerCase()}`;
    marks.push({ before: row, kind: MARK, address: 0, bytes: 0, name, timeUs, label });
  }
  return marks;
}

/** `column` with room for further rows before some of its own. */
function spread<T extends Numbers>(values: T, before: readonly number[], fill: (index: number) => number): T {
  const larger = new (values.constructor as new (length: number) => T)(values.length + before.length);
  let from = 0;
  before.forEach((row, index) => {
    larger.set(values.subarray(from, row), from + index);
    larger[row + index] = fill(index);
    from = row;
  });
  larger.set(values.subarray(from), from + before.length);
  return larger;
}

/** Puts rows in, of repairs and annotations; gives the names of all marks by row. */
export function insertRows(
  rows: DeviceRows,
  repairs: readonly Insertion[],
  annotations: readonly SnapshotAnnotation[],
  device: number,
): Record<number, string> {
  const own = annotationMarks(rows, annotations, device);
  // a device of which there are only segments still has a moment: that of the snapshot
  const empty = rows.kind.length === 0 && repairs.length === 0 && own.length === 0;
  const moment: Insertion = { before: 0, kind: MARK, address: 0, bytes: 0, name: "snapshot" };
  const insertions = empty ? [moment] : [...repairs, ...own].sort((a, b) => a.before - b.before);
  if (insertions.length > 0) {
    const before = insertions.map((insertion) => insertion.before);
    rows.kind = spread(rows.kind, before, (index) => insertions[index]!.kind);
    rows.address = spread(rows.address, before, (index) => insertions[index]!.address);
    rows.bytes = spread(rows.bytes, before, (index) => insertions[index]!.bytes);
    rows.stream = spread(rows.stream, before, () => 0);
    rows.frame = spread(rows.frame, before, () => -1);
    rows.op = spread(rows.op, before, () => 0);
    rows.category = spread(rows.category, before, () => NO_CATEGORY);
  }
  rows.timeUs = new Float64Array(0);
  return marksOf(rows, insertions);
}

function marksOf(rows: DeviceRows, insertions: readonly Insertion[]): Record<number, string> {
  const marks: Record<number, string> = {};
  const names = new Map(insertions.map((insertion, index) => [insertion.before + index, insertion.name]));
  for (let row = rows.kind.indexOf(MARK); row >= 0; row = rows.kind.indexOf(MARK, row + 1)) {
    marks[row] = names.get(row) ?? (rows.metadata[rows.op[row]!] || "?");
    rows.bytes[row] = 0;
    rows.address[row] = 0;
  }
  return marks;
}
