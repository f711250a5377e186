/** What results hold that are worked out element by element: the rules that rows name. */

import { BOOL, isFloating } from "../tensor/dtype.ts";
import { isScalar, type Operand } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { elementwise, knownOf, type ValueRule } from "./values.ts";

/** A function of `self`. */
export const ofOne = (f: (x: number) => number): ValueRule => elementwise(["self"], ([x]) => f(x));
/** A function of `self` and `other`. */
export const ofTwo = (f: (x: number, y: number, a: Args) => number): ValueRule =>
  elementwise(["self", "other"], ([x, y], a) => f(x, y, a));
/**
 * The same where one operand is known throughout and decides alone, whatever the other holds: `unknown & False` is False. `decides` is
 * asked for its elements.
 */
const orDecided =
  (rule: ValueRule, decides: (x: number, result: Tensor) => boolean, made: (x: number) => number): ValueRule =>
  (a, results, random) => {
    const all = rule(a, results, random);
    if (all !== null) return all;
    for (const operand of [a.self, a.other] as Operand[]) {
      const x = isScalar(operand) ? operand.value : oneOf(operand);
      if (typeof x === "number" && decides(x, results[0]!)) return [made(x)];
    }
    return null;
  };
/** The number that all elements are, where they are known and one. */
function oneOf(t: Tensor): number | null {
  if (t.fill !== null) return t.fill;
  const { values } = t;
  return values !== null && values.length > 0 && values.every((x) => x === values[0]) ? values[0]! : null;
}
/** Truths joined: false decides an `and`, true an `or`. */
export const ofTruths = (holds: (x: number, y: number) => boolean, decides?: (x: number) => boolean): ValueRule => {
  const rule = ofTwo((x, y) => (holds(x, y) ? 1 : 0));
  return decides ? orDecided(rule, decides, (x) => (x === 0 ? 0 : 1)) : rule;
};
/** Two whole numbers as int64. */
export const ofBits = (f: (x: bigint, y: bigint) => bigint): ValueRule =>
  ofTwo((x, y) => Number(BigInt.asIntN(64, f(BigInt(x), BigInt(y)))));
/** Bits joined: an operand decides that comes out the same whether the other has no bit or every bit. */
export const ofJoinedBits = (joined: (x: bigint, y: bigint) => bigint): ValueRule =>
  orDecided(
    ofBits(joined),
    (x, { dtype }) => [0n, dtype === BOOL ? 1n : -1n].every((y) => joined(BigInt(x), y) === BigInt(x)),
    (x) => x,
  );

/** What `other` is multiplied by. */
export const factor = (a: Args): number => (typeof a.alpha === "number" ? a.alpha : (a.alpha?.value ?? 1));

/** Ties to the even neighbour. */
function roundEven(x: number): number {
  const low = Math.floor(x);
  if (x - low !== 0.5) return Math.round(x);
  return low % 2 === 0 ? low : low + 1;
}

export const sum = ofTwo((x, y, a) => x + factor(a) * y);
export const difference = ofTwo((x, y, a) => x - factor(a) * y);
/** With the sign of the divisor, as Python has it. */
export const remainder = (x: number, y: number): number => x - Math.floor(x / y) * y;

/** A quotient, rounded as asked. */
export function divided(x: number, y: number, a: Args): number {
  if (a.rounding_mode === "floor") return Math.floor(x / y);
  return a.rounding_mode === "trunc" ? Math.trunc(x / y) : x / y;
}

/** The bounds that are given, in turn; the lower one first. */
export const clamped: ValueRule = (a, results, random) => {
  const bounds = ["min", "max"].filter((name) => a[name] !== null);
  return elementwise(["self", ...bounds], ([x, ...rest]) =>
    rest.reduce((v, bound, i) => (bounds[i] === "min" ? Math.max(v, bound) : Math.min(v, bound)), x),
  )(a, results, random);
};

/** Numbers that are unknown are taken to be ordinary ones. */
export const ordinarily =
  (f: (x: number) => boolean, usual: number): ValueRule =>
  (a, results, random) =>
    knownOf(a.self) === null ? [usual] : ofOne((x) => (f(x) ? 1 : 0))(a, results, random);

export const maskFilled = elementwise(["self", "mask", "value"], ([x, m, v]) => (m ? v : x));
export const same = ofOne((x) => x);
export const rounded = elementwise(
  ["self"],
  ([x], a) => roundEven(x * 10 ** (a.decimals ?? 0)) / 10 ** (a.decimals ?? 0),
);
export const turnedBits = elementwise(["self"], ([x], { self }) => (self.dtype === BOOL ? 1 - x : -x - 1));
/** In another dtype: whole numbers lose what is behind the point. */
export const converted = elementwise(["self"], ([x], { self }, result) =>
  isFloating(self.dtype) && !isFloating(result.dtype) && result.dtype !== BOOL ? Math.trunc(x) : x,
);

/** NaNs replaced; what the largest number of a dtype would replace is not said. */
export const withoutNans: ValueRule = (a, results, random) => {
  const known = knownOf(a.self);
  const each = typeof known === "number" ? [known] : known;
  if (each?.some((x) => Math.abs(x) === Infinity)) return null;
  return ofOne((x) => (Number.isNaN(x) ? (a.nan ?? 0) : x))(a, results, random);
};
