/**
 * How much memory a card of any vendor gives to a program. Cards that PyTorch's CUDA allocator does not run on are not simulated, but
 * weights and caches need the same bytes there.
 */

import { failure, success, type Outcome } from "../base/diagnostic.ts";
import { findGpu, GPUS, type GpuErrorCode } from "./catalogue.ts";
import { givenCapacity, withCapacity } from "./given-capacity.ts";
import { OTHER_ACCELERATORS } from "./other.ts";
import { otherTotalBytes } from "./other-rows.ts";
import type { Evidence } from "./row.ts";

export interface Capacity {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  /** Absent where nothing was found. */
  readonly multiprocessors?: number;
  readonly totalBytes: number;
  readonly mark: Evidence;
  /** What the driver's context takes; 0 where nothing is known. */
  readonly contextBytes: number;
  /** Shares the host's memory; the total is what it may use by default. */
  readonly unified: boolean;
}

const OTHERS: readonly Capacity[] = OTHER_ACCELERATORS.map((row) => ({
  id: row.id,
  name: row.name,
  vendor: row.vendor,
  architecture: row.architecture,
  totalBytes: otherTotalBytes(row),
  mark: row.memoryMiB === undefined ? "recalled" : "source",
  contextBytes: 0,
  unified: row.unified === true,
}));

/** Every card whose memory is known, NVIDIA's first. */
export const CAPACITIES: readonly Capacity[] = [
  ...GPUS.map((gpu): Capacity => ({
    id: gpu.id,
    name: gpu.name,
    vendor: "NVIDIA",
    architecture: gpu.architecture,
    multiprocessors: gpu.smCount,
    totalBytes: gpu.totalBytes,
    mark: gpu.totalMark,
    contextBytes: gpu.context.expectedBytes,
    unified: gpu.segment === "unified",
  })),
  ...OTHERS,
];

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** A card by name: NVIDIA's as `findGpu` understands them, others by id, by name, or by the end of it: `mi300x`, `m4-max-40-core`. */
export function findCapacity(name: string): Outcome<Capacity, GpuErrorCode> {
  const asked = givenCapacity(name);
  if (asked !== null) {
    if (asked.totalBytes === null) return failure("bad_gpu_memory", { name });
    const card = findCapacity(asked.card);
    return card.ok ? success(withCapacity(card.value, asked.totalBytes)) : card;
  }
  const key = squeezed(name);
  const other =
    OTHERS.find((row) => row.id === name || squeezed(row.name) === key) ??
    OTHERS.find((row) => key.length >= 4 && squeezed(row.id).endsWith(key));
  if (other !== undefined) return success(other);
  const found = findGpu(name);
  if (!found.ok) return found;
  const listed = CAPACITIES.find(({ id }) => id === found.value.id);
  if (listed !== undefined) return success(listed);
  const { id, name: shown, vendor, architecture, smCount, totalBytes, totalMark: mark } = found.value;
  const card = { id, name: shown, vendor, architecture, multiprocessors: smCount };
  return success({ ...card, totalBytes, mark, contextBytes: 0, unified: true });
}
