/** cuDNN's attention and its backward (aten/src/ATen/native/transformers/cuda/attention.cu, cudnn/MHA.cpp). */

import { FLOAT32, INT64 } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, type Kernel } from "./row.ts";

/** The engine's plan says at run time: at most accumulators in float32 of what it writes, as the other fused kernels take. */
function assumeWorkspace(k: Kernel, written: readonly Tensor[]): void {
  if (!k.temporaries) return;
  const highBytes = written.reduce((sum, t) => sum + t.numel * FLOAT32.itemBytes, 0);
  k.assume("attention_workspace", { library: "cuDNN", lowBytes: 0, highBytes });
}

export const cudnnAttention = defineOps([
  {
    schema:
      "_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor? cum_seq_q, Tensor? cum_seq_k, Tensor? max_q, Tensor? max_k, Tensor philox_seed, Tensor philox_offset, Tensor? debug_attn_mask)",
    python: "none",
    evidence:
      "native_functions.yaml: _scaled_dot_product_cudnn_attention; outputs as PyTorch 2.6 and 2.14 describe them; the engine's workspace is not known",
    forward: ({ query, value, compute_log_sumexp }, k) => {
      const [batch, heads, length, size] = query.sizes;
      const output =
        value.size(-1) === size ? k.like(query) : k.output([batch, heads, length, value.size(-1)], query.dtype);
      assumeWorkspace(k, [query]);
      const logsumexp = k.output(compute_log_sumexp ? [batch, heads, length, 1] : [0], FLOAT32);
      return [output, logsumexp, null, null, null, null, k.output([], INT64), k.output([], INT64), null];
    },
    derivatives: [
      d(
        "query key value",
        "query key value attn_bias output logsumexp philox_seed philox_offset",
        ({ grad, saved: s, args, needs, ops: o }) => {
          const [q, key, value] = o._scaled_dot_product_cudnn_attention_backward(
            grad,
            s.query,
            s.key,
            s.value,
            s.output,
            s.logsumexp,
            s.philox_seed,
            s.philox_offset,
            s.attn_bias,
            args.dropout_p,
            args.is_causal,
            args.scale,
          );
          return [needs.query ? q : null, needs.key ? key : null, needs.value ? value : null];
        },
      ),
    ],
  },
  {
    schema:
      "_scaled_dot_product_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, Tensor? attn_bias, float dropout_p, bool is_causal, *, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
    python: "none",
    evidence:
      "native_functions.yaml: _scaled_dot_product_cudnn_attention_backward; outputs as PyTorch 2.6 and 2.14 describe them; the engine's workspace is an assumption",
    forward: ({ query, key, value }, k) => {
      const gradients = [k.like(query), k.like(key), k.like(value)];
      assumeWorkspace(k, [query, key, value]);
      return gradients;
    },
  },
]);
