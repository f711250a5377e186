/** Blocks and the segments they divide: the nodes that the allocator links, splits and merges. */

import type { BlockPool } from "./pool.ts";

/** What a caller may know about the memory it was given. */
export interface Block {
  readonly address: number;
  /** What the allocator charges: rounded, and with a remainder that was too small to split off. */
  readonly bytes: number;
  /** What the caller asked for. */
  readonly requestedBytes: number;
  /** Stream that it was allocated on. */
  readonly stream: number;
}

/** Memory taken from the driver in one piece, or, when expandable, a reserved address range that is mapped page by page. */
export class Segment {
  readonly address: number;
  /** Bytes of the segment; of an expandable one the whole reserved range. */
  readonly bytes: number;
  readonly stream: number;
  readonly pool: BlockPool;
  /** Page size of an expandable segment, 0 for an ordinary one. */
  readonly pageBytes: number;
  /** Lowest block. */
  head: BlockNode;

  constructor(pool: BlockPool, stream: number, address: number, bytes: number, pageBytes: number) {
    this.pool = pool;
    this.stream = stream;
    this.address = address;
    this.bytes = bytes;
    this.pageBytes = pageBytes;
    this.head = new BlockNode(this, address, bytes);
  }
}

/**
 * A block as the allocator sees it. A handle that was freed must not be used again: its node may by then describe
 * the merged neighbourhood, or have been handed out once more.
 */
export class BlockNode implements Block {
  address: number;
  bytes: number;
  requestedBytes = 0;
  /** Bytes charged beyond the rounded request. */
  remainderBytes = 0;
  readonly stream: number;
  readonly segment: Segment;
  readonly pool: BlockPool;
  allocated = false;
  /** False for address space of an expandable segment without memory behind it. */
  mapped = true;
  previous: BlockNode | null = null;
  next: BlockNode | null = null;
  /** Other streams that used it since it was allocated. */
  streamUses: Set<number> | null = null;
  /** Events of other streams not yet seen; positive only between free and completion. */
  pendingEvents = 0;
  /** The pool's query counter when the block entered the free list. */
  idleSince = 0;

  constructor(segment: Segment, address: number, bytes: number) {
    this.segment = segment;
    this.pool = segment.pool;
    this.stream = segment.stream;
    this.address = address;
    this.bytes = bytes;
  }

  get isSplit(): boolean {
    return this.previous !== null || this.next !== null;
  }

  get isExpandable(): boolean {
    return this.segment.pageBytes !== 0;
  }

  /** Nobody holds it and no event is outstanding (mapped or not). */
  get isIdle(): boolean {
    return !this.allocated && this.pendingEvents === 0 && this.streamUses === null;
  }

  /** Links this node between two neighbours, of which either may be missing. */
  linkBetween(previous: BlockNode | null, next: BlockNode | null): void {
    this.previous = previous;
    this.next = next;
    if (previous === null) this.segment.head = this;
    else previous.next = this;
    if (next !== null) next.previous = this;
  }
}
