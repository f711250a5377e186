/** group_norm: statistics of groups of channels. */

import { accumulateType, FLOAT32, isReducedFloat } from "../tensor/dtype.ts";
import { numel, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, type BackwardContext, d, defineOps } from "./row.ts";

/** Parameters in float32 beside a 16-bit input ask for float32 statistics; otherwise they have the input's dtype. */
const statisticsType = (input: Tensor, weight: Tensor | null) =>
  weight && weight.dtype !== input.dtype ? accumulateType(input.dtype) : input.dtype;

/** The statistics beside the input seen as [N, groups, channels, inner]. */
const beside = (c: BackwardContext, t: Tensor): Tensor => c.ops.view(t, [c.args.N, c.args.group, 1, 1]);

/** Gradient through the output, in differentiable operators; x and gradient are seen as [N, groups, channels, inner]. */
function outputGradient(c: BackwardContext, grad: Tensor, x: Tensor): (Tensor | null)[] {
  const { saved, args, needs, ops: o } = c;
  const channels = args.C / args.group;
  const scale = 1 / (channels * args.HxW);
  const mean = beside(c, saved.mean);
  const rstd = beside(c, saved.rstd);
  const weight: Tensor | null = saved.weight && o.view(saved.weight, [1, args.group, channels, 1]);
  const g = o.reshape(grad, x.sizes);
  const ds = c.statement(() => o.sum_dim_IntList(o.mul(g, x), [3], true));
  const db = o.sum_dim_IntList(g, [3], true);
  let gradInput: Tensor | null = null;
  if (needs.input)
    gradInput = c.statement(() => {
      const weighted = (t: Tensor): Tensor =>
        c.statement(() => o.sum_dim_IntList(weight ? o.mul(t, weight) : t, [2], true));
      // older versions find the variance, also where nothing uses it
      if (!c.rules.groupNormKernelWithStatistics)
        c.statement(() => o.clamp_min(o.sub(o.reciprocal_(o.mul(rstd, rstd)), args.eps), 0));
      const cube = o.mul(o.mul(rstd, rstd), rstd);
      const first = weight ? o.mul(rstd, weight) : rstd;
      const [second, dbSum] = c.statement((): [Tensor, Tensor] => {
        const ofProduct = weighted(ds);
        const ofGradient = weighted(db);
        const found = o.mul(o.mul(o.sub(o.mul(ofGradient, mean), ofProduct), cube), scale);
        c.drop(ofProduct);
        return [found, ofGradient];
      });
      const third = c.statement(() => {
        const shift = o.mul(o.mul(dbSum, rstd), scale);
        return o.sub(o.mul(o.neg(second), mean), shift);
      });
      return c.statement(() => {
        const along = o.mul(second, x);
        return o.add(o.add(o.mul(first, g), along), third);
      });
    });
  const perChannel = (t: Tensor): Tensor => o.view(o.sum_dim_IntList(t, [0], false), [args.C]);
  const gradWeight = needs.weight ? c.statement(() => perChannel(o.mul(o.sub(ds, o.mul(db, mean)), rstd))) : null;
  return [gradInput, gradWeight, needs.bias ? perChannel(db) : null];
}

/** Gradient through mean and rstd, which the gradient of the gradient reaches. */
function statisticsGradient(c: BackwardContext, x: Tensor): Tensor {
  const { grads, saved, ops: o } = c;
  const count = x.sizes[2] * x.sizes[3];
  const [, gradMean, gradRstd] = grads;
  const rstd = beside(c, saved.rstd);
  // a local of the whole formula
  const slope = gradRstd && c.statement(() => o.mul(o.mul(o.mul(o.mul(rstd, rstd), rstd), -0.5), beside(c, gradRstd)));
  const fromRstd =
    slope &&
    c.statement(() => {
      const centred = o.sub(x, o.mean_dim(x, [2, 3], true));
      return o.mul(o.mul(slope, 2 / count), centred);
    });
  const fromMean = gradMean && o.div(o.expand(beside(c, gradMean), x.sizes), count);
  if (!fromRstd || !fromMean) return (fromRstd ?? fromMean) as Tensor;
  const sum = o.add(fromRstd, fromMean);
  c.drop(fromRstd);
  c.drop(fromMean);
  return sum;
}

function groupNormGradient(c: BackwardContext): (Tensor | null)[] {
  const { grads, saved, args, needs, meta, rules, ops: o } = c;
  const x = o.reshape(saved.input, [args.N, args.group, args.C / args.group, args.HxW]);
  const throughStatistics = (grads[1] || grads[2]) && needs.input;
  let result: (Tensor | null)[] = [null, null, null];
  if (grads[0]) {
    const kernel = rules.groupNormKernelWithStatistics && !c.gradEnabled;
    result = kernel ? kernelGradient(c, grads[0]) : outputGradient(c, grads[0], x);
    if (result[0]) result[0] = o.view_or_reshape(result[0], x.sizes);
  }
  if (throughStatistics) {
    const more = statisticsGradient(c, x);
    result[0] = result[0] ? o.add(result[0], more) : more;
  }
  if (result[0]) result[0] = o.view_or_reshape(result[0], meta.input.sizes);
  return result;
}

function kernelGradient({ saved: s, args, needs, rules, ops: o }: BackwardContext, grad: Tensor): (Tensor | null)[] {
  const dense = (t: Tensor): Tensor => (rules.groupNormCopiesToContiguous ? o.contiguous(t) : t);
  const input = dense(s.input);
  const { N, C, HxW, group } = args;
  const { input: x, weight, bias } = needs;
  return o.native_group_norm_backward(dense(grad), input, s.mean, s.rstd, s.weight, N, C, HxW, group, x, weight, bias);
}

const planeBytes = (a: Args, n: number): number => a.N * n * accumulateType(a.input.dtype).itemBytes;

export const groupNormOps = defineOps([
  {
    schema:
      "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor",
    autocast: "float32",
    python: "function",
    composite: ({ input, num_groups, weight, bias, eps }, o, c) => {
      const [batch, channels] = input.sizes;
      const inner = numel(input.sizes.slice(2));
      const shape = `[${input.sizes.join(", ")}]`;
      if (channels % num_groups)
        throw new TorchError(
          `Expected number of channels in input to be divisible by num_groups, but got input of shape ${shape} and num_groups=${num_groups}`,
        );
      for (const [name, t] of [
        ["weight", weight],
        ["bias", bias],
      ])
        if (t && (t.rank !== 1 || t.numel !== channels))
          throw new TorchError(
            `Expected ${name} to be a vector of size equal to the number of channels in input, but got ${name} of shape [${t.sizes.join(", ")}] and input of shape ${shape}`,
          );
      const x = c.rules.groupNormCopiesToContiguous ? o.contiguous(input) : input;
      return o.native_group_norm(x, weight, bias, batch, channels, inner, num_groups, eps)[0];
    },
    evidence: "aten/src/ATen/native/group_norm.cpp group_norm",
  },
  {
    schema:
      "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int group, float eps) -> (Tensor output, Tensor mean, Tensor rstd)",
    autocast: "float32",
    python: "function",
    forward: (a, k) => {
      const { input } = a;
      const type = statisticsType(input, a.weight);
      const results = [
        k.output(input.sizes, input.dtype),
        k.output([a.N, a.group], type),
        k.output([a.N, a.group], type),
      ];
      if (!input.isContiguous) k.scratch(input.nbytes, "contiguous_input");
      if (k.rules.groupNormAveragesWide && isReducedFloat(type))
        for (const what of ["group_norm_mean", "group_norm_rstd"]) k.scratch(a.N * a.group * FLOAT32.itemBytes, what);
      // a kernel of its own for one value per channel, and none of both where nothing is scaled or shifted (GroupNormKernelImplInternal)
      if (a.HxW !== 1 && (a.weight || a.bias)) {
        k.scratch(planeBytes(a, a.C), "group_norm_scale");
        k.scratch(planeBytes(a, a.C), "group_norm_shift");
      }
      return results;
    },
    derivatives: [
      d("input weight bias", "input mean rstd weight", (c) => {
        const { grads } = c;
        if (c.gradEnabled || grads[1] || grads[2]) return groupNormGradient(c);
        return grads[0] ? kernelGradient(c, grads[0]) : [null, null, null];
      }),
    ],
    evidence: "aten/src/ATen/native/cuda/group_norm_kernel.cu; reference 5.4",
  },
  {
    schema:
      "native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, int N, int C, int HxW, int group, bool for_input, bool for_weight, bool for_bias) -> (Tensor? grad_input, Tensor? grad_weight, Tensor? grad_bias)",
    evidence: "native_functions.yaml: native_group_norm_backward; case normalization/group-norm",
    python: "none",
    forward: (a, k) => {
      const { input, weight, grad_out } = a;
      const type = weight ? weight.dtype : input.dtype;
      const results = [
        a.for_input ? k.output(input.sizes, input.dtype) : null,
        a.for_weight ? k.output([a.C], type) : null,
        a.for_bias ? k.output([a.C], type) : null,
      ];
      if (!grad_out.isContiguous) k.scratch(grad_out.nbytes, "contiguous_grad");
      for (const what of ["group_norm_ds", "group_norm_db"])
        if (a.HxW !== 1 || k.rules.groupNormSumsSingleValues) k.scratch(planeBytes(a, a.C), what);
      // in the order that an H100 recorded; c1 is rstd times weight (GroupNormBackwardKernelImplInternal)
      for (const what of ["group_norm_c2", "group_norm_c3"]) k.scratch(planeBytes(a, a.group), what);
      if (weight && a.for_input && a.HxW !== 1) k.scratch(planeBytes(a, a.C), "group_norm_c1");
      return results;
    },
  },
]);
