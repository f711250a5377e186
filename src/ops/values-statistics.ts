/** What layer and batch normalization and their backward kernels give on the CPU. */

import { numel } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { listed, onHost, type ValueRule } from "./values.ts";

/** Values in groups that share a mean: which group each is in, and which of the weights goes with it. */
interface Grouped {
  readonly groups: number;
  readonly groupOf: (i: number) => number;
  readonly weights: number;
  readonly weightOf: (i: number) => number;
}

function byRows({ input, normalized_shape }: Args): Grouped {
  const width = numel(normalized_shape);
  return {
    groups: input.numel / width,
    groupOf: (i) => Math.floor(i / width),
    weights: width,
    weightOf: (i) => i % width,
  };
}

function byChannels({ input }: Args): Grouped {
  const channels = input.sizes[1] as number;
  const area = numel(input.sizes.slice(2));
  const channelOf = (i: number): number => Math.floor(i / area) % channels;
  return { groups: channels, groupOf: channelOf, weights: channels, weightOf: channelOf };
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

/** A parameter's values; undefined where there is none, null where nobody knows them. */
const ofParameter = (t: Tensor | null): readonly number[] | null | undefined => (t ? listed(t) : undefined);

/** The mean and the variance, over all that a group holds. */
function momentsOf(x: readonly number[], { groups, groupOf }: Grouped): readonly [number[], number[]] {
  const mean = zeros(groups);
  const variance = zeros(groups);
  const count = x.length / groups;
  x.forEach((v, i) => (mean[groupOf(i)]! += v / count));
  x.forEach((v, i) => (variance[groupOf(i)]! += (v - mean[groupOf(i)]!) ** 2 / count));
  return [mean, variance];
}

function scaled(
  x: readonly number[],
  { groupOf, weightOf }: Grouped,
  mean: readonly number[],
  factor: readonly number[],
  { weight, bias }: Args,
): number[] | null {
  const [w, b] = [ofParameter(weight), ofParameter(bias)];
  if (w === null || b === null) return null;
  return x.map((v, i) => {
    const unit = (v - mean[groupOf(i)]!) * factor[groupOf(i)]!;
    return unit * (w?.[weightOf(i)] ?? 1) + (b?.[weightOf(i)] ?? 0);
  });
}

const factorsOf = (variance: readonly number[], eps: number): number[] => variance.map((v) => 1 / Math.sqrt(v + eps));

export const layerNorm: ValueRule = onHost((a) => {
  const x = listed(a.input);
  if (x === null || x.length === 0) return null;
  const grouped = byRows(a);
  const [mean, variance] = momentsOf(x, grouped);
  const factor = factorsOf(variance, a.eps);
  return [scaled(x, grouped, mean, factor, a), mean, factor];
});

/** In training the running statistics move towards those of the batch; n - 1 divides their variance. */
function moveRunning({ running_mean, running_var, momentum }: Args, mean: number[], variance: number[], count: number) {
  for (const [running, now] of [
    [running_mean, mean],
    [running_var, variance.map((v) => (v * count) / (count - 1))],
  ] as const) {
    const before = running ? listed(running) : null;
    running?.learn(before && before.map((v, i) => (1 - momentum) * v + momentum * now[i]!));
  }
}

export const batchNorm: ValueRule = onHost((a) => {
  const x = listed(a.input);
  const grouped = byChannels(a);
  if (x === null || x.length === 0) {
    if (a.training) for (const running of [a.running_mean, a.running_var]) running?.learn(null);
    return null;
  }
  if (a.training) {
    const [mean, variance] = momentsOf(x, grouped);
    moveRunning(a, mean, variance, x.length / grouped.groups);
    const factor = factorsOf(variance, a.eps);
    return [scaled(x, grouped, mean, factor, a), mean, factor];
  }
  const [mean, variance] = [listed(a.running_mean), listed(a.running_var)];
  return mean && variance && [scaled(x, grouped, mean, factorsOf(variance, a.eps), a)];
});

/** Gradients of input, weight and bias, as many as are asked for. */
const gradients = (
  groupedBy: (a: Args) => Grouped,
  statistics: (a: Args) => readonly [readonly number[] | null, readonly number[] | null],
  isFixed: (a: Args) => boolean,
): ValueRule =>
  onHost((a) => {
    const x = listed(a.input);
    const dy = listed(a.grad_out);
    const w = ofParameter(a.weight);
    const [mean, factor] = statistics(a);
    if (x === null || dy === null || w === null || mean === null || factor === null) return null;
    const grouped = groupedBy(a);
    const { groups, groupOf, weights, weightOf } = grouped;
    const unit = x.map((v, i) => (v - mean[groupOf(i)]!) * factor[groupOf(i)]!);
    const inner = dy.map((g, i) => g * (w?.[weightOf(i)] ?? 1));
    const [sums, products, ofWeight, ofBias] = [zeros(groups), zeros(groups), zeros(weights), zeros(weights)];
    const count = x.length / groups;
    inner.forEach((g, i) => {
      sums[groupOf(i)]! += g / count;
      products[groupOf(i)]! += (g * unit[i]!) / count;
      ofWeight[weightOf(i)]! += dy[i]! * unit[i]!;
      ofBias[weightOf(i)]! += dy[i]!;
    });
    const fixed = isFixed(a);
    const ofInput = inner.map((g, i) => {
      const at = groupOf(i);
      return factor[at]! * (fixed ? g : g - sums[at]! - unit[i]! * products[at]!);
    });
    const isMade = [a.for_input, a.for_weight && a.weight, a.for_bias && (a.bias ?? a.weight)];
    return [ofInput, ofWeight, ofBias].filter((_, i) => isMade[i]);
  });

export const layerNormSlope = gradients(
  byRows,
  (a) => [listed(a.mean), listed(a.rstd)],
  () => false,
);
export const batchNormSlope = gradients(
  byChannels,
  (a) => {
    if (a.training) return [listed(a.mean), listed(a.invstd)];
    const variance = listed(a.running_var);
    return [listed(a.running_mean), variance && factorsOf(variance, a.eps)];
  },
  (a) => !a.training,
);
