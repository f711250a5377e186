/** A simulated machine with one process on it: allocator, trace and session, wired to each other. */

import {
  allocConfigFromEnvironment,
  AscendingMemory,
  CachingAllocator,
  type AllocatorOptions,
  type DriverMemory,
} from "../alloc/index.ts";
import { DEFAULT_TORCH, releaseNumber } from "../torch/releases.ts";
import { rulesFor } from "../torch/changes.ts";
import { cublasWorkspaceBytes, ltWorkspace } from "../gpus/workspace.ts";
import { gpuNumber } from "../tensor/tensor.ts";
import { firstAddressOf } from "../trace/devices.ts";
import { TraceBuilder } from "../trace/builder.ts";
import type { SharedTrace } from "../trace/recorder-memory.ts";
import type { SegmentKind } from "../trace/builder.ts";
import { type Machine, type MachineSettings, resolveMachine } from "./machine.ts";
import { Session } from "./session.ts";

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

/** A machine with one process on it. {@link resolveMachine} and {@link createProcess} say what it throws. */
export const createSession = (settings: MachineSettings = {}): SimulatedProcess =>
  createProcess(resolveMachine(settings));

/**
 * The allocator of a GPU of a machine, which nobody listens to by default.
 *
 * @throws {AllocConfError} for allocator options that PyTorch would refuse.
 */
export function createAllocator(
  { gpu, torch, env, overrides }: Machine,
  more: Pick<AllocatorOptions, "device" | "driver" | "onEvent"> = {},
): CachingAllocator {
  return new CachingAllocator({
    totalBytes: overrides.totalBytes ?? gpu.totalBytes,
    contextBytes: gpu.context.expectedBytes,
    config: allocConfigFromEnvironment(env, torch),
    torch,
    ...more,
  });
}

/**
 * @param shared where to record, for readers in other threads; by default in memory of its own
 * @throws {AllocConfError} for allocator options that PyTorch would refuse.
 */
export function createProcess(machine: Machine, shared: SharedTrace | null = null): SimulatedProcess {
  const { gpu, torch, env, kernelTemporaries, overrides } = machine;
  const rules = { ...rulesFor(torch), ...overrides.rules };
  const trace = new TraceBuilder(shared);
  if (gpu.otherAllocator !== null) trace.assumption(gpu.otherAllocator, { gpu: gpu.name }, -1);
  if (releaseNumber(torch) > releaseNumber(DEFAULT_TORCH))
    trace.assumption("release_not_recorded", { torch, recorded: DEFAULT_TORCH }, -1);
  // the allocator is made before the session that knows which line runs
  let session: Session | null = null;
  const allocatorFor = (device: number, driver?: DriverMemory): CachingAllocator => {
    const allocator: CachingAllocator = createAllocator(machine, {
      device,
      ...(driver === undefined ? {} : { driver }),
      onEvent: ({ kind, address, bytes }) => {
        if (!isSegmentKind(kind)) return;
        const { frame, op } = session?.place ?? { frame: -1, op: -1 };
        trace.segment(kind, address, bytes, { frame, op }, allocator.memoryAllocated(), allocator.memoryReserved());
      },
    });
    return allocator;
  };
  const allocator = allocatorFor(0);
  const lt = ltWorkspace(rules, env);
  const transient = overrides.transientLtBytes;
  // a transient Lt workspace is scratch memory of a kernel
  const ltMode = lt.mode === "transient" && !kernelTemporaries ? "shared" : lt.mode;
  session = new Session({
    gpu,
    devices: machine.devices,
    rules,
    allocator,
    anotherAllocator: (device) => {
      const number = gpuNumber(device);
      return allocatorFor(number, new AscendingMemory(firstAddressOf(number)));
    },
    trace,
    kernelTemporaries,
    attention: machine.attention,
    unreadableDevice: overrides.unreadableDevice ?? false,
    nothingComputed: overrides.nothingComputed ?? false,
    cublasWorkspaceBytes: overrides.cublasWorkspaceBytes ?? cublasWorkspaceBytes(rules, gpu, env),
    cublasLt: transient === undefined ? { bytes: lt.bytes, mode: ltMode } : { bytes: transient, mode: "transient" },
  });
  return { session, trace, allocator };
}
