/** Functions of one tensor, element by element. */

import { BOOL, isComplex, isIntegral, toReal } from "../tensor/dtype.ts";
import { conj } from "./complex.ts";
import { minus } from "./cpp-expressions.ts";
import { elementwise, floatResult, unary } from "./pointwise.ts";
import { doubleBackward } from "./activation-gradients.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, type Ops } from "./row.ts";
import { erf, logistic } from "./values-curves.ts";
import { ofOne, ordinarily, rounded, turnedBits, withoutNans } from "./values-elementwise.ts";

const f = { float: true } as const;
const f32 = { float: true, autocast: "float32" } as const;
/** i * z / |z|^2 times the gradient, zero where z is. */
function angleGradient(grad: Tensor, self: Tensor, o: Ops): Tensor {
  const square = o.pow(o.abs(self), 2);
  const turned = o.mul(self, { scalar: "complex", value: 0 });
  const slope = o.mul(grad, o.div(turned, square));
  const nothing = o.zeros([], self.dtype, self.device);
  return o.where_self(o.eq(self, 0), nothing, slope);
}

const zero = d("self", "", ({ grad, ops: o }) => o.zeros_like(grad));

export const unaryOps = defineOps([
  {
    ...unary(
      "neg",
      d("self", "", ({ grad, ops: o }) => o.neg(grad)),
      { values: ofOne((x) => -x) },
    ),
    aliases: ["negative"],
    signs: ["__neg__"],
    forward: ({ self }, k) => {
      if (self.dtype === BOOL)
        throw new TorchError(
          "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
          k.rules.boolArithmeticError,
        );
      return elementwise(k, [self], self.dtype);
    },
  },
  {
    schema: "positive(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: positive; case elementwise/of-one-tensor",
    composite: ({ self }) => self,
  },
  unary(
    "exp",
    d("self", "result", ({ grad, saved, ops: o }) => o.mul(grad, conj(o, saved.result))),
    { ...f32, values: ofOne(Math.exp) },
  ),
  unary(
    "exp2",
    d("self", "result", ({ grad, saved, ops: o }) => o.mul(o.mul(grad, saved.result), Math.LN2)),
    { ...f, special: ["exp2"] },
  ),
  unary(
    "expm1",
    d("self", "result", ({ grad, saved, ops: o }) => o.mul(grad, o.add(saved.result, 1))),
    { special: ["expm1"], ...f32, values: ofOne(Math.expm1) },
  ),
  unary(
    "log",
    d("self", "self", ({ grad, saved, ops: o }) => o.div(grad, conj(o, saved.self))),
    { ...f32, values: ofOne(Math.log) },
  ),
  unary(
    "log1p",
    d("self", "self", ({ grad, saved, ops: o }) => o.div(grad, o.add(saved.self, 1))),
    { special: ["log1p"], ...f32, values: ofOne(Math.log1p) },
  ),
  unary(
    "log2",
    d("self", "self", ({ grad, saved, ops: o }) => o.div(grad, o.mul(saved.self, Math.LN2))),
    { ...f32, values: ofOne(Math.log2) },
  ),
  unary(
    "log10",
    d("self", "self", ({ grad, saved, ops: o }) => o.div(grad, o.mul(saved.self, Math.LN10))),
    { ...f32, values: ofOne(Math.log10) },
  ),
  unary(
    "sqrt",
    d("self", "result", ({ grad, saved, ops: o }) => o.div(grad, o.mul(conj(o, saved.result), 2))),
    { ...f, values: ofOne(Math.sqrt) },
  ),
  unary(
    "rsqrt",
    d("self", "result", ({ grad, saved, ops: o }) => {
      const cube = conj(o, o.pow(saved.result, 3));
      return o.mul(o.mul(grad, -0.5), cube);
    }),
    { ...f32, values: ofOne((x) => 1 / Math.sqrt(x)) },
  ),
  unary(
    "reciprocal",
    d("self", "result", ({ grad, saved, ops: o }) => {
      const square = conj(o, o.mul(saved.result, saved.result));
      return o.mul(o.neg(grad), square);
    }),
    { ...f32, values: ofOne((x) => 1 / x) },
  ),
  unary(
    "sin",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, conj(o, o.cos(saved.self)))),
    { ...f, values: ofOne(Math.sin) },
  ),
  unary(
    "cos",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, conj(o, o.neg(o.sin(saved.self))))),
    { ...f, values: ofOne(Math.cos) },
  ),
  unary(
    "tan",
    d("self", "result", ({ grad, saved, ops: o }) => o.mul(grad, o.add(o.pow(saved.result, 2), 1))),
    { ...f32, values: ofOne(Math.tan) },
  ),
  unary(
    "sinh",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.cosh(saved.self))),
    { ...f32, values: ofOne(Math.sinh) },
  ),
  unary(
    "cosh",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.sinh(saved.self))),
    { ...f32, values: ofOne(Math.cosh) },
  ),
  unary(
    "asin",
    d("self", "self", ({ grad, saved, ops: o }) =>
      o.mul(grad, o.rsqrt(o.add(o.mul(o.neg(saved.self), saved.self), 1))),
    ),
    { ...f32, aliases: ["arcsin"], values: ofOne(Math.asin) },
  ),
  unary(
    "acos",
    d("self", "self", ({ grad, saved, ops: o }) =>
      o.mul(grad, o.neg(o.rsqrt(o.add(o.mul(o.neg(saved.self), saved.self), 1)))),
    ),
    { ...f32, aliases: ["arccos"], values: ofOne(Math.acos) },
  ),
  unary(
    "atan",
    d("self", "self", ({ grad, saved, ops: o }) => o.div(grad, o.add(o.mul(saved.self, saved.self), 1))),
    { ...f, aliases: ["arctan"], values: ofOne(Math.atan) },
  ),
  unary(
    "tanh",
    d("self", "result", ({ grad, saved, ops: o }) => o.tanh_backward(grad, saved.result)),
    { ...f, values: ofOne(Math.tanh) },
  ),
  unary(
    "sigmoid",
    d("self", "result", ({ grad, saved, ops: o }) => o.sigmoid_backward(grad, saved.result)),
    { special: ["expit"], ...f, values: ofOne(logistic) },
  ),
  {
    schema: "logit(Tensor self, float? eps=None) -> Tensor",
    special: ["logit"],
    evidence: "derivatives.yaml: logit; case tensors/broadcasting-and-selection",
    forward: ({ self }, k) => elementwise(k, [self], floatResult([self], k)),
    inplace: true,
    derivatives: [
      d("self", "self", ({ grad, saved: { self }, gradEnabled, ops: o }) =>
        gradEnabled ? o.div(grad, o.mul(self, minus(o, 1, self))) : o.logit_backward(grad, self),
      ),
    ],
  },
  doubleBackward("logit_backward(Tensor grad, Tensor self) -> Tensor", ["grad", "self"]),
  unary(
    "erf",
    d("self", "self", ({ grad, saved, ops: o }) =>
      o.mul(o.mul(o.exp(o.neg(o.pow(saved.self, 2))), 1.1283791670955126), grad),
    ),
    { ...f, special: ["erf"], values: ofOne(erf) },
  ),
  unary(
    "erfc",
    d("self", "self", ({ grad, saved, ops: o }) =>
      o.mul(o.mul(o.exp(o.neg(o.pow(saved.self, 2))), -1.1283791670955126), grad),
    ),
    { ...f, special: ["erfc"], values: ofOne((x) => 1 - erf(x)) },
  ),
  unary(
    "erfinv",
    d("self", "self", ({ grad, saved, ops: o }) =>
      o.mul(o.mul(o.exp(o.pow(o.erfinv(saved.self), 2)), 0.8862269254527579), grad),
    ),
    { ...f32, special: ["erfinv"] },
  ),
  unary(
    "lgamma",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.digamma(saved.self))),
    { ...f, special: ["gammaln"] },
  ),
  unary("sign", zero, { values: ofOne(Math.sign) }),
  unary(
    "sgn",
    d("self", "self result", ({ grad, ops: o }) => o._efficientzerotensor(grad.sizes, grad.dtype, grad.device)),
    { values: ofOne(Math.sign) },
  ),
  unary("floor", zero, { values: ofOne(Math.floor) }),
  unary("ceil", zero, { values: ofOne(Math.ceil) }),
  unary("trunc", zero, { aliases: ["fix"], values: ofOne(Math.trunc) }),
  unary(
    "frac",
    d("self", "", ({ grad }) => grad),
  ),
  {
    schema: "round(Tensor self) -> Tensor",
    special: ["round"],
    evidence: "derivatives.yaml: round; case adapters/quantised-base",
    values: rounded,
    forward: ({ self }, k) => elementwise(k, [self]),
    inplace: true,
    derivatives: [zero],
  },
  {
    schema: "round.decimals(Tensor self, *, int decimals) -> Tensor",
    evidence: "derivatives.yaml: round.decimals",
    values: rounded,
    node: "RoundBackward1",
    forward: ({ self }, k) => elementwise(k, [self]),
    inplace: true,
    derivatives: [zero],
  },
  {
    schema: "abs(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: abs; case pooling/image-pyramid",
    values: ofOne(Math.abs),
    aliases: ["absolute"],
    signs: ["__abs__"],
    forward: ({ self }, k) => {
      const out = elementwise(k, [self], toReal(self.dtype));
      // of complex numbers it is complex first (unary_op_impl_with_complex_to_float_out)
      if (isComplex(self.dtype)) k.scratch(self.nbytes, "complex_result");
      return out;
    },
    inplace: true,
    derivatives: [d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.sgn(saved.self)))],
  },
  {
    schema: "angle(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: angle; case elementwise/less-common-functions",
    forward: ({ self }, k) =>
      elementwise(k, [self], isComplex(self.dtype) ? toReal(self.dtype) : floatResult([self], k)),
    derivatives: [
      d("self", "self", ({ grad, saved, meta, ops: o }) =>
        isComplex(meta.self.dtype) ? angleGradient(grad, saved.self, o) : o.zeros_like(grad),
      ),
    ],
  },
  {
    schema: "square(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: square; case normalization/rms-norm-by-hand",
    composite: ({ self }, o) => o.pow(self, 2),
  },
  {
    schema: "square_(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: square_; case optimizers/adafactor-muon-and-sparse",
    composite: ({ self }, o) => o.pow_(self, 2),
  },
  unary("logical_not", null, { dtype: BOOL, values: ofOne((x) => (x === 0 ? 1 : 0)) }),
  unary("bitwise_not", null, { values: turnedBits }),
  unary("isnan", null, { dtype: BOOL, inplace: false, values: ordinarily(Number.isNaN, 0) }),
  ...["signbit", "isneginf", "isposinf"].map((n) => unary(n, null, { dtype: BOOL, inplace: false })),
  {
    schema: "isinf(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: isinf; case tensors/splitting-stacking-and-distances",
    values: ordinarily((x) => Math.abs(x) === Infinity, 0),
    composite: ({ self }, o) => (isIntegral(self.dtype) ? o.zeros_like(self, BOOL) : o.eq(o.abs(self), Infinity)),
  },
  {
    schema: "isfinite(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: isfinite; case perceptrons/maxout-and-highway",
    values: ordinarily(Number.isFinite, 1),
    composite: ({ self }, o) => {
      if (isIntegral(self.dtype)) return o.ones_like(self, BOOL);
      const bounded = o.ne(o.abs(self), Infinity);
      return o.mul(o.eq(self, self), bounded);
    },
  },
  {
    schema: "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    evidence: "derivatives.yaml: nan_to_num; case perceptrons/maxout-and-highway",
    values: withoutNans,
    forward: ({ self }, k) => elementwise(k, [self]),
    inplace: true,
    derivatives: [d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.isfinite(saved.self)))],
  },
]);
