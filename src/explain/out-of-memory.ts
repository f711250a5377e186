/** A request that failed: what it was for, what was free, and how many bytes were missing. */

import { freeMemoryAt, type FreeMemory } from "../trace/free-memory.ts";
import { KIND } from "../trace/codes.ts";
import type { Trace } from "../trace/model.ts";

export interface OutOfMemory {
  /** Index of the `oom` event. */
  readonly event: number;
  /** Index into the trace's frames of the line that asked, or -1. */
  readonly frame: number;
  readonly op: string | null;
  readonly module: string | null;
  readonly requestedBytes: number;
  readonly dtype: string | null;
  readonly shape: readonly number[] | null;
  /** What the memory was for when it was for no tensor, as in a block's note. */
  readonly note: string | null;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  readonly capacityBytes: number;
  /** Reserved memory that no block used. */
  readonly free: FreeMemory;
  /** With what was reserved and free, and what the driver had left, the request would have fitted, had it been in one piece. */
  readonly fragmented: boolean;
  /** What the driver was asked for and what it had left; null in traces that do not say. */
  readonly driver: {
    readonly segmentBytes: number;
    readonly freeBytes: number;
    /** Limit by `set_per_process_memory_fraction`, or null. */
    readonly allowedBytes: number | null;
    /** With so many bytes more to give, the driver would have served the request. */
    readonly missingBytes: number;
  } | null;
}

/** The last request that failed, or null. A program that tries again and again is judged by its last failure. */
export function outOfMemory(trace: Trace): OutOfMemory | null {
  const { kind, bytes, allocatedBytes, reservedBytes, frame, op, module } = trace.events;
  const event = kind.lastIndexOf(KIND.oom);
  if (event === -1) return null;
  const requestedBytes = bytes[event]!;
  const free = freeMemoryAt(trace, event);
  const more = trace.failures.find((failure) => failure.event === event);
  const leftBytes =
    more === undefined
      ? 0
      : Math.min(more.freeBytes, more.allowedBytes === null ? Infinity : more.allowedBytes - reservedBytes[event]!);
  return {
    event,
    frame: frame[event]!,
    op: trace.ops[op[event]!] ?? null,
    module: trace.modules[module[event]!] ?? null,
    requestedBytes,
    dtype: more?.dtype ?? null,
    shape: more?.shape ?? null,
    note: more?.note ?? null,
    allocatedBytes: allocatedBytes[event]!,
    reservedBytes: reservedBytes[event]!,
    capacityBytes: trace.capacityBytes,
    free,
    fragmented: free.freeBytes + Math.max(0, leftBytes) >= (more?.segmentBytes ?? requestedBytes),
    driver:
      more === undefined
        ? null
        : {
            segmentBytes: more.segmentBytes,
            freeBytes: more.freeBytes,
            allowedBytes: more.allowedBytes,
            missingBytes: Math.max(0, more.segmentBytes - Math.max(0, leftBytes)),
          },
  };
}
