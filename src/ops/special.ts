/** Less common functions of one or two tensors: inverse hyperbolic, gamma, Bessel and error functions, angles, scaling by powers of two. */

import { nodeName } from "./node-names.ts";
import { BOOL, isComplex, isIntegral } from "../tensor/dtype.ts";
import { isScalar, type Operand, resultType } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { minus } from "./cpp-expressions.ts";
import { elementwise, floatResult, missing, unary } from "./pointwise.ts";
import { d, defineOps, named, type BackwardContext, type Derivative, type OpRow } from "./row.ts";
import { ofTwo } from "./values-elementwise.ts";

const float = { float: true } as const;
/** In place they are rows of their own. */
const onlyApart = { float: true, inplace: false } as const;
const special = { float: true, inplace: false, python: "none" } as const;

const two = (name: string, derivatives: readonly Derivative[], operand = "Tensor"): OpRow => ({
  schema: `${name}(Tensor self, ${operand} other) -> Tensor`,
  evidence: `derivatives.yaml: ${name}`,
  forward: ({ self, other }, k) => elementwise(k, [self, other], floatResult([self, other], k)),
  python: name.startsWith("special_") ? "none" : "both",
  derivatives,
});

const notImplemented = (what: string): TorchError =>
  new TorchError(`the derivative for '${what}' is not implemented.`, "NotImplementedError");

/** In place these have no gradient. */
const withoutGradient = ["asinh", "acosh", "atanh"].map((name): OpRow => ({
  schema: `${name}_(Tensor self) -> Tensor`,
  evidence: `native_functions.yaml: ${name}_`,
  aliases: [`arc${name.slice(1)}_`],
  mutates: ["self"],
  node: nodeName(name, 1),
  forward: ({ self }) => self,
  derivatives: [
    d("self", "", () => {
      throw notImplemented(`inplace version of ${name}`);
    }),
  ],
}));

/** Of the first operand, but where both are equal. */
const nextafterGradient = (of: "self" | "other"): Derivative =>
  d(of, "self other", ({ grad, saved, rules, ops: o }) => {
    if (!rules.nextafterHasGradient) throw notImplemented("nextafter");
    return of === "self" ? o.where_ScalarOther(o.ne(saved.self, saved.other), grad, 0) : o.zeros_like(saved.other);
  });

/** One operand of log2(2^a + 2^b): 1 / (1 + 2^(other - own)). */
const shareOfTwo = (own: string, other: string): Derivative =>
  d(own, "self other", ({ grad, saved, ops: o }) =>
    o.div(grad, o.add(o.pow_Scalar({ scalar: "int", value: 2 }, o.sub(saved[other], saved[own])), 1)),
  );

/** x * log-like(y) without the places where x is zero and y out of range. */
const logProduct = (name: string, divisor: (c: BackwardContext) => Tensor, bound: number): Derivative[] => [
  d("self", "self other", (c) => {
    const { grad, saved, ops: o } = c;
    const product = named(o, name)(grad, saved.other);
    const out = o.le(saved.other, bound);
    return o.masked_fill(product, o.bitwise_and(o.eq(saved.self, 0), out), 0);
  }),
  d("other", "self other", (c) => {
    const below = divisor(c);
    return c.ops.div(c.ops.mul(c.grad, c.saved.self), below);
  }),
];

export const specialOps = defineOps([
  ...withoutGradient,
  unary(
    "asinh",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.rsqrt(o.add(o.pow(saved.self, 2), 1)))),
    { ...onlyApart, aliases: ["arcsinh"] },
  ),
  unary(
    "acosh",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.rsqrt(o.sub(o.mul(saved.self, saved.self), 1)))),
    { ...onlyApart, aliases: ["arccosh"] },
  ),
  unary(
    "atanh",
    d("self", "self", ({ grad, saved, ops: o }) => {
      const rest = minus(o, 1, o.pow(saved.self, 2));
      return o.div(o.mul(grad, 1), rest);
    }),
    { ...onlyApart, aliases: ["arctanh"] },
  ),
  unary(
    "digamma",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.polygamma(1, saved.self))),
    { ...float, special: ["digamma", "psi"] },
  ),
  {
    schema: "polygamma(int n, Tensor self) -> Tensor",
    special: ["polygamma"],
    evidence: "derivatives.yaml: polygamma; case elementwise/of-two-tensors",
    forward: ({ self }, k) => elementwise(k, [self], floatResult([self], k)),
    python: "function",
    derivatives: [
      d("self", "self", ({ grad, saved, args, ops: o }) => o.mul(grad, o.polygamma(args.n + 1, saved.self))),
    ],
  },
  {
    schema: "mvlgamma(Tensor self, int p) -> Tensor",
    special: ["multigammaln"],
    evidence: "derivatives.yaml: mvlgamma; case elementwise/less-common-functions",
    forward: ({ self, p }, k) => {
      const steps = k.statement(() => k.ops.add(k.ops.unsqueeze(self, -1), k.ops.arange(p, self.dtype, self.device)));
      return k.ops.sum_dim_IntList(steps, [-1]);
    },
    derivatives: [
      d("self", "self", ({ grad, saved, args, statement, ops: o }) => {
        const { self } = saved;
        const steps = statement(() => o.add(o.unsqueeze(self, -1), o.arange(args.p, self.dtype, self.device)));
        return o.mul(grad, o.sum_dim_IntList(steps, [-1]));
      }),
    ],
  },
  unary(
    "sinc",
    d("self", "self", (c) => {
      const { grad, saved, ops: o } = c;
      const scaled = o.mul(saved.self, Math.PI);
      const square = c.statement(() => o.mul(o.mul(saved.self, saved.self), Math.PI));
      const slope = c.statement(() => {
        const sine = o.sin(scaled);
        return o.mul(grad, o.div(o.sub(o.mul(scaled, o.cos(scaled)), sine), square));
      });
      const zero = o.scalar_tensor(0, grad.dtype, grad.device);
      return o.where_self(o.eq(square, 0), zero, slope);
    }),
    { ...float, special: ["sinc"] },
  ),
  unary(
    "deg2rad",
    d("self", "", ({ grad, ops: o }) => o.mul(grad, Math.PI / 180)),
    float,
  ),
  unary(
    "rad2deg",
    d("self", "", ({ grad, ops: o }) => o.mul(grad, 180 / Math.PI)),
    float,
  ),
  {
    schema: "isreal(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: isreal; case elementwise/of-one-tensor",
    composite: ({ self }, o) =>
      isComplex(self.dtype) ? o.eq(o.imag(self), 0) : o.ones_like(self, BOOL, null, "preserve_format"),
  },
  unary(
    "special_entr",
    d("self", "self", ({ grad, saved, ops: o }) => o.mul(grad, o.neg(o.add(o.log(saved.self), 1)))),
    special,
  ),
  unary(
    "special_erfcx",
    d("self", "self result", ({ grad, saved, ops: o }) => {
      const lifted = o.mul(o.mul(saved.self, 2), saved.result);
      return o.mul(o.sub(lifted, 1.1283791670955126), grad);
    }),
    special,
  ),
  {
    schema: "special_ndtr(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: special_ndtr; case elementwise/of-two-tensors",
    composite: ({ self }, o) => o.mul(o.add(o.erf(o.mul(self, Math.SQRT1_2)), 1), 0.5),
    python: "none",
  },
  unary(
    "special_log_ndtr",
    d("self", "self result", ({ grad, saved, ops: o }) => {
      const half = o.mul(o.pow(saved.self, 2), 0.5);
      return o.mul(o.mul(o.exp(o.neg(o.add(saved.result, half))), 0.7978845608028654), grad);
    }),
    special,
  ),
  two(
    "special_xlog1py",
    logProduct("special_xlog1py", ({ saved, ops: o }) => o.add(saved.other, 1), -1),
    "Operand",
  ),
  {
    schema: "nextafter(Tensor self, Tensor other) -> Tensor",
    evidence: "recorded from 1.13 to 2.14; case elementwise/special-functions",
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    inplace: true,
    derivatives: [nextafterGradient("self"), nextafterGradient("other")],
  },
  two("logaddexp2", [shareOfTwo("self", "other"), shareOfTwo("other", "self")]),
  two(
    "copysign",
    [
      d("self", "self result", (c) => {
        const { grad, saved, ops: o } = c;
        const ratio = o.div(saved.result, saved.self);
        c.statement(() => {
          o.masked_fill_(ratio, o.eq(saved.self, 0), 0);
          return null;
        });
        return o.mul(grad, ratio);
      }),
      d("other", "", ({ grad, meta, ops: o }) => o.zeros(meta.other.sizes, grad.dtype, grad.device)),
    ],
    "Operand",
  ),
  {
    schema: "heaviside(Tensor self, Tensor values) -> Tensor",
    evidence: "native_functions.yaml: heaviside; case elementwise/less-common-functions",
    forward: ({ self, values }, k) => elementwise(k, [self, values]),
    inplace: true,
    derivatives: [missing("heaviside")],
  },
  {
    schema: "floor_divide(Tensor self, Operand other) -> Tensor",
    evidence: "native_functions.yaml: floor_divide; case indexing/reordering-a-beam",
    values: ofTwo((x, y) => Math.floor(x / y)),
    signs: ["__floordiv__", "__ifloordiv__"],
    takesNumbers: true,
    forward: ({ self, other }, k) => {
      const type = resultType([self, other], k.defaultDtype);
      if (isComplex(type) || isBool(self, other))
        throw new TorchError(`torch.${type.name} not supported for floor_divide`);
      return elementwise(k, [self, other], type);
    },
    inplace: true,
    derivatives: [missing("floor_divide")],
  },
]);

const isBool = (self: Tensor, other: Operand): boolean =>
  self.dtype === BOOL && (isScalar(other) ? other.scalar === "bool" : other.dtype === BOOL) && isIntegral(self.dtype);
