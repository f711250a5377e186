/** Memory that the libraries keep: a workspace for each handle and stream. Threads take handles from a pool and give them back (CUDABlas, DeviceThreadHandles.h). */

import type { GpuName, Storage } from "../tensor/tensor.ts";
import type { DeviceMemory } from "./memory.ts";

export class Workspaces {
  private readonly memory: DeviceMemory;
  private readonly kept = new Map<string, Storage>();
  /** What is kept whatever is cleared, by name and GPU. */
  private readonly once = new Map<string, Storage>();
  /** Handles in use: by thread, then by GPU. */
  private readonly handles = new Map<string, Map<GpuName, number>>();
  private readonly free = new Map<GpuName, number[]>();
  private made = 0;

  constructor(memory: DeviceMemory) {
    this.memory = memory;
  }

  /** Takes a workspace at the first call of its handle, to keep it for ever. */
  keep(library: "cublas" | "cublaslt", bytes: number, device: GpuName, thread: string, stream: number): void {
    if (bytes === 0) return;
    const key = `${library} ${this.handleOf(thread, device)} ${stream}`;
    if (this.kept.has(key)) return;
    const storage = this.memory.allocate(device, bytes, `${library}_workspace:${thread}`, stream);
    storage.retain();
    this.kept.set(key, storage);
  }

  /** True when the GPU lacks what a library keeps once, whoever asks first: the caller takes it with `keepOnce`. */
  lacks(what: string, device: GpuName): boolean {
    return !this.once.has(`${what} ${device}`);
  }

  keepOnce(what: string, bytes: number, device: GpuName, stream: number): void {
    const storage = this.memory.allocate(device, bytes, what, stream);
    storage.retain();
    this.once.set(`${what} ${device}`, storage);
  }

  /** A thread is over: others take its handles. */
  threadEnded(thread: string): void {
    for (const [device, handle] of this.handles.get(thread) ?? []) {
      const free = this.free.get(device);
      if (free === undefined) this.free.set(device, [handle]);
      else free.push(handle);
    }
    this.handles.delete(thread);
  }

  /** Indexes of their blocks. */
  get blocks(): number[] {
    return [...this.kept.values(), ...this.once.values()].map((storage) => storage.traceBlock);
  }

  clear(): void {
    for (const storage of this.kept.values()) storage.release();
    this.kept.clear();
  }

  private handleOf(thread: string, device: GpuName): number {
    let own = this.handles.get(thread);
    if (own === undefined) this.handles.set(thread, (own = new Map()));
    let handle = own.get(device);
    if (handle === undefined) own.set(device, (handle = this.free.get(device)?.pop() ?? this.made++));
    return handle;
  }
}
