/** Pools: where free blocks wait, apart for small and large blocks, for every stream and for every private pool. */

import { invariant } from "../base/invariant.ts";
import type { BlockNode } from "./block.ts";
import { FreeList } from "./free-list.ts";

/** One of the two halves of a {@link PoolPair}. */
export class BlockPool {
  readonly isSmall: boolean;
  readonly pair: PoolPair;
  /** Counts searches while garbage collection is on; the age of a block is a difference of it. */
  queries = 0;
  /** Unmapped ranges of expandable segments, ascending by address; few, so a plain array. */
  readonly unmapped: BlockNode[] = [];
  private readonly lists = new Map<number, FreeList>();
  private lastStream = 0;
  private lastList = new FreeList();

  constructor(pair: PoolPair, isSmall: boolean) {
    this.pair = pair;
    this.isSmall = isSmall;
    this.lists.set(0, this.lastList);
  }

  /** Free blocks of a stream. A cached block is reused only by its own stream. */
  free(stream: number): FreeList {
    if (stream === this.lastStream) return this.lastList;
    let list = this.lists.get(stream);
    if (list === undefined) {
      list = new FreeList();
      this.lists.set(stream, list);
    }
    this.lastStream = stream;
    this.lastList = list;
    return list;
  }

  insertFree(node: BlockNode): void {
    node.idleSince = this.queries;
    this.free(node.stream).insert(node);
  }

  removeFree(node: BlockNode): void {
    this.free(node.stream).remove(node);
  }

  insertUnmapped(node: BlockNode): void {
    let at = this.unmapped.length;
    while (at > 0 && this.unmapped[at - 1].address > node.address) at--;
    this.unmapped.splice(at, 0, node);
  }

  removeUnmapped(node: BlockNode): void {
    const at = this.unmapped.indexOf(node);
    invariant(at >= 0, "an unmapped range must be known to its pool");
    this.unmapped.splice(at, 1);
  }

  /** All free blocks in the order (stream, size, address). */
  allFree(): BlockNode[] {
    const streams = [...this.lists.keys()].sort((a, b) => a - b);
    return streams.flatMap((stream) => this.lists.get(stream)!.toArray());
  }

  largestFreeBytes(): number {
    let largest = 0;
    for (const list of this.lists.values()) largest = Math.max(largest, list.largest()?.bytes ?? 0);
    return largest;
  }
}

/** Id of a private pool as PyTorch prints it; `0_0` is the default pool. */
export type PoolId = readonly [number, number];

/** The small and the large pool of the default memory, or of one private pool (a CUDA graph's). */
export class PoolPair {
  readonly id: PoolId;
  readonly small: BlockPool;
  readonly large: BlockPool;
  /** Captures that use a private pool; at zero its segments may go back to the driver. */
  users = 0;
  /** Pieces of driver memory that a private pool holds. */
  segmentCount = 0;

  constructor(id: PoolId) {
    this.id = id;
    this.small = new BlockPool(this, true);
    this.large = new BlockPool(this, false);
  }

  get isPrivate(): boolean {
    return this.id[0] !== 0 || this.id[1] !== 0;
  }
}
