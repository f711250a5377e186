/** A hash over a stretch of recorded events: what was allocated and freed, where, by what; not at which address. */

import { mix } from "../base/mix.ts";
import { EVENT_KINDS, PHASES, type Phase } from "./model.ts";

/** Columns of events, and the stream of each block. */
export interface RecordedColumns {
  readonly kind: Uint8Array;
  readonly block: Int32Array;
  readonly bytes: Float64Array;
  readonly frame: Int32Array;
  readonly op: Int32Array;
  readonly module: Int32Array;
  readonly phase: Uint8Array;
  readonly stream: Int32Array;
  /** Of each block, as it was asked for: what is charged depends on the free block that was found. */
  readonly requestedBytes: Float64Array;
}

/** Segments follow from the allocator's layout, and marks move nothing. */
const COUNTS = EVENT_KINDS.map((kind) => kind === "alloc" || kind === "free_requested" || kind === "free_completed");

/** Goes on with `hash` over the events from `first` until before `end`. */
export function foldEvents(columns: RecordedColumns, first: number, end: number, hash: number): number {
  const { kind, block, bytes, frame, op, module, stream } = columns;
  let h = hash;
  for (let event = first; event < end; event++) {
    if (!COUNTS[kind[event]!]!) continue;
    h = mix(mix(mix(h, bytes[event]!), frame[event]!), op[event]!);
    h = mix(h, ((module[event]! + 1) * 64 + stream[block[event]!]!) * 8 + kind[event]!);
  }
  return h;
}

/** The same of what was asked for alone: passes that ask alike may be charged otherwise, where their blocks lie elsewhere. */
export function foldRequests(columns: RecordedColumns, first: number, end: number, hash: number): number {
  const { kind, block, requestedBytes, frame, op } = columns;
  let h = hash;
  for (let event = first; event < end; event++) {
    if (!COUNTS[kind[event]!]!) continue;
    h = mix(mix(mix(mix(h, requestedBytes[block[event]!]!), frame[event]!), op[event]!), kind[event]!);
  }
  return h;
}

/** Whether one of the events from `first` until before `end` belongs to a phase. */
export function hasPhase({ phase }: RecordedColumns, name: Phase, first: number, end: number): boolean {
  return phase.subarray(first, end).includes(PHASES.indexOf(name));
}
