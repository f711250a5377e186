/** What losses and their backward kernels give on the CPU. */

import { mostValues } from "../tensor/contents.ts";
import { commonShape } from "../tensor/iterator.ts";
import { numel, type Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { REDUCTION_MEAN, REDUCTION_NONE } from "./loss-reduction.ts";
import type { Args } from "./row.ts";
import { asShape, elementwise, knownOf, listed, onHost, type ValueRule } from "./values.ts";

type Pair = (x: number, y: number, a: Args) => number;

/** A tensor's values as another shape reads them; ones where there is no tensor. */
function reader(t: Tensor | undefined, shape: Shape): ((i: number) => number) | null {
  const known = t ? knownOf(t) : 1;
  if (known === null) return null;
  const values = t ? asShape(known, t.sizes, shape) : known;
  return typeof values === "number" ? () => values : (i) => values[i]!;
}

/** A loss of `self` and `target`, element by element, reduced as asked. */
export const pairLoss = (f: Pair): ValueRule =>
  onHost((a, [result]) => {
    const { self, target, weight, reduction } = a as {
      self: Tensor;
      target: Tensor;
      weight?: Tensor;
      reduction: number;
    };
    const shape = commonShape([self, target]);
    const count = numel(shape);
    if (count > mostValues(result!.dtype) || !self.hasContents || !target.hasContents) return null;
    const [x, y, w] = [self, target, weight ?? undefined].map((t) => reader(t, shape));
    if (!x || !y || !w) return null;
    const each = Array.from({ length: count }, (_, i) => f(x(i), y(i), a) * w(i));
    if (reduction === REDUCTION_NONE) return [each];
    const sum = each.reduce((s, v) => s + v, 0);
    return [[reduction === REDUCTION_MEAN ? sum / count : sum]];
  });

/** The gradient times the loss's slope in `self`, shared out where the loss was a mean. */
export const pairSlope = (f: Pair): ValueRule =>
  onHost((a, results, random) => {
    const names = ["grad_output", "self", "target", ...(a.weight ? ["weight"] : [])];
    const share = a.reduction === REDUCTION_MEAN ? results[0]!.numel : 1;
    return elementwise(names, ([g, x, y, w = 1]) => (g! * f(x!, y!, a) * w) / share)(a, results, random);
  });

/** PyTorch's own floor under a logarithm in binary_cross_entropy (cuda/Loss.cu). */
const logarithm = (x: number): number => Math.max(Math.log(x), -100);
const LEAST = 1e-12;

export const squared: Pair = (x, y) => (x - y) ** 2;
export const squaredSlope: Pair = (x, y) => 2 * (x - y);
export const smooth: Pair = (x, y, { beta }) => {
  const z = Math.abs(x - y);
  return z < beta ? (0.5 * z * z) / beta : z - 0.5 * beta;
};
export const smoothSlope: Pair = (x, y, { beta }) => (Math.abs(x - y) < beta ? (x - y) / beta : Math.sign(x - y));
export const huber: Pair = (x, y, { delta }) => {
  const z = Math.abs(x - y);
  return z <= delta ? 0.5 * z * z : delta * (z - 0.5 * delta);
};
export const huberSlope: Pair = (x, y, { delta }) => Math.min(Math.max(x - y, -delta), delta);
export const crossEntropyOfChances: Pair = (x, y) => -(y * logarithm(x) + (1 - y) * logarithm(1 - x));
export const crossEntropyOfChancesSlope: Pair = (x, y) => (x - y) / Math.max((1 - x) * x, LEAST);

/** Rows of scores, and the class, weight and place of each row that counts. */
function classesOf({ self, target, weight, ignore_index }: Args): { at: number; weight: number }[] | null {
  const targets = listed(target);
  const weights = weight ? listed(weight) : null;
  if (self.rank > 2 || targets === null || (weight && weights === null)) return null;
  const classes = self.sizes[self.rank - 1];
  return targets.map((c, row) => {
    if (c === ignore_index || c < 0 || c >= classes) return { at: -1, weight: 0 };
    return { at: row * classes + c, weight: weights ? weights[c]! : 1 };
  });
}

/** The negative score of each row's class, and the weight of all rows. */
export const classLoss: ValueRule = onHost((a) => {
  const scores = listed(a.self);
  const rows = classesOf(a);
  if (scores === null || rows === null) return null;
  const each = rows.map(({ at, weight }) => (at < 0 ? 0 : -weight * scores[at]!));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  if (a.reduction === REDUCTION_NONE) return [each, [0]];
  const sum = each.reduce((s, v) => s + v, 0);
  return [[a.reduction === REDUCTION_MEAN ? sum / total : sum], [total]];
});

/** Zeros but for the class of each row. */
export const classLossSlope: ValueRule = onHost((a, [result]) => {
  const grad = listed(a.grad_output);
  const rows = classesOf(a);
  if (grad === null || rows === null || result!.numel > mostValues(result!.dtype)) return null;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const found = Array.from({ length: result!.numel }, () => 0);
  rows.forEach(({ at, weight }, row) => {
    if (at < 0) return;
    const g = a.reduction === REDUCTION_NONE ? grad[row]! : grad[0]!;
    found[at] = (-weight * g) / (a.reduction === REDUCTION_MEAN ? total : 1);
  });
  return [found];
});
