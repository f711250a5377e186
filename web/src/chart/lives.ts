/** When each block lived, in the order of birth, so that the large ones alive at any event are found without visiting the rest. */

import { KIND } from "../../../src/trace/codes.ts";
import type { Trace } from "../../../src/trace/model.ts";

const FAN = 16;
const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;

/** Columns by rank: the place of a block in the order of allocation, those from before the recording first. */
export interface Lives {
  /** Index into the trace's blocks. */
  readonly block: Int32Array;
  /** Event of the allocation, or -1. */
  readonly from: Int32Array;
  /** Event of the free, or the number of events for a block that outlives them. */
  readonly until: Int32Array;
  readonly bytes: Float64Array;
  /** Rank of each block, -1 for one that no event mentions. */
  readonly rank: Int32Array;
  /** Events of all frees, in order. */
  readonly deaths: Int32Array;
  /** Level k, entry i: the latest `until` of ranks `i * 16^(k+1)` on, and the most bytes. */
  readonly latest: readonly Int32Array[];
  readonly largest: readonly Float64Array[];
}

export function livesOf(trace: Trace): Lives {
  const { kind, block: blockOf, bytes: bytesOf } = trace.events;
  const events = kind.length;
  const blocks = trace.blocks.length;
  const block = new Int32Array(blocks);
  const from = new Int32Array(blocks);
  const until = new Int32Array(blocks).fill(events);
  const bytes = new Float64Array(blocks);
  const rank = new Int32Array(blocks).fill(-1);
  const deaths = new Int32Array(blocks);
  let ranks = 0;
  let freed = 0;
  const born = (index: number, event: number, size: number): void => {
    block[ranks] = index;
    from[ranks] = event;
    bytes[ranks] = size;
    rank[index] = ranks++;
  };
  for (let index = 0; index < blocks; index++) {
    const record = trace.blocks[index]!;
    if (record.allocEvent === -1) born(index, -1, record.bytes);
  }
  for (let event = 0; event < events; event++) {
    const index = blockOf[event]!;
    if (index === -1) continue;
    if (kind[event] === ALLOC) {
      if (rank[index] === -1) born(index, event, bytesOf[event]!);
    } else if (kind[event] === FREE_REQUESTED && rank[index] !== -1) {
      until[rank[index]!] = event;
      deaths[freed++] = event;
    }
  }
  return {
    block: block.subarray(0, ranks),
    from: from.subarray(0, ranks),
    until: until.subarray(0, ranks),
    bytes: bytes.subarray(0, ranks),
    rank,
    deaths: deaths.subarray(0, freed),
    latest: maxima(until.subarray(0, ranks), (length) => new Int32Array(length)),
    largest: maxima(bytes.subarray(0, ranks), (length) => new Float64Array(length)),
  };
}

function maxima<T extends Int32Array | Float64Array>(values: T, make: (length: number) => T): T[] {
  const levels: T[] = [];
  for (let below = values; below.length > 1; below = levels.at(-1)!) {
    const level = make(Math.ceil(below.length / FAN));
    for (let i = 0; i < below.length; i++) {
      const parent = Math.floor(i / FAN);
      if (i % FAN === 0 || below[i]! > level[parent]!) level[parent] = below[i]!;
    }
    levels.push(level);
  }
  return levels;
}

/** How many entries of an ascending column are at most `value`. */
export function countUpTo(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Blocks that are alive after event `event`. */
export function aliveCount(lives: Lives, event: number): number {
  return countUpTo(lives.from, event) - countUpTo(lives.deaths, event);
}

/** Calls back, by rank, for the blocks among ranks `low` to `high - 1` that have at least `leastBytes` and live after `event`. */
export function forEachLiving(
  lives: Lives,
  low: number,
  high: number,
  event: number,
  leastBytes: number,
  visit: (rank: number) => void,
): void {
  const { until, bytes, latest, largest } = lives;
  const descend = (level: number, index: number): void => {
    if (level === -1) {
      if (until[index]! > event && bytes[index]! >= leastBytes) visit(index);
      return;
    }
    if (latest[level]![index]! <= event || largest[level]![index]! < leastBytes) return;
    const length = level === 0 ? until.length : latest[level - 1]!.length;
    const end = Math.min(length, (index + 1) * FAN);
    for (let child = index * FAN; child < end; child++) descend(level - 1, child);
  };
  for (let at = low; at < high;) {
    let level = -1;
    let width = 1;
    while (level + 1 < latest.length && at % (width * FAN) === 0 && at + width * FAN <= high) {
      level += 1;
      width *= FAN;
    }
    descend(level, at / width);
    at += width;
  }
}

/** Indexes of the blocks alive after an event, oldest first. */
export function livingBlocks(lives: Lives, event: number): number[] {
  const found: number[] = [];
  forEachLiving(lives, 0, countUpTo(lives.from, event), event, 0, (rank) => found.push(lives.block[rank]!));
  return found;
}
