/** Flash attention and its backward (aten/src/ATen/native/transformers/cuda/attention.cu, flash_attn/flash_api.cpp). */

import { dtype, FLOAT32, INT64 } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { missing } from "./pointwise.ts";
import { flashSplits, isLengthMajor, partialHead } from "./attention-buffers.ts";
import { d, defineOps, type Kernel } from "./row.ts";

/** The partial results of split keys: none with dropout or where the queries fill the GPU. */
function partialResults(k: Kernel, query: Tensor, key: Tensor, dropout: number): void {
  if (dropout > 0) return;
  const [batch, heads, length, size] = query.sizes;
  // one query per head: the heads of a group take the place of queries
  const swapped = length === 1 && heads > key.sizes[1];
  const queries = swapped ? heads / key.sizes[1] : length;
  const rows = swapped ? key.sizes[1] : heads;
  const splits = flashSplits(batch * rows, queries, key.sizes[2], size, k.gpu);
  if (splits === 1) return;
  k.scratch(splits * batch * rows * queries * 4, "flash_logsumexp_parts");
  k.scratch(splits * batch * rows * queries * partialHead(size, k.rules) * 4, "flash_output_parts");
}

export const flashAttention = defineOps([
  {
    schema:
      "_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor? cum_seq_q, Tensor? cum_seq_k, Tensor? max_q, Tensor? max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask)",
    python: "none",
    evidence: "outputs, layouts and seeds as PyTorch 2.6 and 2.14 make them; partial results: reference 4.4",
    forward: ({ query, key, dropout_p }, k) => {
      const output = k.like(query);
      const [batch, heads, length] = query.sizes;
      const logsumexp = k.output([batch, heads, length], FLOAT32);
      partialResults(k, query, key, dropout_p);
      const onGpu = k.rules.flashRngStateOnGpu;
      const state = onGpu ? k.output([2], dtype("uint64")) : k.output([], INT64, [], "cpu");
      const unused = onGpu ? k.output([], dtype("uint64")) : k.output([], INT64, [], "cpu");
      return [output, logsumexp, null, null, null, null, state, unused, k.output([0], query.dtype)];
    },
    derivatives: [
      d(
        "query key value",
        "query key value output logsumexp rng_state unused",
        ({ grad, saved: s, args, needs, ops: o }) => {
          const [q, key, value] = o._scaled_dot_product_flash_attention_backward(
            grad,
            s.query,
            s.key,
            s.value,
            s.output,
            s.logsumexp,
            args.dropout_p,
            args.is_causal,
            s.rng_state,
            s.unused,
            args.scale,
          );
          return [needs.query ? q : null, needs.key ? key : null, needs.value ? value : null];
        },
      ),
    ],
  },
  {
    schema:
      "_scaled_dot_product_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, Tensor philox_seed, Tensor philox_offset, *, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
    python: "none",
    mixedDevices: true,
    evidence: "gradients as PyTorch 2.6 and 2.14 make them; buffers: reference 4.4",
    forward: ({ grad_out, query, key, value, out }, k) => {
      if (!isLengthMajor(grad_out)) k.scratch(grad_out.nbytes, "flash_grad_contiguous");
      if (!isLengthMajor(out)) k.scratch(out.nbytes, "flash_output_contiguous");
      const gradients = [k.like(query), k.like(key), k.like(value)];
      const [batch, heads, length, size] = query.sizes;
      const rows = Math.ceil(length / 128) * 128;
      k.scratch(batch * heads * rows * 4, "flash_softmax_d");
      k.scratch(batch * rows * heads * partialHead(size, k.rules) * 4, "flash_dq_accum");
      if (key.sizes[1] !== heads) {
        const expandedBytes = batch * key.sizes[2] * heads * size * query.dtype.itemBytes;
        k.scratch(expandedBytes, "flash_dk_expanded");
        k.scratch(expandedBytes, "flash_dv_expanded");
      }
      return gradients;
    },
    derivatives: [missing("_scaled_dot_product_flash_attention_backward", "grad_out query key value")],
  },
]);
