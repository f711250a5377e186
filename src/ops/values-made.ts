/** What tensors hold that are made from nothing. */

import { numberOf, stepsOf, type ValueRule } from "./values.ts";

export const zeros: ValueRule = () => [0];
export const ones: ValueRule = () => [1];

/** One number throughout: the argument of that name. */
export const filledWith =
  (name: string): ValueRule =>
  (a) => [numberOf(a[name])];

export const identityMatrix: ValueRule = (_, [result]) => [
  stepsOf(result, (i) => (Math.floor(i / result.sizes[1]) === i % result.sizes[1] ? 1 : 0)),
];

export const inSteps: ValueRule = (a, [result]) => {
  const [start, step] = [numberOf(a.start), a.step === undefined ? 1 : numberOf(a.step)];
  return [stepsOf(result, (i) => start + i * step)];
};

export const evenly: ValueRule = (a, [result]) => {
  const [from, to] = [numberOf(a.start), numberOf(a.end)];
  return [stepsOf(result, (i) => (a.steps > 1 ? from + ((to - from) * i) / (a.steps - 1) : from))];
};

/** Powers of `base` whose exponents are evenly apart. */
export const powersEvenly: ValueRule = (a, results, random) => {
  const exponents = evenly(a, results, random)![0] as readonly number[] | null;
  return [exponents && exponents.map((v) => a.base ** v)];
};
