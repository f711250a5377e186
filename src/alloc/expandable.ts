/**
 * Expandable segments: a large reserved address range per stream and pool, mapped and unmapped page by page.
 * Mirrors find_expandable_block, map_block, try_allocate_expandable_block and unmap_block of CUDACachingAllocator.cpp.
 */

import { invariant } from "../base/invariant.ts";
import { BlockNode, Segment } from "./block.ts";
import { SMALL_SEGMENT_BYTES } from "./constants.ts";
import type { AllocatorCore } from "./core.ts";
import type { BlockPool } from "./pool.ts";

/** Pages are rounded from the start of the segment. */
function pageFloor(segment: Segment, address: number): number {
  return segment.address + Math.floor((address - segment.address) / segment.pageBytes) * segment.pageBytes;
}

function pageCeil(segment: Segment, address: number): number {
  return segment.address + Math.ceil((address - segment.address) / segment.pageBytes) * segment.pageBytes;
}

/** Reserves address space for 9/8 of the device, so that pages freed low can be used again high. */
function reserveSegment(core: AllocatorCore, pool: BlockPool, stream: number): BlockNode {
  const pageBytes = pool.isSmall ? SMALL_SEGMENT_BYTES : core.config.largeSegmentBytes;
  const bytes = Math.ceil((core.totalBytes * 9) / 8 / pageBytes) * pageBytes;
  const segment = new Segment(pool, stream, core.driver.rangeAddress(bytes, stream), bytes, pageBytes);
  core.segments.add(segment);
  segment.head.mapped = false;
  pool.insertUnmapped(segment.head);
  return segment.head;
}

function hasRoom(from: BlockNode, bytes: number): boolean {
  let room = 0;
  for (let node: BlockNode | null = from; node !== null && node.isIdle && room < bytes; node = node.next)
    room += node.bytes;
  return room >= bytes;
}

/** Lowest place where idle blocks and unmapped ranges in a row hold `bytes`. */
function findPlace(core: AllocatorCore, pool: BlockPool, stream: number, bytes: number): BlockNode {
  for (const unmapped of pool.unmapped) {
    if (unmapped.stream !== stream) continue;
    const before = unmapped.previous;
    const from = before !== null && before.isIdle ? before : unmapped;
    if (hasRoom(from, bytes)) return from;
  }
  return reserveSegment(core, pool, stream);
}

/** Maps the pages that cover the first `bytes` of an unmapped range; false when the device has no memory left. */
function mapRange(core: AllocatorCore, node: BlockNode, bytes: number): boolean {
  const { segment, pool } = node;
  const mappedBytes = pageCeil(segment, node.address + bytes) - node.address;
  if (mappedBytes > core.freeBytes) return false;
  pool.removeUnmapped(node);
  node.mapped = true;
  if (mappedBytes < node.bytes) {
    const rest = new BlockNode(segment, node.address + mappedBytes, node.bytes - mappedBytes);
    rest.mapped = false;
    rest.linkBetween(node, node.next);
    node.bytes = mappedBytes;
    pool.insertUnmapped(rest);
  }
  const address = node.address;
  core.mergeNeighbour(node, node.previous);
  core.mergeNeighbour(node, node.next);
  pool.insertFree(node);
  core.countReserved(pool, mappedBytes);
  core.emit("segment_map", address, mappedBytes, 0, node.stream, null);
  return true;
}

/** A free block of at least `bytes` that is in no list any more, or null when the device has no memory left. */
export function growExpandable(core: AllocatorCore, pool: BlockPool, stream: number, bytes: number): BlockNode | null {
  let node = findPlace(core, pool, stream, bytes);
  if (!node.mapped && !mapRange(core, node, Math.min(node.bytes, bytes))) return null;
  while (node.bytes < bytes) {
    const behind = node.next;
    invariant(behind !== null && !behind.mapped, "an unmapped range must follow a free block that is too small");
    if (!mapRange(core, behind, Math.min(bytes - node.bytes, behind.bytes))) return null;
    node = behind; // it took in the block before it
  }
  pool.removeFree(node);
  return node;
}

/** Unmaps the whole pages inside a free block; the ends that share a page with a neighbour stay. */
export function unmapFree(core: AllocatorCore, node: BlockNode): void {
  const { segment, pool } = node;
  const end = node.address + node.bytes;
  const from = pageCeil(segment, node.address);
  const to = pageFloor(segment, end);
  if (from >= to) return;
  pool.removeFree(node);
  if (from > node.address) {
    const before = new BlockNode(segment, node.address, from - node.address);
    before.linkBetween(node.previous, node);
    pool.insertFree(before);
  }
  if (end > to) {
    const after = new BlockNode(segment, to, end - to);
    after.linkBetween(node, node.next);
    pool.insertFree(after);
  }
  node.address = from;
  node.bytes = to - from;
  node.mapped = false;
  core.mergeNeighbour(node, node.previous);
  core.mergeNeighbour(node, node.next);
  pool.insertUnmapped(node);
  core.countReserved(pool, from - to);
  core.emit("segment_unmap", from, to - from, 0, node.stream, null);
  if (!node.isSplit) {
    pool.removeUnmapped(node);
    core.segments.delete(segment);
  }
}
