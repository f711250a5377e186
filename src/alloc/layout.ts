/** A number for the allocator's layout: two moments with the same number answer all later requests alike. */

import { mix } from "../base/mix.ts";
import type { BlockNode, Segment } from "./block.ts";

/**
 * Segments in the order in which they were taken, with their blocks. Addresses do not count beyond that order: a segment that was
 * returned and taken again is the same layout.
 */
export function layoutHash(segments: Iterable<Segment>): number {
  let hash = 0;
  for (const segment of segments) {
    hash = mix(hash, segment.stream * 4 + (segment.pool.isSmall ? 2 : 0) + 1);
    for (let node: BlockNode | null = segment.head; node !== null; node = node.next) {
      hash = mix(hash, node.bytes);
      hash = mix(hash, (node.allocated ? 4 : 0) + (node.mapped ? 2 : 0) + (node.pendingEvents > 0 ? 1 : 0));
    }
  }
  return hash;
}
