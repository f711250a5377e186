/**
 * Names for the highest moment of a run that mean the same moment in runs at other sizes: between the allocation of a certain
 * tensor and that of the next one. Scratch memory does not count, as kernels may take it or not.
 */

import type { Sample } from "./sample.ts";

export interface MomentName {
  /** Of the tensor that was allocated last. */
  readonly origin: number;
  /** Which of the tensors with this origin, counted from the first and from the last. */
  readonly fromFirst: number;
  readonly fromLast: number;
}

/** A loop may run more often at other sizes: then its first and its last turn can still be recognized. */
export const sameMoment = (a: MomentName, b: MomentName): boolean =>
  a.origin === b.origin && (a.fromFirst === b.fromFirst || a.fromLast === b.fromLast);

/** The moment in which most bytes were allocated; null when there was no tensor by then. */
export function highestMoment(sample: Sample, isTensor: (origin: number) => boolean): MomentName | null {
  for (let event = sample.peakEvent; event >= 0; event--) {
    const block = sample.allocated[event]!;
    if (block < 0 || !isTensor(sample.origin[block]!)) continue;
    const origin = sample.origin[block]!;
    const alike = blocksOf(sample, origin);
    const fromFirst = alike.indexOf(block);
    return { origin, fromFirst, fromLast: alike.length - 1 - fromFirst };
  }
  return null;
}

/** The highest event of the moment in a run, or -1 when the run has no such moment. */
export function eventOf(sample: Sample, name: MomentName, isTensor: (origin: number) => boolean): number {
  const alike = blocksOf(sample, name.origin);
  const sameCount = alike.length === name.fromFirst + name.fromLast + 1;
  const place = sameCount || name.fromFirst <= name.fromLast ? name.fromFirst : alike.length - 1 - name.fromLast;
  const block = alike[place];
  if (block === undefined) return -1;
  let highest = sample.allocEvent[block]!;
  for (let event = highest + 1; event < sample.allocated.length; event++) {
    const next = sample.allocated[event]!;
    if (next >= 0 && isTensor(sample.origin[next]!)) break;
    if (sample.allocatedBytes[event]! > sample.allocatedBytes[highest]!) highest = event;
  }
  return highest;
}

function blocksOf(sample: Sample, origin: number): number[] {
  const blocks: number[] = [];
  sample.origin.forEach((own, block) => {
    if (own === origin) blocks.push(block);
  });
  return blocks;
}
