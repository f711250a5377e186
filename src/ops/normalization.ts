/** Normalisations over the last dimensions: layer_norm, rms_norm, and weight_norm. The others join in at the end. */

import { FLOAT32, accumulateType, isReducedFloat } from "../tensor/dtype.ts";
import { outputStrides } from "../tensor/iterator.ts";
import { numel, sameShape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { reductionScratch, summing } from "./reduce-buffers.ts";
import { batchNormOps } from "./normalization-batch.ts";
import { layerNormDoubleBackward } from "./normalization-double.ts";
import { groupNormOps } from "./normalization-group.ts";
import { syncBatchNormOps } from "./normalization-sync.ts";
import {
  type Args,
  type BackwardContext,
  type CompositeContext,
  d,
  defineOps,
  type Kernel,
  type OpRow,
  type Ops,
} from "./row.ts";
import { layerNorm, layerNormSlope } from "./values-statistics.ts";

/** Shape of the statistics: the outer dimensions, then ones. */
const statistics = (input: Tensor, normalized: readonly number[]): number[] =>
  input.sizes.map((s, i) => (i < input.rank - normalized.length ? s : 1));

const innerDims = (input: Tensor, normalized: readonly number[]): number[] =>
  normalized.map((_, i) => input.rank - normalized.length + i);

function checkShape(input: Tensor, normalized: readonly number[]): void {
  const tail = input.sizes.slice(input.rank - normalized.length);
  if (normalized.length > input.rank || !sameShape(tail, normalized))
    throw new TorchError(
      `Given normalized_shape=[${normalized.join(", ")}], expected input with shape [*, ${normalized.join(", ")}], but got input of size[${input.sizes.join(", ")}]`,
    );
}

function contiguousCopy(k: Kernel, t: Tensor, what: string): void {
  if (!t.isContiguous) k.scratch(t.nbytes, what);
}

/** Partial sums for the gradients of weight and bias of tall, narrow inputs (layer_norm_kernel.cu). */
function partialSums(
  k: Kernel,
  input: Tensor,
  normalized: readonly number[],
  parameters: readonly (Tensor | null)[],
): void {
  const columns = numel(normalized);
  const rows = input.numel / Math.max(columns, 1);
  if (!k.rules.layerNormPartialSums || rows <= 65536) return;
  if (Math.floor(columns / 32) >= Math.floor(k.gpu.smCount / 2)) return;
  const blocks = Math.min(Math.floor(32768 / Math.ceil(columns / 32)), Math.ceil(rows / 32));
  const some = parameters.filter((p) => p !== null);
  for (const p of some) k.scratch(blocks * columns * p.dtype.itemBytes, "layer_norm_partial_sums");
  for (const { dtype } of some) {
    const summed = k.scratch(columns * dtype.itemBytes, "layer_norm_summed_gradient");
    const parts = { sizes: [blocks, columns], strides: [columns, 1], numel: blocks * columns, dtype };
    reductionScratch(k, parts, [0], summing({ dtype }, dtype))();
    summed();
  }
}

/** x / sqrt(mean(x^2) + eps), then the weight: separate operators, in float32 since 2.6. */
function rmsNormFromParts(a: Args, o: Ops, c: CompositeContext): Tensor {
  const { input, normalized_shape, weight } = a;
  const casts = c.rules.rmsNormCasts;
  const scaleOf = (x: Tensor): Tensor =>
    o.rsqrt(o.add_(o.mean_dim(o.pow(x, 2), innerDims(input, normalized_shape), true), a.eps ?? 1e-6));
  if (casts === "never") {
    const scaled = c.statement(() => o.mul(input, scaleOf(input)) as Tensor);
    if (!weight) return scaled;
    const weighted = o.mul(scaled, weight);
    c.drop(scaled);
    return weighted;
  }
  const wide = o.to(input, accumulateType(input.dtype));
  const scale = c.statement(() => scaleOf(wide));
  let result = o.mul(wide, scale);
  const castLast = casts === "last";
  const step = (next: Tensor): void => {
    if (next !== result) c.drop(result);
    result = next;
  };
  if (!castLast) step(o.to(result, input.dtype));
  if (weight) step(o.mul(result, weight));
  if (castLast) step(o.to(result, input.dtype));
  return result;
}

function rmsNorm(a: Args, o: Ops, c: CompositeContext): Tensor {
  const { input, weight } = a;
  checkShape(input, a.normalized_shape);
  const fused = c.rules.fusedRmsNorm && input.isCuda && (!weight || weight.dtype === input.dtype);
  return fused ? o._fused_rms_norm(input, a.normalized_shape, weight, a.eps)[0] : rmsNormFromParts(a, o, c);
}

/**
 * The gradient in differentiable operators: rstd*g - x*rstd^3/N * sum(g*x) with g = grad * weight, and from the second
 * result -x*rstd^3/N * grad.
 */
function rmsNormGradient(c: BackwardContext): (Tensor | null)[] {
  const { grads, saved, args, needs, ops: o } = c;
  const { input, weight, rstd } = saved;
  const dims = innerDims(input, args.normalized_shape);
  const outer = Array.from({ length: input.rank - dims.length }, (_, i) => i);
  const [grad, gradRstd] = grads;
  const cube = o.pow(rstd, 3);
  const slope = (): Tensor => o.div(o.mul(input, cube), numel(args.normalized_shape));
  let gradInput: Tensor | null = null;
  let gradWeight: Tensor | null = null;
  if (grad && needs.input) {
    const scaled = weight ? o.mul(grad, weight) : grad;
    const inner = c.statement(() => o.sum_dim_IntList(o.mul(scaled, input), dims, true));
    gradInput = c.statement(() => {
      const along = o.mul(slope(), inner);
      return o.sub(o.mul(rstd, scaled), along);
    });
  }
  if (grad && weight && needs.weight)
    gradWeight = c.statement(() => {
      const product = o.mul(o.mul(grad, input), rstd);
      return outer.length ? o.sum_dim_IntList(product, outer, false) : product;
    });
  if (gradRstd && needs.input) {
    const along = c.statement(() => o.mul(o.neg(slope()), gradRstd));
    gradInput = gradInput ? o.add(gradInput, along) : along;
  }
  return [gradInput, gradWeight];
}

const lastDims: readonly OpRow[] = [
  {
    schema:
      "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor",
    evidence: "native_functions.yaml: layer_norm; case normalization/layer-norm",
    autocast: "float32",
    python: "function",
    composite: (a, o) => o.native_layer_norm(a.input, a.normalized_shape, a.weight, a.bias, a.eps)[0],
  },
  {
    schema:
      "native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor output, Tensor mean, Tensor rstd)",
    values: layerNorm,
    autocast: "float32",
    notDifferentiable: ["mean", "rstd"],
    python: "function",
    forward: ({ input, normalized_shape, weight, bias }, k) => {
      if (normalized_shape.length === 0)
        throw new TorchError(
          "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
        );
      for (const [name, t] of [
        ["weight", weight],
        ["bias", bias],
      ])
        if (t && !sameShape(t.sizes, normalized_shape))
          throw new TorchError(
            `Expected ${name} to be of same shape as normalized_shape, but got ${name} of shape [${t.sizes.join(", ")}] and normalized_shape = [${normalized_shape.join(", ")}]`,
          );
      checkShape(input, normalized_shape);
      const type = accumulateType(input.dtype);
      const shape = statistics(input, normalized_shape);
      const out = k.output(input.sizes, input.dtype);
      const results = [out, k.output(shape, type), k.output(shape, type)];
      contiguousCopy(k, input, "contiguous_input");
      return results;
    },
    derivatives: [
      d("input weight bias", "input mean rstd weight bias", ({ grads, saved: s, args, needs, ops: o }) =>
        grads[0]
          ? o.native_layer_norm_backward(
              grads[0],
              s.input,
              args.normalized_shape,
              s.mean,
              s.rstd,
              s.weight,
              s.bias,
              needs.input,
              needs.weight,
              needs.bias,
            )
          : [null, null, null],
      ),
    ],
    evidence: "aten/src/ATen/native/cuda/layer_norm_kernel.cu; reference 4.2, 5.4",
  },
  {
    values: layerNormSlope,
    schema:
      "native_layer_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool for_input, bool for_weight, bool for_bias) -> (Tensor? grad_input, Tensor? grad_weight, Tensor? grad_bias)",
    evidence: "derivatives.yaml: native_layer_norm_backward; case normalization/layer-norm",
    python: "none",
    forward: (a, k) => {
      const { input, weight, bias, grad_out } = a;
      const strides = k.rules.layerNormGradientIsContiguous ? undefined : outputStrides(input.sizes, [grad_out, input]);
      const gradInput = a.for_input ? k.output(input.sizes, input.dtype, strides) : null;
      const gradWeight = a.for_weight && weight ? k.output(weight.sizes, weight.dtype) : null;
      const gradBias = a.for_bias && bias ? k.output(bias.sizes, bias.dtype) : null;
      contiguousCopy(k, grad_out, "contiguous_grad");
      contiguousCopy(k, input, "contiguous_input");
      partialSums(k, input, a.normalized_shape, [gradWeight, gradBias]);
      return [gradInput, gradWeight, gradBias];
    },
    node: "NativeLayerNormBackwardBackward0",
    derivatives: [layerNormDoubleBackward],
  },
  {
    schema: "rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor",
    since: "2.4",
    python: "function",
    composite: (a, o, c) => {
      if (!c.autocastEnabled || !c.rules.rmsNormAutocastsToFloat32 || !a.input.isCuda) return rmsNorm(a, o, c);
      const wide = (t: Tensor | null): Tensor | null => (t && isReducedFloat(t.dtype) ? o.to(t, FLOAT32) : t);
      const weight = wide(a.weight);
      return rmsNorm({ ...a, weight, input: wide(a.input) }, o, c);
    },
    evidence: "aten/src/ATen/native/layer_norm.cpp rms_norm_symint; reference 4.3",
  },
  {
    schema:
      "_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor output, Tensor rstd)",
    evidence: "derivatives.yaml: _fused_rms_norm; case normalization/rms-norm",
    python: "none",
    node: "FusedRmsNormBackward0",
    forward: ({ input, normalized_shape }, k) => {
      const out = k.output(input.sizes, input.dtype);
      const rstd = k.output(statistics(input, normalized_shape), accumulateType(input.dtype));
      contiguousCopy(k, input, "contiguous_input");
      return [out, rstd];
    },
    derivatives: [
      d("input weight", "input weight rstd", (c) => {
        const { grads, saved: s, args, needs, ops: o } = c;
        if (c.gradEnabled || grads[1]) return rmsNormGradient(c);
        if (!grads[0]) return [null, null];
        return o._fused_rms_norm_backward(
          grads[0],
          s.input,
          args.normalized_shape,
          s.rstd,
          s.weight,
          needs.input,
          needs.weight,
        );
      }),
    ],
  },
  {
    schema:
      "_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, Tensor? weight, bool for_input, bool for_weight) -> (Tensor? grad_input, Tensor? grad_weight)",
    evidence: "native_functions.yaml: _fused_rms_norm_backward; case normalization/rms-norm",
    python: "none",
    forward: (a, k) => {
      const { input, weight, grad_out } = a;
      const gradInput = a.for_input ? k.output(input.sizes, input.dtype) : null;
      const gradWeight = a.for_weight && weight ? k.output(weight.sizes, weight.dtype) : null;
      contiguousCopy(k, grad_out, "contiguous_grad");
      contiguousCopy(k, input, "contiguous_input");
      partialSums(k, input, a.normalized_shape, [gradWeight]);
      return [gradInput, gradWeight];
    },
  },
  {
    schema: "norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor",
    python: "function",
    evidence:
      "recorded: modules/weight-norm-lazy-norm-and-adaptive-softmax; WeightNorm.cpp: rows or columns of a contiguous copy",
    composite: ({ v, pow, dim }, o) => {
      if (dim === -1) return o._norm_over(v, pow, [], false); // all of it, not the last dimension
      const last = dim === v.rank - 1;
      if (dim > 0 && !last) return o.transpose(o.norm_except_dim(o.transpose(v, 0, dim), pow, 0), 0, dim);
      const rows = o.reshape(o.contiguous(v), last && dim > 0 ? [-1, v.size(-1)] : [v.size(0), -1]);
      const norms = o._norm_over(rows, pow, [last && dim > 0 ? 0 : 1], false);
      return o.view(
        norms,
        v.sizes.map((size: number, i: number) => (i === dim ? size : 1)),
      );
    },
  },
  {
    schema: "_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor",
    evidence: "native_functions.yaml: _weight_norm; case modules/weight-norm-lazy-norm-and-adaptive-softmax",
    python: "function",
    composite: ({ v, g, dim }, o) => {
      const fused = v.isCuda && (dim === 0 || dim === v.rank - 1);
      return fused ? o._weight_norm_interface(v, g, dim)[0] : o.mul(v, o.div(g, o.norm_except_dim(v, 2, dim)));
    },
  },
  {
    schema: "_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor w, Tensor norms)",
    evidence: "derivatives.yaml: _weight_norm_interface; case modules/weight-norm-lazy-norm-and-adaptive-softmax",
    python: "none",
    forward: ({ v, g }, k) => [k.output(v.sizes, v.dtype), k.output(g.sizes, accumulateType(g.dtype))],
    node: "WeightNormInterfaceBackward0",
    derivatives: [
      d("v g", "v g norms", ({ grads, saved: s, args, ops: o }) =>
        grads[0]
          ? o._weight_norm_interface_backward(o.contiguous(grads[0]), s.v, s.g, s.norms, args.dim)
          : [null, null],
      ),
    ],
  },
  {
    schema:
      "_weight_norm_interface_backward(Tensor grad_w, Tensor v, Tensor g, Tensor norms, int dim) -> (Tensor grad_v, Tensor grad_g)",
    evidence:
      "native_functions.yaml: _weight_norm_interface_backward; case modules/weight-norm-lazy-norm-and-adaptive-softmax",
    python: "none",
    forward: ({ v, g }, k) => [k.output(v.sizes, v.dtype), k.output(g.sizes, g.dtype)],
  },
];

export const normalizationOps = defineOps([...lastDims, ...batchNormOps, ...syncBatchNormOps, ...groupNormOps]);
