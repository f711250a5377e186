/** batch_norm and instance_norm: cuDNN's kernel where it applies, else PyTorch's own. */

import { accumulateType, BFLOAT16, FLOAT32, isReducedFloat, UINT8 } from "../tensor/dtype.ts";
import { type Layout, looksChannelsLast, suggestedStrides } from "../tensor/memory-format.ts";
import { outputStrides } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { batchNormDoubleBackward } from "./normalization-double.ts";
import { type Args, d, defineOps, type Kernel } from "./row.ts";
import { batchNorm, batchNormSlope } from "./values-statistics.ts";

const suggestedFormat = (t: Layout): string =>
  !looksChannelsLast(t) ? "contiguous_format" : t.sizes.length === 5 ? "channels_last_3d" : "channels_last";

/** Largest batches that cuDNN takes, in training and in evaluation. */
const CUDNN_TRAINING_BATCH = 880801;
const CUDNN_EVALUATION_BATCH = 65535;

/** Whether batch_norm goes to cuDNN (_batch_norm_impl_index in aten/src/ATen/native/Normalization.cpp). */
function usesCudnn(a: Args): boolean {
  const { input, weight, bias, running_mean: mean, running_var: variance, training } = a;
  if (!input.isCuda || !a.cudnn_enabled || !weight || !bias) return false;
  if (input.dtype === BFLOAT16 || weight.dtype === BFLOAT16) return false;
  if (input.dtype !== weight.dtype && !(isReducedFloat(input.dtype) && weight.dtype === FLOAT32)) return false;
  if (input.dtype === weight.dtype && isReducedFloat(input.dtype)) return false;
  if (!((mean && variance) || (!mean && !variance && training))) return false;
  if (input.numel > 2 ** 31 - 1) return false;
  if (input.rank < 3) return false;
  return input.sizes[0] <= (training ? CUDNN_TRAINING_BATCH : CUDNN_EVALUATION_BATCH);
}

function checkChannels(a: Args): void {
  const channels = a.input.sizes[1];
  for (const name of ["running_mean", "running_var", "weight", "bias"]) {
    const t: Tensor | null = a[name];
    if (t && t.numel !== channels) throw new TorchError(`${name} should contain ${channels} elements not ${t.numel}`);
  }
}

const arguments_ =
  "Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps";
const saved = "input weight running_mean running_var mean invstd";

/** Whether the kernels for channels that lie next to each other run (batch_norm_use_channels_last_kernels in cuda/Normalization.cu). */
const channelsAreLast = (input: Tensor): boolean =>
  input.isCuda && (input.isContiguous ? input.strides[1] === 1 : suggestedFormat(input) !== "contiguous_format");

const largestPower = (n: number): number => 2 ** Math.floor(Math.log2(Math.max(1, n)));

/** Partial sums where several blocks add up one channel, and their semaphores, for a moment (flexible_launch_configs in Normalization.cuh). */
function stageSums(k: Kernel, input: Tensor, sums: number): void {
  const channels = input.sizes[1]!;
  const reduced = input.numel / channels;
  let blockX = Math.min(largestPower(channels), 32);
  const blockY = Math.min(largestPower(Math.ceil(reduced / 16)), 512 / blockX);
  if (blockX * blockY !== 512) blockX = Math.min(largestPower(channels), 512 / blockY);
  const gridY = Math.min(Math.ceil(reduced / (blockY * 16)), 128);
  // few blocks are not worth it
  if (gridY < 8) return;
  const staged = k.scratch(sums * channels * gridY * 4, "staging_data");
  k.scratch(Math.ceil(channels / blockX) * 4, "semaphores")();
  staged();
}

export const batchNormOps = defineOps([
  {
    schema: `batch_norm(${arguments_}, bool cudnn_enabled=True) -> Tensor`,
    python: "function",
    composite: (a, o) => {
      checkChannels(a);
      const { input, weight, bias, running_mean, running_var, training, momentum, eps } = a;
      if (input.numel > 0 && usesCudnn(a)) {
        const scale = o.contiguous(weight);
        const x = o.contiguous(input, suggestedFormat(input));
        return o.cudnn_batch_norm(x, scale, bias, running_mean, running_var, training, momentum, eps)[0];
      }
      return o.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0];
    },
    evidence: "aten/src/ATen/native/Normalization.cpp _batch_norm_impl_index",
  },
  {
    schema: `cudnn_batch_norm(${arguments_}) -> (Tensor output, Tensor mean, Tensor invstd, Tensor reserve)`,
    python: "none",
    forward: ({ input, weight, training }, k) => {
      const channels = training ? [input.sizes[1]] : [0];
      const results = [
        k.output(input.sizes, input.dtype, suggestedStrides(input.sizes, input)),
        k.output(channels, weight.dtype),
        k.output(channels, weight.dtype),
        k.output([0], UINT8),
      ];
      if (training && k.temporaries) k.assume("cudnn_batch_norm_workspace");
      return results;
    },
    derivatives: [
      d("input weight bias", `${saved} reserve`, ({ grads, saved: s, args, needs, ops: o }) => {
        const [grad] = grads;
        if (!grad) return [null, null, null];
        if (!args.training)
          return o.native_batch_norm_backward(
            grad,
            s.input,
            s.weight,
            s.running_mean,
            s.running_var,
            s.mean,
            s.invstd,
            false,
            args.eps,
            needs.input,
            needs.weight,
            needs.bias,
          );
        const dense = o.contiguous(grad, suggestedFormat(s.input));
        return o.cudnn_batch_norm_backward(
          s.input,
          dense,
          s.weight,
          s.running_mean,
          s.running_var,
          s.mean,
          s.invstd,
          args.eps,
        );
      }),
    ],
    evidence: "aten/src/ATen/native/cudnn/BatchNorm.cpp; the sizes of workspace and reserve are cuDNN's",
  },
  {
    schema:
      "cudnn_batch_norm_backward(Tensor input, Tensor grad_out, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? mean, Tensor? invstd, float eps) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)",
    evidence: "derivatives.yaml: cudnn_batch_norm_backward; case normalization/batch-norm",
    python: "none",
    // all three, whoever asked
    forward: ({ input, weight }, k) => [
      k.output(input.sizes, input.dtype, suggestedStrides(input.sizes, input)),
      k.output(weight.sizes, weight.dtype),
      k.output(weight.sizes, weight.dtype),
    ],
    node: "CudnnBatchNormBackwardBackward0",
    derivatives: [batchNormDoubleBackward],
  },
  {
    values: batchNorm,
    schema: `native_batch_norm(${arguments_}) -> (Tensor output, Tensor mean, Tensor invstd)`,
    evidence: "derivatives.yaml: native_batch_norm; case normalization/batch-norm",
    python: "function",
    notDifferentiable: ["mean", "invstd"],
    forward: ({ input, training }, k) => {
      const type = accumulateType(input.dtype);
      const channels = [input.sizes[1]];
      const results = [k.like(input), k.output(channels, type), k.output(channels, type)];
      if (training && channelsAreLast(input)) stageSums(k, input, 4);
      return results;
    },
    derivatives: [
      d("input weight bias", saved, ({ grads, saved: s, args, needs, ops: o }) =>
        grads[0]
          ? o.native_batch_norm_backward(
              grads[0],
              s.input,
              s.weight,
              s.running_mean,
              s.running_var,
              s.mean,
              s.invstd,
              args.training,
              args.eps,
              needs.input,
              needs.weight,
              needs.bias,
            )
          : [null, null, null],
      ),
    ],
  },
  {
    values: batchNormSlope,
    schema:
      "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? mean, Tensor? invstd, bool training, float eps, bool for_input, bool for_weight, bool for_bias) -> (Tensor? grad_input, Tensor? grad_weight, Tensor? grad_bias)",
    evidence: "derivatives.yaml: native_batch_norm_backward; case normalization/batch-norm",
    python: "none",
    forward: (a, k) => {
      const { input, weight, grad_out } = a;
      const type = weight ? weight.dtype : accumulateType(input.dtype);
      const channels = [input.sizes[1]];
      const last = channelsAreLast(input);
      const inputGradient = (): Tensor =>
        k.output(input.sizes, input.dtype, outputStrides(input.sizes, [grad_out, input]));
      // one kernel makes the input's gradient with the sums, another after them (batch_norm_backward_cuda)
      const fused = !last && a.for_input && (a.training || a.for_weight || a.for_bias) ? inputGradient() : null;
      for (const what of ["sum_dy", "sum_dy_xmu"])
        if (last) k.scratch(channels[0] * accumulateType(input.dtype).itemBytes, what);
      const gradWeight = a.for_weight ? k.output(channels, type) : null;
      const gradBias = a.for_bias ? k.output(channels, type) : null;
      if (last) stageSums(k, input, 2);
      // shapes alone, as the corpora without temporaries were recorded, are made whoever asked
      const gradInput = fused ?? (a.for_input || !k.temporaries ? inputGradient() : null);
      return [a.for_input ? gradInput : null, gradWeight, gradBias];
    },
    node: "NativeBatchNormBackwardBackward0",
    derivatives: [batchNormDoubleBackward],
  },
  {
    schema:
      "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    python: "function",
    composite: (a, o, c) => {
      const { input } = a;
      const [batch, channels] = input.sizes;
      const perInstance = (t: Tensor | null): Tensor | null => t && o.repeat(t, [batch]);
      const weight = perInstance(a.weight);
      const bias = perInstance(a.bias);
      const mean = perInstance(a.running_mean);
      const variance = perInstance(a.running_var);
      const folded = o.view(o.contiguous(input), [1, batch * channels, ...input.sizes.slice(2)]);
      const out = o.batch_norm(
        folded,
        weight,
        bias,
        mean,
        variance,
        a.use_input_stats,
        a.momentum,
        a.eps,
        a.cudnn_enabled,
      );
      const keep = (running: Tensor | null, repeated: Tensor | null): void => {
        if (!running || !repeated || !(a.use_input_stats || c.rules.instanceNormAveragesAlways)) return;
        c.statement(() => {
          o.copy_(o.detach(running), o.mean_dim(o.view(repeated, [batch, channels]), [0], false));
          return null;
        });
      };
      keep(a.running_mean, mean);
      keep(a.running_var, variance);
      return o.view(out, input.sizes);
    },
    evidence: "aten/src/ATen/native/Normalization.cpp instance_norm",
  },
]);
