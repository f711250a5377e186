/** Arithmetic of two operands: add, sub, mul, div, pow, comparisons, logic, clamping and selection. */

import { BOOL, isFloating, isIntegral, type DType, dtype as dtypeOf } from "../tensor/dtype.ts";
import { isScalar, type Operand, resultType } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { clampBackward, clampBoundsBackward, sharedGradient } from "./clamp-gradients.ts";
import { comparison, elementwise, floatResult } from "./pointwise.ts";
import { type BackwardContext, d, defineOps, type OpRow, type Ops } from "./row.ts";

const one = (alpha: { value: number } | number | null): boolean =>
  alpha === null || alpha === 1 || (typeof alpha === "object" && alpha.value === 1);
/** maybe_multiply: no op when the factor is one. */
const times = (c: BackwardContext, grad: Tensor, alpha: { value: number }): Tensor =>
  one(alpha) ? grad : c.ops.mul(grad, alpha);

const binary = (name: string, rest: Omit<OpRow, "schema" | "forward">, result?: (x: Operand[]) => DType): OpRow => ({
  schema: `${name}(Tensor self, Operand other) -> Tensor`,
  forward: ({ self, other }, k) => elementwise(k, [self, other], result?.([self, other])),
  inplace: true,
  ...rest,
});

const zeroOf = ({ grad, ops: o }: BackwardContext): Tensor => o.scalar_tensor(0, grad.dtype.name, grad.device);

/** -grad * factor; C++ makes the factor first. */
const timesNegative = (o: Ops, grad: Tensor, factor: () => Tensor): Tensor => {
  const right = factor();
  return o.mul(o.neg(grad), right);
};

/** 1 / (a * a + b * b), without infinities where the version looks for them. */
function squaresReciprocal(c: BackwardContext, a: Tensor, b: Tensor): Tensor {
  const { ops: o } = c;
  const sum = (): Tensor => o.add(o.mul(a, a), o.mul(b, b));
  if (!c.rules.atan2GuardsInfinity) return c.statement(() => o.reciprocal(sum()));
  const squares = c.statement(sum);
  const recip = o.reciprocal(squares);
  c.statement(() => {
    o.masked_fill_(recip, o.eq(squares, 0), 0);
    return null;
  });
  return recip;
}

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
          () => o[away](self, other),
        );
      const keeps = o[away === "lt" ? "ge" : "le"](self, other);
      return o.masked_fill(c.grad, o.logical_or_(keeps, o.isnan(other)), 0);
    };
  return [d("self", "self other", formula(loses)), d("other", "self other", formula(wins))];
};

/** A bool raised to a bool or a whole number to a negative one has no result. */
function checkNumberPower(base: Tensor, exponent: Operand): void {
  if (isScalar(exponent) && exponent.scalar === "int" && exponent.value < 0 && isIntegral(base.dtype))
    throw new TorchError("Integers to negative integer powers are not allowed.");
}

export const arithmetic = defineOps([
  {
    schema: "add(Tensor self, Operand other, *, Scalar alpha=1) -> Tensor",
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    inplace: true,
    derivatives: [d("self", "", ({ grad }) => grad), d("other", "", (c) => times(c, c.grad, c.args.alpha))],
  },
  {
    schema: "sub(Tensor self, Operand other, *, Scalar alpha=1) -> Tensor",
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    inplace: true,
    derivatives: [d("self", "", ({ grad }) => grad), d("other", "", (c) => times(c, c.ops.neg(c.grad), c.args.alpha))],
  },
  {
    schema: "rsub(Tensor self, Operand other, *, Scalar alpha=1) -> Tensor",
    node: ({ other }) => `RsubBackward${isScalar(other) ? 1 : 0}`,
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    derivatives: [d("self", "", (c) => times(c, c.ops.neg(c.grad), c.args.alpha)), d("other", "", ({ grad }) => grad)],
  },
  binary("mul", {
    derivatives: [
      d("self", "other", ({ grad, saved, args, ops: o }) => o.mul(grad, saved.other ?? args.other)),
      d("other", "self", ({ grad, saved, ops: o }) => o.mul(grad, saved.self)),
    ],
  }),
  {
    schema: "div(Tensor self, Operand other, *, str? rounding_mode=None) -> Tensor",
    forward: ({ self, other, rounding_mode }, k) =>
      elementwise(k, [self, other], rounding_mode === null ? floatResult([self, other]) : undefined),
    inplace: true,
    derivatives: [
      d("self", "other", ({ grad, saved, args, ops: o }) =>
        args.rounding_mode ? o.zeros_like(grad) : o.div(grad, saved.other ?? args.other),
      ),
      d("other", "self other", ({ grad, saved: { self, other }, args, ops: o }) =>
        args.rounding_mode ? o.zeros_like(grad) : timesNegative(o, grad, () => o.div(o.div(self, other), other)),
      ),
    ],
  },
  binary("remainder", {
    derivatives: [
      d("self", "", ({ grad }) => grad),
      d("other", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        o.mul(o.neg(grad), o.div(self, other, "floor")),
      ),
    ],
  }),
  binary("fmod", {
    derivatives: [
      d("self", "", ({ grad }) => grad),
      d("other", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        o.mul(o.neg(grad), o.div(self, other, "trunc")),
      ),
    ],
  }),
  {
    schema: "pow(Tensor self, Operand exponent) -> Tensor",
    node: ({ exponent }) => `PowBackward${isScalar(exponent) ? 0 : 1}`,
    // with a number as exponent the base is first brought to the common type (TORCH_META_FUNC2(pow, Tensor_Scalar))
    forward: ({ self, exponent }, k) => {
      const type = resultType([self, exponent]);
      checkNumberPower(self, exponent);
      if (isScalar(exponent) && type !== self.dtype) k.ops.to(self, type.name);
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
            : o.mul(grad, o.mul(o.pow(self, { scalar: e.scalar, value: e.value - 1 }), e));
        const slope = o.mul(grad, o.mul(e, o.pow(self, o.sub(e, 1))));
        const zero = zeroOf(c);
        return o._where(o.eq(e, 0), zero, slope);
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
        return o.mul(grad, o._where(flat, zero, slope));
      }),
    ],
  },
  {
    schema: "pow_scalar(Scalar self, Tensor exponent) -> Tensor",
    node: "PowBackward2",
    forward: ({ self, exponent }, k) => elementwise(k, [exponent, self]),
    autocast: "float32",
    python: "none",
    derivatives: [
      d("exponent", "exponent result", ({ grad, saved: { exponent, result }, args, ops: o }) =>
        args.self.value === 0
          ? o.mul(grad, o.where(o.ge(exponent, 0), o.zeros([], grad.dtype.name, grad.device), o.mul(result, -1)))
          : o.mul(grad, o.mul(result, Math.log(Math.abs(args.self.value)) + 0.5)),
      ),
    ],
  },
  binary("atan2", {
    autocast: "promote",
    derivatives: [
      d("self other", "self other", (c) => {
        const { grad, needs, ops: o } = c;
        const { self, other } = c.saved;
        const recip = squaresReciprocal(c, self, other);
        return [
          needs.self ? o.mul(grad, o.mul(other, recip)) : null,
          needs.other ? o.mul(grad, o.mul(o.neg(self), recip)) : null,
        ];
      }),
    ],
  }),
  ...["eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"].map(comparison),
  ...["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"].map((n) =>
    binary(n, {}),
  ),
  { ...binary("maximum", { derivatives: extremum("lt") }), inplace: false },
  { ...binary("minimum", { derivatives: extremum("gt") }), inplace: false },
  { ...binary("fmax", { derivatives: extremum("lt", true) }), inplace: false },
  { ...binary("fmin", { derivatives: extremum("gt", true) }), inplace: false },
  {
    schema: "clamp(Tensor self, Operand? min=None, Operand? max=None) -> Tensor",
    node: ({ min, max }) => `ClampBackward${(min && !isScalar(min)) || (max && !isScalar(max)) ? 0 : 1}`,
    // numbers that widen the type bring the input to it first (TORCH_META_FUNC(clamp))
    forward: ({ self, min, max }, k) => {
      const type = resultType([self, min, max].filter((x): x is Operand => x !== null));
      const numbers = !(min && !isScalar(min)) && !(max && !isScalar(max));
      if (numbers && type !== self.dtype) k.ops.to(self, type.name);
      return elementwise(k, [self, min, max], type);
    },
    inplace: true,
    derivatives: [d("self", "self min max", clampBackward), d("min max", "self min max", clampBoundsBackward)],
  },
  {
    schema: "clamp_min(Tensor self, Operand min) -> Tensor",
    forward: ({ self, min }, k) => elementwise(k, [self, min]),
    inplace: true,
    derivatives: [
      d("self", "self min", (c) => {
        const zero = zeroOf(c);
        return c.ops._where(c.ops.ge(c.saved.self, c.saved.min ?? c.args.min), c.grad, zero);
      }),
      d("min", "self min", (c) => {
        const zero = zeroOf(c);
        return c.ops._where(c.ops.ge(c.saved.self, c.saved.min), zero, c.grad);
      }),
    ],
  },
  {
    schema: "clamp_max(Tensor self, Operand max) -> Tensor",
    forward: ({ self, max }, k) => elementwise(k, [self, max]),
    inplace: true,
    derivatives: [
      d("self", "self max", (c) => {
        const zero = zeroOf(c);
        return c.ops._where(c.ops.le(c.saved.self, c.saved.max ?? c.args.max), c.grad, zero);
      }),
      d("max", "self max", (c) => {
        const zero = zeroOf(c);
        return c.ops._where(c.ops.le(c.saved.self, c.saved.max), zero, c.grad);
      }),
    ],
  },
  {
    schema: "_where(Tensor condition, Tensor self, Tensor other) -> Tensor",
    forward: ({ condition, self, other }, k) => {
      const type = resultType([self, other]);
      for (const t of [self, other]) if (t.dtype !== type) k.scratch(t.numel * type.itemBytes, "where_cast");
      return elementwise(k, [condition, self, other], type);
    },
    node: "WhereBackward0",
    python: "none",
    derivatives: [
      d("self", "condition", ({ grad, saved, ops: o }) => o.where(saved.condition, grad, 0)),
      d("other", "condition", ({ grad, saved, ops: o }) => o.where(saved.condition, 0, grad)),
    ],
  },
  {
    // a number becomes a 0-dim tensor on the condition's device: 512 bytes (seen as 4-byte blocks in real traces)
    schema: "where(Tensor condition, Operand self, Operand other) -> Tensor",
    composite: ({ condition, self, other }, o) => {
      if (!isScalar(self) && !isScalar(other)) return o._where(condition, self, other);
      const type = resultType([self, other]).name;
      const lift = (x: Operand): Tensor =>
        isScalar(x) ? o.scalar_tensor(x, type, condition.device) : x.dtype.name === type ? x : o.to(x, type);
      // argument conversions of the C++ overloads: the number last, after the tensor's cast
      if (isScalar(self) && !isScalar(other)) {
        const s = lift(self);
        return o._where(condition, s, lift(other));
      }
      const second = lift(other);
      return o._where(condition, lift(self), second);
    },
  },
  {
    schema: "masked_fill(Tensor self, Tensor mask, Operand value) -> Tensor",
    composite: ({ self, mask, value }, o) => o._masked_fill(self, mask, value),
  },
  {
    schema: "_masked_fill(Tensor self, Tensor mask, Operand value) -> Tensor",
    forward: ({ self, mask }, k) => elementwise(k, [self, mask], self.dtype),
    inplace: true,
    node: "MaskedFillBackward0",
    python: "none",
    derivatives: [
      d("self", "mask", ({ grad, saved, ops: o }) => o.masked_fill(grad, saved.mask, 0)),
      d("value", "mask", ({ grad, saved, ops: o }) => o.sum(o.where(saved.mask, grad, 0))),
    ],
  },
  {
    schema: "masked_fill_(Tensor self, Tensor mask, Operand value) -> Tensor",
    mutates: ["self"],
    forward: ({ self }) => self,
    node: "MaskedFillBackward0",
    derivatives: [
      d("self", "mask", ({ grad, saved, ops: o }) => o.masked_fill(grad, saved.mask, 0)),
      d("value", "mask", ({ grad, saved, ops: o }) => o.sum(o.where(saved.mask, grad, 0))),
    ],
  },
  {
    schema: "lerp(Tensor self, Tensor end, Operand weight) -> Tensor",
    forward: ({ self, end, weight }, k) => elementwise(k, [self, end, weight], self.dtype),
    inplace: true,
    derivatives: [
      d("self", "weight", ({ grad, saved, args, ops: o }) =>
        saved.weight ? o.mul(grad, o.rsub(saved.weight, 1)) : o.mul(grad, 1 - args.weight.value),
      ),
      d("end", "weight", ({ grad, saved, args, ops: o }) => o.mul(grad, saved.weight ?? args.weight)),
      d("weight", "self end", ({ grad, saved: { self, end }, ops: o }) => o.mul(grad, o.sub(end, self))),
    ],
  },
  {
    schema: "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    forward: ({ self, tensor1, tensor2 }, k) => elementwise(k, [self, tensor1, tensor2]),
    inplace: true,
    autocast: "promote",
    derivatives: [
      d("self", "", ({ grad }) => grad),
      // the factor is applied also where it is one
      d("tensor1", "tensor2", ({ grad, saved, args, ops: o }) => o.mul(grad, o.mul(saved.tensor2, args.value))),
      d("tensor2", "tensor1", ({ grad, saved, args, ops: o }) => o.mul(grad, o.mul(saved.tensor1, args.value))),
    ],
  },
  {
    schema: "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    forward: ({ self, tensor1, tensor2 }, k) => elementwise(k, [self, tensor1, tensor2]),
    inplace: true,
    autocast: "promote",
    derivatives: [
      d("self", "", ({ grad }) => grad),
      d("tensor1", "tensor2", ({ grad, saved, args, ops: o }) => o.mul(grad, o.div(args.value, saved.tensor2))),
      d("tensor2", "tensor1 tensor2", ({ grad, saved: { tensor1, tensor2 }, args, ops: o }) =>
        o.mul(o.neg(grad), o.div(o.mul(tensor1, args.value), o.mul(tensor2, tensor2))),
      ),
    ],
  },
  {
    schema: "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
    composite: ({ self, other }, o, c) => {
      const close = o.eq(self, other);
      if (!isFloating(self.dtype)) return close;
      const allowed = c.statement(() => o.add(o.abs(o.mul(other, 1e-5)), 1e-8));
      const actual = c.statement(() => o.abs(o.sub(self, other)));
      o.logical_or_(close, o.logical_and_(o.isfinite(actual), o.le(actual, allowed)));
      return close;
    },
  },
  {
    schema: "bernoulli(Tensor self) -> Tensor",
    forward: ({ self }, k) => k.like(self),
    inplace: false,
  },
  {
    schema: "hypot(Tensor self, Tensor other) -> Tensor",
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    inplace: true,
    derivatives: [
      d("self", "self result", ({ grad, saved: { self, result }, ops: o }) => o.div(o.mul(grad, self), result)),
      d("other", "other result", ({ grad, saved: { other, result }, ops: o }) => o.div(o.mul(grad, other), result)),
    ],
  },
  {
    schema: "isin(Tensor elements, Tensor test_elements) -> Tensor",
    forward: ({ elements }, k) => k.output(elements.sizes, BOOL),
  },
  {
    schema: "logaddexp(Tensor self, Tensor other) -> Tensor",
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    derivatives: [
      d("self", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        o.div(grad, o.add(o.exp(o.sub(other, self)), 1)),
      ),
      d("other", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        o.div(grad, o.add(o.exp(o.sub(self, other)), 1)),
      ),
    ],
  },
  {
    schema: "complex(Tensor real, Tensor imag) -> Tensor",
    forward: ({ real, imag }, k) =>
      elementwise(k, [real, imag], dtypeOf(real.dtype.name === "float64" ? "complex128" : "complex64")),
    python: "function",
    derivatives: [d("real", "", ({ grad, ops: o }) => o.real(grad)), d("imag", "", ({ grad, ops: o }) => o.imag(grad))],
  },
  {
    schema: "polar(Tensor abs, Tensor angle) -> Tensor",
    forward: ({ abs, angle }, k) =>
      elementwise(k, [abs, angle], dtypeOf(abs.dtype.name === "float64" ? "complex128" : "complex64")),
    python: "function",
  },
]);
