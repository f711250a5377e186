/** A simulated machine with one process on it, from names and settings: allocator, trace and session, wired to each other. */

import { allocConfigFromEnvironment, CachingAllocator } from "../alloc/index.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import { DEFAULT_GPU, findGpu } from "../gpus/catalogue.ts";
import { DEFAULT_TORCH, findTorch, releaseNumber } from "../torch/releases.ts";
import { rulesFor, type TorchRules } from "../torch/changes.ts";
import { cublasWorkspaceBytes, ltWorkspace } from "../gpus/workspace.ts";
import { TraceBuilder } from "../trace/builder.ts";
import type { SharedTrace } from "../trace/recorder-memory.ts";
import type { SegmentKind } from "../trace/builder.ts";
import { Session } from "./session.ts";

export interface MachineSettings {
  /** GPU by id, alias or loose name; default `a100-80gb`. */
  readonly gpu?: string;
  /** How many GPUs the process sees; default 1. */
  readonly devices?: number;
  /** PyTorch version whose rules apply, `major.minor`; default the newest known. */
  readonly torch?: string;
  /** Whether scratch memory inside kernels counts; default true. */
  readonly kernelTemporaries?: boolean;
  readonly attention?: "auto" | "math";
  /** The variables that PyTorch's allocator and libraries read. */
  readonly env?: Readonly<Record<string, string>>;
  readonly machine?: MachineOverrides;
}

/** What a recorder's machine has otherwise than any GPU of the catalogue. */
export interface MachineOverrides {
  readonly cublasWorkspaceBytes?: number;
  /** Bytes of a transient cuBLASLt workspace, whatever the version says. */
  readonly transientLtBytes?: number;
  /** Values on the device cannot be read: `item()` gives placeholders even where the numbers follow from the program. */
  readonly unreadableDevice?: boolean;
  /** Memory of the device, for programs that no GPU of the catalogue holds. */
  readonly totalBytes?: number;
  /** Bytes of the context and of libraries, where they were measured. */
  readonly contextBytes?: number;
  /** Rules in which the recorder's PyTorch differs from one on a GPU. */
  readonly rules?: Partial<TorchRules>;
}

export interface SimulatedProcess {
  readonly session: Session;
  /** Records every event; `finish` makes the trace. */
  readonly trace: TraceBuilder;
  readonly allocator: CachingAllocator;
}

const SEGMENT_KINDS: ReadonlySet<string> = new Set<SegmentKind>([
  "segment_alloc",
  "segment_free",
  "segment_map",
  "segment_unmap",
]);
const isSegmentKind = (kind: string): kind is SegmentKind => SEGMENT_KINDS.has(kind);

/**
 * @param shared where to record, for readers in other threads; by default in memory of its own
 * @throws {DiagnosticError} for an unknown GPU or version; {AllocConfError} for allocator options that PyTorch would refuse.
 */
export function createSession(settings: MachineSettings = {}, shared: SharedTrace | null = null): SimulatedProcess {
  const gpu = findGpu(settings.gpu ?? DEFAULT_GPU);
  if (!gpu.ok) throw new DiagnosticError(gpu.error);
  const version = findTorch(settings.torch ?? DEFAULT_TORCH);
  if (!version.ok) throw new DiagnosticError(version.error);
  const { env = {}, machine, kernelTemporaries = true } = settings;
  const rules = { ...rulesFor(version.value), ...machine?.rules };
  const trace = new TraceBuilder(shared);
  const { otherAllocator } = gpu.value;
  if (otherAllocator !== null) trace.assumption(otherAllocator, { gpu: gpu.value.name }, -1);
  if (releaseNumber(version.value) > releaseNumber(DEFAULT_TORCH))
    trace.assumption("release_not_recorded", { torch: version.value, recorded: DEFAULT_TORCH }, -1);
  // the allocator is made before the session that knows which line runs
  let session: Session | null = null;
  const allocator: CachingAllocator = new CachingAllocator({
    totalBytes: machine?.totalBytes ?? gpu.value.totalBytes,
    contextBytes: machine?.contextBytes ?? gpu.value.context.expectedBytes,
    config: allocConfigFromEnvironment(env, version.value),
    torch: version.value,
    onEvent: ({ kind, address, bytes }) => {
      if (!isSegmentKind(kind)) return;
      const { frame, op } = session?.place ?? { frame: -1, op: -1 };
      trace.segment(kind, address, bytes, { frame, op }, allocator.memoryAllocated(), allocator.memoryReserved());
    },
  });
  const lt = ltWorkspace(rules, env);
  const transient = machine?.transientLtBytes;
  // a transient Lt workspace is scratch memory of a kernel
  const ltMode = lt.mode === "transient" && !kernelTemporaries ? "shared" : lt.mode;
  session = new Session({
    gpu: gpu.value,
    devices: settings.devices ?? 1,
    rules,
    allocator,
    trace,
    kernelTemporaries,
    attention: settings.attention ?? "auto",
    unreadableDevice: machine?.unreadableDevice ?? false,
    cublasWorkspaceBytes: machine?.cublasWorkspaceBytes ?? cublasWorkspaceBytes(rules, gpu.value, env),
    cublasLt: transient === undefined ? { bytes: lt.bytes, mode: ltMode } : { bytes: transient, mode: "transient" },
  });
  return { session, trace, allocator };
}
