/** Why reserved bytes of two traces differ at two moments: segment by segment, each with the request that it was taken for. */

import { forEachAlive } from "../trace/composition.ts";
import { freeMemoryAt } from "../trace/free-memory.ts";
import { KIND } from "../trace/codes.ts";
import type { Trace } from "../trace/model.ts";
import { blockItem, placeOf, type Comparison, type MomentPair } from "./block-causes.ts";
import { CauseTable, NO_BLOCK, type Cause, type CauseItem } from "./causes.ts";
import { reservedAt, type Side } from "./side.ts";

const ALLOC = KIND.alloc;
const SEGMENT_ALLOC = KIND.segment_alloc;
const SEGMENT_FREE = KIND.segment_free;
const SEGMENT_MAP = KIND.segment_map;
const SEGMENT_UNMAP = KIND.segment_unmap;

/** For so many segments it is worked out what was free when they were taken: each costs a walk over the trace. */
const MOST_REQUESTS = 16;

interface Taken {
  readonly address: number;
  readonly bytes: number;
  /** Event that took it; -1 when it was there before the record began. */
  readonly event: number;
  /** Pages of an expandable segment. */
  readonly isMapped: boolean;
}

/** What was taken from the driver and not given back after an event. Mapped pages are taken piece by piece, and may go in parts. */
function takenAt(trace: Trace, event: number): Taken[] {
  const { kind, address, bytes } = trace.events;
  const taken = new Map<number, Taken>();
  // those that were there when the record began
  for (const early of trace.earlySegments ?? []) {
    const { address: start, bytes: size, isExpandable: isMapped } = early;
    taken.set(start, { address: start, bytes: size, event: -1, isMapped });
  }
  for (let at = 0; at <= event; at++) {
    const [start, size] = [address[at]!, bytes[at]!];
    if (kind[at] === SEGMENT_ALLOC || kind[at] === SEGMENT_MAP) {
      taken.set(start, { address: start, bytes: size, event: at, isMapped: kind[at] === SEGMENT_MAP });
    } else if (kind[at] === SEGMENT_FREE) taken.delete(start);
    else if (kind[at] === SEGMENT_UNMAP) unmap(taken, start, start + size);
  }
  return joined([...taken.values()]);
}

/** Mapped pages that touch are one range, however often more were mapped. */
function joined(taken: readonly Taken[]): Taken[] {
  if (!taken.some(({ isMapped }) => isMapped)) return [...taken];
  const ranges: Taken[] = [];
  for (const range of [...taken].sort((a, b) => a.address - b.address)) {
    const last = ranges.at(-1);
    const touches =
      last !== undefined && last.isMapped && range.isMapped && last.address + last.bytes === range.address;
    if (!touches) ranges.push(range);
    else {
      const event = Math.min(last.event, range.event);
      ranges[ranges.length - 1] = { ...last, bytes: last.bytes + range.bytes, event };
    }
  }
  return ranges;
}

function unmap(taken: Map<number, Taken>, start: number, end: number): void {
  const before = [...taken.values()];
  for (const range of before) {
    const rangeEnd = range.address + range.bytes;
    if (rangeEnd <= start || range.address >= end) continue;
    taken.delete(range.address);
    if (range.address < start) taken.set(range.address, { ...range, bytes: start - range.address });
    if (rangeEnd > end) taken.set(end, { ...range, address: end, bytes: rangeEnd - end });
  }
}

/** Those of each side that have none of the same size on the other. */
function unmatched(ours: readonly Taken[], theirs: readonly Taken[]): { predicted: Taken[]; recorded: Taken[] } {
  const bySize = new Map<number, Taken[]>();
  for (const segment of ours) {
    const list = bySize.get(segment.bytes);
    if (list === undefined) bySize.set(segment.bytes, [segment]);
    else list.push(segment);
  }
  // those that came first belong together; taking the last of a list costs nothing
  for (const list of bySize.values()) list.reverse();
  const recorded = theirs.filter((segment) => bySize.get(segment.bytes)?.pop() === undefined);
  return { predicted: [...bySize.values()].flatMap((list) => list.reverse()), recorded };
}

/** Bytes of blocks that lie in a segment after an event. */
function heldBytes(trace: Trace, segment: Taken, event: number): number {
  let held = 0;
  forEachAlive(trace, event, ({ address, bytes }) => {
    if (address >= segment.address && address < segment.address + segment.bytes) held += bytes;
  });
  return held;
}

function itemOf(
  { trace }: Side,
  segment: Taken,
  side: "predicted" | "recorded",
  at: number,
  explain: boolean,
): CauseItem {
  const sign = side === "recorded" ? 1 : -1;
  const item: CauseItem = {
    ...NO_BLOCK,
    side,
    bytes: sign * segment.bytes,
    requestedBytes: segment.bytes,
    place: placeOf(trace, trace.events.frame[segment.event]!),
    op: trace.ops[trace.events.op[segment.event]!] ?? null,
    address: segment.address,
    heldBytes: explain ? heldBytes(trace, segment, at) : null,
  };
  // what stood there when the record began has no request
  const made = segment.event < 0 || !explain ? null : nextBlock(trace, segment);
  if (made === null) return item;
  const free = freeMemoryAt(trace, segment.event - 1);
  const block = trace.blocks[made]!;
  return {
    ...item,
    place: item.place ?? blockItem(trace, block, side, 0).place,
    module: trace.modules[block.module] ?? null,
    request: {
      requestedBytes: block.requestedBytes,
      freeBytes: free.freeBytes,
      pieces: free.pieces,
      largestFreeBytes: free.largestBytes,
    },
  };
}

/** The block that a segment was taken for: the next one that is made, if it lies in it. */
function nextBlock(trace: Trace, segment: Taken): number | null {
  const { kind, block, address } = trace.events;
  for (let event = segment.event + 1; event < kind.length; event++) {
    if (kind[event] !== ALLOC) continue;
    const inside = address[event]! >= segment.address && address[event]! < segment.address + segment.bytes;
    return inside ? block[event]! : null;
  }
  return null;
}

/** Reserved bytes after an event that no segment of the trace accounts for. */
function unlistedAt({ trace }: Side, event: number, taken: readonly Taken[]): number {
  return reservedAt(trace, event) - taken.reduce((sum, segment) => sum + segment.bytes, 0);
}

/** Causes of recorded minus predicted; together they are the difference. */
export function segmentCauses({ predicted, recorded }: Comparison, at: MomentPair): Cause[] {
  const table = new CauseTable();
  const ours = takenAt(predicted.trace, at.predicted);
  const theirs = takenAt(recorded.trace, at.recorded);
  const left = unmatched(ours, theirs);
  // where the recording knows only the sum of its older segments, only sums can be compared
  let unlistedBytes = unlistedAt(recorded, at.recorded, theirs) - unlistedAt(predicted, at.predicted, ours);
  const onlySums = unlistedBytes !== 0;
  for (const side of ["predicted", "recorded"] as const) {
    const which = side === "predicted" ? predicted : recorded;
    left[side].forEach((segment, index) => {
      const isEarlier = segment.event < which.first;
      if (isEarlier && onlySums) unlistedBytes += side === "recorded" ? segment.bytes : -segment.bytes;
      else
        table.add(
          isEarlier ? "earlier_segments" : "segments",
          itemOf(which, segment, side, at[side], index < MOST_REQUESTS),
        );
    });
  }
  table.addBytes("earlier_segments", unlistedBytes);
  return table.list();
}
