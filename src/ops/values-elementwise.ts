/** Values of what is worked out element by element. */

import { isFloating } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { elementwise, knownOf, type ValueRule, type ValueRules } from "./values.ts";

const one = (f: (x: number) => number): ValueRule => elementwise(["self"], ([x]) => f(x));
const two = (f: (x: number, y: number, a: Args, result: Tensor) => number): ValueRule =>
  elementwise(["self", "other"], ([x, y], a, result) => f(x, y, a, result));
const truth = (f: (x: number, y: number) => boolean): ValueRule => two((x, y) => (f(x, y) ? 1 : 0));
const factor = (a: Args): number => (typeof a.alpha === "number" ? a.alpha : (a.alpha?.value ?? 1));

/** Ties to the even neighbour. */
function roundEven(x: number): number {
  const low = Math.floor(x);
  if (x - low !== 0.5) return Math.round(x);
  return low % 2 === 0 ? low : low + 1;
}

const remainder = (x: number, y: number): number => x - Math.floor(x / y) * y;
const whole = (f: (x: bigint, y: bigint) => bigint): ValueRule =>
  two((x, y) => Number(BigInt.asIntN(64, f(BigInt(x), BigInt(y)))));

function divide(x: number, y: number, a: Args): number {
  if (a.rounding_mode === "floor") return Math.floor(x / y);
  return a.rounding_mode === "trunc" ? Math.trunc(x / y) : x / y;
}

/** The bounds that are given, in turn; the lower one first. */
const clamp: ValueRule = (a, results, random) => {
  const bounds = ["min", "max"].filter((name) => a[name] !== null);
  return elementwise(["self", ...bounds], ([x, ...rest]) =>
    rest.reduce((v, bound, i) => (bounds[i] === "min" ? Math.max(v, bound) : Math.min(v, bound)), x),
  )(a, results, random);
};

/** Numbers that are unknown are taken to be ordinary ones. */
const ordinary =
  (f: (x: number) => boolean, usual: number): ValueRule =>
  (a, results, random) =>
    knownOf(a.self) === null ? [usual] : one((x) => (f(x) ? 1 : 0))(a, results, random);

const pick = elementwise(["condition", "self", "other"], ([c, x, y]) => (c ? x : y));
const masked = elementwise(["self", "mask", "value"], ([x, m, v]) => (m ? v : x));
const same = one((x) => x);

export const elementwiseValues: ValueRules = {
  add: two((x, y, a) => x + factor(a) * y),
  sub: two((x, y, a) => x - factor(a) * y),
  rsub: two((x, y, a) => y - factor(a) * x),
  mul: two((x, y) => x * y),
  div: two(divide),
  floor_divide: two((x, y) => Math.floor(x / y)),
  remainder: two(remainder),
  fmod: two((x, y) => x % y),
  pow: elementwise(["self", "exponent"], ([x, y]) => x ** y),
  pow_Scalar: elementwise(["self", "exponent"], ([x, y]) => x ** y),
  maximum: two((x, y) => Math.max(x, y)),
  minimum: two((x, y) => Math.min(x, y)),
  eq: truth((x, y) => x === y),
  ne: truth((x, y) => x !== y),
  lt: truth((x, y) => x < y),
  le: truth((x, y) => x <= y),
  gt: truth((x, y) => x > y),
  ge: truth((x, y) => x >= y),
  logical_and: truth((x, y) => x !== 0 && y !== 0),
  logical_or: truth((x, y) => x !== 0 || y !== 0),
  logical_xor: truth((x, y) => (x !== 0) !== (y !== 0)),
  bitwise_and: whole((x, y) => x & y),
  bitwise_or: whole((x, y) => x | y),
  bitwise_xor: whole((x, y) => x ^ y),
  bitwise_left_shift: whole((x, y) => x << y),
  bitwise_right_shift: whole((x, y) => x >> y),
  clamp,
  clamp_min: elementwise(["self", "min"], ([x, y]) => Math.max(x, y)),
  clamp_max: elementwise(["self", "max"], ([x, y]) => Math.min(x, y)),
  _where: pick,
  _masked_fill: masked,
  masked_fill_: masked,

  neg: one((x) => -x),
  abs: one(Math.abs),
  sign: one(Math.sign),
  floor: one(Math.floor),
  ceil: one(Math.ceil),
  trunc: one(Math.trunc),
  round: elementwise(["self"], ([x], a) => roundEven(x * 10 ** a.decimals) / 10 ** a.decimals),
  exp: one(Math.exp),
  expm1: one(Math.expm1),
  log: one(Math.log),
  log1p: one(Math.log1p),
  log2: one(Math.log2),
  log10: one(Math.log10),
  sqrt: one(Math.sqrt),
  rsqrt: one((x) => 1 / Math.sqrt(x)),
  reciprocal: one((x) => 1 / x),
  sin: one(Math.sin),
  cos: one(Math.cos),
  tan: one(Math.tan),
  tanh: one(Math.tanh),
  sigmoid: one((x) => 1 / (1 + Math.exp(-x))),
  relu: one((x) => Math.max(x, 0)),
  logical_not: one((x) => (x === 0 ? 1 : 0)),
  bitwise_not: elementwise(["self"], ([x], { self }) => (self.dtype.name === "bool" ? 1 - x : -x - 1)),
  isnan: ordinary(Number.isNaN, 0),
  isinf: ordinary((x) => Math.abs(x) === Infinity, 0),
  isfinite: ordinary(Number.isFinite, 1),

  clone: same,
  _to_copy: elementwise(["self"], ([x], { self }, result) =>
    isFloating(self.dtype) && !isFloating(result.dtype) && result.dtype.name !== "bool" ? Math.trunc(x) : x,
  ),
  copy_: elementwise(["src"], ([x]) => x),
  _copy_into_out: same,
  fill_: elementwise(["value"], ([v]) => v),
  zero_: () => [0],
};
