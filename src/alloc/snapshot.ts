/** What `torch.cuda.memory_snapshot()` says of each segment, from the allocator's own lists. */

import type { BlockNode, Segment } from "./block.ts";
import type { PoolId } from "./pool.ts";

export type BlockState = "active_allocated" | "active_pending_free" | "inactive";

export interface BlockSnapshot {
  readonly address: number;
  readonly bytes: number;
  /** Meaningless for an inactive block. */
  readonly requestedBytes: number;
  readonly state: BlockState;
}

/** A segment; of an expandable one, a contiguous mapped range. */
export interface SegmentSnapshot {
  readonly address: number;
  readonly totalBytes: number;
  readonly allocatedBytes: number;
  readonly activeBytes: number;
  readonly requestedBytes: number;
  readonly stream: number;
  readonly type: "small" | "large";
  readonly poolId: PoolId;
  readonly isExpandable: boolean;
  readonly blocks: readonly BlockSnapshot[];
}

function blockState(node: BlockNode): BlockState {
  if (node.allocated) return "active_allocated";
  return node.isIdle ? "inactive" : "active_pending_free";
}

function rangeSnapshot(segment: Segment, nodes: readonly BlockNode[]): SegmentSnapshot {
  const blocks = nodes.map((node) => ({
    address: node.address,
    bytes: node.bytes,
    requestedBytes: node.requestedBytes,
    state: blockState(node),
  }));
  const sum = (keep: (state: BlockState) => boolean, of: "bytes" | "requestedBytes"): number =>
    blocks.reduce((total, block) => (keep(block.state) ? total + block[of] : total), 0);
  return {
    address: nodes[0].address,
    totalBytes: sum(() => true, "bytes"),
    allocatedBytes: sum((state) => state === "active_allocated", "bytes"),
    activeBytes: sum((state) => state !== "inactive", "bytes"),
    requestedBytes: sum((state) => state !== "inactive", "requestedBytes"),
    stream: segment.stream,
    type: segment.pool.isSmall ? "small" : "large",
    poolId: segment.pool.pair.id,
    isExpandable: segment.pageBytes !== 0,
    blocks,
  };
}

/** All segments, sorted by address. */
export function segmentSnapshots(segments: Iterable<Segment>): SegmentSnapshot[] {
  const result: SegmentSnapshot[] = [];
  for (const segment of segments) {
    let range: BlockNode[] = [];
    for (let node: BlockNode | null = segment.head; node !== null; node = node.next) {
      if (node.mapped) range.push(node);
      if ((!node.mapped || node.next === null) && range.length > 0) {
        result.push(rangeSnapshot(segment, range));
        range = [];
      }
    }
  }
  return result.sort((a, b) => a.address - b.address);
}
