/**
 * Which stretch of a prediction a recording shows: a recorder may have been switched on for one step of many. The stretches that
 * come into question are those at which many short runs of allocations are the same; the one with most allocations in common is
 * taken, of equal ones that which begins with most nearly the same allocated bytes, then the last.
 */

import { KIND } from "../trace/codes.ts";
import { align } from "./align.ts";
import { allocationsOf, returnsBetween, type Allocations, type SizeKey } from "./allocations.ts";
import { allocatedAt, reservedAt, type Side } from "./side.ts";

const ALLOC = KIND.alloc;
const MARK = KIND.mark;
const FREE_REQUESTED = KIND.free_requested;

/** Allocations in a run that is looked for. */
const RUN_LENGTH = 12;
const MOST_RUNS = 1024;
/** A run that occurs more often says nothing about where. */
const MOST_PLACES = 512;
const MOST_CANDIDATES = 12;

/** The stretch of `predicted` that `recorded` shows; all of it when no stretch stands out. */
export function recordedStretch(predicted: Side, recorded: Side, key: SizeKey): Side {
  const ours = allocationsOf(predicted, key);
  const theirs = allocationsOf(recorded, key);
  if (theirs.sizes.length === 0 || ours.sizes.length === 0) return predicted;
  const startBytes = allocatedAt(recorded.trace, recorded.first - 1);
  const fromNothing = startBytes === 0 && reservedAt(recorded.trace, recorded.first - 1) === 0;
  let best: { side: Side; common: number; apartBytes: number } | null = null;
  for (const offset of offsets(ours.sizes, theirs.sizes)) {
    const found = stretchAt(predicted, recorded, ours, theirs, offset);
    if (found === null) continue;
    const apartBytes = Math.abs(allocatedAt(predicted.trace, found.side.first - 1) - startBytes);
    const isBetter =
      best === null ||
      found.common > best.common ||
      (found.common === best.common &&
        (apartBytes < best.apartBytes || (apartBytes === best.apartBytes && found.side.first > best.side.first)));
    if (isBetter) best = { ...found, apartBytes };
  }
  if (best === null) return predicted;
  // a recording that begins with empty memory shows the program from its beginning
  return fromNothing ? { ...best.side, first: predicted.first } : best.side;
}

/** Where in `ours` the first of `theirs` would lie; the most likely first. Drift by a few allocations counts as one place. */
function offsets(ours: Float64Array, theirs: Float64Array): number[] {
  const length = Math.min(RUN_LENGTH, theirs.length);
  const wanted = runsOf(theirs, length);
  const step = Math.max(1, Math.floor(wanted.length / MOST_RUNS));
  const starts = new Map<number, number[]>();
  for (let at = 0; at < wanted.length; at += step) starts.set(wanted[at]!, []);
  runsOf(ours, length).forEach((run, at) => {
    const list = starts.get(run);
    if (list !== undefined && list.length <= MOST_PLACES) list.push(at);
  });
  const drift = Math.max(1, Math.floor(theirs.length / 64));
  const votes = new Map<number, { count: number; offset: number }>();
  for (let at = 0; at < wanted.length; at += step) {
    const list = starts.get(wanted[at]!)!;
    if (list.length > MOST_PLACES) continue;
    for (const place of list) {
      const offset = place - at;
      const bucket = Math.round(offset / drift);
      const vote = votes.get(bucket);
      if (vote === undefined) votes.set(bucket, { count: 1, offset });
      else vote.count += 1;
    }
  }
  const likely = [...votes.values()].sort((a, b) => b.count - a.count || b.offset - a.offset);
  return likely.slice(0, MOST_CANDIDATES).map(({ offset }) => offset);
}

const BASE = 0x01000193;

/** A number for each run of `length` sizes, by its place: equal runs have equal ones, others hardly ever (Karp and Rabin). */
function runsOf(sizes: Float64Array, length: number): Int32Array {
  const runs = new Int32Array(Math.max(0, sizes.length - length + 1));
  let outermost = 1;
  for (let i = 1; i < length; i++) outermost = Math.imul(outermost, BASE);
  // sizes beyond 32 bits differ in their upper part, too
  const digit = (at: number): number => Math.imul(sizes[at]! | 0, 31) + Math.floor(sizes[at]! / 2 ** 32);
  let hash = 0;
  for (let at = 0; at < sizes.length; at++) {
    if (at >= length) hash = (hash - Math.imul(digit(at - length), outermost)) | 0;
    hash = (Math.imul(hash, BASE) + digit(at)) | 0;
    if (at >= length - 1) runs[at - length + 1] = hash;
  }
  return runs;
}

/** The stretch around an offset, from the first allocation that both have to the last one. */
function stretchAt(
  predicted: Side,
  recorded: Side,
  ours: Allocations,
  theirs: Allocations,
  offset: number,
): { side: Side; common: number } | null {
  const count = theirs.sizes.length;
  const slack = Math.floor(count / 32) + RUN_LENGTH;
  const from = Math.max(0, offset - slack);
  const to = Math.min(ours.sizes.length, offset + count + slack);
  // slack before the offset would pull the first allocations to equal ones of the step before
  const begin = Math.max(from, Math.min(Math.max(0, offset), to));
  const straight = align(theirs.sizes, ours.sizes.subarray(begin, to));
  const loose = align(theirs.sizes, ours.sizes.subarray(from, to));
  const [partners, base] = paired(straight) >= paired(loose) ? [straight, begin] : [loose, from];
  const first = partners.findIndex((partner) => partner >= 0);
  if (first < 0) return null;
  const last = partners.findLastIndex((partner) => partner >= 0);
  return {
    common: paired(partners),
    side: {
      trace: predicted.trace,
      first: beginning(predicted, ours.events[base + partners[first]!]!, recorded, theirs.events[first]!),
      end: ending(predicted, ours.events[base + partners[last]!]!, recorded, theirs.events[last]!),
    },
  };
}

const paired = (partners: Int32Array): number => partners.reduce((sum, partner) => sum + (partner >= 0 ? 1 : 0), 0);

/** Goes back from the first common allocation over as many returned blocks, and the segments that it needed, as were recorded. */
function beginning(predicted: Side, ours: number, recorded: Side, theirs: number): number {
  const { kind } = predicted.trace.events;
  let returns = returnsBetween(recorded, recorded.first, theirs);
  let segments = 0;
  for (let event = recorded.first; event < theirs; event++) {
    const what = recorded.trace.events.kind[event]!;
    if (what !== ALLOC && what !== FREE_REQUESTED && what !== MARK) segments += 1;
  }
  let first = ours;
  while (first > predicted.first) {
    const before = kind[first - 1]!;
    if (before === ALLOC) break;
    if (before === FREE_REQUESTED) {
      if (returns === 0) break;
      returns -= 1;
    } else if (before !== MARK) {
      if (segments === 0) break;
      segments -= 1;
    }
    first -= 1;
  }
  return first;
}

/** Goes on from the last common allocation over as many returned blocks as were recorded, but not past another allocation. */
function ending(predicted: Side, ours: number, recorded: Side, theirs: number): number {
  const { kind } = predicted.trace.events;
  let returns = returnsBetween(recorded, theirs, recorded.end);
  let end = ours + 1;
  while (end < predicted.end && kind[end] !== ALLOC) {
    if (kind[end] === FREE_REQUESTED) {
      if (returns === 0) break;
      returns -= 1;
    }
    end += 1;
  }
  return end;
}
