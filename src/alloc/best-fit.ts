/** Which cached block a request takes, and whether it is split (get_free_block and should_split). */

import type { BlockNode } from "./block.ts";
import type { AllocatorConfig } from "./config.ts";
import { MIN_BLOCK_BYTES, SMALL_BYTES } from "./constants.ts";
import type { FreeList } from "./free-list.ts";

/** What an expandable block counts for: it can grow into the unmapped space behind it. */
function growableBytes(node: BlockNode): number {
  return node.bytes + (node.next !== null && !node.next.mapped ? node.next.bytes : 0);
}

/** Among expandable blocks a larger one that cannot grow may fit better than a smaller one that can. */
function bestExpandable(list: FreeList, first: BlockNode): BlockNode {
  let best = first;
  for (let next = list.advance(); next !== null && best.isExpandable; next = list.advance()) {
    if (growableBytes(next) >= growableBytes(best)) break;
    best = next;
  }
  list.seek(best.bytes, best.address);
  return best;
}

function firstOrdinary(list: FreeList): BlockNode | null {
  let node = list.advance();
  while (node !== null && node.isExpandable) node = list.advance();
  return node;
}

/**
 * The smallest sufficient block, taken off its list, or null. Exactly one candidate is tried: when the limits for
 * oversize blocks forbid it, the search has failed.
 */
export function takeBestFit(list: FreeList, roundedBytes: number, config: AllocatorConfig): BlockNode | null {
  let node = list.seek(roundedBytes, 0);
  // Segments that were made before the setting changed are not used across it.
  if (node !== null && node.isExpandable)
    node = config.expandableSegments ? bestExpandable(list, node) : firstOrdinary(list);
  if (node === null) return null;
  const { maxSplitBytes } = config;
  if (roundedBytes < maxSplitBytes) {
    if (node.bytes >= maxSplitBytes) return null;
  } else if (node.bytes >= roundedBytes + config.maxNonSplitRoundingBytes) return null;
  list.removeCurrent();
  return node;
}

/** Whether what the request leaves over becomes a block of its own. */
export function shouldSplit(node: BlockNode, roundedBytes: number, config: AllocatorConfig): boolean {
  const restBytes = node.bytes - roundedBytes;
  if (node.pool.isSmall || config.expandableSegments) return restBytes >= MIN_BLOCK_BYTES;
  return roundedBytes < config.maxSplitBytes && restBytes > SMALL_BYTES;
}
