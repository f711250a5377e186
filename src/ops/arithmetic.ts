/** Arithmetic of two operands: add, sub, mul, div, remainders, pow and atan2. */

import type { TorchRules } from "../torch/changes.ts";
import { BOOL, isIntegral } from "../tensor/dtype.ts";
import { isScalar, NUMBER_BYTES, type Operand, resultType, type Scalar } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { nodeByOperand, nodeName } from "./node-names.ts";
import { conj, realFor } from "./complex.ts";
import { timesNegative } from "./cpp-expressions.ts";
import { binary, elementwise, floatResult, missing } from "./pointwise.ts";
import { threeOperands } from "./three-operands.ts";
import { d, defineOps, type BackwardContext } from "./row.ts";
import { difference, divided, factor, ofTwo, remainder, sum } from "./values-elementwise.ts";
import { elementwise as elementwiseValues } from "./values.ts";

const one = (alpha: Scalar | number | null): boolean =>
  alpha === null || alpha === 1 || (typeof alpha === "object" && alpha.value === 1);
/** maybe_multiply: no op when the factor is one. */
const times = (c: BackwardContext, grad: Tensor, alpha: Scalar): Tensor => (one(alpha) ? grad : c.ops.mul(grad, alpha));

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
      if (self.value !== 1) k.scratch(NUMBER_BYTES[self.scalar as Scalar["scalar"]], "base");
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
  ...threeOperands,
]);
