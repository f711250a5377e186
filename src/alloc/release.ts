/** Giving cached memory back to the driver: on request, under pressure, and by garbage collection. */

import type { AllocatorCore } from "./core.ts";
import { unmapFree } from "./expandable.ts";
import type { BlockPool } from "./pool.ts";

/** Returns every wholly free segment of a pool and unmaps free pages of its expandable ones (release_blocks). */
function releasePool(core: AllocatorCore, pool: BlockPool): void {
  const free = pool.allFree();
  for (const node of free) if (!node.isExpandable && !node.isSplit) core.releaseSegment(node);
  for (const node of free) if (node.isExpandable) unmapFree(core, node);
}

/** Returns all that can be returned, of all streams (release_cached_blocks without its wait for events). */
export function releaseAllCached(core: AllocatorCore): void {
  releasePool(core, core.defaultPools.large);
  releasePool(core, core.defaultPools.small);
  for (const [key, pair] of core.privatePools) {
    if (pair.users > 0) continue;
    releasePool(core, pair.small);
    releasePool(core, pair.large);
    if (pair.segmentCount === 0) core.privatePools.delete(key);
  }
}

/**
 * Returns oversize blocks until `roundedBytes` could be had from them: one that is large enough, else several from the
 * largest down (release_available_cached_blocks). False when there is no limit for splitting or too little was found.
 */
export function releaseOversize(core: AllocatorCore, pool: BlockPool, stream: number, roundedBytes: number): boolean {
  const { maxSplitBytes } = core.config;
  if (maxSplitBytes === Infinity) return false;
  const wantedBytes = Math.max(roundedBytes, maxSplitBytes);
  const list = pool.free(stream);
  // Expandable blocks are passed over: they are unmapped, not returned.
  let enough = list.seek(wantedBytes, 0);
  while (enough !== null && enough.isExpandable) enough = list.advance();
  if (enough !== null) {
    core.releaseSegment(enough);
    return true;
  }
  let releasedBytes = 0;
  const oversize = list.toArray().filter((node) => node.bytes >= maxSplitBytes && !node.isExpandable);
  for (let node = oversize.pop(); node !== undefined && releasedBytes < wantedBytes; node = oversize.pop()) {
    releasedBytes += node.bytes;
    core.releaseSegment(node);
  }
  return releasedBytes >= wantedBytes;
}

/** Returns the large segments that have been free the longest once reserved memory passes the threshold. */
export function collectGarbage(core: AllocatorCore): void {
  const threshold = Math.floor(core.config.garbageCollectionThreshold * (core.allowedBytes ?? Infinity));
  if (core.takenBytes <= threshold) return;
  const targetBytes = core.takenBytes - threshold;
  const pool = core.defaultPools.large;
  const age = (idleSince: number): number => pool.queries - idleSince;
  let candidates = pool.allFree().filter((node) => !node.isSplit && !node.isExpandable);
  let totalAge = candidates.reduce((sum, node) => sum + age(node.idleSince), 0);
  let reclaimedBytes = 0;
  let released = true;
  while (released && reclaimedBytes < targetBytes && candidates.length > 0) {
    // A round does not stop at the target: collecting should stay rare.
    const averageAge = totalAge / candidates.length;
    const old = candidates.filter((node) => age(node.idleSince) >= averageAge);
    candidates = candidates.filter((node) => age(node.idleSince) < averageAge);
    released = old.length > 0;
    for (const node of old) {
      reclaimedBytes += node.bytes;
      totalAge -= age(node.idleSince);
      core.releaseSegment(node);
    }
  }
}
