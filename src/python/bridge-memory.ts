/** What torch.cuda asks of the engine: counters, statistics, snapshots, properties of the card. */

import type { Block } from "../alloc/index.ts";
import type { Session } from "../session/session.ts";
import { isGpu, type GpuName, type Tensor } from "../tensor/tensor.ts";
import { profileFunctions } from "./bridge-profile.ts";
import { memoryHistory } from "./memory-history.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;

export function memoryFunctions(session: Session, find: (handle: number) => Tensor): Functions {
  const { memory, gpu } = session;
  const { allocator } = memory;
  return {
    memoryAllocated: (gpu: GpuName) => memory.allocatorOf(gpu).memoryAllocated(),
    maxMemoryAllocated: (gpu: GpuName) => memory.allocatorOf(gpu).maxMemoryAllocated(),
    memoryReserved: (gpu: GpuName) => memory.allocatorOf(gpu).memoryReserved(),
    maxMemoryReserved: (gpu: GpuName) => memory.allocatorOf(gpu).maxMemoryReserved(),
    resetPeak: (gpu: GpuName) => memory.allocatorOf(gpu).resetPeakMemoryStats(),
    resetAccumulated: (gpu: GpuName) => memory.allocatorOf(gpu).resetAccumulatedMemoryStats(),
    emptyCache: (frame: number) => {
      session.place.frame = frame;
      for (const each of memory.allocators) each.emptyCache();
    },
    memoryStats: (gpu: GpuName) => JSON.stringify(memory.initialized ? memory.allocatorOf(gpu).memoryStats() : {}),
    memorySummary: (gpu: GpuName, number: number, abbreviated: boolean) =>
      memory.allocatorOf(gpu).memorySummary(number, abbreviated),
    /** Segments and blocks as the allocator has them, a history that began at event `first`, and the frames of both. */
    memoryHistory: (first: number) => JSON.stringify(memoryHistory(session, first)),
    memGetInfo: (gpu: GpuName) => {
      const { freeBytes, totalBytes } = memory.allocatorOf(gpu).memGetInfo();
      return `${freeBytes},${totalBytes}`;
    },
    setMemoryFraction: (gpu: GpuName, fraction: number) => memory.allocatorOf(gpu).setMemoryFraction(fraction),
    setStream: (gpu: GpuName, stream: number) => session.setStream(gpu, stream),
    /** What follows runs in a thread of the program's own; an empty name ends it. */
    runInThread: (name: string) => {
      if (name === "" && session.worker !== null) session.workspaces.threadEnded(session.worker);
      session.worker = name === "" ? null : name;
    },
    currentStream: (gpu: GpuName) => session.streamOn(gpu),
    eventCount: () => session.trace.eventCount,
    ...profileFunctions(session),
    /** Until endCapture what a stream asks for comes from the private pool of a CUDA graph. */
    beginCapture: (gpu: GpuName, first: number, second: number, stream: number) =>
      memory.allocatorOf(gpu).beginAllocateToPool([first, second], stream),
    endCapture: (gpu: GpuName, first: number, second: number) =>
      memory.allocatorOf(gpu).endAllocateToPool([first, second]),
    releasePool: (gpu: GpuName, first: number, second: number) => memory.allocatorOf(gpu).releasePool([first, second]),
    clearWorkspaces: () => session.workspaces.clear(),
    deviceName: () => gpu.name,
    deviceCount: () => {
      session.memory.host.countAsked = true;
      return session.devices;
    },
    deviceUntouched: () => allocator.maxMemoryReserved() === 0,
    deviceProperties: () =>
      JSON.stringify({
        name: gpu.name,
        total_memory: gpu.totalBytes,
        major: Math.floor(gpu.sm / 10),
        minor: gpu.sm % 10,
        multi_processor_count: gpu.smCount,
        max_threads_per_multi_processor: gpu.threadsPerSm,
      }),
    touchDevice: () => {
      memory.initialized = true;
    },
    /** The number of the GPU that the process uses first. */
    firstGpu: (number: number) => {
      memory.firstGpu = number;
      allocator.device = number;
    },
    recordStream: (handle: number, stream: number) => {
      const { block, device } = find(handle).storage;
      if (block && isGpu(device)) memory.allocatorOf(device).recordStream(block as Block, stream);
    },
  };
}
