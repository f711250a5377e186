/**
 * Kernels of the flash_attn package (2.8), which xformers calls, too. Tensors are [batch, length, heads, size], or
 * [total, heads, size] where sequences lie one after the other.
 */

import { FLOAT32, INT64, isReducedFloat } from "../tensor/dtype.ts";
import { numel, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { flashSplits } from "./attention-buffers.ts";
import { type Args, defineOps, type Kernel } from "./row.ts";

const FLOAT_BYTES = FLOAT32.itemBytes;
/** Rows of queries that a block of the backward kernel works on at most. */
const ROWS = 128;
const MOST_HEAD_SIZE = 256;

const roundUp = (n: number, step: number): number => Math.ceil(n / step) * step;

/** Head size of float32 sums (flash_api.cpp, head_size_rounded). */
const roundedHead = (size: number): number => roundUp(size, size <= 128 ? 32 : 64);

function check(q: Tensor, k: Kernel): void {
  const size = q.size(-1);
  if (k.gpu.sm < 80) throw new TorchError("FlashAttention only supports Ampere GPUs or newer.");
  if (!isReducedFloat(q.dtype)) throw new TorchError("FlashAttention only support fp16 and bf16 data type");
  if (!q.isCuda) throw new TorchError("q must be on CUDA");
  if (size > MOST_HEAD_SIZE) throw new TorchError("FlashAttention forward only supports head dimension at most 256");
  if (size % 8 !== 0) throw new TorchError("query, key, value, and out_ must have a head_size that is a multiple of 8");
}

/** One query per sequence and grouped heads: the heads of a group take the place of queries. */
const swaps = (queries: number, heads: number, keyHeads: number, a: Args): boolean =>
  queries === 1 && heads > keyHeads && !a.has_window && !a.has_slopes && !a.dropout_p;

interface Split {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  readonly size: number;
  /** 0: as the heuristic finds best. */
  readonly splits?: number;
}

/** Partial results where the keys are split among blocks: none with dropout. */
function partialResults(k: Kernel, { batch, heads, queries, keys, size, splits = 0 }: Split): void {
  const parts = splits > 0 ? splits : flashSplits(batch * heads, queries, keys, size, k.gpu);
  if (parts <= 1) return;
  const rows = parts * batch * heads * queries;
  k.scratch(rows * FLOAT_BYTES, "flash_logsumexp_parts");
  k.scratch(rows * roundedHead(size) * FLOAT_BYTES, "flash_output_parts");
}

/** The probabilities, which only tests ask for; otherwise a tensor without elements. */
const probabilities = (k: Kernel, asked: boolean, q: Tensor, sizes: readonly number[]): Tensor =>
  k.output(asked ? [...sizes.slice(0, 2), roundUp(sizes[2], ROWS), roundUp(sizes[3], ROWS)] : [0], q.dtype);

/** Sums of the query's gradient: one set, or with a fixed order as many as blocks of one head run at a time. */
function queryGradientSums(k: Kernel, batch: number, heads: number, elements: number, deterministic: boolean): void {
  const sets = deterministic ? Math.ceil(k.gpu.smCount / (batch * heads)) : 1;
  k.scratch(sets * elements * FLOAT_BYTES, "flash_dq_accum");
}

/** Gradients of shared keys and values, one per query head, before they are added up. */
function expandedGradients(k: Kernel, q: Tensor, key: Tensor): void {
  const heads = q.size(-2);
  if (key.size(-2) === heads) return;
  const bytes = (key.numel / key.size(-2)) * heads * q.dtype.itemBytes;
  k.scratch(bytes, "flash_dk_expanded");
  k.scratch(bytes, "flash_dv_expanded");
}

export const flashAttnPackage = defineOps([
  {
    schema:
      "flash_attn_forward(Tensor q, Tensor k, Tensor v, float dropout_p, bool has_window, bool has_slopes, bool return_softmax) -> (Tensor out, Tensor softmax_lse, Tensor probabilities, Tensor rng_state)",
    python: "none",
    library: "flash_attn",
    evidence: "flash_attn 2.8.3, csrc/flash_attn/flash_api.cpp: mha_fwd; not measured",
    forward: (a, k) => {
      const { q, k: key } = a;
      check(q, k);
      const [batch, length, heads, size] = q.sizes;
      const [, keys, keyHeads] = key.sizes;
      if (heads % keyHeads !== 0)
        throw new TorchError("Number of heads in key/value must divide number of heads in query");
      const out = k.like(q);
      const swapped = swaps(length, heads, keyHeads, a);
      const lse = k.output([batch, heads, length], FLOAT32);
      const p = probabilities(k, a.return_softmax, q, [batch, heads, length, keys]);
      const queries = swapped ? heads / keyHeads : length;
      if (a.dropout_p === 0) partialResults(k, { batch, heads: swapped ? keyHeads : heads, queries, keys, size });
      return [out, lse, p, k.output([2], INT64)];
    },
  },
  {
    schema:
      "flash_attn_varlen_forward(Tensor q, Tensor k, Tensor v, Tensor cu_seqlens_q, Tensor cu_seqlens_k, int max_seqlen_q, int max_seqlen_k, float dropout_p, bool has_window, bool has_slopes, bool return_softmax, bool paged) -> (Tensor out, Tensor softmax_lse, Tensor probabilities, Tensor rng_state)",
    python: "none",
    library: "flash_attn",
    evidence: "flash_attn 2.8.3, flash_api.cpp: mha_varlen_fwd; log-sum-exp without padding since 2.6; not measured",
    forward: (a, k) => {
      const { q, k: key, cu_seqlens_q } = a;
      check(q, k);
      const [total, heads, size] = q.sizes;
      const keyHeads = key.size(-2);
      const batch = cu_seqlens_q.numel - 1;
      const swapped = swaps(a.max_seqlen_q, heads, keyHeads, a);
      // the queries are copied so that groups lie together, and the result back
      if (swapped) k.scratch(q.nbytes, "flash_queries_by_group");
      const out = k.like(q);
      const lse = k.output([heads, total], FLOAT32);
      const p = probabilities(k, a.return_softmax, q, [batch, heads, a.max_seqlen_q, a.max_seqlen_k]);
      if (swapped && a.dropout_p === 0)
        partialResults(k, { batch, heads: keyHeads, queries: heads / keyHeads, keys: a.max_seqlen_k, size });
      const state = k.output([2], INT64);
      if (swapped) k.scratch(q.nbytes, "flash_output_by_group");
      return [out, lse, p, state];
    },
  },
  {
    schema:
      "flash_attn_backward(Tensor dout, Tensor q, Tensor k, Tensor v, Tensor out, Tensor softmax_lse, Tensor dq, Tensor dk, Tensor dv, bool deterministic) -> Tensor",
    python: "none",
    library: "flash_attn",
    evidence: "flash_attn 2.8.3, flash_api.cpp: mha_bwd; not measured",
    forward: ({ q, k: key, deterministic }, k) => {
      const [batch, length, heads, size] = q.sizes;
      const rows = roundUp(length, ROWS);
      const sums = k.output([batch, heads, rows], FLOAT32);
      queryGradientSums(k, batch, heads, batch * rows * heads * roundedHead(size), deterministic);
      expandedGradients(k, q, key);
      return sums;
    },
  },
  {
    schema:
      "flash_attn_varlen_backward(Tensor dout, Tensor q, Tensor k, Tensor v, Tensor out, Tensor softmax_lse, Tensor dq, Tensor dk, Tensor dv, Tensor cu_seqlens_q, bool deterministic) -> Tensor",
    python: "none",
    library: "flash_attn",
    evidence: "flash_attn 2.8.3, flash_api.cpp: mha_varlen_bwd; not measured",
    forward: ({ q, k: key, cu_seqlens_q, deterministic }, k) => {
      const [total, heads, size] = q.sizes;
      const batch = cu_seqlens_q.numel - 1;
      // sequences are kept so far apart that a block may write past the end of one
      const rows = total + ROWS * batch;
      const sums = k.output([heads, rows], FLOAT32);
      queryGradientSums(k, batch, heads, rows * heads * roundedHead(size), deterministic);
      expandedGradients(k, q, key);
      return sums;
    },
  },
  {
    schema:
      "flash_attn_kvcache(Tensor q, Tensor k_cache, Tensor v_cache, Tensor? k, Tensor? v, Tensor? block_table, bool has_window, bool has_slopes, int num_splits) -> (Tensor out, Tensor softmax_lse)",
    python: "none",
    library: "flash_attn",
    mutates: [],
    evidence: "flash_attn 2.8.3, flash_api.cpp: mha_fwd_kvcache; not measured",
    forward: (a, k) => {
      const { q, k_cache: cache, block_table: table } = a;
      const [batch, length, heads] = q.sizes;
      const keyHeads = cache.size(2);
      const size = roundUp(q.size(-1), 8);
      if (k.gpu.sm < 80) throw new TorchError("FlashAttention only supports Ampere GPUs or newer.");
      const keys = table ? table.size(1) * cache.size(1) : cache.size(1);
      const pads = size !== q.size(-1);
      const padded = (t: Tensor): number => (numel(t.sizes) / t.size(-1)) * size * t.dtype.itemBytes;
      if (pads) {
        k.scratch(padded(q), "flash_queries_padded");
        k.scratch(padded(cache), "flash_keys_padded");
        k.scratch(padded(a.v_cache), "flash_values_padded");
      }
      const out = k.output([batch, length, heads, q.size(-1)], q.dtype);
      const lse = k.output([batch, heads, length], FLOAT32);
      const swapped = swaps(length, heads, keyHeads, a);
      const queries = swapped ? heads / keyHeads : length;
      partialResults(k, { batch, heads: swapped ? keyHeads : heads, queries, keys, size, splits: a.num_splits });
      return [out, lse];
    },
  },
]);
