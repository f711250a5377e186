/**
 * What results hold when the tensors that an operator reads are small and known, or one number throughout. A row
 * names its rule in `values`; an operator without one makes unknown values.
 */

import { type Known, type KnownValues, type LaterValues, mostValues } from "../tensor/contents.ts";
import { isFloating } from "../tensor/dtype.ts";
import type { HostRandom } from "../tensor/host-random.ts";
import { isScalar, type Operand } from "../tensor/iterator.ts";
import { sameShape, type Shape } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";

/** The results' values, or null where nothing can be said; `results` have their final shapes. */
export type ValueRule = (
  a: Args,
  results: readonly Tensor[],
  random: HostRandom,
) => readonly (Known | LaterValues | null)[] | null;

/** Values one by one, or the number that fills the tensor. */
export const knownOf = (t: Tensor): Known | null => t.fill ?? t.values;

/** A number that an argument says, as itself or as a Scalar; 0 without it. */
export const numberOf = (x: unknown): number =>
  typeof x === "number" ? x : ((x as { value?: number } | null)?.value ?? 0);

/** A result's values by position, unless there are too many. */
export const stepsOf = (result: Tensor, f: (i: number) => number): number[] | null =>
  result.numel > mostValues(result.dtype) ? null : Array.from({ length: result.numel }, (_, i) => f(i));

/** Positions in a row-major tensor of shape `from` for each element of `to`, as broadcasting pairs them. */
function broadcastPlaces(from: Shape, to: Shape): number[] | null {
  if (from.length === to.length && from.every((s, i) => s === to[i])) return null;
  const missing = to.length - from.length;
  let found = [0];
  let stride = from.reduce((n, s) => n * s, 1);
  for (let dim = 0; dim < to.length; dim++) {
    const own = dim < missing ? 1 : from[dim - missing];
    stride /= own;
    const step = own === 1 ? 0 : stride;
    const next: number[] = [];
    for (const at of found) for (let i = 0; i < to[dim]; i++) next.push(at + i * step);
    found = next;
  }
  return found;
}

/** Whether an operand's values may be asked for: too many elements beside it make no known ones. */
const canTell = (x: Operand, result: Tensor): boolean =>
  isScalar(x) || (x.hasContents && (result.numel <= mostValues(result.dtype) || x.fill !== null));

/**
 * Where one operand holds numbers that nobody has looked at, and the others are one number each, nobody needs to look now either:
 * a model that moves to its GPU, and decays there, is not looked at.
 */
function unseenOf(
  names: readonly string[],
  compute: (v: readonly number[], a: Args, result: Tensor) => number,
  a: Args,
  result: Tensor,
): LaterValues | null {
  // what follows from numbers of other kinds depends on the tensors' types, which may be others by then (`set_data`)
  if (!isFloating(result.dtype)) return null;
  let unseen: LaterValues | null = null;
  let place = 0;
  const v: number[] = [];
  for (const [i, name] of names.entries()) {
    const x: Operand = a[name];
    const one = isScalar(x) ? (x.scalar === "complex" ? null : x.value) : x.fill;
    v.push(one ?? 0);
    if (one !== null) continue;
    if (isScalar(x) || unseen !== null || !isFloating(x.dtype)) return null;
    place = i;
    unseen = x.unseen;
    if (unseen === null || !sameShape(x.sizes, result.sizes)) return null;
  }
  return (
    unseen?.each((value) => {
      v[place] = value;
      return compute(v, a, result);
    }) ?? null
  );
}

/** Only for results on the CPU: on a GPU a program gets none of these to see, and they take time to find. */
export const onHost =
  (rule: ValueRule): ValueRule =>
  (a, results, random) =>
    results.find((t) => t instanceof Tensor)?.storage.device === "cpu" ? rule(a, results, random) : null;

/** What is known of an operand. */
function operandValues(x: Operand): Known | null {
  if (!isScalar(x)) return knownOf(x);
  return x.scalar === "complex" ? null : x.value;
}

/** Values of a tensor of shape `from` as another shape reads them; a number where they are the same everywhere. */
export const asShape = <K extends Known>(known: K, from: Shape, to: Shape): K | KnownValues =>
  typeof known === "number" ? known : (broadcastPlaces(from, to)?.map((at) => known[at]!) ?? known);

/** Element by element: `names` are the operands in the order of `compute`'s arguments. */
export const elementwise =
  (names: readonly string[], compute: (v: readonly number[], a: Args, result: Tensor) => number): ValueRule =>
  (a, [result]) => {
    const n = result.numel;
    // before any is asked for: to find numbers takes time, and a small tensor broadcasts to large ones at every layer
    if (!names.every((name) => canTell(a[name], result))) return null;
    const later = unseenOf(names, compute, a, result);
    if (later !== null) return [later];
    const known: Known[] = [];
    for (const name of names) {
      const values = operandValues(a[name]);
      if (values === null) return null;
      known.push(values);
    }
    const v = known.map((values) => (typeof values === "number" ? values : 0));
    if (known.every((values) => typeof values === "number")) return [compute(v, a, result)];
    const lists: (readonly [operand: number, values: KnownValues])[] = [];
    names.forEach((name, j) => {
      const values = isScalar(a[name]) ? known[j]! : asShape(known[j]!, a[name].sizes, result.sizes);
      if (typeof values !== "number") lists.push([j, values]);
    });
    const found: number[] = [];
    for (let i = 0; i < n; i++) {
      for (const [j, values] of lists) v[j] = values[i]!;
      found.push(compute(v, a, result));
    }
    return [found];
  };

/** All values of a tensor, where each is known. */
export function listed(t: unknown): KnownValues | null {
  return t instanceof Tensor ? t.values : null;
}
