/**
 * Blocks that are charged more than their request: the allocator does not split off a remainder of at most 1 MiB, so a
 * tensor can count a MiB more or less depending on which free block it got.
 */

import { KIND } from "../trace/codes.ts";
import type { BlockRecord, Trace } from "../trace/model.ts";
import { aliveAt, peakEvent, remainderBytes } from "../trace/queries.ts";
import { opName, placeOf, type Finding, type FindingCode } from "./finding.ts";

/** kSmallSize of c10/cuda/CUDACachingAllocator.cpp. */
const LARGEST_REMAINDER_BYTES = 1024 * 1024;
const LISTED = 4;
const SEGMENT_KINDS = new Set([KIND.segment_alloc, KIND.segment_map]);

/** Whether the block is the first one of a segment that was taken for it. */
function isFresh(trace: Trace, block: BlockRecord): boolean {
  const before = block.allocEvent - 1;
  return before >= 0 && SEGMENT_KINDS.has(trace.events.kind[before]!) && trace.events.address[before] === block.address;
}

function codeOf(trace: Trace, block: BlockRecord): FindingCode {
  if (remainderBytes(block) > LARGEST_REMAINDER_BYTES) return "coarse_rounding";
  return isFresh(trace, block) ? "unsplit_fresh" : "unsplit_reused";
}

interface Group {
  block: BlockRecord;
  count: number;
  totalBytes: number;
  readonly code: FindingCode;
}

/** Blocks with a remainder by code, frame and operator: numbers as keys, since there may be millions of them. */
function groupsByFrame(trace: Trace): Group[] {
  const byCode = new Map<FindingCode, Map<number, Group>>();
  const width = trace.ops.length + 1;
  for (const block of trace.blocks) {
    const bytes = remainderBytes(block);
    if (bytes === 0 || block.allocEvent === -1) continue;
    const code = codeOf(trace, block);
    let groups = byCode.get(code);
    if (groups === undefined) byCode.set(code, (groups = new Map()));
    const key = (block.frame + 1) * width + block.op + 1;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { block, count: 1, totalBytes: bytes, code });
    else add(group, block, 1, bytes);
  }
  return [...byCode.values()].flatMap((groups) => [...groups.values()]);
}

/** The largest stands for all, the first of those. */
function add(group: Group, block: BlockRecord, count: number, totalBytes: number): void {
  group.count += count;
  group.totalBytes += totalBytes;
  const more = remainderBytes(block) - remainderBytes(group.block);
  if (more > 0 || (more === 0 && block.allocEvent < group.block.allocEvent)) group.block = block;
}

export function unsplitRemainders(trace: Trace): Finding[] {
  const groups = new Map<string, Group>();
  for (const found of groupsByFrame(trace)) {
    const key = `${found.code} ${placeOf(trace, found.block.frame)} ${found.block.op}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, found);
    else add(group, found.block, found.count, found.totalBytes);
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
