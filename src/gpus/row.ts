/** What the catalogue says about a GPU, and the rules that fill in what nobody has published. */

import { GIB, MIB } from "../base/bytes.ts";

/** Whether a figure was seen in published output of the real thing, derived from such output, is from memory, or was measured here. */
export type Evidence = "source" | "derived" | "recalled" | "measured";

/** Bytes that a process uses on the device besides the caching allocator: CUDA context, loaded kernels, libraries. */
export interface ContextBytes {
  readonly lowBytes: number;
  readonly expectedBytes: number;
  readonly highBytes: number;
  readonly mark: Evidence;
  /** Where the interval comes from. */
  readonly evidence: string;
  /** Name of the profile that has it, and how often it was measured. */
  readonly measured?: { readonly profile: string; readonly count: number };
}

export type GpuSegment = "datacenter" | "workstation" | "consumer" | "laptop" | "unified";

/** A GPU as it is written down in the data. */
export interface GpuData {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly architecture: string;
  /** `major.minor` */
  readonly computeCapability: string;
  /** Streaming multiprocessors; sizes of some kernels' scratch memory depend on it. */
  readonly smCount: number;
  /** GiB on the box. */
  readonly boxGiB: number;
  /** Total that nvidia-smi prints. */
  readonly memoryMiB?: number;
  readonly memoryMark?: Evidence;
  /** Total that cudaMemGetInfo returns: exact, or as PyTorch prints it. */
  readonly totalBytes?: number;
  readonly totalGiB?: number;
  readonly totalMark?: Evidence;
  readonly memoryType: string;
  readonly bandwidthGBs?: number;
  readonly segment: GpuSegment;
  readonly note?: string;
}

/** A GPU with everything that a run needs. */
export interface GpuRow {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  /** How another vendor's memory relates to CUDA's caching allocator, as a code of wording; null: NVIDIA's. */
  readonly otherAllocator: "gpu_hip" | "gpu_mps" | "gpu_capacity" | null;
  readonly aliases: readonly string[];
  readonly architecture: string;
  /** `major.minor`, as nvidia-smi and PyTorch print it. */
  readonly computeCapability: string;
  /** The same as one number to compare with: 80 for 8.0, 120 for 12.0. */
  readonly sm: number;
  readonly smCount: number;
  /** Resident threads per streaming multiprocessor. */
  readonly threadsPerSm: number;
  /** Total that nvidia-smi prints, in MiB. */
  readonly memoryMiB: number;
  readonly memoryMark: Evidence;
  /** Total that PyTorch sees (cudaMemGetInfo), smaller than nvidia-smi's because the driver keeps a reserve. */
  readonly totalBytes: number;
  readonly totalMark: Evidence;
  readonly context: ContextBytes;
  /** Workspace of the matrix library for each handle and stream; null: by PyTorch's rules for the compute capability. */
  readonly workspaceBytes: number | null;
  readonly memoryType: string;
  readonly bandwidthGBs: number | null;
  /** `unified`: shares the memory of the host. */
  readonly segment: GpuSegment;
  readonly note: string | null;
}

/** 8.0 → 80, 12.1 → 121. */
export function smOf(computeCapability: string): number {
  const [major, minor] = computeCapability.split(".");
  return Number(major) * 10 + Number(minor);
}

/** From NVIDIA's table of compute capabilities, from memory. Rows are tried from the top. */
const THREADS_PER_SM: readonly { readonly fromSm: number; readonly threads: number }[] = [
  { fromSm: 110, threads: 1536 },
  { fromSm: 90, threads: 2048 },
  { fromSm: 86, threads: 1536 },
  { fromSm: 80, threads: 2048 },
  { fromSm: 75, threads: 1024 },
  { fromSm: 0, threads: 2048 },
];

/**
 * Totals that nobody published: data-centre parts keep 1.5 % back, the others a few MiB; of what nvidia-smi prints, the
 * driver keeps 0.4 GiB on cards below 24 GB and 0.65 GiB on larger ones.
 */
function memoryMiBOf(data: GpuData): number {
  if (data.memoryMiB !== undefined) return data.memoryMiB;
  if (data.segment === "datacenter") return Math.round(data.boxGiB * 1024 * 0.985);
  return data.boxGiB * 1024 - 20;
}
function totalBytesOf(data: GpuData): number {
  if (data.totalBytes !== undefined) return data.totalBytes;
  if (data.totalGiB !== undefined) return Math.round(data.totalGiB * 1024) * MIB;
  const driverGiB = data.boxGiB >= 24 ? 0.65 : 0.4;
  return Math.round(memoryMiBOf(data) - driverGiB * 1024) * MIB;
}

/** A row of the catalogue from its data and the context interval that applies to it. */
export function gpuRow(data: GpuData, context: ContextBytes): GpuRow {
  const sm = smOf(data.computeCapability);
  return {
    id: data.id,
    name: data.name,
    vendor: "NVIDIA",
    otherAllocator: null,
    aliases: data.aliases,
    architecture: data.architecture,
    computeCapability: data.computeCapability,
    sm,
    smCount: data.smCount,
    threadsPerSm: THREADS_PER_SM.find((row) => sm >= row.fromSm)!.threads,
    memoryMiB: memoryMiBOf(data),
    memoryMark: data.memoryMark ?? "recalled",
    totalBytes: totalBytesOf(data),
    totalMark: data.totalMark ?? "recalled",
    context,
    workspaceBytes: null,
    memoryType: data.memoryType,
    bandwidthGBs: data.bandwidthGBs ?? null,
    segment: data.segment,
    note: data.note ?? null,
  };
}

/** An interval in GiB as bytes. */
export function contextGiB(
  low: number,
  expected: number,
  high: number,
  mark: Evidence,
  evidence: string,
): ContextBytes {
  const bytes = (gib: number) => Math.round(gib * GIB);
  return { lowBytes: bytes(low), expectedBytes: bytes(expected), highBytes: bytes(high), mark, evidence };
}
