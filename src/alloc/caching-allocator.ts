/**
 * PyTorch's CUDA caching allocator: which address, how many bytes charged, how many reserved, and when it runs out.
 * Mirrors DeviceCachingAllocator of c10/cuda/CUDACachingAllocator.cpp; one instance is one device.
 */

import { invariant } from "../base/invariant.ts";
import { shouldSplit, takeBestFit } from "./best-fit.ts";
import { BlockNode, type Block } from "./block.ts";
import { parseAllocConf, type AllocatorConfig } from "./config.ts";
import { SMALL_BYTES, TOO_LARGE_BYTES } from "./constants.ts";
import { AllocatorCore } from "./core.ts";
import { AscendingMemory, type DriverMemory } from "./driver.ts";
import type { AllocatorEvent } from "./events.ts";
import { growExpandable } from "./expandable.ts";
import { layoutHash } from "./layout.ts";
import { OutOfMemoryError, oomText, TOO_LARGE_TEXT, UNCACHED_TEXT } from "./oom.ts";
import { PoolPair, type BlockPool, type PoolId } from "./pool.ts";
import { collectGarbage, releaseAllCached, releaseOversize } from "./release.ts";
import { restoreSegments } from "./restore.ts";
import { roundRequest, roundToBlock, segmentBytesFor } from "./rounding.ts";
import { segmentSnapshots, type SegmentSnapshot } from "./snapshot.ts";
import {
  ALLOCATED_BYTES,
  ALLOCATION,
  INACTIVE_SPLIT,
  INACTIVE_SPLIT_BYTES,
  OVERSIZE_ALLOCATIONS,
  RESERVED_BYTES,
} from "./stats.ts";
import { StreamUses } from "./stream-uses.ts";
import { memorySummaryText } from "./summary.ts";
import { DEFAULT_TORCH, releaseOf } from "../torch/releases.ts";
import { rulesFor } from "../torch/changes.ts";
import type { AllocatorRules } from "../torch/allocator-rules.ts";
import { UncachedMemory } from "./uncached.ts";

export interface AllocatorOptions {
  /** What cudaMemGetInfo reports as the device's total. */
  readonly totalBytes: number;
  /** Taken by the CUDA context and by others: not available. */
  readonly contextBytes?: number;
  readonly config?: AllocatorConfig;
  /** PyTorch release, for example `2.6`; default the newest known. */
  readonly torch?: string;
  /** Index of the device, for texts. */
  readonly device?: number;
  /** Where segments lie; default ascending addresses. */
  readonly driver?: DriverMemory;
  readonly onEvent?: (event: AllocatorEvent) => void;
}

interface Capture {
  readonly pools: PoolPair;
  /** Stream that is captured; null for all. */
  readonly stream: number | null;
}

export class CachingAllocator {
  readonly rules: AllocatorRules;
  /** Number of the GPU, for texts. */
  device: number;
  private readonly core: AllocatorCore;
  private readonly uncached: UncachedMemory | null;
  private readonly streamUses = new StreamUses();
  private readonly captures: Capture[] = [];
  /** Some size is rounded to divisions: rare, so the common path skips the look-up. */
  private rounds = false;
  private remainderBytes = 0;

  constructor(options: AllocatorOptions) {
    const torch = options.torch ?? DEFAULT_TORCH;
    this.rules = rulesFor(releaseOf(torch));
    const config = options.config ?? parseAllocConf("", torch);
    this.device = options.device ?? 0;
    const driver = options.driver ?? new AscendingMemory();
    this.core = new AllocatorCore(
      config,
      options.totalBytes,
      options.contextBytes ?? 0,
      driver,
      options.onEvent ?? null,
    );
    this.uncached = config.caching ? null : new UncachedMemory(this.core);
    this.configure(config);
  }

  get config(): AllocatorConfig {
    return this.core.config;
  }

  /** Other settings from now on, as `torch.cuda.memory._set_allocator_settings` gives them. */
  configure(config: AllocatorConfig): void {
    invariant(config.caching === (this.uncached === null), "caching is switched off for a whole process");
    this.core.config = config;
    this.rounds = config.roundupDivisions.some((divisions) => divisions > 0);
    if (config.memoryFraction !== null && config.memoryFraction < 1) this.setMemoryFraction(config.memoryFraction);
  }

  /** A block, or null for zero bytes; throws {@link OutOfMemoryError}. */
  malloc(requestedBytes: number, stream = 0): Block | null {
    if (requestedBytes === 0) return null;
    invariant(requestedBytes > 0 && Number.isInteger(requestedBytes), "a request must be a whole number of bytes");
    if (requestedBytes >= TOO_LARGE_BYTES) throw this.outOfMemory(requestedBytes, requestedBytes, TOO_LARGE_TEXT);
    if (this.uncached !== null) {
      const block = this.uncached.malloc(requestedBytes, stream);
      if (block === null) throw this.outOfMemory(requestedBytes, requestedBytes, UNCACHED_TEXT);
      return block;
    }
    if (!this.streamUses.isEmpty && this.captures.length === 0) this.finishEvents();
    const roundedBytes = this.rounds ? roundRequest(requestedBytes, this.config) : roundToBlock(requestedBytes);
    const pools = this.captures.length === 0 ? this.core.defaultPools : this.poolsFor(stream);
    const pool = roundedBytes <= SMALL_BYTES ? pools.small : pools.large;
    if (this.collects) pool.queries++;
    const found =
      takeBestFit(pool.free(stream), roundedBytes, this.core.config) ??
      this.grow(pool, stream, roundedBytes, requestedBytes);
    return this.handOut(found, roundedBytes, requestedBytes);
  }

  free(block: Block): void {
    const node = block as BlockNode;
    invariant(node.allocated, "the block was freed before or is not this allocator's");
    node.allocated = false;
    if (this.uncached !== null) return this.uncached.free(node);
    const { core } = this;
    const { isSmall } = node.pool;
    core.stats.decrease(ALLOCATION, isSmall, 1);
    core.stats.decrease(ALLOCATED_BYTES, isSmall, node.bytes);
    if (node.bytes >= this.config.maxSplitBytes) core.stats.decreaseTotal(OVERSIZE_ALLOCATIONS);
    this.remainderBytes -= node.remainderBytes;
    if (core.onEvent !== null)
      core.emit("free_requested", node.address, node.bytes, node.requestedBytes, node.stream, node);
    if (node.streamUses === null) core.completeFree(node);
    else if (this.captures.length === 0) this.streamUses.wait(node);
    else this.streamUses.defer(node);
  }

  /** Another stream uses the block: after its free it waits until that stream's work is done. */
  recordStream(block: Block, stream: number): void {
    const node = block as BlockNode;
    if (stream !== node.stream && this.uncached === null) (node.streamUses ??= new Set()).add(stream);
  }

  emptyCache(): void {
    this.finishEvents();
    this.core.stats.syncAllStreams++;
    releaseAllCached(this.core);
  }

  memoryAllocated(): number {
    return this.core.stats.current(ALLOCATED_BYTES);
  }
  maxMemoryAllocated(): number {
    return this.core.stats.peak(ALLOCATED_BYTES);
  }
  memoryReserved(): number {
    return this.core.stats.current(RESERVED_BYTES);
  }
  maxMemoryReserved(): number {
    return this.core.stats.peak(RESERVED_BYTES);
  }

  resetPeakMemoryStats(): void {
    this.core.stats.resetPeaks();
    for (const table of this.core.privateStats.values()) table.resetPeaks();
  }

  resetAccumulatedMemoryStats(): void {
    this.core.stats.resetAccumulated();
    for (const table of this.core.privateStats.values()) table.resetAccumulated();
  }

  /** From now on the process may reserve this share of the device. */
  setMemoryFraction(fraction: number): void {
    invariant(fraction >= 0 && fraction <= 1, "a memory fraction lies between 0 and 1");
    this.core.allowedBytes = Math.floor(fraction * this.core.totalBytes);
  }

  /** The keys of `torch.cuda.memory_stats()` in this release. */
  memoryStats(): Record<string, number> {
    return this.core.stats.toRecord(this.rules, this.config.maxSplitBytes, [...this.core.privateStats]);
  }

  memorySummary(device: number = this.device, abbreviated = false): string {
    return memorySummaryText(this.memoryStats(), this.rules, device, abbreviated);
  }

  /** See {@link layoutHash}. */
  layoutHash(): number {
    return layoutHash(this.core.segments);
  }

  snapshot(): SegmentSnapshot[] {
    return segmentSnapshots(this.core.segments);
  }

  memGetInfo(): { freeBytes: number; totalBytes: number } {
    return { freeBytes: this.core.freeBytes, totalBytes: this.core.totalBytes };
  }

  /** Largest cached block of the default pools. */
  largestFreeBlockBytes(): number {
    const { small, large } = this.core.defaultPools;
    return Math.max(small.largestFreeBytes(), large.largestFreeBytes());
  }

  /** Bytes charged to live blocks beyond their rounded requests. */
  unsplitRemainderBytes(): number {
    return this.remainderBytes;
  }

  /** Allocations of a stream (null: of all) come from a private pool until {@link endAllocateToPool}, as in a CUDA graph's capture. */
  beginAllocateToPool(id: PoolId, stream: number | null = null): void {
    const key = id.join("_");
    let pools = this.core.privatePools.get(key);
    if (pools === undefined) this.core.privatePools.set(key, (pools = new PoolPair(id)));
    invariant(!this.captures.some((capture) => capture.pools === pools), "this private pool is being allocated to");
    pools.users++;
    this.captures.push({ pools, stream });
  }

  endAllocateToPool(id: PoolId): void {
    const at = this.captures.findIndex(({ pools }) => pools.id[0] === id[0] && pools.id[1] === id[1]);
    invariant(at >= 0, "this private pool is not being allocated to");
    this.captures.splice(at, 1);
  }

  /** One user of a private pool is gone; without users its free segments may be returned. */
  releasePool(id: PoolId): void {
    const pools = this.core.privatePools.get(id.join("_"));
    invariant(pools !== undefined && pools.users > 0, "this private pool has no user");
    pools.users--;
  }

  /** Rebuilds a recorded state in an unused allocator; returns the live blocks by address. */
  restore(segments: readonly SegmentSnapshot[]): Map<number, Block> {
    const restored = restoreSegments(this.core, segments);
    this.remainderBytes = restored.remainderBytes;
    return restored.blocks;
  }

  private poolsFor(stream: number): PoolPair {
    const capture = this.captures.find((candidate) => candidate.stream === null || candidate.stream === stream);
    return capture === undefined ? this.core.defaultPools : capture.pools;
  }

  private finishEvents(): void {
    this.streamUses.finish((node) => this.core.completeFree(node));
  }

  private get collects(): boolean {
    return this.core.allowedBytes !== null && this.config.garbageCollectionThreshold > 0;
  }

  /** A new segment, after collecting and releasing what must go; throws when the device is full. */
  private grow(pool: BlockPool, stream: number, roundedBytes: number, requestedBytes: number): BlockNode {
    const { core } = this;
    if (this.collects) collectGarbage(core);
    const segmentBytes = segmentBytesFor(roundedBytes, this.config);
    let node = this.newSegment(pool, stream, roundedBytes, segmentBytes);
    if (node === null && releaseOversize(core, pool, stream, roundedBytes))
      node = this.newSegment(pool, stream, roundedBytes, segmentBytes);
    if (node === null && this.captures.length === 0) {
      this.emptyCache();
      core.stats.allocRetries++;
      node = this.newSegment(pool, stream, roundedBytes, segmentBytes);
    }
    if (node !== null) return node;
    if (this.config.rejectsEarly && this.isRefused(segmentBytes)) core.stats.oomRejections++;
    core.stats.ooms++;
    core.emit("oom", 0, segmentBytes, requestedBytes, stream, null);
    throw this.outOfMemory(requestedBytes, segmentBytes, null);
  }

  /** The fraction forbids it, without asking the driver. */
  private isRefused(segmentBytes: number): boolean {
    return this.core.allowedBytes !== null && this.core.takenBytes + segmentBytes > this.core.allowedBytes;
  }

  private newSegment(pool: BlockPool, stream: number, roundedBytes: number, segmentBytes: number): BlockNode | null {
    const { core } = this;
    if (this.isRefused(segmentBytes)) return null;
    if (this.config.expandableSegments) return growExpandable(core, pool, stream, roundedBytes);
    if (segmentBytes > core.freeBytes) return null;
    return core.addSegment(pool, stream, core.driver.segmentAddress(segmentBytes, stream), segmentBytes);
  }

  /** Splits if worth it, counts, and gives the low addresses to the caller (alloc_found_block). */
  private handOut(found: BlockNode, roundedBytes: number, requestedBytes: number): BlockNode {
    const { core } = this;
    const { stats } = core;
    const { pool } = found;
    const { isSmall } = pool;
    const wasSplit = found.isSplit;
    let node = found;
    if (shouldSplit(found, roundedBytes, core.config)) {
      node = new BlockNode(found.segment, found.address, roundedBytes);
      node.linkBetween(found.previous, found);
      found.address += roundedBytes;
      found.bytes -= roundedBytes;
      pool.insertFree(found);
      if (!node.isExpandable) {
        if (wasSplit) stats.decrease(INACTIVE_SPLIT_BYTES, isSmall, roundedBytes);
        else {
          stats.increase(INACTIVE_SPLIT_BYTES, isSmall, found.bytes);
          stats.increase(INACTIVE_SPLIT, isSmall, 1);
        }
      }
    } else if (wasSplit && !node.isExpandable) {
      stats.decrease(INACTIVE_SPLIT_BYTES, isSmall, node.bytes);
      stats.decrease(INACTIVE_SPLIT, isSmall, 1);
    }
    node.allocated = true;
    node.requestedBytes = requestedBytes;
    node.remainderBytes = node.bytes - roundedBytes;
    this.remainderBytes += node.remainderBytes;
    stats.countHandedOut(isSmall, node.bytes, requestedBytes);
    if (node.bytes >= this.config.maxSplitBytes) stats.increaseTotal(OVERSIZE_ALLOCATIONS);
    if (core.onEvent !== null) core.emit("alloc", node.address, node.bytes, requestedBytes, node.stream, node);
    return node;
  }

  private outOfMemory(requestedBytes: number, segmentBytes: number, text: string | null): OutOfMemoryError {
    const { core } = this;
    let privatePoolBytes = 0;
    for (const pair of core.privatePools.values()) {
      for (const node of [...pair.small.allFree(), ...pair.large.allFree()]) privatePoolBytes += node.bytes;
    }
    const facts = {
      device: this.device,
      requestedBytes,
      segmentBytes,
      totalBytes: core.totalBytes,
      freeBytes: core.freeBytes,
      allocatedBytes: this.memoryAllocated(),
      reservedBytes: this.memoryReserved(),
      allowedBytes: core.allowedBytes,
      privatePoolBytes,
      processBytes: core.contextBytes + core.takenBytes,
    };
    return new OutOfMemoryError(text ?? oomText(facts, this.rules), this.rules.oomException, facts);
  }
}
