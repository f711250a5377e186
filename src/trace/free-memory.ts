/** Reserved memory that no block uses, and its largest piece: whether a request failed for want of memory or of one large enough. */

import { forEachAlive } from "./composition.ts";
import { KIND } from "./codes.ts";
import type { Trace } from "./model.ts";

const SEGMENT_ALLOC = KIND.segment_alloc;
const SEGMENT_FREE = KIND.segment_free;
const SEGMENT_MAP = KIND.segment_map;
const SEGMENT_UNMAP = KIND.segment_unmap;

interface Range {
  start: number;
  end: number;
}

export interface FreeMemory {
  /** Reserved and not allocated. */
  readonly freeBytes: number;
  /** The largest piece of it. */
  readonly largestBytes: number;
  readonly pieces: number;
}

/** What was taken from the driver and not given back after event `event`, by address. */
function segmentsAt(trace: Trace, event: number): Range[] {
  const { kind, address, bytes } = trace.events;
  const byStart = new Map<number, Range>();
  const mapped = new Set<number>();
  for (const early of trace.earlySegments ?? []) {
    byStart.set(early.address, { start: early.address, end: early.address + early.bytes });
    if (early.isExpandable) mapped.add(early.address);
  }
  for (let i = 0; i <= event; i++) {
    const start = address[i]!;
    const end = start + bytes[i]!;
    if (kind[i] === SEGMENT_ALLOC || kind[i] === SEGMENT_MAP) byStart.set(start, { start, end });
    if (kind[i] === SEGMENT_MAP) mapped.add(start);
    if (kind[i] === SEGMENT_FREE) byStart.delete(start);
    else if (kind[i] === SEGMENT_UNMAP) cut(byStart, start, end);
  }
  const ranges = [...byStart.values()].sort((a, b) => a.start - b.start);
  const joined: Range[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    // pages of an expandable segment are mapped one after another; other segments that touch stay apart
    if (last !== undefined && last.end === range.start && mapped.has(range.start)) last.end = range.end;
    else joined.push({ ...range });
  }
  return joined;
}

function cut(ranges: Map<number, Range>, start: number, end: number): void {
  const before = [...ranges.values()];
  for (const range of before) {
    if (range.end <= start || range.start >= end) continue;
    ranges.delete(range.start);
    if (range.start < start) ranges.set(range.start, { start: range.start, end: start });
    if (range.end > end) ranges.set(end, { start: end, end: range.end });
  }
}

/** Free pieces of reserved memory after event `event`. */
export function freeMemoryAt(trace: Trace, event: number): FreeMemory {
  const used: Range[] = [];
  forEachAlive(trace, event, ({ address, bytes }) => used.push({ start: address, end: address + bytes }));
  used.sort((a, b) => a.start - b.start);
  let freeBytes = 0;
  let largestBytes = 0;
  let pieces = 0;
  let next = 0;
  const piece = (bytes: number): void => {
    if (bytes <= 0) return;
    freeBytes += bytes;
    pieces += 1;
    largestBytes = Math.max(largestBytes, bytes);
  };
  for (const segment of segmentsAt(trace, event)) {
    let at = segment.start;
    while (next < used.length && used[next]!.start < segment.start) next += 1;
    for (; next < used.length && used[next]!.start < segment.end; next++) {
      piece(used[next]!.start - at);
      at = used[next]!.end;
    }
    piece(segment.end - at);
  }
  return { freeBytes, largestBytes, pieces };
}
