/**
 * Blocks that are charged more than their request: the allocator does not split off a remainder of at most 1 MiB, so a
 * tensor can count a MiB more or less depending on which free block it got.
 */

import { EVENT_KINDS, type BlockRecord, type Trace } from "../trace/model.ts";
import { aliveAt, peakEvent, remainderBytes } from "../trace/queries.ts";
import { opName, placeOf, type Finding, type FindingCode } from "./finding.ts";

/** kSmallSize of c10/cuda/CUDACachingAllocator.cpp. */
const LARGEST_REMAINDER_BYTES = 1024 * 1024;
const LISTED = 4;
const SEGMENT_KINDS = new Set([EVENT_KINDS.indexOf("segment_alloc"), EVENT_KINDS.indexOf("segment_map")]);

/** Whether the block is the first one of a segment that was taken for it. */
function isFresh(trace: Trace, block: BlockRecord): boolean {
  const before = block.allocEvent - 1;
  return before >= 0 && SEGMENT_KINDS.has(trace.events.kind[before]!) && trace.events.address[before] === block.address;
}

function codeOf(trace: Trace, block: BlockRecord): FindingCode {
  if (remainderBytes(block) > LARGEST_REMAINDER_BYTES) return "coarse_rounding";
  return isFresh(trace, block) ? "unsplit_fresh" : "unsplit_reused";
}

export function unsplitRemainders(trace: Trace): Finding[] {
  const groups = new Map<string, { block: BlockRecord; count: number; totalBytes: number; code: FindingCode }>();
  for (const block of trace.blocks) {
    const bytes = remainderBytes(block);
    if (block.allocEvent === -1 || bytes === 0) continue;
    const code = codeOf(trace, block);
    const key = [code, placeOf(trace, block.frame), block.op].join(" ");
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { block, count: 1, totalBytes: bytes, code });
      continue;
    }
    group.count += 1;
    group.totalBytes += bytes;
    // the largest stands for all
    if (bytes > remainderBytes(group.block)) group.block = block;
  }
  const largest = [...groups.values()].sort(
    (a, b) => b.totalBytes - a.totalBytes || a.block.allocEvent - b.block.allocEvent,
  );
  const findings = largest.slice(0, LISTED).map(({ block, count, totalBytes, code }): Finding => ({
    code,
    args: {
      where: placeOf(trace, block.frame),
      op: opName(trace, block.op),
      requestedBytes: block.requestedBytes,
      blockBytes: block.bytes,
      remainderBytes: remainderBytes(block),
      count,
      totalBytes,
    },
    parts: [],
    frame: block.frame,
    event: block.allocEvent,
  }));
  const peak = peakEvent(trace);
  const atPeak = aliveAt(trace, peak)
    .map((index) => trace.blocks[index]!)
    .filter((block) => remainderBytes(block) > 0);
  if (atPeak.length > 1) {
    const totalBytes = atPeak.reduce((sum, block) => sum + remainderBytes(block), 0);
    findings.push({
      code: "unsplit_total",
      args: { totalBytes, count: atPeak.length },
      parts: [],
      frame: -1,
      event: peak,
    });
  }
  return findings;
}
