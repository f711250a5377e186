/** A number for the allocator's layout: two moments with the same number answer later requests alike. */

import { mix } from "../base/mix.ts";
import type { BlockNode, Segment } from "./block.ts";

/**
 * Segments in the order in which they were taken, with their blocks. Addresses do not count beyond that order: a segment that was
 * returned and taken again is the same layout. Of small blocks only their number of segments and their bytes count: where they lie
 * wanders from pass to pass, and decides at most when another 2 MiB are taken.
 */
export function layoutHash(segments: Iterable<Segment>): number {
  let hash = 0;
  let smallBytes = 0;
  let smallSegments = 0;
  for (const segment of segments) {
    if (segment.pool.isSmall) {
      smallSegments++;
      for (let node: BlockNode | null = segment.head; node !== null; node = node.next) {
        if (node.allocated) smallBytes += node.bytes;
      }
      continue;
    }
    hash = mix(hash, segment.stream + 1);
    for (let node: BlockNode | null = segment.head; node !== null; node = node.next) {
      hash = mix(hash, node.bytes);
      hash = mix(hash, (node.allocated ? 4 : 0) + (node.mapped ? 2 : 0) + (node.pendingEvents > 0 ? 1 : 0));
    }
  }
  return mix(mix(hash, smallBytes), smallSegments);
}
