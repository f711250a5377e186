/** Values that are drawn on the CPU. What is too large to be looked at only moves the generator on; a GPU has a generator of its own. */

import { HostRandom } from "../tensor/host-random.ts";
import { LaterValues, MOST_VALUES } from "../tensor/contents.ts";
import type { Shape } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { knownOf, listed, numberOf as number, type ValueRule } from "./values.ts";

/** Element after element: how many words of the generator one takes, and what it is. */
const drawing =
  (
    words: (a: Args, result: Tensor) => number,
    draw: (random: HostRandom, a: Args, result: Tensor) => number,
  ): ValueRule =>
  (a, [result], random) => {
    if (result.device !== "cpu") return null;
    const n = result.numel;
    const taken = n * words(a, result);
    if (n <= MOST_VALUES)
      return [random.later(taken, (later) => Array.from({ length: n }, () => draw(later, a, result)))];
    random.skip(taken);
    return null;
  };

/** An argument as a number; the default where there is no such argument. */
const argument =
  (name: string | null, otherwise: number) =>
  (a: Args): number =>
    name === null ? otherwise : number(a[name]);

/** Uniform from one argument up to another: from 0 to 1 without them. */
export const uniform = (low: string | null = null, high: string | null = null): ValueRule => {
  const [from, to] = [argument(low, 0), argument(high, 1)];
  return drawing(
    (_, result) => HostRandom.wordsOf(result.dtype),
    (random, a, result) => random.uniform(result.dtype) * (to(a) - from(a)) + from(a),
  );
};

/** Normal with these arguments as mean and deviation: 0 and 1 without them. */
export const normal = (meanName: string | null = null, stdName: string | null = null): ValueRule => {
  const [mean, std] = [argument(meanName, 0), argument(stdName, 1)];
  return (a, [result], random) => {
    if (result.device !== "cpu") return null;
    const { numel: n, dtype } = result;
    if (n < HostRandom.FILLED_NORMAL) return [random.normals(n, dtype).map((v) => v * std(a) + mean(a))];
    const taken = HostRandom.wordsOfNormals(n, dtype);
    if (n <= MOST_VALUES)
      return [random.later(taken, (later) => later.normals(n, dtype).map((v) => v * std(a) + mean(a)))];
    random.skip(taken);
    return null;
  };
};

/** Whole numbers from `low` up to `high`. */
const whole = (low: (a: Args) => number, high: (a: Args, result: Tensor) => number): ValueRule =>
  drawing(
    (a, result) => HostRandom.wordsBelow(high(a, result) - low(a)),
    (random, a, result) => low(a) + random.below(high(a, result) - low(a)),
  );

const doubles = (f: (u: number, a: Args) => number): ValueRule =>
  drawing(
    () => 2,
    (random, a) => f(random.uniformDouble(), a),
  );

/** Yes or no with the probability that a tensor or a number says; one number is drawn in double, as the operator's kernel does. */
export const chance =
  (of: (a: Args) => unknown): ValueRule =>
  (a, [result], random) => {
    if (result.device !== "cpu") return null;
    const n = result.numel;
    const p = of(a);
    const isTensor = typeof p === "object" && p !== null && "sizes" in p && (p as { sizes: Shape }).sizes.length > 0;
    const known = isTensor ? listed(p) : number(p);
    if (n > MOST_VALUES || known === null) {
      random.skip(n * (isTensor ? 1 : CHANCE_WORDS));
      return null;
    }
    return [
      Array.from({ length: n }, (_, i) => {
        const drawn = isTensor ? random.word() % 2 ** 24 : 0;
        if (isTensor) return drawn / 2 ** 24 < (known as readonly number[])[i]! ? 1 : 0;
        return random.uniformDouble() < (known as number) ? 1 : 0;
      }),
    ];
  };
const CHANCE_WORDS = 2;

/** The whole numbers below `n` in an order drawn. */
export const permuted: ValueRule = ({ n }, [result], random) => {
  if (result.device !== "cpu") return null;
  const length = number(n);
  const taken = Math.max(0, length - 1) * HostRandom.wordsBelow(length);
  if (length > MOST_PERMUTED) {
    random.skip(taken);
    return null;
  }
  return [random.later(taken, (later) => order(length, later))];
};
/** The rows of a data set are put into an order, which samplers read one by one. */
const MOST_PERMUTED = 2 ** 21;

function order(length: number, random: HostRandom): number[] {
  const numbers = Array.from({ length }, (_, i) => i);
  for (let i = 0; i < length - 1; i++) {
    const j = i + random.below(length - i);
    [numbers[i], numbers[j]] = [numbers[j]!, numbers[i]!];
  }
  return numbers;
}

const LARGEST: Readonly<Record<string, number>> = {
  uint8: 2 ** 8,
  int8: 2 ** 7,
  int16: 2 ** 15,
  int32: 2 ** 31,
  int64: 2 ** 63,
};

/** Places drawn by weight, row by row; without replacement the largest of weights over exponential numbers, as PyTorch has it. */
export const byWeight: ValueRule = ({ self, num_samples: count, replacement }, [result], random) => {
  if (result.device !== "cpu") return null;
  const weights = listed(self) ?? (knownOf(self) === null ? null : Array.from({ length: self.numel }, () => 1));
  if (weights === null || weights.length > MOST_VALUES) return null;
  const width = self.sizes.at(-1)!;
  const rows = Array.from({ length: self.numel / width }, (_, row) => weights.slice(row * width, (row + 1) * width));
  if (!replacement) {
    // the numbers of all rows are drawn before any is chosen
    const rated = rows.map((row) => row.map((w) => w / -Math.log1p(-random.uniformDouble())));
    return [
      rated.flatMap((row) =>
        row
          .map((_, i) => i)
          .sort((a, b) => row[b]! - row[a]!)
          .slice(0, count),
      ),
    ];
  }
  return [
    rows.flatMap((row) => {
      const total = row.reduce((sum, w) => sum + w, 0);
      return Array.from({ length: count }, () => {
        let left = random.uniformDouble() * total;
        const found = row.findIndex((w) => (left -= w) < 0);
        return found < 0 ? row.length - 1 : found;
      });
    }),
  ];
};

/** Normal numbers, each with a mean and a deviation of its own. */
export const normalOfTensors: ValueRule = (a, results, random) => {
  const drawn = normal()(a, results, random)?.[0];
  const [mean, std] = [a.mean, a.std].map((v) => (v instanceof Tensor ? listed(v) : [number(v)]));
  if (drawn === undefined || !mean || !std) return null;
  const found = drawn instanceof LaterValues ? drawn.get() : (drawn as number[]);
  return [found.map((v, i) => v * std[i % std.length]! + mean[i % mean.length]!)];
};

export const wholeBetween = whole(argument("low", 0), argument("high", 0));
/** Without an upper bound, as many as the dtype counts exactly. */
export const wholeUpTo = whole(argument("from", 0), (a, result) =>
  a.to === undefined || a.to === null ? (LARGEST[result.dtype.name] ?? 2 ** 24) : number(a.to),
);
export const exponential = doubles((u, a) => (-1 / number(a.lambd)) * Math.log1p(-u));
export const cauchy = doubles((u, a) => number(a.median) + number(a.sigma) * Math.tan(Math.PI * (u - 0.5)));
export const geometric = doubles((u, a) => Math.ceil(Math.log(u) / Math.log1p(-number(a.p))));
