/** The segments that a trace leaves behind, rebuilt from its events: every byte of them belongs to one block, used or not. */

import { EVENT_KINDS, type Trace } from "./model.ts";

export interface SegmentBlock {
  readonly address: number;
  readonly bytes: number;
  /** Index into {@link Trace.blocks}, or -1 for a free range. */
  readonly block: number;
}

export interface SegmentState {
  readonly address: number;
  readonly bytes: number;
  readonly isExpandable: boolean;
  /** Of what was last there; 0 when nothing was. */
  readonly stream: number;
  readonly isSmall: boolean;
  /** In the order of their addresses, without gaps. */
  readonly blocks: readonly SegmentBlock[];
  /** Frame of the request that needed it, or -1. */
  readonly frame: number;
}

/** Segments of the small pool are this large (kSmallBuffer); the large pool's are larger. */
const SMALL_SEGMENT_BYTES = 2 * 1024 * 1024;

interface Range {
  address: number;
  bytes: number;
  isExpandable: boolean;
  isSmall: boolean;
  frame: number;
}

/** Takes a range out of those that are mapped; it may lie inside one. */
function unmap(ranges: Map<number, Range>, address: number, bytes: number): void {
  for (const range of ranges.values()) {
    if (address < range.address || address + bytes > range.address + range.bytes) continue;
    ranges.delete(range.address);
    const end = range.address + range.bytes;
    if (address > range.address) ranges.set(range.address, { ...range, bytes: address - range.address });
    if (address + bytes < end) {
      ranges.set(address + bytes, { ...range, address: address + bytes, bytes: end - address - bytes });
    }
    return;
  }
}

/** Mapped ranges of one expandable segment that touch are one segment, as PyTorch reports them. */
function merged(ranges: Iterable<Range>): Range[] {
  const result: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.address - b.address)) {
    const last = result.at(-1);
    const touches = last !== undefined && last.address + last.bytes === range.address;
    if (touches && last.isExpandable && range.isExpandable && last.isSmall === range.isSmall) last.bytes += range.bytes;
    else result.push({ ...range });
  }
  return result;
}

function rangesAtEnd({ events, earlySegments = [] }: Trace): Range[] {
  const ranges = new Map<number, Range>();
  for (const early of earlySegments) {
    ranges.set(early.address, { ...early, isSmall: early.bytes === SMALL_SEGMENT_BYTES, frame: -1 });
  }
  for (let event = 0; event < events.kind.length; event++) {
    const address = events.address[event]!;
    const bytes = events.bytes[event]!;
    switch (EVENT_KINDS[events.kind[event]!]) {
      case "segment_alloc":
      case "segment_map":
        ranges.set(address, {
          address,
          bytes,
          isExpandable: EVENT_KINDS[events.kind[event]!] === "segment_map",
          isSmall: bytes === SMALL_SEGMENT_BYTES,
          frame: events.frame[event]!,
        });
        break;
      case "segment_free":
        ranges.delete(address);
        break;
      case "segment_unmap":
        unmap(ranges, address, bytes);
        break;
      default:
    }
  }
  return merged(ranges.values());
}

/** What is in use at the end, by address. */
function usedBlocks(trace: Trace): SegmentBlock[] {
  return trace.blocks
    .flatMap((record, index): SegmentBlock[] =>
      record.freeEvent === -1 ? [{ address: record.address, bytes: record.bytes, block: index }] : [],
    )
    .sort((a, b) => a.address - b.address);
}

/** The stream of whatever was last at an address. */
function streamsByAddress(trace: Trace): ReadonlyMap<number, number> {
  return new Map(trace.blocks.map((record) => [record.address, record.stream]));
}

/** All segments at the end of the trace, by address. What lies in no segment of the trace is left out. */
export function segmentsAtEnd(trace: Trace): SegmentState[] {
  const used = usedBlocks(trace);
  const streams = streamsByAddress(trace);
  let next = 0;
  return rangesAtEnd(trace).map((range) => {
    const end = range.address + range.bytes;
    const blocks: SegmentBlock[] = [];
    let at = range.address;
    const gapTo = (to: number): void => {
      if (to > at) blocks.push({ address: at, bytes: to - at, block: -1 });
    };
    while (next < used.length && used[next]!.address < range.address) next++;
    for (; next < used.length && used[next]!.address < end; next++) {
      const block = used[next]!;
      gapTo(block.address);
      blocks.push(block);
      at = block.address + block.bytes;
    }
    gapTo(end);
    const stream = blocks.map((block) => streams.get(block.address)).find((known) => known !== undefined) ?? 0;
    return { ...range, stream, blocks };
  });
}
