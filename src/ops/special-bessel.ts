/**
 * Bessel, zeta, incomplete gamma and polynomial functions, and what takes a number apart into mantissa and exponent. Gradients after
 * tools/autograd/derivatives.yaml and FunctionsManual.cpp (i1_backward, i1e_backward).
 */

import { INT32, isFloating } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { elementwise, floatResult, unary } from "./pointwise.ts";
import { d, defineOps, type BackwardContext, type OpRow } from "./row.ts";

/** A Python number. */
const TWO = { scalar: "float", value: 2 } as const;
const apart = { float: true, inplace: false, python: "none" } as const;

/** Names behind `torch.special.` of functions without a gradient. */
const OF_ONE =
  `airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1
scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0`.split(/\s+/);
const POLYNOMIALS =
  `chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w hermite_polynomial_h
hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u
shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w`.split(/\s+/);

const notImplemented = (what: string) =>
  d("self", "", () => {
    throw new TorchError(`the derivative for '${what}' is not implemented.`, "NotImplementedError");
  });

/** exp((self - 1) * log(other) - other - lgamma(self)), times the gradient or what is opposite to it. */
const incompleteGamma = (c: BackwardContext, opposite: boolean): Tensor => {
  const { saved, ops: o } = c;
  const { self, other } = saved;
  const grad = opposite ? o.neg(c.grad) : c.grad;
  const weighted = o.mul(o.sub(self, 1), o.log(other));
  return o.mul(grad, o.exp(o.sub(o.sub(weighted, other), o.lgamma(self))));
};

const gamma = (name: string, opposite: boolean): OpRow => ({
  special: [name.replace("igamma", "gammainc")],
  schema: `${name}(Tensor self, Tensor other) -> Tensor`,
  evidence: `derivatives.yaml: ${name}; case elementwise/special-functions`,
  forward: ({ self, other }, k) => elementwise(k, [self, other], floatResult([self, other], k)),
  inplace: true,
  // the other operand's formula runs first
  derivatives: [d("other", "self other", (c) => incompleteGamma(c, opposite)), notImplemented(`${name}: input`)],
});

/** The slope where the input is not tiny, one half elsewhere; `slope` of the input without tiny numbers. */
function awayFromZero(c: BackwardContext, slope: (safe: Tensor) => Tensor): Tensor {
  const { grad, saved, ops: o } = c;
  const { self } = saved;
  const filled = (value: number): Tensor => o.full([], value, self.dtype, self.device);
  const large = c.statement(() => o.gt(o.abs(self), 1e-7));
  const safe = c.statement(() => o.where_self(large, self, filled(1e-7)));
  const found = c.statement(() => slope(safe));
  return o.mul(grad, o.where_self(large, found, filled(0.5)));
}

export const besselOps = defineOps([
  ...OF_ONE.map((name) => unary(`special_${name}`, null, apart)),
  ...POLYNOMIALS.map((name): OpRow => ({
    schema: `special_${name}(Tensor x, Operand n) -> Tensor`,
    evidence: "recorded from 1.13 to 2.14; case elementwise/special-functions",
    forward: ({ x, n }, k) => elementwise(k, [x, n], floatResult([x, n], k)),
    python: "none",
  })),
  unary(
    "i0",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.special_i1(saved.self))),
    { float: true, special: ["i0"] },
  ),
  unary(
    "special_i0e",
    d("self", "self result", ({ grad, saved, ops: o }) =>
      o.mul(grad, o.sub(o.special_i1e(saved.self), o.mul(o.sgn(saved.self), saved.result))),
    ),
    apart,
  ),
  unary(
    "special_i1",
    d("self", "self result", (c) => {
      const { ops: o, saved } = c;
      return awayFromZero(c, (safe) => o.sub(o.i0(safe), o.mul(saved.result, o.reciprocal(safe))));
    }),
    apart,
  ),
  unary(
    "special_i1e",
    d("self", "self result", (c) => {
      const { ops: o, saved } = c;
      return awayFromZero(c, (safe) =>
        o.sub(o.special_i0e(safe), o.mul(saved.result, o.add(o.sgn(safe), o.reciprocal(safe)))),
      );
    }),
    apart,
  ),
  unary(
    "special_ndtri",
    d("self", "result", ({ grad, saved, ops: o }) => {
      const scaled = o.mul(grad, 2.5066282746310002);
      return o.mul(scaled, o.exp(o.div(o.pow(saved.result, 2), 2)));
    }),
    apart,
  ),
  {
    schema: "special_zeta(Tensor self, Operand other) -> Tensor",
    evidence: "derivatives.yaml: special_zeta; case elementwise/special-functions",
    forward: ({ self, other }, k) => elementwise(k, [self, other], floatResult([self, other], k)),
    python: "none",
    derivatives: [
      d("other", "self other", ({ grad, saved, ops: o }) => {
        const opposite = o.mul(grad, o.neg(saved.self));
        return o.mul(opposite, o.special_zeta(o.add(saved.self, 1), saved.other));
      }),
      notImplemented("zeta"),
    ],
  },
  gamma("igamma", false),
  gamma("igammac", true),
  {
    schema: "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    evidence: "derivatives.yaml: frexp.Tensor; case elementwise/special-functions",
    forward: ({ self }, k) => [k.like(self), k.like(self, INT32)],
    node: "FrexpBackward0",
    derivatives: [d("self", "exponent", ({ grad, saved, ops: o }) => o.div(grad, o.exp2(saved.exponent)))],
  },
  {
    // PyTorch 2.11 made it an operator with a gradient of its own
    schema: "ldexp(Tensor self, Tensor other) -> Tensor",
    evidence: "recorded from 1.13 to 2.14; case elementwise/special-functions",
    composite: ({ self, other }, o, c) =>
      c.rules.ldexpIsOperator && isFloating(self.dtype) ? o._ldexp(self, other) : o.mul(self, o.pow_Scalar(TWO, other)),
  },
  {
    schema: "_ldexp(Tensor self, Tensor other) -> Tensor",
    evidence: "recorded from 2.11 to 2.14; case elementwise/special-functions",
    python: "none",
    forward: ({ self, other }, k) => {
      // only whole exponents are added to those of the numbers
      if (isFloating(other.dtype)) k.ops.pow_Scalar(TWO, other);
      return elementwise(k, [self, other], floatResult([self, other], k));
    },
    node: "LdexpBackward0",
    derivatives: [
      d("self", "other", ({ grad, saved, ops: o }) => o.mul(grad, o.pow_Scalar(TWO, saved.other))),
      d("other", "result", ({ grad, saved, ops: o }) => o.mul(o.mul(grad, saved.result), Math.LN2)),
    ],
  },
]);
