/** What blocks are charged beyond their requests, by group: legend, tables and reports list it apart, under one rule. */

import { KIND } from "../../../src/trace/codes.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { remainderBytes } from "../../../src/trace/queries.ts";
import { totalsAfter, type Groups } from "./groups.ts";

const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;
/** Sums are kept once in so many events and followed from there. */
const EVERY = 1024;

interface Remainders {
  readonly ofBlock: Float64Array;
  /** Sums before event `i * EVERY`, group after group. */
  readonly sums: Float64Array;
}

const known = new WeakMap<Groups, Remainders>();

function follow(trace: Trace, groups: Groups, ofBlock: Float64Array, event: number, sums: Float64Array): void {
  const { kind, block } = trace.events;
  const sign = kind[event] === ALLOC ? 1 : kind[event] === FREE_REQUESTED ? -1 : 0;
  const index = block[event]!;
  if (sign !== 0 && index !== -1) sums[groups.ofBlock[index]!]! += sign * ofBlock[index]!;
}

function remaindersOf(trace: Trace, groups: Groups): Remainders {
  const found = known.get(groups);
  if (found !== undefined) return found;
  const { blocks, events } = trace;
  const width = groups.list.length;
  const ofBlock = new Float64Array(blocks.length);
  const now = new Float64Array(width);
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    ofBlock[index] = remainderBytes(block);
    if (block.allocEvent === -1) now[groups.ofBlock[index]!]! += ofBlock[index]!;
  }
  const sums = new Float64Array((Math.floor(events.kind.length / EVERY) + 1) * width);
  for (let event = 0; event <= events.kind.length; event++) {
    if (event % EVERY === 0) sums.set(now, (event / EVERY) * width);
    if (event < events.kind.length) follow(trace, groups, ofBlock, event, now);
  }
  const made = { ofBlock, sums };
  known.set(groups, made);
  return made;
}

/** Bytes of each group after an event without remainders, into `totals`. @returns all remainders */
export function askedAfter(trace: Trace, groups: Groups, event: number, totals: Float64Array): number {
  totalsAfter(trace, groups, event, totals);
  const { ofBlock, sums } = remaindersOf(trace, groups);
  const width = groups.list.length;
  const first = Math.floor((event + 1) / EVERY);
  const here = sums.slice(first * width, (first + 1) * width);
  for (let at = first * EVERY; at <= event; at++) follow(trace, groups, ofBlock, at, here);
  let all = 0;
  for (let group = 0; group < width; group++) {
    totals[group]! -= here[group]!;
    all += here[group]!;
  }
  return all;
}
