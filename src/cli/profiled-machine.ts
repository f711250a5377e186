/** The machine of a run, as a profile knows it better than the catalogue. */

import { KIB } from "../base/bytes.ts";
import { findGpu, type GpuRow } from "../gpus/catalogue.ts";
import { withProfile, type Profile } from "../gpus/profile.ts";
import type { RunOptions } from "../python/run-types.ts";
import type { Io } from "./io.ts";
import { profileFor, readProfile } from "./profiles.ts";
import type { RunSettings } from "./run-options.ts";

const WORKSPACE = "CUBLAS_WORKSPACE_CONFIG";

/** GPUs with what was measured on them. A profile that is named must be one of theirs. */
export function profiledGpus(typed: string | undefined, gpus: readonly GpuRow[], io: Io): GpuRow[] {
  if (typed === undefined || typed === "none" || gpus.length === 1) {
    return gpus.map((gpu) => withProfile(gpu, profileFor(typed, gpu.id, io)));
  }
  const profile = readProfile(typed, io);
  return gpus.map((gpu) => withProfile(gpu, profile));
}

/** What the user sets in the program's environment outranks what was measured. */
export function machineWith(
  profile: Profile | null,
  { env }: Pick<RunSettings["simulation"], "env">,
): Pick<RunOptions, "env" | "context"> {
  const gpu = profile === null ? null : findGpu(profile.gpu);
  if (profile === null || gpu === null || !gpu.ok) return { env };
  const bytes = profile.cublasWorkspaceBytes;
  const isSayable = bytes !== null && bytes % KIB === 0;
  const workspace: Record<string, string> = isSayable ? { [WORKSPACE]: `:${bytes / KIB}:1` } : {};
  const { context } = withProfile(gpu.value, profile);
  return { env: { ...workspace, ...env }, ...(context.mark === "measured" ? { context } : {}) };
}
