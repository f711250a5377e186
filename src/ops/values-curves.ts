/** What activation functions and their backward kernels give on the CPU. */

import type { Args } from "./row.ts";
import { elementwise, numberOf, onHost, type ValueRule } from "./values.ts";

type Curve = (x: number, a: Args) => number;

/** A function of `self` and of numbers among the arguments. */
export const curve = (f: Curve): ValueRule => onHost(elementwise(["self"], ([x], a) => f(x!, a)));

/** The gradient times a slope at `at`. */
export const slope = (f: Curve, grad = "grad", at = "self"): ValueRule =>
  onHost(elementwise([grad, at], ([g, x], a) => g! * f(x!, a)));

/** Abramowitz and Stegun 7.1.6 near zero, 7.1.14 as a continued fraction elsewhere: both to the precision of a double. */
export function erf(x: number): number {
  const z = Math.abs(x);
  if (z > 6) return Math.sign(x);
  if (z < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (z + fraction);
  return Math.sign(x) * (1 - Math.exp(-z * z) / ((z + fraction) * Math.sqrt(Math.PI)));
}

const normal = (x: number): number => 0.5 * (1 + erf(x * Math.SQRT1_2));
const density = (x: number): number => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
/** The sigmoid function. */
export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
const KAPPA = 0.044715;
const inner = (x: number): number => Math.sqrt(2 / Math.PI) * (x + KAPPA * x ** 3);

export const gelu: Curve = (x, { approximate }) =>
  approximate === "tanh" ? 0.5 * x * (1 + Math.tanh(inner(x))) : x * normal(x);
export function geluSlope(x: number, { approximate }: Args): number {
  if (approximate !== "tanh") return normal(x) + x * density(x);
  const t = Math.tanh(inner(x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * Math.sqrt(2 / Math.PI) * (1 + 3 * KAPPA * x * x);
}
export const silu: Curve = (x) => x * logistic(x);
export const siluSlope: Curve = (x) => logistic(x) * (1 + x * (1 - logistic(x)));
const softplusOf = (x: number): number => Math.log1p(Math.exp(-Math.abs(x))) + Math.max(x, 0);
export const mish: Curve = (x) => x * Math.tanh(softplusOf(x));
export const softplus: Curve = (x, a) => {
  const beta = numberOf(a.beta);
  return x * beta > numberOf(a.threshold) ? x : softplusOf(x * beta) / beta;
};
export const softplusSlope: Curve = (x, a) => {
  const scaled = x * numberOf(a.beta);
  return scaled > numberOf(a.threshold) ? 1 : logistic(scaled);
};
export const hardtanh: Curve = (x, a) => Math.min(Math.max(x, numberOf(a.min_val)), numberOf(a.max_val));
export const hardtanhSlope: Curve = (x, a) => (x > numberOf(a.min_val) && x < numberOf(a.max_val) ? 1 : 0);
export const hardswish: Curve = (x) => (x * Math.min(Math.max(x + 3, 0), 6)) / 6;
export const hardsigmoid: Curve = (x) => Math.min(Math.max(x + 3, 0), 6) / 6;
export const leakyRelu: Curve = (x, a) => (x > 0 ? x : x * numberOf(a.negative_slope));
export const leakyReluSlope: Curve = (x, a) => (x > 0 ? 1 : numberOf(a.slope));
export const thresholdSlope: Curve = (x, a) => (x > numberOf(a.threshold) ? 1 : 0);
export const elu: Curve = (x, a) => {
  const scale = numberOf(a.scale);
  return x > 0 ? x * scale : numberOf(a.alpha) * scale * Math.expm1(x * numberOf(a.input_scale));
};
export const eluSlope: Curve = (x, a) => {
  const [alpha, scale, inputScale] = [a.alpha, a.scale, a.input_scale].map(numberOf) as [number, number, number];
  if (x > 0) return scale;
  return a.is_result ? inputScale * (x + alpha * scale) : inputScale * alpha * scale * Math.exp(x * inputScale);
};
export const logSigmoid: Curve = (x) => -softplusOf(-x);
export const logSigmoidSlope: Curve = (x) => logistic(-x);
