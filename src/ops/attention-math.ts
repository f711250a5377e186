/** Attention from separate operators (aten/src/ATen/native/transformers/attention.cpp, _scaled_dot_product_attention_math). */

import { BOOL, FLOAT32, type DType, isReducedFloat } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { CompositeContext, Ops } from "./row.ts";

/** A bool mask as numbers to add: `where` of two 0-dim tensors. */
export function maskToNumbers(mask: Tensor, dtype: DType, o: Ops, c: CompositeContext): Tensor {
  return c.statement(() => {
    const hidden = o.scalar_tensor(-Infinity, dtype, mask.device);
    const seen = o.scalar_tensor(0, dtype, mask.device);
    return o.where_self(mask, seen, hidden);
  });
}

function causalMask(query: Tensor, key: Tensor, o: Ops, c: CompositeContext): Tensor {
  return c.statement(() => {
    const lower = c.statement(() => o.tril(o.ones([query.size(-2), key.size(-2)], BOOL, query.device)));
    return maskToNumbers(lower, query.dtype, o, c);
  });
}

/** Key and value with as many heads as the query: copies where they have fewer. */
function repeatHeads(query: Tensor, key: Tensor, value: Tensor, o: Ops): [Tensor, Tensor] {
  const heads = query.size(-3);
  if (key.size(-3) === heads && value.size(-3) === heads) return [key, value];
  return [
    o.repeat_interleave_self_int(key, heads / key.size(-3), -3),
    o.repeat_interleave_self_int(value, heads / value.size(-3), -3),
  ];
}

export interface MathAttention {
  readonly mask: Tensor | null;
  readonly dropout: number;
  readonly causal: boolean;
  readonly scale: number | null;
  readonly grouped: boolean;
  /** 16-bit inputs stay 16-bit (torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp). */
  readonly reducedPrecision: boolean;
}

/** Temporaries live as long as C++'s locals do: the scores until the softmax replaced them, the rest until the end. */
export function mathAttention(q: Tensor, k: Tensor, v: Tensor, a: MathAttention, o: Ops, c: CompositeContext): Tensor {
  const original = q.dtype;
  const raised = c.rules.mathAttentionUpcasts && isReducedFloat(q.dtype) && !a.reducedPrecision;
  const type = raised ? FLOAT32 : original;
  const queryIn = o.to(q, type);
  const keyIn = o.to(k, type);
  const valueIn = o.to(v, type);
  // both sides of the product get the root of the scale
  const factor = Math.sqrt(Math.abs(a.scale ?? q.size(-1) ** -0.5));
  const query: Tensor = o.mul(queryIn, factor);
  const mask = a.causal ? causalMask(query, keyIn, o, c) : a.mask;
  const [key, value] = a.grouped ? repeatHeads(query, keyIn, valueIn, o) : [keyIn, valueIn];
  const scores: Tensor = c.statement(() => o.matmul(query, o.mul(o.transpose(key, -2, -1), factor)));
  if (mask) o.add_(scores, mask);
  const softmax: Tensor = c.rules.safeSoftmax ? o._safe_softmax(scores, -1) : o.softmax_int(scores, -1);
  c.drop(scores);
  let probabilities = softmax;
  if (a.dropout > 0) {
    probabilities = o.dropout(softmax, a.dropout, true);
    c.drop(softmax);
  }
  // The pair of results is made from its second member: the probabilities are cast before the last product.
  o.to(probabilities, original);
  return c.statement(() => o.to(o.matmul(probabilities, value), original));
}
