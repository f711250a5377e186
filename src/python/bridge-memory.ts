/** What torch.cuda asks of the engine: counters, statistics, snapshots, properties of the card. */

import type { Session } from "../session/session.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { profileFunctions } from "./bridge-profile.ts";
import { memoryHistory } from "./memory-history.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;

export function memoryFunctions(session: Session, find: (handle: number) => Tensor): Functions {
  const { memory, gpu } = session;
  const { allocator } = memory;
  return {
    memoryAllocated: () => allocator.memoryAllocated(),
    maxMemoryAllocated: () => allocator.maxMemoryAllocated(),
    memoryReserved: () => allocator.memoryReserved(),
    maxMemoryReserved: () => allocator.maxMemoryReserved(),
    resetPeak: () => allocator.resetPeakMemoryStats(),
    resetAccumulated: () => allocator.resetAccumulatedMemoryStats(),
    emptyCache: (frame: number) => {
      session.place.frame = frame;
      allocator.emptyCache();
    },
    memoryStats: () => JSON.stringify(memory.initialized ? allocator.memoryStats() : {}),
    memorySummary: (device: number, abbreviated: boolean) => allocator.memorySummary(device, abbreviated),
    /** Segments and blocks as the allocator has them, a history that began at event `first`, and the frames of both. */
    memoryHistory: (first: number) => JSON.stringify(memoryHistory(session, first)),
    memGetInfo: () => {
      const { freeBytes, totalBytes } = allocator.memGetInfo();
      return `${freeBytes},${totalBytes}`;
    },
    setMemoryFraction: (fraction: number) => allocator.setMemoryFraction(fraction),
    setStream: (stream: number) => {
      session.stream = stream;
    },
    currentStream: () => session.stream,
    eventCount: () => session.trace.eventCount,
    ...profileFunctions(session),
    clearWorkspaces: () => session.clearWorkspaces(),
    deviceName: () => gpu.name,
    deviceCount: () => session.devices,
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
    recordStream: (handle: number, stream: number) => {
      const block = find(handle).storage.block;
      if (block) allocator.recordStream(block as Parameters<typeof allocator.recordStream>[0], stream);
    },
  };
}
