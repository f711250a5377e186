/** The allocator's own record of what it did, as memory snapshots keep it: actions in columns. */

import type { SegmentSnapshot } from "./snapshot.ts";

/** PyTorch's names of trace actions. */
export const TRACE_ACTIONS = [
  "alloc",
  "free_requested",
  "free_completed",
  "segment_alloc",
  "segment_free",
  "segment_map",
  "segment_unmap",
  "snapshot",
  "oom",
  "annotate",
] as const;
export type TraceAction = (typeof TRACE_ACTIONS)[number];

/** Row i of every column is entry i. */
export interface RecordedActions {
  /** Index into {@link TRACE_ACTIONS}. */
  readonly action: Uint8Array;
  readonly address: Float64Array;
  /** Requested bytes of blocks, bytes of segments and ranges. */
  readonly bytes: Float64Array;
  readonly stream: Float64Array;
}

/** What one device did, and how its memory stood at the end of it. */
export interface RecordedHistory {
  readonly actions: RecordedActions;
  readonly segments: readonly SegmentSnapshot[];
}
