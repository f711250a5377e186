/** The allocator's state and its smallest steps: take and return segments, merge blocks, count, tell the listener. */

import { invariant } from "../base/invariant.ts";
import { BlockNode, Segment, type Block } from "./block.ts";
import type { AllocatorConfig } from "./config.ts";
import type { DriverMemory } from "./driver.ts";
import type { AllocatorEvent, AllocatorEventKind } from "./events.ts";
import { PoolPair, type BlockPool } from "./pool.ts";
import {
  ACTIVE,
  ACTIVE_BYTES,
  INACTIVE_SPLIT,
  INACTIVE_SPLIT_BYTES,
  OVERSIZE_SEGMENTS,
  REQUESTED_BYTES,
  RESERVED_BYTES,
  SEGMENT,
  StatTable,
} from "./stats.ts";

export class AllocatorCore {
  config: AllocatorConfig;
  readonly totalBytes: number;
  readonly contextBytes: number;
  readonly driver: DriverMemory;
  readonly onEvent: ((event: AllocatorEvent) => void) | null;
  readonly stats = new StatTable();
  readonly segments = new Set<Segment>();
  readonly defaultPools = new PoolPair([0, 0]);
  /** Private pools by id; a pool whose users are gone stays until its segments are returned. */
  readonly privatePools = new Map<string, PoolPair>();
  /** Reserved bytes of private pools, kept after a pool is gone. */
  readonly privateStats = new Map<string, StatTable>();
  /** Bytes taken from the driver: the total that limits and free memory are computed from. */
  takenBytes = 0;
  /** Limit set by a memory fraction, or null. */
  allowedBytes: number | null = null;

  constructor(
    config: AllocatorConfig,
    totalBytes: number,
    contextBytes: number,
    driver: DriverMemory,
    onEvent: ((event: AllocatorEvent) => void) | null,
  ) {
    this.config = config;
    this.totalBytes = totalBytes;
    this.contextBytes = contextBytes;
    this.driver = driver;
    this.onEvent = onEvent;
  }

  get freeBytes(): number {
    return Math.max(0, this.totalBytes - this.contextBytes - this.takenBytes);
  }

  emit(
    kind: AllocatorEventKind,
    address: number,
    bytes: number,
    requestedBytes: number,
    stream: number,
    block: Block | null,
  ): void {
    if (this.onEvent !== null) this.onEvent({ kind, address, bytes, requestedBytes, stream, block });
  }

  /** Counts memory taken from the driver (positive) or returned to it (negative). */
  countReserved(pool: BlockPool, bytes: number): void {
    this.takenBytes += bytes;
    this.stats.change(RESERVED_BYTES, pool.isSmall, bytes);
    if (bytes > 0) this.stats.deviceAllocs++;
    else this.stats.deviceFrees++;
    const { pair } = pool;
    if (!pair.isPrivate) return;
    pair.segmentCount += bytes > 0 ? 1 : -1;
    const id = pair.id.join("_");
    let table = this.privateStats.get(id);
    if (table === undefined) this.privateStats.set(id, (table = new StatTable()));
    table.change(RESERVED_BYTES, pool.isSmall, bytes);
  }

  /** A new ordinary segment as one free block that is in no list yet. */
  addSegment(pool: BlockPool, stream: number, address: number, bytes: number): BlockNode {
    const segment = new Segment(pool, stream, address, bytes, 0);
    this.segments.add(segment);
    this.countReserved(pool, bytes);
    this.stats.increase(SEGMENT, pool.isSmall, 1);
    if (bytes >= this.config.maxSplitBytes) this.stats.increaseTotal(OVERSIZE_SEGMENTS);
    this.emit("segment_alloc", address, bytes, 0, stream, null);
    return segment.head;
  }

  /** Returns a wholly free ordinary segment to the driver. */
  releaseSegment(node: BlockNode): void {
    const { pool, segment } = node;
    invariant(!node.isExpandable && !node.isSplit, "only a whole segment can be returned");
    pool.removeFree(node);
    this.segments.delete(segment);
    this.countReserved(pool, -node.bytes);
    this.stats.decrease(SEGMENT, pool.isSmall, 1);
    if (node.bytes >= this.config.maxSplitBytes) this.stats.decreaseTotal(OVERSIZE_SEGMENTS);
    this.emit("segment_free", node.address, node.bytes, 0, node.stream, null);
  }

  /** Joins a neighbour to `node` if both are idle and alike, and says how many bytes that added. */
  mergeNeighbour(node: BlockNode, neighbour: BlockNode | null): number {
    if (neighbour === null || !neighbour.isIdle || neighbour.mapped !== node.mapped) return 0;
    // The list finds a block by its size: take it out before anything changes.
    if (neighbour.mapped) node.pool.removeFree(neighbour);
    else node.pool.removeUnmapped(neighbour);
    if (node.previous === neighbour) {
      node.address = neighbour.address;
      node.linkBetween(neighbour.previous, node.next);
    } else {
      node.linkBetween(node.previous, neighbour.next);
    }
    node.bytes += neighbour.bytes;
    return neighbour.bytes;
  }

  /** The block is really free now: merge it, put it on its list and count (free_block). */
  completeFree(node: BlockNode): void {
    invariant(node.isIdle, "a block with a holder or outstanding events cannot be freed");
    const { stats } = this;
    const { pool, address, bytes, requestedBytes } = node;
    let splitCount = 0;
    const before = this.mergeNeighbour(node, node.previous);
    if (before > 0) splitCount--;
    const after = this.mergeNeighbour(node, node.next);
    if (after > 0) splitCount--;
    let splitBytes = -before - after;
    pool.insertFree(node);
    if (node.isSplit) {
      splitCount++;
      splitBytes += node.bytes;
    }
    const { isSmall } = pool;
    if (!node.isExpandable) {
      stats.change(INACTIVE_SPLIT, isSmall, splitCount);
      stats.change(INACTIVE_SPLIT_BYTES, isSmall, splitBytes);
    }
    stats.decrease(ACTIVE, isSmall, 1);
    stats.decrease(ACTIVE_BYTES, isSmall, bytes);
    stats.decrease(REQUESTED_BYTES, isSmall, requestedBytes);
    this.emit("free_completed", address, bytes, requestedBytes, node.stream, node);
  }
}
