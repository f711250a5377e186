/**
 * `Readings`: figures that a tool printed or sampled, where it recorded no single blocks. What a log, a profiler's table or
 * nvidia-smi says, in one shape: series over time, and single facts with the line that says them.
 */

/** What a figure counts. The words are those of the report: three numbers, never one. */
export const QUANTITIES = [
  "allocated", // bytes of tensors, as memory_allocated()
  "requested", // what was asked for, before rounding
  "reserved", // the caching allocator's segments, as memory_reserved()
  "process", // one process on the device, as nvidia-smi shows: reserved, context, libraries
  "device_used", // all processes together, and what the driver keeps
  "device_total", // what the device has
  "device_free",
  "context", // CUDA context and libraries, outside any allocator
  "weights",
  "kv_cache",
  "activations", // peak beyond weights and cache
  "graphs", // captured CUDA graphs
  "compute_buffer", // scratch of an engine that plans it beforehand
  "host", // memory of the machine, not of the device
  "other",
] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Samples of one quantity: columns of equal length, in the order of the file. */
export interface ReadingSeries {
  readonly quantity: Quantity;
  /** Index of the device, or -1 when the tool does not say. */
  readonly device: number;
  /** Process id, or -1. */
  readonly process: number;
  /** Name of the process, device, or span: whatever tells this series from the next; may be empty. */
  readonly label: string;
  /** Seconds since the first sample of the file; null when samples have an order only. */
  readonly seconds: Float64Array | null;
  readonly bytes: Float64Array;
  /** 1-based line of the file for each sample, or of the measured program for a line profiler; null when it has none. */
  readonly lines: Int32Array | null;
  /** Half of the last digit that the tool prints: 524288 for whole MiB. 0 for exact bytes. */
  readonly roundingBytes: number;
}

/** One figure with a name of its own: `KV cache`, `peak allocated`, `tried to allocate`. */
export interface ReadingFact {
  readonly quantity: Quantity;
  /** The tool's own word for it. */
  readonly name: string;
  readonly device: number;
  readonly process: number;
  readonly bytes: number;
  readonly roundingBytes: number;
  /** Whether it is a highest value so far (`peak`), or one at a moment. */
  readonly peak: boolean;
  /** 1-based line of the file, or -1. */
  readonly line: number;
}

/** A figure that is no number of bytes: tokens in a cache, allocations counted, a version, a GPU's name. */
export interface ReadingNote {
  readonly name: string;
  readonly value: string | number;
  readonly line: number;
}

export interface Readings {
  readonly schemaVersion: 1;
  /** Id of the format that was read. */
  readonly source: string;
  /** The file, or what was measured. */
  readonly program: string;
  readonly series: readonly ReadingSeries[];
  readonly facts: readonly ReadingFact[];
  readonly notes: readonly ReadingNote[];
}
