/**
 * The `Trace`: what happened to device memory, in order, with who, where and why.
 * The simulator and every importer make one; every report, comparison and export reads one.
 * Plain readonly data: events are columns (typed arrays), everything they point to are tables.
 */

/** What an event did. The words are those of PyTorch's memory snapshots where it has one. */
export const EVENT_KINDS = [
  "alloc", // a block was handed out
  "free_requested", // its owner gave it back
  "free_completed", // the block returned to its pool (later only if other streams used it)
  "segment_alloc", // the allocator took a segment from the driver (cudaMalloc)
  "segment_free", // and gave it back (cudaFree)
  "segment_map", // expandable segments: physical memory mapped
  "segment_unmap",
  "oom", // a request failed
  "mark", // no memory moved: a named point (a user's print, a phase change)
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** What a block is for. Order is the order in which reports list them. */
export const CATEGORIES = [
  "parameter",
  "gradient",
  "optimizer_state",
  "gathered_parameter", // whole again for a while, of parameters that lie in parts on several GPUs
  "communication", // buffers that go to other GPUs or come from them
  "activation",
  "temporary",
  "kv_cache",
  "buffer",
  "input",
  "workspace",
  "unknown",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const PHASES = ["forward", "backward", "optimizer", "other"] as const;
export type Phase = (typeof PHASES)[number];

/** One line of a call stack; `parent` is the caller's index in {@link Trace.frames}, or -1. */
export interface Frame {
  readonly parent: number;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly name: string;
}

/** One allocation from birth to death. */
export interface BlockRecord {
  /** What was asked for, in bytes. */
  readonly requestedBytes: number;
  /** What the allocator charged: rounded, and with a remainder that was too small to split off. */
  readonly bytes: number;
  readonly address: number;
  readonly stream: number;
  /** Index of the `alloc` event; -1 when the block was there before recording began. */
  readonly allocEvent: number;
  /** Index of the `free_requested` event; -1 when still alive at the end. */
  readonly freeEvent: number;
  /** Index into {@link Trace.frames} of the innermost user line, or -1. */
  readonly frame: number;
  /** Index into {@link Trace.ops}, or -1. */
  readonly op: number;
  /** Index into {@link Trace.modules}, or -1. */
  readonly module: number;
  readonly category: Category;
  readonly phase: Phase;
  readonly dtype: string | null;
  /** Shape of the first tensor on the block's storage, or null. */
  readonly shape: readonly number[] | null;
  /** Words for a block whose origin needs them ("cuBLAS workspace of the backward thread"), or null. */
  readonly note: string | null;
}

/** Columns of equal length; row i is event i. */
export interface EventColumns {
  /** Index into {@link EVENT_KINDS}. */
  readonly kind: Uint8Array;
  /** Index into {@link Trace.blocks} for alloc and free events, else -1. */
  readonly block: Int32Array;
  /** Device address, or 0. */
  readonly address: Float64Array;
  /** Bytes of the block, segment or failed request. */
  readonly bytes: Float64Array;
  /** memory_allocated() after the event. */
  readonly allocatedBytes: Float64Array;
  /** memory_reserved() after the event. */
  readonly reservedBytes: Float64Array;
  /** Index into {@link Trace.frames} of the line that ran, or -1. */
  readonly frame: Int32Array;
  /** Index into {@link Trace.ops} of the operator that ran, or -1. */
  readonly op: Int32Array;
  /** Index into {@link Trace.modules}, or -1. */
  readonly module: Int32Array;
  /** Index into {@link PHASES}. */
  readonly phase: Uint8Array;
}

/** Something that the run assumed, did not model or could not verify; `code` has wording in every language. */
export interface Assumption {
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** Index into {@link Trace.frames}, or -1. */
  readonly frame: number;
  /** How often it happened. */
  readonly count: number;
}

/** Why a saved tensor was let go: its node ran in backward, or the graph died without. */
export const SAVED_ENDS = ["kept", "backward", "dropped"] as const;
export type SavedEnd = (typeof SAVED_ENDS)[number];

/** Tensors on the device that graph nodes kept for backward: columns of equal length, one row for each slot that was filled. */
export interface SavedTensors {
  /** Index into {@link Trace.blocks}. */
  readonly block: Int32Array;
  /** Index into {@link names}: the node, `SoftmaxBackward0`. */
  readonly node: Int32Array;
  /** Index into {@link names}: what the node's formula calls it, `result`. */
  readonly slot: Int32Array;
  /** Index into {@link names}: shape and dtype of the tensor, `64x8x32x32 float32`. */
  readonly form: Int32Array;
  /** Index into {@link Trace.frames} of the line that recorded the node, or -1. */
  readonly frame: Int32Array;
  /** Index into {@link Trace.modules}, or -1. */
  readonly module: Int32Array;
  /** How many events there were when it was saved: the first event that sees it. */
  readonly since: Int32Array;
  /** The first event that does not see it any more, or -1 when it was kept to the end. */
  readonly until: Int32Array;
  /** Index into {@link Trace.frames} of the line that let it go, or -1. */
  readonly endFrame: Int32Array;
  /** Index into {@link SAVED_ENDS}. */
  readonly end: Uint8Array;
  readonly names: readonly string[];
}

/** What an `oom` event alone does not say about the request that failed. */
export interface FailedRequest {
  /** Index of the `oom` event. */
  readonly event: number;
  readonly dtype: string | null;
  /** Shape of the tensor that the memory was for, or null. */
  readonly shape: readonly number[] | null;
  /** What the memory was for when it was for no tensor, or null; as in {@link BlockRecord.note}. */
  readonly note: string | null;
  /** What the driver was asked for, after the allocator's cache had been given back. */
  readonly segmentBytes: number;
  /** What the driver had free then. */
  readonly freeBytes: number;
  /** Limit by `set_per_process_memory_fraction`, or null. */
  readonly allowedBytes: number | null;
}

/** A segment that was there before recording began. */
export interface EarlySegment {
  readonly address: number;
  readonly bytes: number;
  /** A mapped range of an expandable segment. */
  readonly isExpandable: boolean;
}

export interface Trace {
  readonly schemaVersion: 1;
  /** Where it came from: `simulated`, or the format that was read. */
  readonly source: string;
  /** What ran: the script as named by the user, or the file. */
  readonly program: string;
  /** GPU id in the catalogue, or a free name. */
  readonly gpu: string;
  /** Bytes that PyTorch sees on the device (cudaMemGetInfo's total). */
  readonly capacityBytes: number;
  /** PyTorch version whose rules apply, `major.minor`. */
  readonly torch: string;
  readonly events: EventColumns;
  readonly blocks: readonly BlockRecord[];
  readonly frames: readonly Frame[];
  /** ATen names, for example `aten::addmm`. */
  readonly ops: readonly string[];
  /** Paths such as `Attention.qkv`. */
  readonly modules: readonly string[];
  /** Names of `mark` events, by event index. */
  readonly marks: Readonly<Record<number, string>>;
  readonly assumptions: readonly Assumption[];
  readonly saved: SavedTensors;
  readonly failures: readonly FailedRequest[];
  /** Segments from before the recording; absent where it began with an empty allocator. */
  readonly earlySegments?: readonly EarlySegment[];
}
