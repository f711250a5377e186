/** Which block of a prediction is which block of a recording: those of the stretch by order, older ones by their size. */

import type { BlockRecord } from "../trace/model.ts";
import { align } from "./align.ts";
import { allocationsOf, type SizeKey } from "./allocations.ts";
import { livesAt, type Side } from "./side.ts";

export interface Pairs {
  /** Block of the recording for each block of the prediction, or -1. */
  readonly ofPredicted: Int32Array;
  /** Block of the prediction for each block of the recording, or -1. */
  readonly ofRecorded: Int32Array;
  /** Allocations within the stretches: of each side, and how many they have in common. */
  readonly predictedAllocations: number;
  readonly recordedAllocations: number;
  readonly commonAllocations: number;
}

export function pairBlocks(predicted: Side, recorded: Side, key: SizeKey): Pairs {
  const ofPredicted = new Int32Array(predicted.trace.blocks.length).fill(-1);
  const ofRecorded = new Int32Array(recorded.trace.blocks.length).fill(-1);
  const pair = (ours: number, theirs: number): void => {
    ofPredicted[ours] = theirs;
    ofRecorded[theirs] = ours;
  };
  const ours = allocationsOf(predicted, key);
  const theirs = allocationsOf(recorded, key);
  let commonAllocations = 0;
  align(theirs.sizes, ours.sizes).forEach((partner, at) => {
    if (partner < 0) return;
    pair(ours.blocks[partner]!, theirs.blocks[at]!);
    commonAllocations += 1;
  });
  const older = blocksBySize(recorded, key);
  for (const [size, blocks] of blocksBySize(predicted, key)) {
    // those that are given back first are paired first
    const others = older.get(size) ?? [];
    for (let i = 0; i < Math.min(blocks.length, others.length); i++) pair(blocks[i]!, others[i]!);
  }
  return {
    ofPredicted,
    ofRecorded,
    predictedAllocations: ours.sizes.length,
    recordedAllocations: theirs.sizes.length,
    commonAllocations,
  };
}

/** Blocks that are alive before the stretch begins, by size; each list in the order in which they are given back. */
function blocksBySize({ trace, first }: Side, key: SizeKey): Map<number, number[]> {
  const bySize = new Map<number, number[]>();
  trace.blocks.forEach((block, index) => {
    if (!livesAt(block, first - 1)) return;
    const list = bySize.get(block[key]);
    if (list === undefined) bySize.set(block[key], [index]);
    else list.push(index);
  });
  const end = (block: BlockRecord): number => (block.freeEvent === -1 ? Infinity : block.freeEvent);
  for (const list of bySize.values()) {
    list.sort((a, b) => {
      const [one, other] = [end(trace.blocks[a]!), end(trace.blocks[b]!)];
      return one === other ? a - b : one - other;
    });
  }
  return bySize;
}
