/** From tensors to the card: each link of the chain with its interval and where it comes from. Never one number alone. */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { Digest } from "../trace/digest.ts";
import type { Category } from "../trace/model.ts";

/** Bytes between a lower and an upper end; `bytes` is what is expected. */
export interface Interval {
  readonly bytes: number;
  readonly lowBytes: number;
  readonly highBytes: number;
}

export interface Part extends Interval {
  readonly id: PartId;
}

/** What people call the parts of the allocated bytes. */
export const PARTS = ["weights", "gradients", "optimizer", "activations", "temporaries", "cache", "other"] as const;
export type PartId = (typeof PARTS)[number];

const PART_OF: Readonly<Record<Category, PartId>> = {
  parameter: "weights",
  buffer: "weights",
  // what a rank needs beside its own shares, for a moment
  gathered_parameter: "temporaries",
  communication: "temporaries",
  gradient: "gradients",
  optimizer_state: "optimizer",
  activation: "activations",
  temporary: "temporaries",
  kv_cache: "cache",
  input: "other",
  workspace: "other",
  unknown: "other",
};

export interface Chain {
  /** At the allocated peak; they add up to it. */
  readonly parts: readonly Part[];
  readonly allocated: Interval;
  /** With unlimited memory; a full card gives cached memory back first. */
  readonly reserved: Interval;
  /** Reserved, and what the driver and libraries take. */
  readonly process: Interval;
  readonly capacityBytes: number;
}

const exact = (bytes: number): Interval => ({ bytes, lowBytes: bytes, highBytes: bytes });

export function chainOf(digest: Digest, gpu: GpuRow): Chain {
  const sums = new Map<PartId, number>([["other", digest.remainderBytes]]);
  for (const { category, bytes } of digest.components) {
    const part = PART_OF[category];
    sums.set(part, (sums.get(part) ?? 0) + bytes);
  }
  const { allocatedPeakBytes, allocatedHighBytes, reservedPeakBytes } = digest;
  const above = allocatedHighBytes - allocatedPeakBytes;
  const { lowBytes, expectedBytes, highBytes } = gpu.context;
  return {
    parts: PARTS.flatMap((id) => ((sums.get(id) ?? 0) > 0 ? [{ id, ...exact(sums.get(id)!) }] : [])),
    allocated: { ...exact(allocatedPeakBytes), highBytes: allocatedHighBytes },
    reserved: { ...exact(reservedPeakBytes), highBytes: reservedPeakBytes + above },
    process: {
      bytes: reservedPeakBytes + expectedBytes,
      lowBytes: reservedPeakBytes + lowBytes,
      highBytes: reservedPeakBytes + above + highBytes + digest.libraryHighBytes,
    },
    capacityBytes: gpu.totalBytes,
  };
}

/** `released`: it fits when the allocator gives cached memory back; `tight`: context and libraries decide. */
export type Fit = "fits" | "tight" | "released" | "does_not_fit";

/** What the chain alone says; null: only a run on the card itself tells. */
export function fitOf(chain: Chain, gpu: GpuRow): Fit | null {
  if (chain.process.highBytes <= chain.capacityBytes) return "fits";
  if (chain.process.bytes <= chain.capacityBytes) return "tight";
  return chain.allocated.bytes + gpu.context.lowBytes > chain.capacityBytes ? "does_not_fit" : null;
}
