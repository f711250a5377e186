/** Which changes make a step with preferences or rewards fit: the rows of training that mean something here, each measured. */

import { searchChanges, type SearchedChanges } from "../change-search.ts";
import { CHANGES } from "../changes.ts";
import type { TrainRecipe } from "../recipe.ts";
import type { AlignmentEstimate } from "./phases.ts";
import { TASKS } from "./tasks.ts";

/** Fields of a recipe that the programs of these tasks do not read. */
const UNREAD: readonly (keyof TrainRecipe)[] = ["loss", "packing", "pruning", "teacher"];

/** A card that is full gives cached memory back, as PyTorch does; the rest has to fit. */
export const alignmentFits = ({ fit }: AlignmentEstimate): boolean => fit !== "does_not_fit";

export const alignmentNeeds = ({ worst }: AlignmentEstimate): number => worst.process.bytes;

/** `ask` measures a recipe of the task of `before`. */
export function tryAlignmentChanges(
  before: AlignmentEstimate,
  ask: (train: TrainRecipe) => Promise<AlignmentEstimate>,
  onRun: (runs: number) => void,
): Promise<SearchedChanges<AlignmentEstimate>> {
  const { train, recipe } = before;
  // where answers are written, their length is no field of its own
  const unread = TASKS[recipe.task].generates ? [...UNREAD, "seq" as const] : UNREAD;
  const rows = CHANGES.filter(({ apply }) => {
    const changed = apply(train);
    return changed !== null && changed.task === "train" && unread.every((field) => changed[field] === train[field]);
  });
  return searchChanges({ rows, recipe: train, before, ask, fits: alignmentFits, needed: alignmentNeeds, onRun });
}
