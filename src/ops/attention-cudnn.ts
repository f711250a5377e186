/** cuDNN's attention and its backward (aten/src/ATen/native/transformers/cuda/attention.cu, cudnn/MHA.cpp). */

import { FLOAT32, INT64 } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, type Kernel } from "./row.ts";

/** What the engine keeps beside its results, whatever the shapes. */
const ENGINE_BYTES = 256;
/** A single query over long keys is shared out, where its heads would leave half of the card idle. */
const SHARES = 16;
const FEWEST_KEYS = 1024;
/** What a share writes beside its part of the output. */
const SHARE_STATISTICS_BYTES = 8;

/**
 * What the forward engine takes, as an H100 recorded it with cuDNN 9.19. Seven shapes of a single query were recorded: where sharing out
 * begins between them is an assumption.
 */
function forwardWorkspace(k: Kernel, query: Tensor, key: Tensor): void {
  if (!k.temporaries) return;
  if (query.size(-2) !== 1) return void k.scratch(ENGINE_BYTES, "attention_workspace");
  const heads = query.numel / query.size(-1);
  const highBytes = heads * SHARES * (query.size(-1) * FLOAT32.itemBytes + SHARE_STATISTICS_BYTES) + ENGINE_BYTES / 2;
  const workspaceBytes = key.size(-2) >= FEWEST_KEYS && 2 * heads <= k.gpu.smCount ? highBytes : 0;
  k.scratch(workspaceBytes, "attention_workspace");
  k.assume("attention_workspace", { library: "cuDNN", lowBytes: 0, workspaceBytes, highBytes });
}

/**
 * What the backward engine takes (recorded on an H100, seven shapes): the query's gradient and the rows' sums in float32, and
 * gradients of key and value for each of the query's heads where several share one.
 */
function backwardWorkspace(k: Kernel, query: Tensor, key: Tensor, value: Tensor, logsumexp: Tensor): void {
  const heads = query.size(1) / key.size(1);
  const shared = heads === 1 ? 0 : heads * (key.numel + value.numel) * key.dtype.itemBytes;
  k.scratch(
    query.numel * FLOAT32.itemBytes + logsumexp.numel * FLOAT32.itemBytes + shared + ENGINE_BYTES,
    "attention_workspace",
  );
}

export const cudnnAttention = defineOps([
  {
    schema:
      "_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor? cum_seq_q, Tensor? cum_seq_k, Tensor? max_q, Tensor? max_k, Tensor philox_seed, Tensor philox_offset, Tensor? debug_attn_mask)",
    python: "none",
    evidence:
      "native_functions.yaml: _scaled_dot_product_cudnn_attention; outputs as PyTorch 2.6 and 2.14 describe them; recorded on an H100",
    forward: ({ query, key, value, compute_log_sumexp }, k) => {
      const [batch, heads, length, size] = query.sizes;
      const number = () => k.output([], INT64);
      const [output, logsumexp, seed, offset] = k.inOrder(
        [2, 3, 0, 1],
        [
          () =>
            value.size(-1) === size ? k.like(query) : k.output([batch, heads, length, value.size(-1)], query.dtype),
          () => k.output(compute_log_sumexp ? [batch, heads, length, 1] : [0], FLOAT32),
          number,
          number,
        ],
      );
      forwardWorkspace(k, query, key);
      return [output, logsumexp, null, null, null, null, seed, offset, null];
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
      "native_functions.yaml: _scaled_dot_product_cudnn_attention_backward; outputs as PyTorch 2.6 and 2.14 describe them; recorded on an H100",
    forward: ({ grad_out, query, key, value, logsumexp }, k) => {
      const gradients = [k.like(query), k.like(key), k.like(value)];
      // the engine reads rows (permute_to_matching_layout in cudnn/MHA.cpp): the expanded gradient of a sum is written out
      if (grad_out.strides.at(-1) !== 1) k.scratch(grad_out.nbytes, "attention_grad_contiguous");
      backwardWorkspace(k, query, key, value, logsumexp);
      return gradients;
    },
  },
]);
