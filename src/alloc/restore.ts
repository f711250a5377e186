/** Puts a recorded state into an unused allocator, so that a run can go on from a memory snapshot. */

import { invariant } from "../base/invariant.ts";
import { BlockNode, type Block } from "./block.ts";
import type { AllocatorCore } from "./core.ts";
import { PoolPair } from "./pool.ts";
import { roundRequest } from "./rounding.ts";
import type { BlockSnapshot, SegmentSnapshot } from "./snapshot.ts";
import {
  ACTIVE,
  ACTIVE_BYTES,
  ALLOCATED_BYTES,
  ALLOCATION,
  INACTIVE_SPLIT,
  INACTIVE_SPLIT_BYTES,
  OVERSIZE_ALLOCATIONS,
  REQUESTED_BYTES,
} from "./stats.ts";

export interface Restored {
  readonly blocks: Map<number, Block>;
  readonly remainderBytes: number;
}

function poolsOf(core: AllocatorCore, segment: SegmentSnapshot): PoolPair {
  const [a, b] = segment.poolId;
  if (a === 0 && b === 0) return core.defaultPools;
  const key = `${a}_${b}`;
  let pools = core.privatePools.get(key);
  if (pools === undefined) {
    core.privatePools.set(key, (pools = new PoolPair(segment.poolId)));
    pools.users = 1;
  }
  return pools;
}

/** Blocks must fill their segment in order; idle neighbours must be one block. */
function checkBlocks(segment: SegmentSnapshot): void {
  let end = segment.address;
  let wasIdle = false;
  for (const block of segment.blocks) {
    invariant(block.address === end && block.bytes > 0, "the blocks of a recorded segment must follow each other");
    const isIdle = block.state === "inactive";
    invariant(!(isIdle && wasIdle), "free neighbours in a recorded segment must be merged");
    wasIdle = isIdle;
    end += block.bytes;
  }
  invariant(end === segment.address + segment.totalBytes, "the blocks of a recorded segment must fill it");
}

/** Expandable segments are refused: a snapshot does not say where their reserved ranges end. */
export function restoreSegments(core: AllocatorCore, segments: readonly SegmentSnapshot[]): Restored {
  invariant(core.segments.size === 0, "a state can be restored only into an unused allocator");
  const blocks = new Map<number, Block>();
  let remainderBytes = 0;
  for (const recorded of segments) {
    invariant(!recorded.isExpandable, "expandable segments cannot be restored");
    checkBlocks(recorded);
    const pair = poolsOf(core, recorded);
    const pool = recorded.type === "small" ? pair.small : pair.large;
    const { isSmall } = pool;
    const whole = core.addSegment(pool, recorded.stream, recorded.address, recorded.totalBytes);
    const place = (block: BlockSnapshot, last: BlockNode | null): BlockNode => {
      if (last === null) {
        whole.bytes = block.bytes;
        return whole;
      }
      const node = new BlockNode(whole.segment, block.address, block.bytes);
      node.linkBetween(last, null);
      return node;
    };
    let last: BlockNode | null = null;
    for (const block of recorded.blocks) last = place(block, last);
    let node: BlockNode | null = whole;
    for (const block of recorded.blocks) {
      invariant(node !== null, "one node per recorded block");
      if (block.state === "inactive") {
        pool.insertFree(node);
        if (node.isSplit) {
          core.stats.increase(INACTIVE_SPLIT, isSmall, 1);
          core.stats.increase(INACTIVE_SPLIT_BYTES, isSmall, node.bytes);
        }
      } else {
        // A block that waits for other streams is taken as held: the record of its free is still to come.
        node.allocated = true;
        node.requestedBytes = block.requestedBytes;
        node.remainderBytes = Math.max(0, block.bytes - roundRequest(Math.max(1, block.requestedBytes), core.config));
        remainderBytes += node.remainderBytes;
        core.stats.increase(ALLOCATION, isSmall, 1);
        core.stats.increase(ALLOCATED_BYTES, isSmall, node.bytes);
        core.stats.increase(ACTIVE, isSmall, 1);
        core.stats.increase(ACTIVE_BYTES, isSmall, node.bytes);
        core.stats.increase(REQUESTED_BYTES, isSmall, block.requestedBytes);
        if (node.bytes >= core.config.maxSplitBytes) core.stats.increaseTotal(OVERSIZE_ALLOCATIONS);
        blocks.set(node.address, node);
      }
      node = node.next;
    }
  }
  return { blocks, remainderBytes };
}
