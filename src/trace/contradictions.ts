/**
 * What a recording says that cannot have been: blocks that lie over each other, more allocated than reserved, totals that are no
 * numbers of bytes. Its figures are shown as they are, with these sentences beside them.
 */

import { KIND } from "./codes.ts";
import type { Assumption, Trace } from "./model.ts";
import { RankSet } from "./rank-set.ts";

const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;

const note = (code: string, args: Assumption["args"]): Assumption => ({ code, args, frame: -1, count: 1 });

/** Index of `value` in a sorted column that has it. */
function rankIn(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The different values, sorted. */
function distinct(values: Float64Array): Float64Array {
  values.sort();
  let count = 0;
  for (let at = 0; at < values.length; at++) {
    if (at === 0 || values[at] !== values[at - 1]) values[count++] = values[at]!;
  }
  return values.subarray(0, count);
}

/** How many blocks were handed out over one that was in use, and the address of the first. */
function overlaps(trace: Trace): { readonly count: number; readonly address: number } {
  const { events, blocks } = trace;
  const { kind, block, address, bytes } = events;
  let allocations = 0;
  for (let event = 0; event < kind.length; event++) if (kind[event] === ALLOC) allocations += 1;
  const early: number[] = [];
  blocks.some((record, index) => {
    if (record.allocEvent === -1) early.push(index);
    // blocks from before the recording come first where there are millions
    return record.allocEvent !== -1 && index > early.length + 1000;
  });
  const starts = new Float64Array(allocations + early.length);
  let next = 0;
  for (const index of early) starts[next++] = blocks[index]!.address;
  for (let event = 0; event < kind.length; event++) if (kind[event] === ALLOC) starts[next++] = address[event]!;
  const sorted = distinct(starts);
  const live = new RankSet(sorted.length);
  const ends = new Float64Array(sorted.length);
  const isLive = new Uint8Array(sorted.length);
  const rankOf = new Int32Array(blocks.length).fill(-1);
  let count = 0;
  let first = 0;
  const place = (index: number, start: number, size: number): void => {
    const rank = rankIn(sorted, start);
    const [low, high] = [live.before(rank), live.after(rank)];
    const end = start + size;
    if (isLive[rank] === 1 || (low >= 0 && ends[low]! > start) || (high >= 0 && sorted[high]! < end)) {
      if (count === 0) first = start;
      count += 1;
    }
    live.add(rank);
    isLive[rank] = 1;
    ends[rank] = end;
    rankOf[index] = rank;
  };
  for (const index of early) place(index, blocks[index]!.address, blocks[index]!.bytes);
  for (let event = 0; event < kind.length; event++) {
    const index = block[event]!;
    if (index < 0) continue;
    if (kind[event] === ALLOC) place(index, address[event]!, bytes[event]!);
    else if (kind[event] === FREE_REQUESTED && rankOf[index]! >= 0) {
      live.remove(rankOf[index]!);
      isLive[rankOf[index]!] = 0;
    }
  }
  return { count, address: first };
}

const isBytes = (value: number): boolean => value >= 0 && Number.isSafeInteger(value);

/** One sentence for each kind of contradiction; none for a recording that can have been. */
export function contradictions(trace: Trace): Assumption[] {
  const { allocatedBytes, reservedBytes, bytes, address } = trace.events;
  const notes: Assumption[] = [];
  let impossible = 0;
  let over = 0;
  let overBytes = 0;
  for (let event = 0; event < allocatedBytes.length; event++) {
    const [allocated, reserved] = [allocatedBytes[event]!, reservedBytes[event]!];
    if (!isBytes(allocated) || !isBytes(reserved) || !isBytes(bytes[event]!) || !isBytes(address[event]!))
      impossible += 1;
    // where nothing is ever reserved, the recording leaves segments out
    if (allocated > reserved && reserved > 0) {
      over += 1;
      overBytes = Math.max(overBytes, allocated - reserved);
    }
  }
  const { count, address: at } = overlaps(trace);
  if (count > 0) notes.push(note("contradiction_overlap", { count, address: `0x${at.toString(16)}` }));
  if (over > 0) notes.push(note("contradiction_over_reserved", { count: over, overBytes }));
  if (impossible > 0) notes.push(note("contradiction_numbers", { count: impossible }));
  let larger = 0;
  for (const record of trace.blocks) if (record.requestedBytes > record.bytes) larger += 1;
  if (larger > 0) notes.push(note("contradiction_requested", { count: larger }));
  return notes;
}
