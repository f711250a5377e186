/** Variance and standard deviation, alone and beside the mean, in the three forms that each has (ReduceOps.cpp). */

import { toReal } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { reduce, restoreDims } from "./reduce.ts";
import { WELFORD } from "./reduce-buffers.ts";
import { reducedDims, reducedShape } from "./reduce-dims.ts";
import { type Args, type BackwardContext, d, defineOps, type Kernel, named, type OpRow } from "./row.ts";
import { deviation, variance } from "./values-normalized.ts";

const product = (sizes: readonly number[], dims: readonly number[]): number => dims.reduce((n, i) => n * sizes[i], 1);

/** mean((x - mean)^2) gradients: 2 / (N - correction) * grad * (self - mean). */
function varianceBackward(c: BackwardContext, grad: Tensor): Tensor {
  const { self } = c.saved;
  const o = c.ops;
  const all = c.args.dim === null;
  const dims = reducedDims(self, c.args.dim);
  const correction = c.args.correction?.value ?? 1;
  const scale = 2 / Math.max(product(self.sizes, dims) - correction, 0);
  return c.statement(() => {
    // C++ makes the difference, the last operand, first
    const centred = o.sub(self, all ? o.mean(self) : o.mean_dim(self, dims, true));
    const g = all ? grad : restoreDims(o, grad, self.rank, dims, c.args.keepdim);
    return o.mul(o.mul(g, scale), centred);
  });
}

function deviationBackward(c: BackwardContext, grad: Tensor, result: Tensor): Tensor {
  const o = c.ops;
  const ofVariance = c.statement(() => o.masked_fill_(o.div(grad, o.mul(result, 2)), o.eq(result, 0), 0));
  const gradient = varianceBackward(c, ofVariance);
  c.drop(ofVariance);
  return gradient;
}

function meanBackward(c: BackwardContext, grad: Tensor): Tensor {
  const o = c.ops;
  const { sizes } = c.meta.self;
  const dims = reducedDims(c.meta.self, c.args.dim);
  return o.div(o.expand(restoreDims(o, grad, sizes.length, dims, c.args.keepdim), sizes), product(sizes, dims));
}

type Gradient = (c: BackwardContext, grad: Tensor) => Tensor;

/** The gradients of a moment and of the mean beside it, added. */
const bothBackward =
  (moment: Gradient) =>
  (c: BackwardContext): Tensor | null => {
    const [ofMoment, ofMean] = c.grads;
    const first = ofMoment && moment(c, ofMoment);
    const second = ofMean && meanBackward(c, ofMean);
    return first && second ? c.ops.add(first, second) : (first ?? second);
  };

const kernel = (self: Tensor, a: Args, k: Kernel): Tensor =>
  reduce(k, self, reducedDims(self, a.dim), a.keepdim, toReal(self.dtype), WELFORD);

/** The three forms: over everything, over dims with `unbiased`, over dims with `correction`, in which the others end. */
function forms(name: string, results: string, correction: Partial<OpRow>): readonly OpRow[] {
  const shown = results === "Tensor" ? {} : ({ python: "function", takesOut: false } as const);
  const inner = [`${name}.correction`.replace(".", "_")];
  const degrees = (unbiased: boolean): number => (unbiased ? 1 : 0);
  return [
    {
      ...shown,
      takesOut: false,
      schema: `${name}(Tensor self, bool unbiased=True) -> ${results}`,
      evidence: `native_functions.yaml: ${name}; case overloads/reductions`,
      composite: ({ self, unbiased }, o) => named(o, inner[0])(self, null, degrees(unbiased), false),
      outFrom: inner,
    },
    {
      ...shown,
      schema: `${name}.dim(Tensor self, int[]? dim, bool unbiased=True, bool keepdim=False) -> ${results}`,
      evidence: `native_functions.yaml: ${name}.dim; case overloads/reductions`,
      composite: ({ self, dim, unbiased, keepdim }, o) => named(o, inner[0])(self, dim, degrees(unbiased), keepdim),
      outFrom: inner,
    },
    {
      ...shown,
      schema: `${name}.correction(Tensor self, int[]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> ${results}`,
      ...correction,
    },
  ];
}

const withMean: OpRow["forward"] = (a, k) => [
  kernel(a.self, a, k),
  k.output(reducedShape(a.self, reducedDims(a.self, a.dim), a.keepdim), a.self.dtype),
];

export const momentOps = defineOps([
  ...forms("var", "Tensor", {
    values: variance,
    forward: (a, k) => kernel(a.self, a, k),
    derivatives: [d("self", "self", (c) => varianceBackward(c, c.grad))],
    evidence: "derivatives.yaml: var.correction; case overloads/reductions",
  }),
  ...forms("std", "Tensor", {
    values: deviation,
    forward: (a, k) => kernel(a.self, a, k),
    derivatives: [d("self", "self result", (c) => deviationBackward(c, c.grad, c.saved.result))],
    evidence: "derivatives.yaml: std.correction; case overloads/reductions",
  }),
  ...forms("var_mean", "(Tensor var, Tensor mean)", {
    values: variance,
    forward: withMean,
    derivatives: [d("self", "self", bothBackward(varianceBackward))],
    evidence: "derivatives.yaml: var_mean.correction; case overloads/reductions",
  }),
  ...forms("std_mean", "(Tensor std, Tensor mean)", {
    values: deviation,
    forward: withMean,
    derivatives: [
      d(
        "self",
        "self std",
        bothBackward((c, grad) => deviationBackward(c, grad, c.saved.std)),
      ),
    ],
    evidence: "derivatives.yaml: std_mean.correction; case overloads/reductions",
  }),
]);
