/** What softmax, moments and norms give on the CPU. */

import { wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { listed, numberOf, onHost, type ValueRule } from "./values.ts";
import { along, lines, reduction } from "./values-selection.ts";

const sum = (line: readonly number[]): number => line.reduce((s, v) => s + v, 0);
const logSum = (line: readonly number[]): number => {
  const most = Math.max(...line);
  return Number.isFinite(most) ? most + Math.log(sum(line.map((v) => Math.exp(v - most)))) : most;
};

export const softmax = onHost(
  along((line) => {
    const total = logSum(line);
    return [line.map((v) => Math.exp(v - total))];
  }),
);
export const logSoftmax = onHost(
  along((line) => {
    const total = logSum(line);
    return [line.map((v) => v - total)];
  }),
);

/** The gradient along one dimension, from lines of the gradient and of the result. */
const lineSlope = (f: (grad: readonly number[], y: readonly number[]) => readonly number[]): ValueRule =>
  onHost((a, results, random) => {
    const grads = listed(a.grad_output);
    const outputs = listed(a.output);
    const { rank } = a.output as Tensor;
    if (grads === null || outputs === null) return null;
    const ofOutput = lines(a.output, outputs, rank === 0 ? [] : [wrapDim(a.dim, rank)]);
    let at = 0;
    return along((line) => [f(line, ofOutput[at++]!)])({ self: a.grad_output, dim: a.dim }, results, random);
  });

export const softmaxSlope = lineSlope((grad, y) => {
  const total = sum(grad.map((g, i) => g * y[i]!));
  return grad.map((g, i) => y[i]! * (g - total));
});
export const logSoftmaxSlope = lineSlope((grad, y) => {
  const total = sum(grad);
  return grad.map((g, i) => g - Math.exp(y[i]!) * total);
});

export const logSumOfExponentials = onHost(reduction([logSum]));

function varianceOf(line: readonly number[], correction: number): number {
  const mean = sum(line) / line.length;
  return sum(line.map((v) => (v - mean) ** 2)) / Math.max(line.length - correction, 0);
}
const degrees = (freedom: unknown): number => (freedom === null || freedom === undefined ? 1 : numberOf(freedom));
const meanOfLine = (line: readonly number[]): number => sum(line) / line.length;

export const variance = onHost(reduction([(line, a) => varianceOf(line, degrees(a.correction)), meanOfLine]));
export const deviation = onHost(
  reduction([(line, a) => Math.sqrt(varianceOf(line, degrees(a.correction))), meanOfLine]),
);

function normOf(line: readonly number[], order: number): number {
  const sizes = line.map(Math.abs);
  if (order === Infinity) return Math.max(...sizes);
  if (order === -Infinity) return Math.min(...sizes);
  if (order === 0) return sizes.filter((v) => v !== 0).length;
  return sum(sizes.map((v) => v ** order)) ** (1 / order);
}
/** The norm of each of several tensors. */
export const norms: ValueRule = onHost((a, results) =>
  results.map((_, i) => {
    const known = listed(a.self[i]);
    return known && [normOf(known, numberOf(a.ord))];
  }),
);
export const vectorNorm = onHost(reduction([(line, a) => normOf(line, numberOf(a.ord))]));

/** The middle one; the lower of two. */
const middleOf = (line: readonly number[]): number =>
  [...line].sort((x, y) => x - y)[Math.floor((line.length - 1) / 2)]!;
export const middle = onHost(reduction([middleOf, (line) => line.indexOf(middleOf(line))]));

/** The smallest and the largest. */
export const extremes = onHost(reduction([(line) => Math.min(...line), (line) => Math.max(...line)]));

const rankOf = (line: readonly number[], k: number): number => [...line].sort((x, y) => x - y)[k - 1]!;
/** The k-th smallest, and where it is. */
export const ofRank = onHost(reduction([(line, a) => rankOf(line, a.k), (line, a) => line.indexOf(rankOf(line, a.k))]));

/** What occurs most often, of several the smallest, and its last place. */
function modeOf(line: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const v of line) counts.set(v, (counts.get(v) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return Math.min(...[...counts].filter(([, count]) => count === most).map(([v]) => v));
}
export const mostFrequent = onHost(reduction([modeOf, (line) => line.lastIndexOf(modeOf(line))]));

const numbersOf = (line: readonly number[]): number[] => line.filter((v) => !Number.isNaN(v));
/** The sum of those that are numbers. */
export const sumOfNumbers = onHost(reduction([(line) => sum(numbersOf(line))]));

/** The sum of the main diagonal. */
export const diagonalSum: ValueRule = onHost(({ self }) => {
  const known = listed(self);
  const [rows, columns] = self.sizes;
  return known && [[sum(Array.from({ length: Math.min(rows, columns) }, (_, i) => known[i * (columns + 1)]!))]];
});
