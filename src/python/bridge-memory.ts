/** What torch.cuda asks of the engine: counters, statistics, snapshots, properties of the card. */

import type { Session } from "../session/session.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { EVENT_KINDS } from "../trace/model.ts";

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
    memorySnapshot: () => JSON.stringify(allocator.snapshot()),
    memGetInfo: () => {
      const { freeBytes, totalBytes } = allocator.memGetInfo();
      return `${freeBytes},${totalBytes}`;
    },
    setMemoryFraction: (fraction: number) => allocator.setMemoryFraction(fraction),
    setStream: (stream: number) => {
      session.stream = stream;
    },
    eventCount: () => session.trace.eventCount,
    /** Entries of a memory history that began at event `first`, as `_snapshot()` lists them; sizes are those asked for. */
    deviceTrace: (first: number) => {
      const { events, blocks } = session.trace.finish({
        source: "simulated",
        program: "",
        gpu: gpu.id,
        capacityBytes: gpu.totalBytes,
        torch: session.rules.version,
      });
      const entries: object[] = [];
      for (let i = first; i < events.kind.length; i++) {
        const action = EVENT_KINDS[events.kind[i]];
        const block = blocks[events.block[i]];
        if (action === "mark") continue;
        const size = block ? block.requestedBytes : events.bytes[i];
        const where = action === "oom" ? { device_free: 0 } : { addr: events.address[i] };
        entries.push({ action, ...where, size, stream: block?.stream ?? 0, time_us: 0 });
      }
      return JSON.stringify(entries);
    },
    /** Per operator: name, how many blocks it took, and bytes taken less bytes that were given back while it ran. */
    profileOps: (first: number, last: number) => {
      const { events, ops } = session.trace.finish({
        source: "simulated",
        program: "",
        gpu: gpu.id,
        capacityBytes: gpu.totalBytes,
        torch: session.rules.version,
      });
      const rows = new Map<string, { count: number; bytes: number }>();
      for (let i = first; i < last; i++) {
        const kind = EVENT_KINDS[events.kind[i]];
        if ((kind !== "alloc" && kind !== "free_requested") || events.op[i] < 0) continue;
        const name = ops[events.op[i]];
        const row = rows.get(name) ?? { count: 0, bytes: 0 };
        if (kind === "alloc") row.count++;
        row.bytes += kind === "alloc" ? events.bytes[i] : -events.bytes[i];
        rows.set(name, row);
      }
      return JSON.stringify([...rows].map(([name, r]) => [name, r.count, r.bytes]));
    },
    clearWorkspaces: () => session.clearWorkspaces(),
    deviceName: () => gpu.name,
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
