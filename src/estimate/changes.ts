/** Changes of a recipe that save memory, as rows, and which of them make it fit. */

import { estimate, fits, type Estimate } from "./estimate.ts";
import type { Problem } from "./solve.ts";
import type { InferRecipe, Recipe, TrainRecipe } from "./recipe.ts";
import { METHODS, OPTIMIZERS, PRECISIONS, row, WEIGHTS } from "./techniques.ts";

/** How much a change changes besides memory: nothing but time, numbers a little, what is computed. */
export type Price = 0 | 1 | 2 | 3;

export interface ChangeRow {
  readonly id: string;
  readonly price: Price;
  /** Null where it is not a change, or makes no sense. */
  apply(recipe: Recipe): Recipe | null;
}

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
const trained = (recipe: TrainRecipe): boolean => row(METHODS, recipe.method).trains === "all";
const wide = (recipe: TrainRecipe): boolean => row(PRECISIONS, recipe.precision).weightBytes > 2;
const bytesPerWeight = (recipe: InferRecipe): number => row(WEIGHTS, recipe.weights).weightBytes;

export const CHANGES: readonly ChangeRow[] = [
  { id: "flash", price: 0, apply: train((r) => (r.attention === "eager" ? { attention: "sdpa" } : null)) },
  { id: "sdpa", price: 0, apply: infer((r) => (r.attention === "eager" ? { attention: "sdpa" } : null)) },
  { id: "fused", price: 0, apply: train((r) => (r.optimizer === "adamw" ? { optimizer: "adamw-fused" } : null)) },
  {
    id: "chunked_loss",
    price: 0,
    apply: train((r) => (r.loss === "plain" && r.teacher === null ? { loss: "chunked" } : null)),
  },
  {
    id: "micro_batches",
    price: 0,
    apply: train((r) => (r.batch > 1 ? { batch: 1, accumulate: r.accumulate * r.batch } : null)),
  },
  {
    id: "checkpointing",
    price: 0,
    apply: train((r) => (r.checkpointing === "none" ? { checkpointing: "blocks" } : null)),
  },
  { id: "adamw_8bit", price: 1, apply: train((r) => (states(r.optimizer) > 2.1 ? { optimizer: "adamw-8bit" } : null)) },
  {
    id: "adamw_paged_8bit",
    price: 1,
    apply: train((r) => (states(r.optimizer) > 0.1 ? { optimizer: "adamw-paged-8bit" } : null)),
  },
  { id: "bf16", price: 1, apply: train((r) => (wide(r) ? { precision: "bf16" } : null)) },
  { id: "lora", price: 2, apply: train((r) => (trained(r) ? { method: "lora", precision: "bf16-autocast" } : null)) },
  {
    id: "qlora",
    price: 2,
    apply: train((r) => (row(METHODS, r.method).quantized ? null : { method: "qlora", precision: "bf16-autocast" })),
  },
  { id: "half_length", price: 3, apply: train((r) => (r.seq > 256 ? { seq: r.seq / 2 } : null)) },
  { id: "static_cache", price: 0, apply: infer((r) => (r.cache === "dynamic" ? { cache: "static" } : null)) },
  { id: "int8", price: 1, apply: infer((r) => (bytesPerWeight(r) > 1 ? { weights: "int8" } : null)) },
  { id: "nf4", price: 2, apply: infer((r) => (bytesPerWeight(r) > 0.6 ? { weights: "nf4-dq" } : null)) },
  { id: "half_batch", price: 3, apply: infer((r) => (r.batch > 1 ? { batch: Math.floor(r.batch / 2) } : null)) },
  { id: "half_prompt", price: 3, apply: infer((r) => (r.prompt > 256 ? { prompt: Math.floor(r.prompt / 2) } : null)) },
];

export interface TriedChange {
  /** Ids of rows, in the order in which they are applied. */
  readonly ids: readonly string[];
  readonly price: Price;
  readonly estimate: Estimate;
  /** Fewer bytes of the process than before. */
  readonly savedBytes: number;
}

export interface Changes {
  /** Single changes: those that fit first, cheapest first, and of equal price the one that saves most. */
  readonly single: readonly TriedChange[];
  /** Changes one after another until it fits; null when a single one does, or all together do not. */
  readonly together: TriedChange | null;
}

/** A program that fails with a change (a family without that part) is left out. */
export async function tryChanges(problem: Problem, before: Estimate): Promise<Changes> {
  let runs = 0;
  const attempt = async (ids: readonly string[], recipe: Recipe, price: Price): Promise<TriedChange | null> => {
    try {
      const made = await estimate(problem.measure, recipe, problem.head, problem.gpu);
      return { ids, price, estimate: made, savedBytes: before.chain.process.bytes - made.chain.process.bytes };
    } catch {
      return null;
    } finally {
      problem.onRun?.(++runs);
    }
  };
  const single: TriedChange[] = [];
  for (const change of CHANGES) {
    const recipe = change.apply(problem.recipe);
    const tried = recipe === null ? null : await attempt([change.id], recipe, change.price);
    if (tried !== null && tried.savedBytes > 0) single.push(tried);
  }
  single.sort(
    (a, b) => Number(fits(b.estimate)) - Number(fits(a.estimate)) || a.price - b.price || b.savedBytes - a.savedBytes,
  );
  if (single.some((tried) => fits(tried.estimate))) return { single, together: null };
  let recipe = problem.recipe;
  let price: Price = 0;
  const ids: string[] = [];
  for (const id of single
    .toSorted((a, b) => a.price - b.price || b.savedBytes - a.savedBytes)
    .map(({ ids: [first] }) => first!)) {
    const change = CHANGES.find((candidate) => candidate.id === id)!;
    const next = change.apply(recipe);
    if (next === null) continue;
    recipe = next;
    ids.push(id);
    price = Math.max(price, change.price) as Price;
    if (ids.length < 2) continue;
    const tried = await attempt([...ids], recipe, price);
    if (tried !== null && fits(tried.estimate)) return { single, together: tried };
  }
  return { single, together: null };
}
