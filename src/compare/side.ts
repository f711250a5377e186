/** One of two traces that are compared, with the stretch of it that counts, and its totals before and after any event of it. */

import { allocatedBefore } from "../trace/queries.ts";
import { KIND } from "../trace/codes.ts";
import type { Trace } from "../trace/model.ts";

const GIVES = new Set([KIND.segment_alloc, KIND.segment_map]);
const TAKES = new Set([KIND.segment_free, KIND.segment_unmap]);

export interface Side {
  readonly trace: Trace;
  /** First event of the stretch. */
  readonly first: number;
  /** The event behind its last one. */
  readonly end: number;
}

export const wholeOf = (trace: Trace): Side => ({ trace, first: 0, end: trace.events.kind.length });

/** Allocated bytes after an event; -1 is the moment before the first one. */
export function allocatedAt(trace: Trace, event: number): number {
  return event < 0 ? allocatedBefore(trace, 0) : trace.events.allocatedBytes[event]!;
}

/** Reserved bytes after an event; -1 is the moment before the first one. */
export function reservedAt(trace: Trace, event: number): number {
  const { kind, bytes, reservedBytes } = trace.events;
  if (event >= 0) return reservedBytes[event]!;
  if (kind.length === 0) return 0;
  const change = GIVES.has(kind[0]!) ? bytes[0]! : TAKES.has(kind[0]!) ? -bytes[0]! : 0;
  return reservedBytes[0]! - change;
}

/** Bytes that were asked for and are alive after an event; what the trace does not list counts as it was charged. */
export function requestedAt(trace: Trace, event: number): number {
  let requestedBytes = 0;
  let listedBytes = 0;
  for (const block of trace.blocks) {
    if (!livesAt(block, event)) continue;
    requestedBytes += block.requestedBytes;
    listedBytes += block.bytes;
  }
  return requestedBytes + allocatedAt(trace, event) - listedBytes;
}

export function livesAt(block: { readonly allocEvent: number; readonly freeEvent: number }, event: number): boolean {
  return block.allocEvent <= event && (block.freeEvent === -1 || block.freeEvent > event);
}

/** The first moment of the stretch at which most is allocated, or reserved; the moment before it counts, too. */
export function highestMoment({ trace, first, end }: Side, of: "allocatedBytes" | "reservedBytes"): number {
  const column = trace.events[of];
  let highest = first - 1;
  let most = of === "allocatedBytes" ? allocatedAt(trace, first - 1) : reservedAt(trace, first - 1);
  for (let event = first; event < end; event++) {
    if (column[event]! <= most) continue;
    most = column[event]!;
    highest = event;
  }
  return highest;
}
