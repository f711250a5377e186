/** Which changes of a recipe save memory, each measured, and the cheapest set of them that fits. */

import { DiagnosticError } from "../base/diagnostic.ts";
import type { Recipe } from "./recipe.ts";

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

/** One change, or several, with the answer that was measured. */
export interface Tried<Made> {
  /** Ids of rows, in the order in which they are applied. */
  readonly ids: readonly string[];
  readonly price: Price;
  /** It takes more time. */
  readonly slower: boolean;
  readonly estimate: Made;
  /** Fewer bytes of the process than before. */
  readonly savedBytes: number;
}

export interface SearchedChanges<Made> {
  /** Single changes: those that fit first, in the order of the rows, which is that of what they cost. */
  readonly single: readonly Tried<Made>[];
  /** The cheapest set that fits: none of it can be left out. Null when a single one fits, or all together do not. */
  readonly together: Tried<Made> | null;
}

export interface ChangeSearch<R extends Recipe, Made> {
  readonly rows: readonly ChangeRow[];
  readonly recipe: R;
  readonly before: Made;
  /** Measures a recipe. One that cannot be asked throws a diagnostic, and its change is left out. */
  ask(recipe: R): Promise<Made>;
  fits(made: Made): boolean;
  /** Bytes of the process. */
  needed(made: Made): number;
  /** Told after each run: how many there were. */
  onRun?(runs: number): void;
}

/** The cheapest that fits, or null. */
export function cheapestOf<Made>(
  { single, together }: SearchedChanges<Made>,
  fits: (made: Made) => boolean,
): Tried<Made> | null {
  const [first] = single;
  return first !== undefined && fits(first.estimate) ? first : together;
}

export async function searchChanges<R extends Recipe, Made>(
  search: ChangeSearch<R, Made>,
): Promise<SearchedChanges<Made>> {
  const { recipe, before, ask, fits, needed, onRun } = search;
  let runs = 0;
  const known = new Map<string, Made | null>();
  const attempt: Attempt<Made> = async (rows) => {
    const changed = together(rows, recipe);
    const key = JSON.stringify(changed);
    if (!known.has(key)) {
      known.set(key, await ask(changed).catch(leftOut));
      onRun?.(++runs);
    }
    const made = known.get(key) ?? null;
    if (made === null) return null;
    return {
      ids: rows.map(({ id }) => id),
      price: Math.max(...rows.map((row) => row.price)) as Price,
      slower: rows.some((row) => row.slower),
      estimate: made,
      savedBytes: needed(before) - needed(made),
    };
  };
  const single: Tried<Made>[] = [];
  const possible: ChangeRow[] = [];
  for (const change of search.rows) {
    if (change.apply(recipe) === null) continue;
    const tried = await attempt([change]);
    if (tried === null) continue;
    possible.push(change);
    if (tried.savedBytes > 0) single.push(tried);
  }
  single.sort((a, b) => Number(fits(b.estimate)) - Number(fits(a.estimate)));
  if (fits(before) || single.some((tried) => fits(tried.estimate))) return { single, together: null };
  return { single, together: await cheapestSet(possible, attempt, fits) };
}

type Attempt<Made> = (rows: readonly ChangeRow[]) => Promise<Tried<Made> | null>;

/** Applied one after another; one that means nothing any more changes nothing. A row keeps the task of a recipe. */
const together = <R extends Recipe>(rows: readonly ChangeRow[], recipe: R): R =>
  rows.reduce((made, row) => (row.apply(made) as R | null) ?? made, recipe);

/** Somebody's Cancel is no failure of the program. */
function leftOut(error: unknown): null {
  if (error instanceof DiagnosticError && error.diagnostic.code !== "estimate_interrupted") return null;
  throw error;
}

/**
 * The shortest beginning of the rows, which lie in the order of their costs, that fits; then everything is taken out again
 * without which it still fits, the dearest first.
 */
async function cheapestSet<Made>(
  rows: readonly ChangeRow[],
  attempt: Attempt<Made>,
  fits: (made: Made) => boolean,
): Promise<Tried<Made> | null> {
  const enough = async (some: readonly ChangeRow[]): Promise<Tried<Made> | null> => {
    const tried = some.length === 0 ? null : await attempt(some);
    return tried !== null && fits(tried.estimate) ? tried : null;
  };
  let found: Tried<Made> | null = null;
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
