/** Arithmetic of two operands: add, sub, mul, div, pow, comparisons, logic and clamping. */

import type { TorchRules } from "../torch/changes.ts";
import { BOOL, isComplex, isIntegral, type DType } from "../tensor/dtype.ts";
import { isScalar, type Operand, resultType, type Scalar } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import {
  boundedGradient,
  boundGradientOf,
  clampBackward,
  clampBoundsBackward,
  sharedGradient,
} from "./clamp-gradients.ts";
import { nodeByOperand, nodeName } from "./node-names.ts";
import { conj, realFor } from "./complex.ts";
import { timesNegative } from "./cpp-expressions.ts";
import { comparison, elementwise, floatResult, missing } from "./pointwise.ts";
import { threeOperands } from "./three-operands.ts";
import { d, defineOps, named, type BackwardContext, type OpRow } from "./row.ts";
import { clamped, difference, divided, factor, ofBits, ofTwo, remainder, sum } from "./values-elementwise.ts";
import { elementwise as elementwiseValues } from "./values.ts";

const one = (alpha: Scalar | number | null): boolean =>
  alpha === null || alpha === 1 || (typeof alpha === "object" && alpha.value === 1);
/** maybe_multiply: no op when the factor is one. */
const times = (c: BackwardContext, grad: Tensor, alpha: Scalar): Tensor => (one(alpha) ? grad : c.ops.mul(grad, alpha));

const binary = (name: string, rest: Omit<OpRow, "schema" | "forward">, result?: (x: Operand[]) => DType): OpRow => ({
  schema: `${name}(Tensor self, Operand other) -> Tensor`,
  evidence: `${rest.derivatives ? "derivatives" : "native_functions"}.yaml: ${name}`,
  forward: ({ self, other }, k) => elementwise(k, [self, other], result?.([self, other])),
  inplace: true,
  ...rest,
});

/** Bits moved by so many places; a number on the left is an overload of its own, as a function only. Python's signs are operators of their own. */
const shift = (name: string, sign: string, moved: (x: bigint, y: bigint) => bigint): OpRow[] => [
  binary(name, { values: ofBits(moved), evidence: `native_functions.yaml: ${name}; case overloads/shifts-of-bits` }),
  {
    ...binary(`__${sign}__`, { values: ofBits(moved), inplace: false, python: "method" }),
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
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    python: "function",
    evidence: `native_functions.yaml: ${name}.Scalar_Tensor; case overloads/shifts-of-bits`,
  },
];

const zeroOf = ({ grad, ops: o }: BackwardContext): Tensor => o.scalar_tensor(0, grad.dtype, grad.device);

/** 1 / (a * a + b * b), without infinities where the version looks for them. */
function squaresReciprocal(c: BackwardContext, a: Tensor, b: Tensor): Tensor {
  const { ops: o } = c;
  const sum = (): Tensor => o.add(o.mul(a, a), o.mul(b, b));
  if (!c.rules.atan2GuardsInfinity) return c.statement(() => o.reciprocal(sum()));
  const squares = c.statement(sum);
  const recip = o.reciprocal(squares);
  if (c.gradEnabled) return c.statement(() => o.masked_fill(recip, o.eq(squares, 0), 0));
  c.statement(() => {
    o.masked_fill_(recip, o.eq(squares, 0), 0);
    return null;
  });
  return recip;
}

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

/** Bools are not subtracted (sub_check). */
function checkSubtraction(self: Tensor, other: Operand, rules: TorchRules): void {
  const isBool = (x: Operand): boolean => (isScalar(x) ? x.scalar === "bool" : x.dtype === BOOL);
  const both = isBool(self) && isBool(other);
  if (!isBool(self) && !isBool(other)) return;
  throw new TorchError(
    both
      ? "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
      : "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
    rules.boolArithmeticError,
  );
}

/** A bool raised to a bool or a whole number to a negative one has no result. */
function checkNumberPower(base: Tensor, exponent: Operand): void {
  if (isScalar(exponent) && exponent.scalar === "int" && exponent.value < 0 && isIntegral(base.dtype))
    throw new TorchError("Integers to negative integer powers are not allowed.");
}

export const arithmetic = defineOps([
  {
    schema: "add(Tensor self, Operand other, *, Scalar alpha=1) -> Tensor",
    evidence: "derivatives.yaml: add; case lifetimes/containers-of-the-library",
    values: sum,
    signs: ["__add__", "__radd__", "__iadd__"],
    takesNumbers: true,
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    inplace: true,
    derivatives: [d("self", "", ({ grad }) => grad), d("other", "", (c) => times(c, c.grad, c.args.alpha))],
  },
  {
    schema: "sub(Tensor self, Operand other, *, Scalar alpha=1) -> Tensor",
    evidence: "derivatives.yaml: sub; case lifetimes/closures-classes-and-calls",
    values: difference,
    aliases: ["subtract"],
    signs: ["__sub__", "__isub__"],
    takesNumbers: true,
    forward: ({ self, other }, k) => {
      checkSubtraction(self, other, k.rules);
      return elementwise(k, [self, other]);
    },
    inplace: true,
    derivatives: [d("self", "", ({ grad }) => grad), d("other", "", (c) => times(c, c.ops.neg(c.grad), c.args.alpha))],
  },
  {
    schema: "rsub(Tensor self, Operand other, *, Scalar alpha=1) -> Tensor",
    evidence: "derivatives.yaml: rsub; case autograd/function-that-saves-or-recomputes",
    values: ofTwo((x, y, a) => y - factor(a) * x),
    signs: ["__rsub__"],
    inside: "sub",
    node: nodeByOperand("rsub", 0, 1),
    forward: ({ self, other }, k) => {
      checkSubtraction(self, other, k.rules);
      return elementwise(k, [self, other]);
    },
    derivatives: [d("self", "", (c) => times(c, c.ops.neg(c.grad), c.args.alpha)), d("other", "", ({ grad }) => grad)],
  },
  binary("mul", {
    values: ofTwo((x, y) => x * y),
    aliases: ["multiply"],
    signs: ["__mul__", "__rmul__", "__imul__"],
    takesNumbers: true,
    derivatives: [
      d("self", "other", (c) => realFor(c, "self", c.ops.mul(c.grad, conj(c.ops, c.saved.other ?? c.args.other)))),
      d("other", "self", (c) => realFor(c, "other", c.ops.mul(c.grad, conj(c.ops, c.saved.self)))),
    ],
  }),
  {
    schema: "div(Tensor self, Operand other, *, str? rounding_mode=None) -> Tensor",
    evidence: "derivatives.yaml: div; case pooling/ceil-dilation-and-padding",
    values: ofTwo(divided),
    aliases: ["divide", "true_divide"],
    signs: ["__truediv__", "__itruediv__"],
    takesNumbers: true,
    forward: ({ self, other, rounding_mode }, k) =>
      elementwise(k, [self, other], rounding_mode === null ? floatResult([self, other], k) : undefined),
    inplace: true,
    node: ({ rounding_mode }) => nodeName("div", rounding_mode === null ? 0 : 2),
    derivatives: [
      d("self", "other", (c) => {
        const { grad, saved, args, ops: o } = c;
        if (args.rounding_mode) return o.zeros_like(grad);
        return realFor(c, "self", o.div(grad, conj(o, saved.other ?? args.other)));
      }),
      d("other", "self other", (c) => {
        const { grad, saved, args, ops: o } = c;
        const { self, other } = saved;
        if (args.rounding_mode) return o.zeros_like(grad);
        return realFor(
          c,
          "other",
          timesNegative(o, grad, () => conj(o, o.div(o.div(self, other), other))),
        );
      }),
    ],
  },
  binary("remainder", {
    values: ofTwo(remainder),
    node: nodeByOperand("remainder", 1, 0),
    signs: ["__mod__", "__imod__"],
    takesNumbers: true,
    derivatives: [
      d("self", "", ({ grad }) => grad),
      d("other", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        timesNegative(o, grad, () => o.div(self, other, "floor")),
      ),
    ],
  }),
  {
    schema: "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    evidence: "native_functions.yaml: remainder.Scalar_Tensor; case autograd/broadcast-and-contracted-operands",
    values: elementwiseValues(["self", "other"], ([x, y]) => remainder(x, y)),
    forward: ({ self, other }, k) => elementwise(k, [other, self]),
    python: "none",
    derivatives: [missing("remainder", "other")],
  },
  binary("fmod", {
    takesNumbers: true,
    values: ofTwo((x, y) => x % y),
    node: nodeByOperand("fmod", 1, 0),
    derivatives: [
      d("self", "", ({ grad }) => grad),
      d("other", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        timesNegative(o, grad, () => o.div(self, other, "trunc")),
      ),
    ],
  }),
  {
    schema: "pow(Tensor self, Operand exponent) -> Tensor",
    evidence: "derivatives.yaml: pow; case autograd/functional-and-grad",
    values: elementwiseValues(["self", "exponent"], ([x, y]) => x ** y),
    signs: ["__pow__", "__ipow__"],
    node: nodeByOperand("pow", 1, 0, "exponent"),
    // with a number as exponent the base is first brought to the common type (TORCH_META_FUNC2(pow, Tensor_Scalar))
    forward: ({ self, exponent }, k) => {
      const type = resultType([self, exponent], k.defaultDtype);
      checkNumberPower(self, exponent);
      if (isScalar(exponent) && type !== self.dtype) k.ops.to(self, type);
      return elementwise(k, [self, exponent], type);
    },
    inplace: true,
    autocast: "float32",
    derivatives: [
      d("self", "self exponent", (c) => {
        const { grad, saved, args, ops: o } = c;
        const { self } = saved;
        const e = saved.exponent ?? args.exponent;
        if (isScalar(e))
          return e.value === 0
            ? o.zeros_like(self)
            : realFor(c, "self", o.mul(grad, conj(o, o.mul(o.pow(self, { scalar: e.scalar, value: e.value - 1 }), e))));
        const slope = o.mul(grad, o.mul(e, o.pow(self, o.sub(e, 1))));
        const zero = zeroOf(c);
        return o.where_self(o.eq(e, 0), zero, slope);
      }),
      d("exponent", "self exponent result", (c) => {
        const { grad, saved, ops: o } = c;
        const { self, exponent, result } = saved;
        const flat = c.statement(() => {
          const positive = o.ge(exponent, 0);
          return o.logical_and(o.eq(self, 0), positive);
        });
        const slope = o.mul(result, o.log(self));
        const zero = zeroOf(c);
        return o.mul(grad, o.where_self(flat, zero, slope));
      }),
    ],
  },
  {
    schema: "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
    evidence: "derivatives.yaml: pow.Scalar; case indexing/even-and-odd-halves",
    values: elementwiseValues(["self", "exponent"], ([x, y]) => x ** y),
    node: "PowBackward2",
    // Pow.cpp: the base becomes a tensor on the device, but for 1, which fills
    forward: ({ self, exponent }, k) => {
      const out = elementwise(k, [exponent, self]);
      if (self.value !== 1) k.scratch(out.dtype.itemBytes, "base");
      return out;
    },
    autocast: "float32",
    python: "function",
    derivatives: [
      d("exponent", "exponent result", ({ grad, saved: { exponent, result }, args, ops: o }) =>
        args.self.value === 0
          ? o.mul(grad, o.where_self(o.ge(exponent, 0), o.zeros([], grad.dtype, grad.device), o.mul(result, -1)))
          : o.mul(grad, o.mul(result, Math.log(Math.abs(args.self.value)) + 0.5)),
      ),
    ],
  },
  binary("atan2", {
    aliases: ["arctan2"],
    values: ofTwo((y, x) => Math.atan2(y, x)),
    autocast: "promote",
    derivatives: [
      d("self other", "self other", (c) => {
        const { grad, needs, ops: o } = c;
        const { self, other } = c.saved;
        const recip = squaresReciprocal(c, self, other);
        return [
          needs.self ? o.mul(o.mul(grad, other), recip) : null,
          needs.other ? o.mul(o.mul(grad, o.neg(self)), recip) : null,
        ];
      }),
    ],
  }),
  { ...comparison("eq", (x, y) => x === y), signs: ["__eq__"], likely: 0 },
  { ...comparison("ne", (x, y) => x !== y), signs: ["__ne__"], aliases: ["not_equal"], likely: 1 },
  { ...comparison("lt", (x, y) => x < y), signs: ["__lt__"], aliases: ["less"] },
  { ...comparison("le", (x, y) => x <= y), signs: ["__le__"], aliases: ["less_equal"] },
  { ...comparison("gt", (x, y) => x > y), signs: ["__gt__"], aliases: ["greater"] },
  { ...comparison("ge", (x, y) => x >= y), signs: ["__ge__"], aliases: ["greater_equal"] },
  comparison("logical_and", (x, y) => x !== 0 && y !== 0),
  comparison("logical_or", (x, y) => x !== 0 || y !== 0),
  comparison("logical_xor", (x, y) => (x !== 0) !== (y !== 0)),
  binary("bitwise_and", {
    takesNumbers: true,
    signs: ["__and__", "__rand__", "__iand__"],
    values: ofBits((x, y) => x & y),
  }),
  binary("bitwise_or", {
    takesNumbers: true,
    signs: ["__or__", "__ror__", "__ior__"],
    values: ofBits((x, y) => x | y),
  }),
  binary("bitwise_xor", {
    takesNumbers: true,
    signs: ["__xor__", "__rxor__", "__ixor__"],
    values: ofBits((x, y) => x ^ y),
  }),
  ...shift("bitwise_left_shift", "lshift", (x, y) => x << y),
  ...shift("bitwise_right_shift", "rshift", (x, y) => x >> y),
  ...["gcd", "lcm"].map((name): OpRow => ({
    schema: `${name}(Tensor self, Tensor other) -> Tensor`,
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    inplace: true,
    evidence: `native_functions.yaml: ${name}`,
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
  ...threeOperands,
]);
