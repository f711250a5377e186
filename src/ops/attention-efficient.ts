/** Memory-efficient attention and its backward (aten/src/ATen/native/transformers/cuda/attention.cu, attention_backward.cu). */

import { FLOAT32, INT64, isReducedFloat } from "../tensor/dtype.ts";
import { contiguousStrides } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { missing } from "./pointwise.ts";
import { efficientAccumulatorBytes, efficientBackwardBytes, isLengthMajor } from "./attention-buffers.ts";
import { d, defineOps, type Kernel } from "./row.ts";

/** [batch, heads, length, size] that lies in memory as [batch, length, heads, size]. */
function lengthMajor(k: Kernel, like: Tensor, size = like.size(-1)): Tensor {
  const [batch, heads, length] = like.sizes;
  return k.output([batch, heads, length, size], like.dtype, [length * heads * size, size, heads * size, 1]);
}

/** The gradient of the bias: rows padded to 16 elements, the padding cut off again. */
function biasGradient(k: Kernel, bias: Tensor): Tensor {
  const padded = [...bias.sizes];
  padded[padded.length - 1] = Math.ceil(bias.size(-1) / 16) * 16;
  return k.output(bias.sizes, bias.dtype, contiguousStrides(padded));
}

export const efficientAttention = defineOps([
  {
    schema:
      "_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, *, float? scale=None) -> (Tensor output, Tensor log_sumexp, Tensor philox_seed, Tensor philox_offset)",
    python: "none",
    evidence:
      "native_functions.yaml: _scaled_dot_product_efficient_attention; outputs and layouts as PyTorch 2.6 and 2.14 make them (attention/masks-of-several-shapes); the log-sum-exp padded to 32 rows: published figures of an encoder layer",
    forward: ({ query, value, compute_log_sumexp, dropout_p }, k) => {
      // the corpora without temporaries were recorded with a build whose random state is on the CPU
      const onGpu = k.temporaries && k.rules.efficientRngStateOnGpu && dropout_p === 0;
      const [seed, offset] = [0, 1].map(() => k.output([], INT64, [], onGpu ? query.device : "cpu"));
      const output = lengthMajor(k, query, value.size(-1));
      const [batch, heads, length] = query.sizes;
      const logsumexp = k.output([batch, heads, compute_log_sumexp ? Math.ceil(length / 32) * 32 : 0], FLOAT32);
      k.scratch(efficientAccumulatorBytes(query, value), "efficient_output_accum");
      return [output, logsumexp, seed, offset];
    },
    derivatives: [
      d(
        "query key value attn_bias",
        "query key value attn_bias output log_sumexp philox_seed philox_offset",
        ({ grad, saved: s, args, needs, ops: o }) => {
          const [q, key, value, bias] = o._scaled_dot_product_efficient_attention_backward(
            grad,
            s.query,
            s.key,
            s.value,
            s.attn_bias,
            s.output,
            s.log_sumexp,
            s.philox_seed,
            s.philox_offset,
            args.dropout_p,
            needs.attn_bias ?? false,
            args.is_causal,
            args.scale,
          );
          return [
            needs.query ? q : null,
            needs.key ? key : null,
            needs.value ? value : null,
            needs.attn_bias ? bias : null,
          ];
        },
      ),
    ],
  },
  {
    schema:
      "_scaled_dot_product_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, Tensor? attn_bias, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, float dropout_p, bool bias_needs_grad, bool is_causal=False, *, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value, Tensor? grad_bias)",
    python: "none",
    mixedDevices: true,
    evidence:
      "gradients as PyTorch 2.6 and 2.14 make them; buffers: attention_backward.cu and kernel_backward.h, sizes not measured",
    forward: ({ grad_out_, query, key, value, attn_bias, bias_needs_grad }, k) => {
      if (!isLengthMajor(grad_out_)) k.scratch(grad_out_.nbytes, "efficient_grad_contiguous");
      const gradients = [lengthMajor(k, query), lengthMajor(k, key), lengthMajor(k, value)];
      const bias = bias_needs_grad && attn_bias ? biasGradient(k, attn_bias) : null;
      const [batch, heads, length] = query.sizes;
      if (key.sizes[1] !== heads) {
        const rows = batch * key.sizes[2] * heads * query.dtype.itemBytes;
        k.scratch(rows * key.size(-1), "efficient_dk_expanded");
        k.scratch(rows * value.size(-1), "efficient_dv_expanded");
      }
      const rowSums = batch * heads * length * 4;
      let delta: () => void;
      if (isReducedFloat(query.dtype)) delta = k.scratch(rowSums, "efficient_delta");
      else {
        // 32-bit kernels leave the row sums of grad x output to a product, a sum and a copy of it, which alone stays
        const product = k.scratch(grad_out_.nbytes, "efficient_grad_times_output");
        const sums = k.scratch(rowSums, "efficient_row_sums");
        delta = k.scratch(rowSums, "efficient_delta");
        sums();
        product();
      }
      k.scratch(efficientBackwardBytes(query, key, value, k.gpu), "efficient_workspace");
      delta();
      return [...gradients, bias];
    },
    derivatives: [missing("_scaled_dot_product_efficient_attention_backward", "grad_out_ query key value")],
  },
]);
