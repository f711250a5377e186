/**
 * The inference fast paths of nn.MultiheadAttention and nn.TransformerEncoderLayer: one C++ call for a whole layer
 * (aten/src/ATen/native/transformers/cuda/attention.cu, transformers/transformer.cpp). No graph is recorded here.
 */

import { BOOL } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { chooseAttention } from "./attention-choice.ts";
import { type Args, type CompositeContext, defineOps, type Ops } from "./row.ts";

/** [batch, length, width] as [batch, heads, length, width / heads]. */
const byHead = (t: Tensor, heads: number, o: Ops): Tensor =>
  o.transpose(o.view(t, [t.sizes[0], -1, heads, t.size(-1) / heads]), 1, 2);

/** x times weight plus bias over [batch, length, width]. */
function project(x: Tensor, weight: Tensor, bias: Tensor, o: Ops): Tensor {
  const flat = o.view(x, [x.sizes[0] * x.sizes[1], x.sizes[2]]);
  return o.view(o.addmm(bias, flat, o.t(weight)), [x.sizes[0], x.sizes[1], -1]);
}

/** Packed projection, a fused kernel, output projection. */
function fused(a: Args, o: Ops): Tensor {
  const packed = o.linear(a.query, a.qkv_weight, a.qkv_bias);
  const [q, k, v] = o.chunk(packed, 3, -1).map((t: Tensor) => byHead(t, a.num_head, o));
  const y: Tensor = o.scaled_dot_product_attention(q, k, v);
  const rows = o.reshape(o.transpose(y, 1, 2), [packed.sizes[0], -1, a.embed_dim]);
  return o.linear(rows, a.proj_weight, a.proj_bias);
}

/** The three projections side by side: one product, two, or three joined. */
function projections(a: Args, o: Ops): Tensor {
  const { query, key, value, qkv_weight: weight, embed_dim: width } = a;
  const times = (x: Tensor, w: Tensor): Tensor => o.matmul(x, o.t(w));
  if (query === key && key === value) return times(query, weight);
  const part = (from: number, count: number): Tensor => o.slice(weight, 0, from * width, (from + count) * width, 1);
  if (key === value) return o.cat([times(query, part(0, 1)), times(key, part(1, 2))], 2);
  return o.cat([times(query, part(0, 1)), times(key, part(1, 1)), times(value, part(2, 1))], 2);
}

function separate(a: Args, o: Ops, c: CompositeContext): (Tensor | null)[] {
  const packed = projections(a, o);
  const [q, k] = o._transform_bias_rescale_qkv(packed, a.qkv_bias, a.num_head);
  c.drop(packed);
  const [batch, heads, length, size] = q.sizes;
  const flat = (t: Tensor): Tensor => o.view(t, [batch * heads, t.sizes[2], t.sizes[3]]);
  const scores: Tensor = o.view(o.bmm(flat(q), o.transpose(flat(k), 1, 2)), [batch, heads, length, k.sizes[2]]);
  let weights = scores;
  if (a.mask) {
    const mask = a.mask.dtype === BOOL ? a.mask : o.to(a.mask, BOOL);
    weights = o._masked_softmax(scores, mask, 3, a.mask_type);
    c.drop(scores);
  }
  // the context goes where q was; its rows are then made contiguous
  const context = o.transpose(q, 1, 2);
  const rows = o.view(o.contiguous(context), [batch, length, heads * size]);
  const out = project(rows, a.proj_weight, a.proj_bias, o);
  if (!a.need_weights) return [out, null];
  if (!a.average_attn_weights) return [out, weights];
  return [out, o.div_(o.sum_dim_IntList(weights, [1]), a.num_head)];
}

function feedForward(x: Tensor, a: Args, o: Ops): Tensor {
  const flat = o.view(x, [x.sizes[0] * x.sizes[1], x.sizes[2]]);
  const inner = o._addmm_activation(a.ffn_bias_1, flat, o.t(a.ffn_weight_1), 1, 1, a.use_gelu);
  return project(o.view(inner, [x.sizes[0], x.sizes[1], -1]), a.ffn_weight_2, a.ffn_bias_2, o);
}

export const attentionFastPaths = defineOps([
  {
    schema:
      "_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor output, Tensor? weights)",
    python: "function",
    evidence: "read in PyTorch 2.6; not recorded",
    composite: (a, o, c) => {
      const { query, key, value } = a;
      const same = query === key && key === value;
      if (same && (a.embed_dim / a.num_head) % 8 === 0 && !a.need_weights && !a.mask && c.attention !== "math") {
        const x = byHead(query, a.num_head, o);
        const call = {
          query: x,
          key: x,
          value: x,
          mask: null,
          dropout: 0,
          grouped: false,
          standIn: !c.temporaries,
          trains: false,
        };
        if (chooseAttention(call, c.rules, c.gpu, null) !== "math") return [fused(a, o), null];
      }
      return separate(a, o, c);
    },
  },
  {
    schema:
      "_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor",
    python: "function",
    evidence: "read in PyTorch 2.6; not recorded",
    composite: (a, o, c) => {
      if (a.src.numel === 0) return o.clone(a.src);
      /** `x = f(x)`: the old x goes when the new one is there. */
      let x: Tensor = a.src;
      const become = (next: Tensor, old: Tensor | null): void => {
        if (old && old !== a.src) c.drop(old);
        x = next;
      };
      const norm = (t: Tensor, weight: Tensor, bias: Tensor): Tensor =>
        o.layer_norm(t, [a.embed_dim], weight, bias, a.eps);
      if (a.norm_first) become(norm(x, a.norm_weight_1, a.norm_bias_1), null);
      const [attended] = o._native_multi_head_attention(
        x,
        x,
        x,
        a.embed_dim,
        a.num_heads,
        a.qkv_weight,
        a.qkv_bias,
        a.proj_weight,
        a.proj_bias,
        a.mask,
        false,
        true,
        a.mask_type,
      );
      become(attended, x);
      o.add_(x, a.src);
      if (!a.norm_first) become(norm(x, a.norm_weight_1, a.norm_bias_1), x);
      const residual = x;
      if (a.norm_first) become(norm(x, a.norm_weight_2, a.norm_bias_2), null);
      become(feedForward(x, a, o), x === residual ? null : x);
      o.add_(x, residual);
      if (!a.norm_first) become(norm(x, a.norm_weight_2, a.norm_bias_2), x);
      return x;
    },
  },
  {
    schema: "_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor q, Tensor k, Tensor v)",
    python: "none",
    evidence: "native_functions.yaml: _transform_bias_rescale_qkv; one allocation for all three, read in PyTorch 2.6",
    forward: ({ qkv, num_heads }, k) => {
      const [batch, length, triple] = qkv.sizes;
      const size = triple / 3 / num_heads;
      const packed = k.output([3, batch, num_heads, length, size], qkv.dtype);
      const part = batch * num_heads * length * size;
      return [0, 1, 2].map((i) =>
        k.view(packed, [batch, num_heads, length, size], packed.strides.slice(1), i * part, true),
      );
    },
  },
  {
    schema: "_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor",
    evidence: "native_functions.yaml: _masked_softmax",
    python: "none",
    forward: ({ self }, k) => k.like(self),
  },
  {
    schema:
      "_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor",
    python: "none",
    evidence:
      "native_functions.yaml: _addmm_activation; cuBLASLt with the activation in its epilogue; activation in place elsewhere",
    forward: ({ mat1, mat2 }, k) => {
      const out = k.output([mat1.sizes[0], mat2.sizes[1]], mat1.dtype);
      if (out.numel === 0) return out;
      k.cublasLtWorkspace();
      k.cublasWorkspace();
      return out;
    },
  },
]);
