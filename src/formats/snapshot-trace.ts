/**
 * A memory snapshot as a `Trace`: its entries become events in place, blocks from before the record come from the segments, charged
 * bytes from the allocator's rules, lines, phases and categories from the call stacks. Totals are counted backwards from the segments,
 * which say exactly what was allocated at the end.
 */

import { segmentBytesFor } from "../alloc/rounding.ts";
import type { AllocatorConfig } from "../alloc/config.ts";
import { blockRecords } from "../trace/block-columns.ts";
import { EVENT_KINDS, type EarlySegment, type FailedRequest, type Trace } from "../trace/model.ts";
import { NOTHING_SAVED } from "../trace/saved-columns.ts";
import { AddressMap } from "./address-map.ts";
import type { OpenedFile, OpenOptions } from "./foreign-format.ts";
import { blockPurposes } from "./snapshot-categories.ts";
import { Charges } from "./snapshot-charges.ts";
import { deviceRows, insertRows, type DeviceRows } from "./snapshot-device.ts";
import { snapshotNotes } from "./snapshot-notes.ts";
import { findRepairs, type EarlyBlock, type Repairs } from "./snapshot-repair.ts";
import { FREE_WAITING, type SnapshotRows } from "./snapshot-rows.ts";
import { snapshotConfig } from "./snapshot-settings.ts";
import { SnapshotStacks } from "./snapshot-stacks.ts";
import type { SnapshotParts, SnapshotSegment } from "./snapshot.ts";

const KIND = Object.fromEntries(EVENT_KINDS.map((name, index) => [name, index])) as Record<
  (typeof EVENT_KINDS)[number],
  number
>;
/** What each kind does to the reserved bytes, times its own. */
const RESERVES = Int8Array.from(EVENT_KINDS, (name) =>
  name === "segment_alloc" || name === "segment_map" ? 1 : name === "segment_free" || name === "segment_unmap" ? -1 : 0,
);

/** Blocks of a device in columns, and which event is whose. */
export interface Assigned {
  readonly eventBlock: Int32Array;
  readonly allocEvent: Int32Array;
  readonly freeEvent: Int32Array;
  readonly requestedBytes: Float64Array;
  readonly stream: Uint16Array;
  readonly early: { readonly bytes: Float64Array; readonly address: Float64Array; readonly frame: Int32Array };
  /** Blocks alive at the end whose charge, by the segments, is not what the rules say. */
  readonly otherwise: number;
}

/** Segments as they were at the start: those of the end, with what happened to segments undone. */
function segmentsAtStart(rows: DeviceRows, segments: readonly SnapshotSegment[]): EarlySegment[] {
  const ranges = new Map<number, EarlySegment>();
  for (const { address, totalBytes, isExpandable } of segments) {
    ranges.set(address, { address, bytes: totalBytes, isExpandable });
  }
  const { kind, address, bytes } = rows;
  for (let row = kind.length - 1; row >= 0; row--) {
    if (RESERVES[kind[row]!] === 0 || kind[row]! >= EVENT_KINDS.length) continue;
    const at = address[row]!;
    if (kind[row] === KIND.segment_alloc) ranges.delete(at);
    else if (kind[row] === KIND.segment_free) ranges.set(at, { address: at, bytes: bytes[row]!, isExpandable: false });
    else if (kind[row] === KIND.segment_unmap) ranges.set(at, { address: at, bytes: bytes[row]!, isExpandable: true });
    else cutOut(ranges, at, bytes[row]!);
  }
  return [...ranges.values()].sort((a, b) => a.address - b.address);
}

/** Takes a mapped range away; it lies in one range as a rule, whose ends remain. */
function cutOut(ranges: Map<number, EarlySegment>, start: number, bytes: number): void {
  const end = start + bytes;
  const exact = ranges.get(start);
  const inside =
    exact ?? [...ranges.values()].find((range) => range.address < start && start < range.address + range.bytes);
  if (inside === undefined) return;
  const insideEnd = inside.address + inside.bytes;
  ranges.delete(inside.address);
  if (inside.address < start) ranges.set(inside.address, { ...inside, bytes: start - inside.address });
  if (end < insideEnd) ranges.set(end, { ...inside, address: end, bytes: insideEnd - end });
}

/** Gives each block its events and its bytes; the column of bytes, which had requests, then has charges. */
function assignBlocks(
  rows: DeviceRows,
  { early, finals }: Repairs,
  start: readonly EarlySegment[],
  config: AllocatorConfig,
): Assigned {
  const { kind, address, bytes, stream } = rows;
  const count = kind.length;
  let blocks = early.length;
  for (let row = 0; row < count; row++) if (kind[row] === KIND.alloc) blocks += 1;
  const allocEvent = new Int32Array(blocks).fill(-1);
  const freeEvent = new Int32Array(blocks).fill(-1);
  const requestedBytes = new Float64Array(blocks);
  const streamOf = new Uint16Array(blocks);
  const eventBlock = new Int32Array(count).fill(-1);
  const charges = new Charges(config);
  for (const segment of start) if (!segment.isExpandable) charges.addSegment(segment.address, segment.bytes);
  const earlyBytes = placeEarly(early, charges, requestedBytes);
  const live = new AddressMap();
  early.forEach((block, index) => live.set(block.address, index));
  const waiting = new AddressMap();
  const atOnce = !rows.hasCompletions;
  let next = early.length;
  for (let row = 0; row < count; row++) {
    const at = address[row]!;
    switch (kind[row]) {
      case KIND.alloc: {
        const block = next++;
        allocEvent[block] = row;
        requestedBytes[block] = bytes[row]!;
        streamOf[block] = stream[row]!;
        eventBlock[row] = block;
        live.set(at, block);
        bytes[row] = charges.alloc(at, bytes[row]!);
        break;
      }
      case FREE_WAITING:
      case KIND.free_requested: {
        const block = live.take(at);
        const waits = kind[row] === FREE_WAITING && !atOnce;
        kind[row] = KIND.free_requested;
        if (block < 0) break;
        freeEvent[block] = row;
        eventBlock[row] = block;
        streamOf[block] = stream[row]!;
        if (waits) waiting.set(at, block);
        else charges.release(at, requestedBytes[block]!);
        break;
      }
      case KIND.free_completed: {
        const block = waiting.take(at);
        eventBlock[row] = block;
        if (block >= 0) charges.release(at, requestedBytes[block]!);
        break;
      }
      case KIND.segment_alloc:
        charges.addSegment(at, bytes[row]!);
        break;
      case KIND.segment_free:
        charges.removeSegment(at);
        break;
      default:
    }
  }
  let otherwise = 0;
  if (finals !== null) {
    for (const [at, block] of live.entries()) {
      const known = finals.get(at)?.bytes;
      if (known === undefined || allocEvent[block]! < 0) continue;
      if (known !== bytes[allocEvent[block]!]) otherwise += 1;
      bytes[allocEvent[block]!] = known;
    }
  }
  // a free, and its completion, move as many bytes as their block has
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.free_requested && kind[row] !== KIND.free_completed) continue;
    const block = eventBlock[row]!;
    if (block < 0) bytes[row] = 0;
    else bytes[row] = allocEvent[block]! < 0 ? earlyBytes[block]! : bytes[allocEvent[block]!]!;
  }
  return {
    eventBlock,
    allocEvent,
    freeEvent,
    requestedBytes,
    stream: streamOf,
    early: {
      bytes: earlyBytes,
      address: Float64Array.from(early, (block) => block.address),
      frame: new Int32Array(early.length).fill(-1),
    },
    otherwise,
  };
}

/** Bytes of the blocks from before the record: as the segments say, else by what is around them, now or when a cut shows it. */
function placeEarly(early: readonly EarlyBlock[], charges: Charges, requestedBytes: Float64Array): Float64Array {
  const earlyBytes = new Float64Array(early.length);
  early.forEach((block, index) => {
    requestedBytes[index] = block.requestedBytes;
    const found = block.bytes === null ? (cut: number) => void (earlyBytes[index] = cut) : null;
    charges.place(block.address, block.requestedBytes, found);
  });
  early.forEach((block, index) => {
    earlyBytes[index] = block.bytes ?? charges.atStart(block.address, block.requestedBytes);
  });
  return earlyBytes;
}

/** Totals after each event, counted from the end; `lowest` is what the start would lack, 0 in a record without gaps. */
function countBack(kind: Uint8Array, bytes: Float64Array, endBytes: number, effectOf: Int8Array): Float64Array {
  const totals = new Float64Array(kind.length);
  let total = endBytes;
  let lowest = endBytes;
  for (let row = kind.length - 1; row >= 0; row--) {
    totals[row] = total;
    total -= effectOf[kind[row]!]! * bytes[row]!;
    if (total < lowest) lowest = total;
  }
  if (lowest < 0) for (let row = 0; row < totals.length; row++) totals[row]! -= lowest;
  return totals;
}

const ALLOCATES = Int8Array.from(EVENT_KINDS, (name) => (name === "alloc" ? 1 : name === "free_requested" ? -1 : 0));

function endBytesOf(assigned: Assigned, bytes: Float64Array): number {
  let total = 0;
  for (let block = 0; block < assigned.allocEvent.length; block++) {
    if (assigned.freeEvent[block] !== -1) continue;
    const event = assigned.allocEvent[block]!;
    total += event < 0 ? assigned.early.bytes[block]! : bytes[event]!;
  }
  return total;
}

/** Failed requests: the record has in the place of an address what the driver had left. */
function takeFailures(kind: Uint8Array, address: Float64Array, bytes: Float64Array, config: AllocatorConfig) {
  const failures: FailedRequest[] = [];
  for (let event = kind.indexOf(KIND.oom); event >= 0; event = kind.indexOf(KIND.oom, event + 1)) {
    const segmentBytes = segmentBytesFor(bytes[event]!, config);
    const freeBytes = address[event]!;
    failures.push({ event, dtype: null, shape: null, note: null, segmentBytes, freeBytes, allowedBytes: null });
    address[event] = 0;
  }
  return failures;
}

/** The trace of one device of a snapshot. */
export function snapshotTrace(
  parts: SnapshotParts,
  all: SnapshotRows,
  options: OpenOptions,
  format: string,
): OpenedFile {
  const { rows, device, segments, others } = deviceRows(parts, all, options.device);
  const config = snapshotConfig(parts.allocatorSettings);
  const found = findRepairs(rows, segments);
  const marks = insertRows(rows, found.insertions, parts.annotations, device);
  const start = segmentsAtStart(rows, segments);
  const assigned = assignBlocks(rows, found, start, config);
  const { kind, bytes, address } = rows;
  const allocatedBytes = countBack(kind, bytes, endBytesOf(assigned, bytes), ALLOCATES);
  const reservedEnd = segments.reduce((sum, segment) => sum + segment.totalBytes, 0);
  const reservedBytes = countBack(kind, bytes, reservedEnd, RESERVES);
  const failures = takeFailures(kind, address, bytes, config);
  const stacks = new SnapshotStacks(parts.frames, parts.frameLists);
  const purposes = blockPurposes(rows, assigned, found, stacks);
  const events = {
    kind,
    block: assigned.eventBlock,
    address,
    bytes,
    allocatedBytes,
    reservedBytes,
    frame: rows.frame,
    op: rows.op,
    module: purposes.module,
    phase: purposes.phase,
  };
  const { allocEvent, freeEvent, requestedBytes, stream, early } = assigned;
  const { category, tensors, notes } = purposes;
  const columns = {
    allocEvent,
    freeEvent,
    requestedBytes,
    category,
    stream,
    streams: all.streamNames,
    early,
    tensors,
    notes,
  };
  const trace: Trace = {
    schemaVersion: 1,
    source: format,
    program: options.name,
    gpu: `cuda:${device}`,
    capacityBytes: 0,
    torch: "unknown",
    events,
    blocks: blockRecords(columns, events),
    frames: stacks.lines,
    ops: stacks.operators,
    modules: purposes.modules,
    marks,
    assumptions: [],
    saved: NOTHING_SAVED,
    failures,
    earlySegments: start,
  };
  const notesOfFile = snapshotNotes({
    trace,
    parts,
    found,
    assigned,
    purposes,
    others,
    segments,
    unknown: all.unknownActions,
  });
  return { format, trace, readings: null, notes: notesOfFile };
}
