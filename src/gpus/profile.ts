/** What was measured on one machine, and takes the place of the catalogue's interval there: bytes outside the caching allocator. */

import type { GpuRow } from "./row.ts";

/** What one file said. */
export interface Measurement {
  /** The file, as it was named. */
  readonly file: string;
  /** The process as the driver counts it, minus reserved: exact up to half of the last digit printed. */
  readonly contextBytes: number;
  readonly roundingBytes: number;
  /** Whether it was taken after the program's work, with all libraries loaded, or when CUDA had just started. */
  readonly when: "start" | "work";
}

export interface Profile {
  readonly schemaVersion: 1;
  readonly name: string;
  /** GPU id of the catalogue. */
  readonly gpu: string;
  /** As far as the files said. */
  readonly driver: string | null;
  readonly torch: string | null;
  readonly measurements: readonly Measurement[];
  /** Size of the workspace that each cuBLAS handle has, where a recording showed it. */
  readonly cublasWorkspaceBytes: number | null;
}

/** The GPU with what was measured on it. A profile without measurements of the context leaves it as it is. */
export function withProfile(gpu: GpuRow, profile: Profile | null): GpuRow {
  if (profile === null || profile.gpu !== gpu.id) return gpu;
  const work = profile.measurements.filter(({ when }) => when === "work");
  const sizes = work.map(({ contextBytes }) => contextBytes).sort((a, b) => a - b);
  const [lowest, highest] = [sizes[0], sizes.at(-1)];
  if (lowest === undefined || highest === undefined) return gpu;
  const roundingBytes = Math.max(...work.map((measurement) => measurement.roundingBytes));
  const context = {
    lowBytes: Math.max(0, lowest - roundingBytes),
    expectedBytes: sizes[Math.floor(sizes.length / 2)]!,
    highBytes: highest + roundingBytes,
    mark: "measured",
    evidence: `process minus reserved in ${work.map(({ file }) => file).join(", ")}`,
    measured: { profile: profile.name, count: sizes.length },
  } as const;
  return { ...gpu, context };
}
