/** scaled_dot_product_attention: the choice of a kernel and what happens to masks, heads and head sizes before it runs. */

import { mathAttention, maskToNumbers } from "./attention-math.ts";
import { BOOL } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { AttentionKernel } from "../torch/engine-rules.ts";
import { type AttentionCall, chooseAttention } from "./attention-choice.ts";
import { cudnnAttention } from "./attention-cudnn.ts";
import { efficientAttention } from "./attention-efficient.ts";
import { attentionFastPaths } from "./attention-fast-path.ts";
import { flashAttention } from "./attention-flash.ts";

import { type Args, type CompositeContext, defineOps, type Ops } from "./row.ts";

interface Inputs {
  readonly query: Tensor;
  readonly key: Tensor;
  readonly value: Tensor;
  readonly mask: Tensor | null;
}

const asGiven = ({ query, key, value, attn_mask }: Args): Inputs => ({ query, key, value, mask: attn_mask });

/** Flash wants a head size that is a multiple of 8; the inputs are copied into wider ones until then. */
function flashInputs(a: Args, o: Ops, c: CompositeContext): Inputs {
  const pad = -a.query.size(-1) & 7;
  const inputs: Tensor[] = [a.query, a.key, a.value];
  if (pad === 0) return asGiven(a);
  const [query, key, value] = inputs.map((t) => o.constant_pad_nd(t, [0, pad], 0));
  // what autocast has cast lives until the call returns; the corpora's backend lets it go here
  if (!c.temporaries) for (const t of inputs) c.drop(t);
  return { query, key, value, mask: null };
}

function flash(a: Args, o: Ops, c: CompositeContext): Tensor {
  const size: number = a.head_size ?? a.query.size(-1);
  const { query, key, value } = a.head_size === null ? flashInputs(a, o, c) : asGiven(a);
  const scale = a.scale ?? size ** -0.5;
  const [out] = o._scaled_dot_product_flash_attention(query, key, value, a.dropout_p, a.is_causal, false, scale);
  return out.size(-1) === size ? out : o.slice(out, -1, 0, size, 1);
}

/** A bool mask as numbers in the query's type (convert_boolean_attn_mask_ in attention.cpp). */
function maskNumbers(mask: Tensor, query: Tensor, o: Ops, c: CompositeContext): Tensor {
  const dtype = query.dtype;
  const form = c.temporaries ? c.rules.boolMaskNumbers : "filled";
  return c.statement(() => {
    if (form === "filled") {
      const numbers = o.zeros_like(mask, dtype);
      c.statement(() => void o.masked_fill_(numbers, o.logical_not(mask), -Infinity));
      return numbers;
    }
    const first = o.scalar_tensor(0, dtype, query.device);
    const condition = form === "where_not" ? o.logical_not(mask) : mask;
    return o.where_self(condition, first, o.scalar_tensor(-Infinity, dtype, query.device));
  });
}

/**
 * The mask as the memory-efficient kernel reads it: numbers in the query's type, rows padded, expanded to [batch, heads, queries, keys]
 * (preprocess_mask and pad_bias in attention.cpp).
 *
 * Without the temporaries of kernels the figures are those of the recorded corpora, whose stand-in backend fills numbers and pads rows to 16 bytes
 * by their length.
 */
function efficientMask(mask: Tensor, query: Tensor, key: Tensor, o: Ops, c: CompositeContext): Tensor {
  const whole = [...query.sizes.slice(0, -1), key.size(-2)];
  let numbers = mask.dtype === BOOL ? maskNumbers(mask, query, o, c) : mask;
  const padding = c.temporaries ? c.rules.maskPadding : "bytes_16";
  const made = numbers;
  if (padding === "expanded_16") numbers = o.expand(numbers, whole);
  const align = padding === "bytes_16" ? 16 / query.dtype.itemBytes : padding === "expanded_16" ? 16 : 8;
  const length = numbers.size(-1);
  const aligned =
    padding === "strides_8"
      ? numbers.strides.slice(0, -1).every((stride) => stride % align === 0) && numbers.strides.at(-1) === 1
      : length % align === 0;
  if (!aligned) {
    const padded = o.constant_pad_nd(numbers, [0, align - (length % align)], 0);
    if (numbers !== mask) c.drop(numbers);
    numbers = o.slice(padded, -1, 0, length, 1);
    c.drop(padded);
  } else if (padding === "expanded_16") {
    const written = o.contiguous(numbers);
    // the copy takes the place of the mask that was made of truth values
    if (written !== numbers) {
      c.drop(numbers);
      if (made !== mask) c.drop(made);
    }
    numbers = written;
  }
  return o.expand(numbers, whole);
}

/** What the choice of a kernel is made from. */
function callOf(a: Args, c: CompositeContext): AttentionCall {
  const { query, key, value } = a;
  const trains = c.gradEnabled && (query.requiresGrad || key.requiresGrad || value.requiresGrad);
  const standIn = !c.temporaries;
  return { query, key, value, mask: a.attn_mask, dropout: a.dropout_p, grouped: a.enable_gqa, standIn, trains };
}

function chosenKernel(a: Args, c: CompositeContext): AttentionKernel {
  if (c.attention === "math") return "math";
  // only flash widens heads
  if (a.head_size && a.head_size !== a.query.size(-1)) return "flash";
  return chooseAttention(callOf(a, c), c.rules, c.gpu, a.kernels?.split(",") ?? null);
}

/** The mask in the kernel's form, and for the stand-in that recorded the corpora key and value with as many heads as the query. */
function efficientInputs(a: Args, o: Ops, c: CompositeContext): Inputs {
  const { query } = a;
  let { key, value } = a;
  if (a.enable_gqa && callOf(a, c).standIn) {
    const repeat = (t: Tensor): Tensor => o.repeat_interleave_self_int(t, query.size(-3) / t.size(-3), -3);
    key = repeat(key);
    c.drop(a.key);
    value = repeat(value);
    c.drop(a.value);
  }
  return { query, key, value, mask: a.attn_mask && efficientMask(a.attn_mask, query, key, o, c) };
}

function efficient(a: Args, o: Ops, c: CompositeContext): Tensor {
  const { query, dropout_p, is_causal, scale } = a;
  const { trains } = callOf(a, c);
  const { key, value, mask } = a.head_size === null ? efficientInputs(a, o, c) : asGiven(a);
  return o._scaled_dot_product_efficient_attention(query, key, value, mask, trains, dropout_p, is_causal, scale)[0];
}

function separate(a: Args, o: Ops, c: CompositeContext): Tensor {
  const mask = a.attn_mask?.dtype === BOOL ? maskToNumbers(a.attn_mask, a.query.dtype, o, c) : a.attn_mask;
  const options = {
    mask,
    dropout: a.dropout_p,
    causal: a.is_causal,
    scale: a.scale,
    grouped: a.enable_gqa,
    reducedPrecision: a.kernels?.split(",").includes("reduced_precision") ?? false,
  };
  return mathAttention(a.query, a.key, a.value, options, o, c);
}

export const attentionOps = defineOps([
  {
    // `kernels`: what torch.backends.cuda allows, as a list of flash, efficient, cudnn, math, and reduced_precision;
    // `head_size`: the query's before _attention_inputs, where the tensors went through it
    schema:
      "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False, str? kernels=None, int? head_size=None) -> Tensor",
    autocast: "low",
    castsInOrder: true,
    python: "none",
    evidence:
      "recorded: attention/masks-of-several-shapes, attention/encoder-layers-in-training, attention/encoder-layers-in-evaluation with PyTorch 2.6 and 2.14, fused and from separate operators",
    composite: (a, o, c) => {
      switch (chosenKernel(a, c)) {
        case "flash":
          return flash(a, o, c);
        case "efficient":
          return efficient(a, o, c);
        case "cudnn": {
          const mask = a.attn_mask?.dtype === BOOL ? maskToNumbers(a.attn_mask, a.query.dtype, o, c) : a.attn_mask;
          const { query, key, value, trains } = callOf(a, c);
          return o._scaled_dot_product_cudnn_attention(
            query,
            key,
            value,
            mask,
            trains,
            a.dropout_p,
            a.is_causal,
            false,
            a.scale,
          )[0];
        }
        case "math":
          return separate(a, o, c);
      }
    },
  },
  {
    // what autocast has cast, seen as the heads of one batch
    schema:
      "_attention_as_one_batch(Tensor query, Tensor key, Tensor value, Tensor? attn_mask) -> (Tensor query, Tensor key, Tensor value, Tensor? mask)",
    autocast: "low",
    castsInOrder: true,
    python: "none",
    evidence: "recorded: attention of three dimensions with PyTorch 2.14, its node SqueezeBackward1",
    composite: ({ query, key, value, attn_mask }, o) => [
      o.unsqueeze(query, 0),
      o.unsqueeze(key, 0),
      o.unsqueeze(value, 0),
      attn_mask?.rank === 3 ? o.unsqueeze(attn_mask, 0) : attn_mask,
    ],
  },
  {
    // In the corpora attention is a function of Python, and inputs that only the call holds are gone when the kernel runs: a step
    // of its own. A function of C++ has its inputs until it returns, and separate operators read them as they are: nothing then.
    schema:
      "_attention_inputs(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, float dropout_p=0.0, bool enable_gqa=False, str? kernels=None) -> (Tensor? query, Tensor? key, Tensor? value, Tensor? mask)",
    python: "none",
    evidence:
      "recorded: static-cache decoding and attention/masks-made-in-the-call with PyTorch 2.6 and 2.14; the latter with 2.11 on an H100",
    composite: (a, o, c) =>
      c.attention === "math" || c.temporaries
        ? [null, null, null, null]
        : o._fused_attention_inputs(a.query, a.key, a.value, a.attn_mask, a.dropout_p, a.enable_gqa, a.kernels),
  },
  {
    schema:
      "_fused_attention_inputs(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, float dropout_p=0.0, bool enable_gqa=False, str? kernels=None) -> (Tensor? query, Tensor? key, Tensor? value, Tensor? mask)",
    python: "none",
    autocast: "low",
    castsInOrder: true,
    evidence:
      "recorded: attention/masks-made-in-the-call with PyTorch 2.6 and 2.14; training of model families under autocast with 2.14",
    composite: (a, o, c) => {
      const prepare = { flash: flashInputs, efficient: efficientInputs, cudnn: null, math: null }[chosenKernel(a, c)];
      const { query, key, value, mask } = prepare?.(a, o, c) ?? asGiven(a);
      return [query, key, value, mask];
    },
  },
  ...flashAttention,
  ...efficientAttention,
  ...cudnnAttention,

  ...attentionFastPaths,
]);
