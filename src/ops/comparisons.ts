/** Two operands held against each other: comparisons, logic, bits, the larger or smaller, and clamping. */

import { cxxName } from "../tensor/cxx-names.ts";
import { BOOL, type DType, isComplex, isIntegral } from "../tensor/dtype.ts";
import { isScalar, type Operand, resultType } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import {
  boundedGradient,
  boundGradientOf,
  clampBackward,
  clampBoundsBackward,
  sharedGradient,
} from "./clamp-gradients.ts";
import { nodeByOperand } from "./node-names.ts";
import { binary, comparison, elementwise } from "./pointwise.ts";
import { type BackwardContext, d, defineOps, named, type OpRow } from "./row.ts";
import { clamped, ofBits, ofJoinedBits, ofTwo } from "./values-elementwise.ts";
import { elementwise as elementwiseValues } from "./values.ts";

/** Of bits and whole numbers: asked for as any result, then refused for other types (AT_DISPATCH_INTEGRAL_TYPES, with bool where flags have bits). */
const ofWholes =
  (kernel: string, withFlags: boolean): NonNullable<OpRow["forward"]> =>
  ({ self, other }, k) => {
    const out = elementwise(k, [self, other]);
    const type = resultType([self, other], k.defaultDtype);
    if (!isIntegral(type) || (type === BOOL && !withFlags))
      throw new TorchError(
        `"${kernel}_${out.isCuda ? "cuda" : "cpu"}" not implemented for '${cxxName(type)}'`,
        "NotImplementedError",
      );
    return out;
  };

/** Bits moved by so many places; a number on the left is an overload of its own, as a function only. Python's signs are operators of their own. */
const shift = (name: string, sign: string, moved: (x: bigint, y: bigint) => bigint): OpRow[] => [
  {
    ...binary(name, { values: ofBits(moved) }),
    forward: ofWholes(sign, false),
    evidence: `native_functions.yaml: ${name}; case overloads/shifts-of-bits`,
  },
  {
    ...binary(`__${sign}__`, { values: ofBits(moved), inplace: false, python: "method" }),
    forward: ofWholes(sign, false),
    evidence: `native_functions.yaml: __${sign}__.Tensor; case overloads/shifts-of-bits`,
  },
  {
    schema: `__i${sign}__(Tensor self, Operand other) -> Tensor`,
    evidence: `native_functions.yaml: __i${sign}__.Tensor; case overloads/shifts-of-bits`,
    mutates: ["self"],
    python: "method",
    values: ofBits(moved),
    forward: ({ self }) => self,
  },
  {
    schema: `${name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor`,
    forward: ofWholes(sign, false),
    python: "function",
    evidence: `native_functions.yaml: ${name}.Scalar_Tensor; case overloads/shifts-of-bits`,
  },
];

/** Bits of two operands joined, with Python's sign. */
const bits = (name: string, joined: (x: bigint, y: bigint) => bigint): OpRow => ({
  ...binary(`bitwise_${name}`, { takesNumbers: true, values: ofJoinedBits(joined) }),
  signs: [`__${name}__`, `__r${name}__`, `__i${name}__`],
  forward: ofWholes(`bitwise_${name}`, true),
  evidence: `native_functions.yaml: bitwise_${name}; case elementwise/joined-bits`,
});

/** Complex numbers have no order. */
const ordered =
  (name: string) =>
  (x: Operand[]): DType => {
    const type = resultType(x);
    if (isComplex(type)) throw new TorchError(`${name} not implemented for complex tensors.`);
    return type;
  };

/** Half the gradient to each side where they are equal, all of it to the chosen side elsewhere. */
const extremum = (loses: "lt" | "gt", onlyWhereShared = false): OpRow["derivatives"] => {
  const wins = loses === "lt" ? "gt" : "lt";
  const formula =
    (away: string) =>
    (c: BackwardContext): Tensor => {
      const { self, other } = c.saved;
      const { ops: o } = c;
      if (!onlyWhereShared || c.rules.tiesShareGradients)
        return sharedGradient(
          c,
          () => o.eq(self, other),
          () => named(o, away)(self, other),
        );
      const keeps = o[away === "lt" ? "ge" : "le"](self, other);
      return o.masked_fill(c.grad, o.logical_or_(keeps, o.isnan(other)), 0);
    };
  return [d("self", "self other", formula(loses)), d("other", "self other", formula(wins))];
};

export const comparisons = defineOps([
  { ...comparison("eq", (x, y) => x === y), signs: ["__eq__"], likely: 0 },
  { ...comparison("ne", (x, y) => x !== y), signs: ["__ne__"], aliases: ["not_equal"], likely: 1 },
  { ...comparison("lt", (x, y) => x < y), signs: ["__lt__"], aliases: ["less"] },
  { ...comparison("le", (x, y) => x <= y), signs: ["__le__"], aliases: ["less_equal"] },
  { ...comparison("gt", (x, y) => x > y), signs: ["__gt__"], aliases: ["greater"] },
  { ...comparison("ge", (x, y) => x >= y), signs: ["__ge__"], aliases: ["greater_equal"] },
  comparison(
    "logical_and",
    (x, y) => x !== 0 && y !== 0,
    (x) => x === 0,
  ),
  comparison(
    "logical_or",
    (x, y) => x !== 0 || y !== 0,
    (x) => x !== 0,
  ),
  comparison("logical_xor", (x, y) => (x !== 0) !== (y !== 0)),
  bits("and", (x, y) => x & y),
  bits("or", (x, y) => x | y),
  bits("xor", (x, y) => x ^ y),
  ...shift("bitwise_left_shift", "lshift", (x, y) => x << y),
  ...shift("bitwise_right_shift", "rshift", (x, y) => x >> y),
  ...["gcd", "lcm"].map((name): OpRow => ({
    schema: `${name}(Tensor self, Tensor other) -> Tensor`,
    forward: ofWholes(name, false),
    inplace: true,
    evidence: `native_functions.yaml: ${name}; case elementwise/joined-bits`,
  })),
  {
    ...binary("maximum", { derivatives: extremum("lt"), values: ofTwo((x, y) => Math.max(x, y)) }, ordered("maximum")),
    inplace: false,
  },
  {
    ...binary("minimum", { derivatives: extremum("gt"), values: ofTwo((x, y) => Math.min(x, y)) }, ordered("minimum")),
    inplace: false,
  },
  { ...binary("fmax", { derivatives: extremum("lt", true) }), inplace: false },
  { ...binary("fmin", { derivatives: extremum("gt", true) }), inplace: false },
  {
    schema: "clamp(Tensor self, Operand? min=None, Operand? max=None) -> Tensor",
    evidence: "derivatives.yaml: clamp; case tensors/in-place-and-out",
    aliases: ["clip"],
    values: clamped,
    node: ({ min, max }) => `ClampBackward${(min && !isScalar(min)) || (max && !isScalar(max)) ? 0 : 1}`,
    // numbers that widen the type bring the input to it first (TORCH_META_FUNC(clamp))
    forward: ({ self, min, max }, k) => {
      if (min === null && max === null)
        throw new TorchError("torch.clamp: At least one of 'min' or 'max' must not be None");
      const type = resultType(
        [self, min, max].filter((x): x is Operand => x !== null),
        k.defaultDtype,
      );
      const numbers = !(min && !isScalar(min)) && !(max && !isScalar(max));
      if (numbers && type !== self.dtype) k.ops.to(self, type);
      return elementwise(k, [self, min, max], type);
    },
    inplace: true,
    derivatives: [d("self", "self min max", clampBackward), d("min max", "self min max", clampBoundsBackward)],
  },
  {
    schema: "clamp_min(Tensor self, Operand min) -> Tensor",
    evidence: "derivatives.yaml: clamp_min; case normalization/written-out",
    values: elementwiseValues(["self", "min"], ([x, y]) => Math.max(x, y)),
    node: nodeByOperand("clamp_min", 1, 0, "min"),
    forward: ({ self, min }, k) => elementwise(k, [self, min]),
    inplace: true,
    derivatives: [
      d("self", "self min", (c) => boundedGradient(c, "min")),
      d("min", "self min", (c) => boundGradientOf(c, "min")),
    ],
  },
  {
    schema: "clamp_max(Tensor self, Operand max) -> Tensor",
    evidence: "derivatives.yaml: clamp_max; case optimizers/clipping",
    values: elementwiseValues(["self", "max"], ([x, y]) => Math.min(x, y)),
    node: nodeByOperand("clamp_max", 1, 0, "max"),
    forward: ({ self, max }, k) => elementwise(k, [self, max]),
    inplace: true,
    derivatives: [
      d("self", "self max", (c) => boundedGradient(c, "max")),
      d("max", "self max", (c) => boundGradientOf(c, "max")),
    ],
  },
]);
