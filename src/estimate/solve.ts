/** The largest size that fits, and sizes over a range, with as few runs as will do. */

import type { GpuRow } from "../gpus/catalogue.ts";
import { estimate, fits, type Estimate, type Measure } from "./estimate.ts";
import type { Head } from "../models/heads.ts";
import { sizeOf, withSize, type Recipe, type SizeName } from "./recipe.ts";

export interface Problem {
  readonly measure: Measure;
  readonly recipe: Recipe;
  readonly head: Head;
  readonly gpu: GpuRow;
  /** Told after each run: how many there were. */
  readonly onRun?: (runs: number) => void;
}

export interface Largest {
  readonly name: SizeName;
  /** 0: not even the smallest fits. */
  readonly value: number;
  readonly estimate: Estimate | null;
  /** The next size that was tried and does not fit; null: the limit was reached. */
  readonly next: Estimate | null;
  readonly nextValue: number | null;
  /** Sizes are multiples of it. */
  readonly step: number;
  readonly runs: number;
}

/** How fine the answer is: people choose batches one by one, lengths in blocks. */
const STEPS: Readonly<Record<SizeName, number>> = {
  batch: 1,
  seq: 64,
  context: 64,
  prompt: 64,
  new: 64,
  "lora-rank": 8,
  accumulate: 1,
};
const MOST: Readonly<Record<SizeName, number>> = {
  batch: 1 << 16,
  seq: 1 << 24,
  context: 1 << 24,
  prompt: 1 << 24,
  new: 1 << 24,
  "lora-rank": 1 << 13,
  accumulate: 1 << 10,
};
/** No solver needs more; it would mean that memory does not grow with the size. */
const MOST_RUNS = 40;

/** `limit`: the largest size that makes sense, such as the model's positions; null: none. */
export async function largest(problem: Problem, name: SizeName, limit: number | null): Promise<Largest> {
  const step = STEPS[name];
  const top = Math.max(1, Math.floor(Math.min(limit ?? Infinity, MOST[name]) / step));
  const done = { runs: 0 };
  const at = async (count: number): Promise<Estimate> => {
    const made = await estimate(
      problem.measure,
      withSize(problem.recipe, name, count * step),
      problem.head,
      problem.gpu,
    );
    problem.onRun?.(++done.runs);
    return made;
  };
  const answer = (low: number, below: Estimate | null, high: number | null, above: Estimate | null): Largest => ({
    name,
    value: low * step,
    estimate: below,
    next: above,
    nextValue: high === null ? null : high * step,
    step,
    runs: done.runs,
  });
  let low = Math.min(top, Math.max(1, Math.round(sizeOf(problem.recipe, name) / step)));
  let below = await at(low);
  let high: number;
  let above: Estimate;
  if (fits(below)) {
    // outwards, to where the growth so far says that memory ends
    let previous: { count: number; bytes: number } | null = null;
    for (;;) {
      if (low === top || done.runs >= MOST_RUNS) return answer(low, below, null, null);
      const count = Math.min(top, Math.max(low + 1, outwards(low, below, previous)));
      const tried = await at(count);
      if (!fits(tried)) {
        [high, above] = [count, tried];
        break;
      }
      previous = { count: low, bytes: below.chain.process.bytes };
      [low, below] = [count, tried];
    }
  } else {
    [high, above] = [low, below];
    if (high === 1) return answer(0, null, 1, above);
    low = 1;
    below = await at(1);
    if (!fits(below)) return answer(0, null, 1, below);
  }
  // between the two, where a straight line through them crosses the capacity; halves when that does not help
  for (let turn = 0; high - low > 1 && done.runs < MOST_RUNS; turn++) {
    const capacity = below.chain.capacityBytes;
    const [a, b] = [below.chain.process.bytes, above.chain.process.bytes];
    const crossing = b > a ? low + ((high - low) * (capacity - a)) / (b - a) : (low + high) / 2;
    // a straight line errs to one side: leave room on either side in turns
    const guess = turn % 3 === 2 ? (low + high) / 2 : turn % 3 === 1 ? Math.ceil(crossing) : Math.floor(crossing);
    const count = Math.min(high - 1, Math.max(low + 1, Math.floor(guess)));
    const tried = await at(count);
    if (fits(tried)) [low, below] = [count, tried];
    else [high, above] = [count, tried];
  }
  return answer(low, below, high, above);
}

function outwards(low: number, below: Estimate, previous: { count: number; bytes: number } | null): number {
  if (previous === null) return low * 2;
  const slope = (below.chain.process.bytes - previous.bytes) / (low - previous.count);
  if (slope <= 0) return low * 4;
  const crossing = low + (below.chain.capacityBytes - below.chain.process.bytes) / slope;
  return Math.min(low * 64, Math.ceil(crossing * 1.02) + 1);
}

export interface SweepPoint {
  readonly value: number;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  readonly processBytes: number;
  readonly fits: boolean;
  /** Simulated; the others lie on a straight line between two that are. */
  readonly simulated: boolean;
}

export interface Sweep {
  readonly name: SizeName;
  readonly points: readonly SweepPoint[];
  readonly runs: number;
  /** Largest difference of a straight line from a run at a point between, as a share; what the other points may be off by. */
  readonly errorShare: number;
}

/** Straight lines that are this good are not refined, once the range was cut into quarters. */
const GOOD_SHARE = 0.002;
const ALWAYS_CUT = 2;

/** Simulates the ends of the range and, between them, as many points as straight lines need; at most `mostRuns`. */
export async function sweep(
  problem: Problem,
  name: SizeName,
  values: readonly number[],
  mostRuns: number,
): Promise<Sweep> {
  const known = new Map<number, SweepPoint>();
  const at = async (index: number): Promise<SweepPoint> => {
    const present = known.get(index);
    if (present !== undefined) return present;
    const value = values[index]!;
    const made = await estimate(problem.measure, withSize(problem.recipe, name, value), problem.head, problem.gpu);
    const point: SweepPoint = {
      value,
      allocatedBytes: made.chain.allocated.bytes,
      reservedBytes: made.chain.reserved.bytes,
      processBytes: made.chain.process.bytes,
      fits: fits(made),
      simulated: true,
    };
    known.set(index, point);
    problem.onRun?.(known.size);
    return point;
  };
  let errorShare = 0;
  const gaps: { from: number; to: number; share: number; cuts: number }[] = [];
  const add = (from: number, to: number, share: number, cuts: number): void => {
    if (to - from > 1) gaps.push({ from, to, share, cuts });
  };
  await at(0);
  await at(values.length - 1);
  add(0, values.length - 1, 1, 0);
  while (gaps.length > 0 && known.size < mostRuns) {
    gaps.sort((a, b) => Number(b.cuts < ALWAYS_CUT) - Number(a.cuts < ALWAYS_CUT) || b.share - a.share);
    const { from, to, share, cuts } = gaps[0]!;
    if (share < GOOD_SHARE && cuts >= ALWAYS_CUT) break;
    gaps.shift();
    const middle = (from + to) >> 1;
    const point = await at(middle);
    const off = Math.abs(
      between(known.get(from)!, known.get(to)!, point.value).allocatedBytes / point.allocatedBytes - 1,
    );
    // half the gap, a quarter of the curvature
    add(from, middle, off / 4, cuts + 1);
    add(middle, to, off / 4, cuts + 1);
  }
  for (const gap of gaps) errorShare = Math.max(errorShare, gap.share);
  const indices = [...known.keys()].sort((a, b) => a - b);
  const capacity = problem.gpu.totalBytes;
  const points = values.map((value, index): SweepPoint => {
    const present = known.get(index);
    if (present !== undefined) return present;
    const right = indices.findIndex((other) => other > index);
    const made = between(known.get(indices[right - 1]!)!, known.get(indices[right]!)!, value);
    return { ...made, fits: made.processBytes <= capacity };
  });
  return { name, points, runs: known.size, errorShare };
}

function between(left: SweepPoint, right: SweepPoint, value: number): SweepPoint {
  const share = (value - left.value) / (right.value - left.value);
  const mix = (a: number, b: number): number => Math.round(a + share * (b - a));
  return {
    value,
    allocatedBytes: mix(left.allocatedBytes, right.allocatedBytes),
    reservedBytes: mix(left.reservedBytes, right.reservedBytes),
    processBytes: mix(left.processBytes, right.processBytes),
    fits: false,
    simulated: false,
  };
}

/** Values from one to another: doubled each time where the range is wide and no count is given, in equal steps otherwise. */
export function rangeOf(from: number, to: number, count: number | null): number[] {
  if (count === null) {
    const values: number[] = [];
    for (let value = from; value < to; value *= 2) values.push(value);
    return [...values, to];
  }
  const values = Array.from({ length: count }, (_, index) =>
    Math.round(from + ((to - from) * index) / Math.max(1, count - 1)),
  );
  return [...new Set(values)];
}
