/** With caching switched off (`PYTORCH_NO_CUDA_MEMORY_CACHING`) each tensor is one cudaMalloc, and no counter moves. */

import { BlockNode, Segment } from "./block.ts";
import { ROUND_LARGE_BYTES } from "./constants.ts";
import type { AllocatorCore } from "./core.ts";
import { roundToBlock } from "./rounding.ts";

export class UncachedMemory {
  private readonly core: AllocatorCore;
  private liveBytes = 0;

  constructor(core: AllocatorCore) {
    this.core = core;
  }

  malloc(requestedBytes: number, stream: number): BlockNode | null {
    const { core } = this;
    const bytes = roundToBlock(requestedBytes);
    if (bytes > core.totalBytes - core.contextBytes - this.liveBytes) return null;
    this.count(bytes);
    const node = new Segment(core.defaultPools.large, stream, core.driver.segmentAddress(bytes, stream), bytes, 0).head;
    node.allocated = true;
    node.requestedBytes = requestedBytes;
    core.emit("alloc", node.address, bytes, requestedBytes, stream, node);
    return node;
  }

  free(node: BlockNode): void {
    const { core } = this;
    this.count(-node.bytes);
    core.emit("free_requested", node.address, node.bytes, node.requestedBytes, node.stream, node);
    core.emit("free_completed", node.address, node.bytes, node.requestedBytes, node.stream, node);
  }

  /** The driver packs small pieces into pages of 2 MiB; how exactly is not documented, so this is a lower bound. */
  private count(bytes: number): void {
    this.liveBytes += bytes;
    this.core.takenBytes = Math.ceil(this.liveBytes / ROUND_LARGE_BYTES) * ROUND_LARGE_BYTES;
  }
}
