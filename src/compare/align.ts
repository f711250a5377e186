/**
 * Which elements of two sequences belong together, in order: a longest common subsequence where the sequences are alike, a
 * common subsequence that is found in bounded time where they are not. Linear when they are nearly the same.
 */

import { commonPath } from "./common-path.ts";

/** `partner[i]` is the index in the second sequence of element `i` of the first, or -1. */
export type Partners = Int32Array;

export function align(first: ArrayLike<number>, second: ArrayLike<number>): Partners {
  const partner = new Int32Array(first.length).fill(-1);
  const waiting: Gap[] = [{ from1: 0, to1: first.length, from2: 0, to2: second.length }];
  for (let gap = waiting.pop(); gap !== undefined; gap = waiting.pop()) {
    const inner = trimmed(first, second, gap, partner);
    if (inner.from1 === inner.to1 || inner.from2 === inner.to2) continue;
    const anchors = anchorsIn(first, second, inner);
    if (anchors.length === 0) {
      commonPath(first, second, inner, partner);
      continue;
    }
    let { from1, from2 } = inner;
    for (const [at1, at2] of anchors) {
      waiting.push({ from1, to1: at1, from2, to2: at2 });
      partner[at1] = at2;
      from1 = at1 + 1;
      from2 = at2 + 1;
    }
    waiting.push({ from1, to1: inner.to1, from2, to2: inner.to2 });
  }
  return partner;
}

/** Two stretches that are not aligned yet; ends are exclusive. */
export interface Gap {
  readonly from1: number;
  readonly to1: number;
  readonly from2: number;
  readonly to2: number;
}

/** Pairs what both stretches begin and end with; what is between. */
function trimmed(first: ArrayLike<number>, second: ArrayLike<number>, gap: Gap, partner: Partners): Gap {
  let { from1, to1, from2, to2 } = gap;
  while (from1 < to1 && from2 < to2 && first[from1] === second[from2]) partner[from1++] = from2++;
  while (from1 < to1 && from2 < to2 && first[to1 - 1] === second[to2 - 1]) partner[--to1] = --to2;
  return { from1, to1, from2, to2 };
}

/** Values that occur once in each stretch, as far as their order is the same in both. */
function anchorsIn(first: ArrayLike<number>, second: ArrayLike<number>, gap: Gap): [number, number][] {
  const once1 = placesOfSingles(first, gap.from1, gap.to1);
  const once2 = placesOfSingles(second, gap.from2, gap.to2);
  const pairs: [number, number][] = [];
  for (const [value, at1] of once1) {
    const at2 = once2.get(value);
    if (at1 >= 0 && at2 !== undefined && at2 >= 0) pairs.push([at1, at2]);
  }
  pairs.sort((a, b) => a[0] - b[0]);
  return longestRising(pairs);
}

/** Place of each value, -1 for those that occur again. */
function placesOfSingles(values: ArrayLike<number>, from: number, to: number): Map<number, number> {
  const indices = new Map<number, number>();
  for (let at = from; at < to; at++) indices.set(values[at]!, indices.has(values[at]!) ? -1 : at);
  return indices;
}

/** The longest part of pairs, which are sorted by their first number, in which the second numbers rise, too. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  // index of the pair that ends the best run of each length
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  pairs.forEach(([, at2], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pairs[ends[middle]!]![1] < at2) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = index;
  });
  const rising: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) rising.push(pairs[index]!);
  return rising.reverse();
}
