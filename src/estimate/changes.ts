/** Changes of a recipe that save memory, as rows in the order of what they cost. */

import { cheapestOf, searchChanges, type ChangeRow, type SearchedChanges, type Tried } from "./change-search.ts";
import { estimate, fits, type Estimate } from "./estimate.ts";
import type { Problem } from "./solve.ts";
import type { InferRecipe, Recipe, TrainRecipe } from "./recipe.ts";
import { isPacked, METHODS, OPTIMIZERS, PRECISIONS, row, WEIGHTS } from "./techniques.ts";

const train =
  (change: (recipe: TrainRecipe) => Partial<TrainRecipe> | null) =>
  (recipe: Recipe): Recipe | null => {
    if (recipe.task !== "train") return null;
    const changed = change(recipe);
    return changed === null ? null : { ...recipe, ...changed };
  };
const infer =
  (change: (recipe: InferRecipe) => Partial<InferRecipe> | null) =>
  (recipe: Recipe): Recipe | null => {
    if (recipe.task !== "infer") return null;
    const changed = change(recipe);
    return changed === null ? null : { ...recipe, ...changed };
  };
const states = (id: string): number => row(OPTIMIZERS, id).stateBytes[0];
const inBackward = (recipe: TrainRecipe): boolean => row(OPTIMIZERS, recipe.optimizer).inBackward === true;
const canStepInBackward = (recipe: TrainRecipe): boolean =>
  row(OPTIMIZERS, recipe.optimizer).isAdamW === true &&
  recipe.accumulate === 1 &&
  !row(PRECISIONS, recipe.precision).scaled;
const trained = (recipe: TrainRecipe): boolean => row(METHODS, recipe.method).trains === "all";
const wide = (recipe: TrainRecipe): boolean => row(PRECISIONS, recipe.precision).weightBytes > 2;
const bytesPerWeight = (recipe: InferRecipe): number => row(WEIGHTS, recipe.weights).weightBytes;

/** In the order of what they cost: what costs nothing first, then time, then exactness, then another method, then data. */
export const CHANGES: readonly ChangeRow[] = [
  {
    id: "flash",
    price: 0,
    slower: false,
    apply: train((r) => (r.attention === "eager" ? { attention: "sdpa" } : null)),
  },
  {
    id: "sdpa",
    price: 0,
    slower: false,
    apply: infer((r) => (r.attention === "eager" ? { attention: "sdpa" } : null)),
  },
  {
    id: "fused",
    price: 0,
    slower: false,
    apply: train((r) => (r.optimizer === "adamw" ? { optimizer: "adamw-fused" } : null)),
  },
  {
    id: "chunked_loss",
    price: 0,
    slower: true,
    apply: train((r) => (r.loss === "plain" && r.teacher === null ? { loss: "chunked" } : null)),
  },
  {
    id: "micro_batches",
    price: 0,
    slower: true,
    apply: train((r) => (r.batch > 1 && !inBackward(r) ? { batch: 1, accumulate: r.accumulate * r.batch } : null)),
  },
  {
    id: "step_in_backward",
    price: 0,
    slower: true,
    apply: train((r) => (canStepInBackward(r) ? { optimizer: "adamw-in-backward" } : null)),
  },
  {
    id: "checkpointing",
    price: 0,
    slower: true,
    apply: train((r) => (r.checkpointing === "none" ? { checkpointing: "blocks" } : null)),
  },
  {
    id: "adamw_8bit",
    price: 1,
    slower: true,
    apply: train((r) => (states(r.optimizer) > 2.1 ? { optimizer: "adamw-8bit" } : null)),
  },
  {
    id: "adamw_paged_8bit",
    price: 1,
    slower: true,
    apply: train((r) => (states(r.optimizer) > 0.1 ? { optimizer: "adamw-paged-8bit" } : null)),
  },
  { id: "bf16", price: 1, slower: false, apply: train((r) => (wide(r) ? { precision: "bf16" } : null)) },
  {
    id: "lora",
    price: 2,
    slower: true,
    apply: train((r) => (trained(r) ? { method: "lora", precision: "bf16-autocast" } : null)),
  },
  {
    id: "qlora",
    price: 2,
    slower: true,
    apply: train((r) => (isPacked(r) ? null : { method: "qlora", precision: "bf16-autocast" })),
  },
  { id: "half_length", price: 3, slower: false, apply: train((r) => (r.seq > 256 ? { seq: r.seq / 2 } : null)) },
  {
    id: "static_cache",
    price: 0,
    slower: false,
    apply: infer((r) => (r.cache === "dynamic" ? { cache: "static" } : null)),
  },
  { id: "int8", price: 1, slower: true, apply: infer((r) => (bytesPerWeight(r) > 1 ? { weights: "int8" } : null)) },
  { id: "nf4", price: 2, slower: true, apply: infer((r) => (bytesPerWeight(r) > 0.6 ? { weights: "nf4-dq" } : null)) },
  {
    id: "half_batch",
    price: 3,
    slower: false,
    apply: infer((r) => (r.batch > 1 ? { batch: Math.floor(r.batch / 2) } : null)),
  },
  {
    id: "half_prompt",
    price: 3,
    slower: false,
    apply: infer((r) => (r.prompt > 256 ? { prompt: Math.floor(r.prompt / 2) } : null)),
  },
];

export type TriedChange = Tried<Estimate>;
export type Changes = SearchedChanges<Estimate>;

/** What the search asks of an estimate. */
const SEEN = { fits, needed: (made: Estimate): number => made.chain.process.bytes };

/** The cheapest that fits, or null. */
export const cheapest = (changes: Changes): TriedChange | null => cheapestOf(changes, fits);

/** A program that fails with a change (a family without that part) is left out. */
export function tryChanges(problem: Problem, before: Estimate): Promise<Changes> {
  const { measure, head, gpu, recipe, onRun } = problem;
  const ask = (changed: Recipe): Promise<Estimate> => estimate(measure, changed, head, gpu);
  return searchChanges({ rows: CHANGES, recipe, before, ask, ...SEEN, ...(onRun === undefined ? {} : { onRun }) });
}
