/** The allocator after any event: segments by address, the blocks in them, and what is free between. */

import { KIND } from "../../../src/trace/codes.ts";
import type { ChartData } from "./chart-data.ts";
import { countUpTo, forEachLiving } from "./lives.ts";

const SEGMENT_ALLOC = KIND.segment_alloc;
const SEGMENT_FREE = KIND.segment_free;
const SEGMENT_MAP = KIND.segment_map;
const ALLOC = KIND.alloc;
/** PyTorch's small pool takes segments of this size (kSmallBuffer); expandable ones of the large pool grow by the other. */
const SMALL_SEGMENT_BYTES = 2 * 1024 * 1024;
const LARGE_PAGE_BYTES = 20 * 1024 * 1024;
/** The request that needed a segment follows it at once; so many events are looked at. */
const NEAR_EVENTS = 64;

export interface Piece {
  readonly address: number;
  readonly bytes: number;
  /** Index into the trace's blocks, or -1 for free memory. */
  readonly block: number;
  /** `pending`: its owner gave it back while another stream used it. */
  readonly state: "used" | "pending" | "free";
}

export interface SegmentView {
  readonly address: number;
  readonly bytes: number;
  /** `unknown`: taken before the recording began, so that only its living blocks are known. */
  readonly pool: "small" | "large" | "unknown";
  readonly isExpandable: boolean;
  readonly stream: number;
  readonly usedBytes: number;
  /** By address, without gaps. */
  readonly pieces: readonly Piece[];
}

export interface AllocatorView {
  readonly segments: readonly SegmentView[];
  readonly reservedBytes: number;
  readonly usedBytes: number;
  readonly freeBytes: number;
  readonly largestFreeBytes: number;
}

interface Range {
  readonly start: number;
  end: number;
  readonly mapped: boolean;
  readonly isSmall: boolean;
  readonly stream: number;
}

/** The stream of the request that a segment was taken for. */
function streamOf({ trace }: ChartData, event: number, start: number, end: number): number {
  const { kind, address, block } = trace.events;
  for (let at = event + 1; at < Math.min(kind.length, event + NEAR_EVENTS); at++) {
    if (kind[at] === ALLOC && address[at]! >= start && address[at]! < end) return trace.blocks[block[at]!]?.stream ?? 0;
  }
  return 0;
}

const isSmallSegment = (bytes: number, isMapped: boolean): boolean =>
  isMapped ? bytes % LARGE_PAGE_BYTES !== 0 : bytes === SMALL_SEGMENT_BYTES;

function rangesAt(data: ChartData, event: number): Range[] {
  const { kind, address, bytes } = data.trace.events;
  const byStart = new Map<number, Range>();
  for (const early of data.trace.earlySegments ?? []) {
    const { address: start, bytes: size, isExpandable: mapped } = early;
    const end = start + size;
    byStart.set(start, {
      start,
      end,
      mapped,
      isSmall: isSmallSegment(size, mapped),
      stream: streamOf(data, -1, start, end),
    });
  }
  const upTo = countUpTo(data.segmentEvents, event);
  for (let i = 0; i < upTo; i++) {
    const at = data.segmentEvents[i]!;
    const start = address[at]!;
    const end = start + bytes[at]!;
    if (kind[at] === SEGMENT_ALLOC || kind[at] === SEGMENT_MAP) {
      const mapped = kind[at] === SEGMENT_MAP;
      byStart.set(start, {
        start,
        end,
        mapped,
        isSmall: isSmallSegment(bytes[at]!, mapped),
        stream: streamOf(data, at, start, end),
      });
    } else if (kind[at] === SEGMENT_FREE) byStart.delete(start);
    else unmap(byStart, start, end);
  }
  const joined: Range[] = [];
  for (const range of [...byStart.values()].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    // pages of an expandable segment are mapped one after another; other segments that touch stay apart
    const isSame = last !== undefined && last.mapped && range.mapped && last.isSmall === range.isSmall;
    if (isSame && last.end === range.start) last.end = range.end;
    else joined.push({ ...range });
  }
  return joined;
}

function unmap(byStart: Map<number, Range>, start: number, end: number): void {
  const before = Array.from(byStart.values());
  for (const range of before) {
    if (range.end <= start || range.start >= end) continue;
    byStart.delete(range.start);
    if (range.start < start) byStart.set(range.start, { ...range, end: start });
    if (range.end > end) byStart.set(end, { ...range, start: end });
  }
}

/** Blocks that hold memory after an event, by address: the living, and those that wait for other streams. */
function holdersAt(data: ChartData, event: number): Piece[] {
  const { lives, trace, completed } = data;
  const held: Piece[] = [];
  const born = countUpTo(lives.from, event);
  forEachLiving(lives, 0, born, event, 0, (rank) => {
    const block = lives.block[rank]!;
    held.push({ address: trace.blocks[block]!.address, bytes: lives.bytes[rank]!, block, state: "used" });
  });
  const pending = (block: number): void => {
    const rank = lives.rank[block] ?? -1;
    if (rank === -1 || completed[block]! <= event || lives.until[rank]! > event) return;
    held.push({ address: trace.blocks[block]!.address, bytes: lives.bytes[rank]!, block, state: "pending" });
  };
  for (const block of data.late) pending(block);
  // the event itself may be a request that the next one completes
  const own = trace.events.block[event] ?? -1;
  if (own >= 0 && !data.late.includes(own)) pending(own);
  return held.sort((a, b) => a.address - b.address);
}

export function allocatorAt(data: ChartData, event: number): AllocatorView {
  const held = holdersAt(data, event);
  const segments: SegmentView[] = [];
  let next = 0;
  const strangers = (before: number): void => {
    while (next < held.length && held[next]!.address < before) {
      const pieces: Piece[] = [held[next++]!];
      let end = pieces[0]!.address + pieces[0]!.bytes;
      while (next < held.length && held[next]!.address === end && held[next]!.address < before) {
        end += held[next]!.bytes;
        pieces.push(held[next++]!);
      }
      const first = pieces[0]!;
      const bytes = end - first.address;
      const { stream } = data.trace.blocks[first.block]!;
      segments.push({
        address: first.address,
        bytes,
        pool: "unknown",
        isExpandable: false,
        stream,
        usedBytes: bytes,
        pieces,
      });
    }
  };
  for (const range of rangesAt(data, event)) {
    strangers(range.start);
    const pieces: Piece[] = [];
    let at = range.start;
    let usedBytes = 0;
    const gapTo = (to: number): void => {
      if (to > at) pieces.push({ address: at, bytes: to - at, block: -1, state: "free" });
    };
    for (; next < held.length && held[next]!.address < range.end; next++) {
      const piece = held[next]!;
      gapTo(piece.address);
      pieces.push(piece);
      if (piece.state === "used") usedBytes += piece.bytes;
      at = piece.address + piece.bytes;
    }
    gapTo(range.end);
    segments.push({
      address: range.start,
      bytes: range.end - range.start,
      pool: range.isSmall ? "small" : "large",
      isExpandable: range.mapped,
      stream: range.stream,
      usedBytes,
      pieces,
    });
  }
  strangers(Infinity);
  return { segments, ...sums(segments) };
}

function sums(segments: readonly SegmentView[]) {
  let [reservedBytes, usedBytes, freeBytes, largestFreeBytes] = [0, 0, 0, 0];
  for (const segment of segments) {
    reservedBytes += segment.bytes;
    usedBytes += segment.usedBytes;
    for (const piece of segment.pieces) {
      if (piece.state !== "free") continue;
      freeBytes += piece.bytes;
      largestFreeBytes = Math.max(largestFreeBytes, piece.bytes);
    }
  }
  return { reservedBytes, usedBytes, freeBytes, largestFreeBytes };
}
