/** The GPU and the release of PyTorch that the user named, looked up once where a command reads its options. */

import { findGpu, type GpuRow } from "../gpus/catalogue.ts";
import { findTorch, type TorchVersion } from "../torch/releases.ts";
import { UsageError } from "./usage-error.ts";

export function namedGpu(typed: string): GpuRow {
  const found = findGpu(typed);
  if (found.ok) return found.value;
  throw new UsageError(found.error.code, found.error.args, "see_help_gpus");
}

export function namedTorch(typed: string): TorchVersion {
  const found = findTorch(typed);
  if (found.ok) return found.value;
  throw new UsageError(found.error.code, found.error.args);
}
