/** What the allocator tells a listener, after its counters have moved. */

import type { Block } from "./block.ts";

export type AllocatorEventKind =
  | "alloc"
  | "free_requested"
  | "free_completed"
  | "segment_alloc"
  | "segment_free"
  | "segment_map"
  | "segment_unmap"
  | "oom";

export interface AllocatorEvent {
  readonly kind: AllocatorEventKind;
  /** Of the block, segment or range as it was before any merging; 0 for oom. */
  readonly address: number;
  /** Charged bytes of the block, bytes of the segment or range; for oom the segment that could not be had. */
  readonly bytes: number;
  /** What the caller asked for; 0 for segment events. */
  readonly requestedBytes: number;
  readonly stream: number;
  /** Null for segment events and oom. After `free_completed` it may describe merged memory: compare identity only. */
  readonly block: Block | null;
}
