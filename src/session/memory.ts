/** Device memory of a run: storages get blocks from the caching allocator, and the trace hears of each event. */

import { CachingAllocator, type Block, OutOfMemoryError } from "../alloc/index.ts";
import { gpuNumber, isGpu, Storage, type DeviceType, type GpuName, type StorageOwner } from "../tensor/tensor.ts";
import { TorchError, type Shape } from "../tensor/shape.ts";
import type { TraceBuilder } from "../trace/builder.ts";
import { HostMemory } from "./host-memory.ts";
import { firstAddressOf } from "../trace/devices.ts";
import { CATEGORIES, type Category, type Phase } from "../trace/model.ts";

/** Where the program is, kept by the session and read at each event. */
export interface ProgramPoint {
  frame: number;
  op: number;
  module: number;
  phase: Phase;
}

/** Of a request that failed there is no address; that of another GPU's memory says which one it was for. */
const failedAt = (device: DeviceType): number => (device === "cuda" ? 0 : firstAddressOf(gpuNumber(device)));

/** What whoever shares a model out says of its own buffers is true, though parameters and gradients look into them. */
const FROM_WRAPPERS: readonly Category[] = ["gathered_parameter", "communication"];
/** Earlier ones win. */
const RANKED = [...FROM_WRAPPERS, ...CATEGORIES.filter((category) => !FROM_WRAPPERS.includes(category))];
const rankOf = new Map(RANKED.map((c, i) => [c, i]));

export class DeviceMemory implements StorageOwner {
  /** That of the GPU which the process uses first. */
  readonly allocator: CachingAllocator;
  /** Number of that GPU, as the program knows it. */
  firstGpu = 0;
  /** Category that new blocks get. */
  defaultCategory: Category = "temporary";
  /** Told of bytes taken (or given back: negative), for profilers. */
  onChange: ((device: "cpu" | "cuda", bytes: number) => void) | null = null;
  /** Told of storages of a GPU that get no memory yet; null: all get it. */
  unbacked: { asked(storage: Storage): void } | null = null;
  /** Set once the device was used: some readers answer differently before. */
  initialized = false;
  readonly host = new HostMemory();
  private readonly trace: TraceBuilder;
  private readonly place: ProgramPoint;
  private readonly categories: number[] = [];
  private readonly others = new Map<GpuName, CachingAllocator>();
  private readonly another: (device: GpuName) => CachingAllocator;

  constructor(
    allocator: CachingAllocator,
    trace: TraceBuilder,
    place: ProgramPoint,
    another: (device: GpuName) => CachingAllocator,
  ) {
    this.allocator = allocator;
    this.another = another;
    this.trace = trace;
    this.place = place;
  }

  allocatorOf(device: GpuName): CachingAllocator {
    if (device === "cuda") return this.allocator;
    let found = this.others.get(device);
    if (found === undefined) this.others.set(device, (found = this.another(device)));
    return found;
  }

  /** Allocators of all GPUs that the process has used. */
  get allocators(): readonly CachingAllocator[] {
    return [this.allocator, ...this.others.values()];
  }

  /** The name by which programs know a device. */
  shownName(device: DeviceType): string {
    return device === "cuda" ? `cuda:${this.firstGpu}` : device;
  }

  /** A storage with its memory; throws TorchError(OutOfMemoryError) when the device has none left. */
  allocate(device: DeviceType, nbytes: number, note: string | null = null, stream = 0): Storage {
    const storage = new Storage(this, device, nbytes);
    if (isGpu(device)) this.initialized = true;
    if (isGpu(device) && nbytes > 0 && this.unbacked) this.unbacked.asked(storage);
    else if (isGpu(device) && nbytes > 0) this.take(storage, nbytes, note, stream);
    else if (device === "cpu" && nbytes > 0) {
      this.host.taken(nbytes, this.place.frame);
      this.onChange?.("cpu", nbytes);
    }
    return storage;
  }

  /** Gives a storage that has none its memory. */
  back(storage: Storage, stream: number): void {
    this.take(storage, storage.nbytes, null, stream);
  }

  /** Hands the memory of one storage to another that has none. */
  move(from: Storage, to: Storage): void {
    [to.block, to.traceBlock] = [from.block, from.traceBlock];
    [from.block, from.traceBlock] = [null, -1];
  }

  /** Gives a storage other memory of another size (StorageImpl set_data_ptr in resize_). */
  resize(storage: Storage, nbytes: number, stream: number): void {
    if (isGpu(storage.device) && !this.unbacked) {
      const old = storage.block as Block | null;
      const oldTrace = storage.traceBlock;
      storage.block = null;
      storage.traceBlock = -1;
      if (nbytes > 0) this.take(storage, nbytes, null, stream);
      if (old) this.give(storage, old, oldTrace);
    }
    storage.nbytes = nbytes;
  }

  freeStorage(storage: Storage): void {
    const block = storage.block as Block | null;
    if (!block) {
      if (storage.device === "cpu" && storage.nbytes > 0) {
        this.host.freed(storage.nbytes);
        this.onChange?.("cpu", -storage.nbytes);
      }
      return;
    }
    storage.block = null;
    this.give(storage, block, storage.traceBlock);
  }

  /** A block that nothing better is known of is kept for backward. */
  keptForBackward(storage: Storage): void {
    if (storage.traceBlock >= 0 && this.categories[storage.traceBlock] === rankOf.get("temporary"))
      this.categorize(storage, "activation");
  }

  /** Says what a storage is for. A category that ranks earlier wins over a later one. */
  categorize(storage: Storage, category: Category): void {
    const i = storage.traceBlock;
    if (i < 0) return;
    const rank = rankOf.get(category) as number;
    if (this.categories[i] <= rank) return;
    this.categories[i] = rank;
    this.trace.setCategory(i, category);
  }

  categoryOf(block: number): Category {
    return RANKED[this.categories[block]!]!;
  }

  /** Says what a block is for, whether its storage lives or not. */
  categorizeBlock(block: number, category: Category): void {
    this.categories[block] = rankOf.get(category) as number;
    this.trace.setCategory(block, category);
  }

  private take(storage: Storage, nbytes: number, note: string | null, stream: number): void {
    const { trace, place } = this;
    const allocator = this.allocatorOf(storage.device as GpuName);
    let block: Block;
    try {
      block = allocator.malloc(nbytes, stream) as Block;
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      trace.oom(nbytes, place, allocator.memoryAllocated(), allocator.memoryReserved(), failedAt(storage.device));
      const { segmentBytes, freeBytes, allowedBytes } = error;
      trace.failure({ dtype: null, shape: null, note, segmentBytes, freeBytes, allowedBytes });
      throw new TorchError(error.message, "OutOfMemoryError");
    }
    storage.block = block;
    const category = note ? "workspace" : this.defaultCategory;
    storage.traceBlock = trace.alloc(
      {
        address: block.address,
        bytes: block.bytes,
        requestedBytes: nbytes,
        stream,
        frame: place.frame,
        op: place.op,
        module: place.module,
        phase: place.phase,
        category,
        dtype: null,
        shape: null,
        note,
      },
      allocator.memoryAllocated(),
      allocator.memoryReserved(),
    );
    this.categories[storage.traceBlock] = rankOf.get(category) as number;
    this.onChange?.("cuda", block.bytes);
  }

  private give({ device }: Storage, block: Block, traceBlock: number): void {
    const { trace, place } = this;
    const allocator = this.allocatorOf(device as GpuName);
    const { bytes } = block;
    allocator.free(block);
    trace.free(traceBlock, place, allocator.memoryAllocated(), allocator.memoryReserved());
    this.onChange?.("cuda", -bytes);
  }

  /** Notes the dtype and shape of the first tensor on a storage. */
  describe(storage: Storage, dtype: string, shape: Shape): void {
    if (storage.traceBlock >= 0) this.trace.describe(storage.traceBlock, dtype, shape);
  }
}
