/** group_norm: statistics of groups of channels. */

import { accumulateType } from "../tensor/dtype.ts";
import { numel } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, d, defineOps } from "./row.ts";

/** Parameters in float32 beside a 16-bit input ask for float32 statistics; otherwise they have the input's dtype. */
const statisticsType = (input: Tensor, weight: Tensor | null) =>
  weight && weight.dtype !== input.dtype ? accumulateType(input.dtype) : input.dtype;

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
      k.scratch(planeBytes(a, a.C), "group_norm_scale");
      k.scratch(planeBytes(a, a.C), "group_norm_shift");
      return results;
    },
    derivatives: [
      d("input weight bias", "input mean rstd weight", ({ grads, saved: s, args, needs, ops: o, rules }) => {
        if (!grads[0]) return [null, null, null];
        const dense = (t: Tensor): Tensor => (rules.groupNormCopiesToContiguous ? o.contiguous(t) : t);
        const input = dense(s.input);
        return o.native_group_norm_backward(
          dense(grads[0]),
          input,
          s.mean,
          s.rstd,
          s.weight,
          args.N,
          args.C,
          args.HxW,
          args.group,
          needs.input,
          needs.weight,
          needs.bias,
        );
      }),
    ],
    evidence: "aten/src/ATen/native/cuda/group_norm_kernel.cu; reference 5.4",
  },
  {
    schema:
      "native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, int N, int C, int HxW, int group, bool for_input, bool for_weight, bool for_bias) -> (Tensor? grad_input, Tensor? grad_weight, Tensor? grad_bias)",
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
      for (const what of ["group_norm_ds", "group_norm_db"]) k.scratch(planeBytes(a, a.C), what);
      for (const what of ["group_norm_c2", "group_norm_c3"]) k.scratch(planeBytes(a, a.group), what);
      return results;
    },
  },
]);
