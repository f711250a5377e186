/** A machine that is to be simulated: settings by the names that people use, resolved once to what decides bytes. */

import { DiagnosticError } from "../base/diagnostic.ts";
import { DEFAULT_GPU, findGpu, type GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";
import { DEFAULT_TORCH, findTorch, type TorchVersion } from "../torch/releases.ts";

export interface MachineSettings {
  /** GPU by id, alias or loose name, or as a row of the catalogue; default `a100-80gb`. */
  readonly gpu?: string | GpuRow;
  /** How many GPUs the process sees; default 1. */
  readonly devices?: number;
  /** PyTorch version whose rules apply, `major.minor`; default the newest known. */
  readonly torch?: string;
  /** Whether scratch memory inside kernels counts; default true. */
  readonly kernelTemporaries?: boolean;
  readonly attention?: "auto" | "math";
  /** The variables that PyTorch's allocator and libraries read. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the context and libraries take, where it was measured; default as the catalogue says. */
  readonly context?: GpuRow["context"];
  readonly machine?: MachineOverrides;
}

/** What a recorder's machine has otherwise than any GPU of the catalogue. */
export interface MachineOverrides {
  readonly cublasWorkspaceBytes?: number;
  /** Bytes of a transient cuBLASLt workspace, whatever the version says. */
  readonly transientLtBytes?: number;
  /** Values on the device cannot be read: `item()` gives placeholders even where the numbers follow from the program. */
  readonly unreadableDevice?: boolean;
  /** The device computes nothing: whatever the host reads from it is zero. */
  readonly nothingComputed?: boolean;
  /** Memory of the device, for programs that no GPU of the catalogue holds. */
  readonly totalBytes?: number;
  /** Rules in which the recorder's PyTorch differs from one on a GPU. */
  readonly rules?: Partial<TorchRules>;
}

/** Settings with every name resolved and every default filled in: what the layers below get, as it is. */
export interface Machine {
  readonly gpu: GpuRow;
  readonly devices: number;
  readonly torch: TorchVersion;
  readonly kernelTemporaries: boolean;
  readonly attention: "auto" | "math";
  readonly env: Readonly<Record<string, string>>;
  readonly overrides: MachineOverrides;
}

function gpuOf(named: string | GpuRow): GpuRow {
  if (typeof named === "object") return named;
  const found = findGpu(named);
  if (!found.ok) throw new DiagnosticError(found.error);
  return found.value;
}

/** @throws {DiagnosticError} for an unknown GPU or version. */
export function resolveMachine(settings: MachineSettings = {}): Machine {
  const gpu = gpuOf(settings.gpu ?? DEFAULT_GPU);
  const version = findTorch(settings.torch ?? DEFAULT_TORCH);
  if (!version.ok) throw new DiagnosticError(version.error);
  const { context = gpu.context } = settings;
  return {
    gpu: { ...gpu, context },
    devices: settings.devices ?? 1,
    torch: version.value,
    kernelTemporaries: settings.kernelTemporaries ?? true,
    attention: settings.attention ?? "auto",
    env: settings.env ?? {},
    overrides: settings.machine ?? {},
  };
}
