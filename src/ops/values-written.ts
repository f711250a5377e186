/** Values of tensors of which some offsets are written: by masks, positions, or both, beside dimensions that are taken whole. */

import { BOOL } from "../tensor/dtype.ts";
import { MOST_VALUES, mostValues } from "../tensor/contents.ts";
import { contiguousStrides, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { asShape, knownOf, listed, onHost, type ValueRule } from "./values.ts";

/** Positions along the dimensions that one index covers: the place of each, counted in elements. */
function placesOf(index: Tensor, sizes: readonly number[], strides: readonly number[]): number[] | null {
  const known = listed(index);
  if (known === null) return null;
  if (index.dtype !== BOOL) return known.map((v) => (v < 0 ? v + sizes[0]! : v) * strides[0]!);
  const own = contiguousStrides(index.sizes);
  return known.flatMap((v, i) =>
    v === 0 ? [] : [own.reduce((at, step, d) => at + (Math.floor(i / step) % index.sizes[d]!) * strides[d]!, 0)],
  );
}

/**
 * `self[indices] = values`: indexes beside each other are paired, dimensions without one are taken whole. What is written must be
 * one number, or come in the order of the offsets.
 */
export const written: ValueRule = (a) => {
  const self = a.self as Tensor;
  const before = listed(self);
  const source = knownOf(a.values as Tensor);
  if (before === null || source === null || a.accumulate) return null;
  const strides = contiguousStrides(self.sizes);
  let offsets: number[] = [0];
  let paired: number[] | null = null;
  let pairedFirst = true;
  let dim = 0;
  for (const index of a.indices as (Tensor | null)[]) {
    if (index === null) {
      if (paired === null) pairedFirst = false;
      offsets = crossed(offsets, range(self.sizes[dim]!, strides[dim]!));
      dim++;
      continue;
    }
    const covers = index.dtype === BOOL ? index.rank : 1;
    const found = placesOf(index, self.sizes.slice(dim), strides.slice(dim));
    if (found === null) return null;
    paired = paired === null ? found : added(paired, found);
    if (paired === null) return null;
    dim += covers;
  }
  const rest = range(
    self.sizes.slice(dim).reduce((n, s) => n * s, 1),
    1,
  );
  if (paired !== null && pairedFirst) offsets = crossed(crossed(paired, offsets), rest);
  else offsets = crossed(crossed(offsets, paired ?? [0]), rest);
  if (offsets.length > MOST_VALUES) return null;
  const result = [...before];
  const list = typeof source === "number" ? null : spread(a.values as Tensor, source, offsets.length);
  if (typeof source !== "number" && list === null) return null;
  offsets.forEach((at, i) => {
    result[at] = list === null ? (source as number) : list[i]!;
  });
  return [result];
};

const range = (n: number, step: number): number[] => Array.from({ length: n }, (_, i) => i * step);
const crossed = (a: readonly number[], b: readonly number[]): number[] => a.flatMap((x) => b.map((y) => x + y));

function added(a: readonly number[], b: readonly number[]): number[] | null {
  if (a.length === 1) return b.map((v) => v + a[0]!);
  if (b.length === 1) return a.map((v) => v + b[0]!);
  return a.length === b.length ? a.map((v, i) => v + b[i]!) : null;
}

/** Values in the order of `count` offsets, where they are as many or repeat from the last dimension on. */
function spread(values: Tensor, known: readonly number[], count: number): readonly number[] | null {
  if (known.length === count) return known;
  if (known.length === 0 || count % known.length !== 0) return null;
  return asShape(known, values.sizes, [count / known.length, ...values.sizes]);
}

/** Zeros with a gradient at some offsets along `dim`, as views give it back. */
const placedAlong = (placesAlong: (a: Args, size: number) => readonly number[]): ValueRule =>
  onHost((a, [result]) => {
    const known = listed(a.grad);
    if (known === null || result!.numel > mostValues(result!.dtype)) return null;
    const { sizes } = result!;
    const dim = wrapDim(a.dim, sizes.length);
    const inner = sizes.slice(dim + 1).reduce((n, size) => n * size, 1);
    const at = placesAlong(a, sizes[dim]!);
    const found = Array.from({ length: result!.numel }, () => 0);
    known.forEach((v, i) => {
      const line = Math.floor(i / inner);
      const place = Math.floor(line / at.length) * sizes[dim]! + at[line % at.length]!;
      found[place * inner + (i % inner)] = v;
    });
    return [found];
  });

export const selectGradient = placedAlong(({ index }, size) => [index < 0 ? index + size : index]);
export const sliceGradient = placedAlong(({ grad, dim, start, step }, size) => {
  const from = Math.min(Math.max((start ?? 0) < 0 ? start + size : (start ?? 0), 0), size);
  return Array.from({ length: grad.sizes.at(dim) }, (_, i) => from + i * step);
});
