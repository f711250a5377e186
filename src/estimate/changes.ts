/** Changes of a recipe that save memory, as rows, and which of them make it fit. */

import { DiagnosticError } from "../base/diagnostic.ts";
import { estimate, fits, type Estimate } from "./estimate.ts";
import type { Problem } from "./solve.ts";
import type { InferRecipe, Recipe, TrainRecipe } from "./recipe.ts";
import { METHODS, OPTIMIZERS, PRECISIONS, row, WEIGHTS } from "./techniques.ts";

/** How much a change changes besides memory: nothing but time, numbers a little, what is computed. */
export type Price = 0 | 1 | 2 | 3;

export interface ChangeRow {
  readonly id: string;
  readonly price: Price;
  /** It takes more time; a few take less. */
  readonly slower: boolean;
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
const inBackward = (recipe: TrainRecipe): boolean => row(OPTIMIZERS, recipe.optimizer).inBackward === true;
const canStepInBackward = (recipe: TrainRecipe): boolean =>
  /^adamw(-fused|-loop)?$/.test(recipe.optimizer) &&
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
    apply: train((r) => (row(METHODS, r.method).quantized ? null : { method: "qlora", precision: "bf16-autocast" })),
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

export interface TriedChange {
  /** Ids of rows, in the order in which they are applied. */
  readonly ids: readonly string[];
  readonly price: Price;
  /** It takes more time. */
  readonly slower: boolean;
  readonly estimate: Estimate;
  /** Fewer bytes of the process than before. */
  readonly savedBytes: number;
}

export interface Changes {
  /** Single changes: those that fit first, in the order of the rows, which is that of what they cost. */
  readonly single: readonly TriedChange[];
  /** The cheapest set that fits: none of it can be left out. Null when a single one fits, or all together do not. */
  readonly together: TriedChange | null;
}

/** The cheapest that fits, or null. */
export function cheapest({ single, together }: Changes): TriedChange | null {
  const [first] = single;
  return first !== undefined && fits(first.estimate) ? first : together;
}

/** A program that fails with a change (a family without that part) is left out. */
export async function tryChanges(problem: Problem, before: Estimate): Promise<Changes> {
  let runs = 0;
  const known = new Map<string, Estimate | null>();
  const attempt = async (rows: readonly ChangeRow[]): Promise<TriedChange | null> => {
    const recipe = together(rows, problem.recipe);
    const key = JSON.stringify(recipe);
    if (!known.has(key)) {
      known.set(key, await estimate(problem.measure, recipe, problem.head, problem.gpu).catch(leftOut));
      problem.onRun?.(++runs);
    }
    const made = known.get(key)!;
    if (made === null) return null;
    return {
      ids: rows.map(({ id }) => id),
      price: Math.max(...rows.map((row) => row.price)) as Price,
      slower: rows.some((row) => row.slower),
      estimate: made,
      savedBytes: before.chain.process.bytes - made.chain.process.bytes,
    };
  };
  const single: TriedChange[] = [];
  const possible: ChangeRow[] = [];
  for (const change of CHANGES) {
    if (change.apply(problem.recipe) === null) continue;
    const tried = await attempt([change]);
    if (tried === null) continue;
    possible.push(change);
    if (tried.savedBytes > 0) single.push(tried);
  }
  single.sort((a, b) => Number(fits(b.estimate)) - Number(fits(a.estimate)));
  if (fits(before) || single.some((tried) => fits(tried.estimate))) return { single, together: null };
  return { single, together: await cheapestSet(possible, attempt) };
}

/** Applied one after another; one that means nothing any more changes nothing. */
const together = (rows: readonly ChangeRow[], recipe: Recipe): Recipe =>
  rows.reduce((made, row) => row.apply(made) ?? made, recipe);

/** Somebody's Cancel is no failure of the program. */
function leftOut(error: unknown): null {
  if (error instanceof DiagnosticError && error.diagnostic.code !== "estimate_interrupted") return null;
  throw error;
}

/**
 * The shortest beginning of the rows, which lie in the order of their costs, that fits; then everything is taken out again
 * without which it still fits, the dearest first.
 */
async function cheapestSet(
  rows: readonly ChangeRow[],
  attempt: (rows: readonly ChangeRow[]) => Promise<TriedChange | null>,
): Promise<TriedChange | null> {
  const enough = async (some: readonly ChangeRow[]): Promise<TriedChange | null> => {
    const tried = some.length === 0 ? null : await attempt(some);
    return tried !== null && fits(tried.estimate) ? tried : null;
  };
  let found: TriedChange | null = null;
  // one that replaces another may take more, so every beginning is tried
  for (let count = 2; found === null && count <= rows.length; count++) found = await enough(rows.slice(0, count));
  if (found === null) return null;
  let kept = rows.filter(({ id }) => found!.ids.includes(id));
  for (const row of kept.toReversed()) {
    const fewer = kept.filter((other) => other !== row);
    const tried = await enough(fewer);
    if (tried !== null) [found, kept] = [tried, fewer];
  }
  return found;
}
