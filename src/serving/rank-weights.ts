/**
 * Weights of one GPU of an engine that runs in PyTorch: matrices joined as its layers join them, split over tensor-parallel ranks and
 * pipeline stages, each allocated by the caching allocator, whose unsplit remainders count.
 */

import { table } from "../base/table.ts";
import { CachingAllocator } from "../alloc/caching-allocator.ts";
import type { ServedModel } from "./served-model.ts";
import type { Weight } from "../models/weight-list.ts";
import { weightBytes, type WeightFormat } from "../models/weight-formats.ts";

export interface RankOptions {
  readonly format: WeightFormat;
  /** Bytes of a value that the format leaves alone. */
  readonly computeBytes: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  /** Stage, from 0. */
  readonly stage: number;
}

/** One parameter of the engine's layers: several matrices of a checkpoint. */
const JOINED = table<string>({
  attn_q: "qkv",
  attn_k: "qkv",
  attn_v: "qkv",
  "attn_q.bias": "qkv.bias",
  "attn_k.bias": "qkv.bias",
  "attn_v.bias": "qkv.bias",
  ffn_gate: "gate_up",
  ffn_up: "gate_up",
  ffn_gate_exps: "w13",
  ffn_up_exps: "w13",
  ffn_gate_shexp: "gate_up_shexp",
  ffn_up_shexp: "gate_up_shexp",
  attn_k_b: "kv_b",
  attn_v_b: "kv_b",
});
/** Present on every rank in full. */
const REPLICATED = /^(attn_q_a|attn_kv_a_mqa|ffn_gate_inp|position_embd)/;
const EMBEDDING = /^(token_embd|output)$/;
const KEY_VALUE = /^attn_[kv](\.bias)?$/;
/** Vocabularies are padded to this many rows. */
const VOCAB_PADDING = 64;

/** Layers of a stage, from and up to; the rest of an uneven division goes to later stages, the last one excepted. */
export function stageLayers(layers: number, stages: number, stage: number): readonly [number, number] {
  const sizes = Array.from({ length: stages }, () => Math.floor(layers / stages));
  for (let left = layers % stages, at = Math.max(0, stages - 2); left > 0; left--, at = (at - 1 + stages) % stages)
    sizes[at]!++;
  const from = sizes.slice(0, stage).reduce((sum, size) => sum + size, 0);
  return [from, from + sizes[stage]!];
}

const EXPERTS = /^ffn_(gate|up|down)_exps$/;

/** A rank's part of the experts as its kernel wants it: one side the width of the model, the other a share of the inner width. */
function roundedExperts(weight: Weight, { format, tensorParallel }: RankOptions): Weight {
  const { hidden, inner } = format.expertSides!;
  const up = (value: number, to: number): number => Math.ceil(value / to) * to;
  const isDown = weight.role === "ffn_down_exps";
  const [width, share] = isDown ? [weight.rows, weight.columns] : [weight.columns, weight.rows];
  const sides = [up(width, hidden), up(share / tensorParallel, inner)] as const;
  const [columns, rows] = isDown ? [sides[1], sides[0]] : sides;
  return { ...weight, columns, rows };
}

function onRank(weight: Weight, model: ServedModel, options: RankOptions): number {
  const { tensorParallel: ranks, format, computeBytes } = options;
  if (EMBEDDING.test(weight.role)) {
    const rows = Math.ceil(weight.rows / (VOCAB_PADDING * ranks)) * VOCAB_PADDING;
    return weightBytes(format, { ...weight, rows }, computeBytes);
  }
  if (format.expertSides !== undefined && EXPERTS.test(weight.role))
    return weightBytes(format, roundedExperts(weight, options), computeBytes);
  const whole = weightBytes(format, weight, computeBytes);
  const isSplitVector = weight.role.endsWith(".bias") && JOINED[weight.role] !== undefined;
  if (ranks === 1 || REPLICATED.test(weight.role) || (weight.kind === "vector" && !isSplitVector)) return whole;
  const look = model.shape.layers[weight.layer ?? 0]?.attention;
  const heads = KEY_VALUE.test(weight.role) && look?.kind === "grouped" ? look.kvHeads : Infinity;
  return Math.ceil(whole / Math.min(ranks, heads));
}

/** Sizes of the parameters of a stage, in the order in which an engine makes them. */
export function rankSizes(model: ServedModel, options: RankOptions): readonly number[] {
  const { pipelineParallel: stages, stage } = options;
  const [from, to] = stageLayers(model.shape.layers.length, stages, stage);
  const isHere = ({ role, layer }: Weight): boolean => {
    if (layer !== null) return layer >= from && layer < to;
    const first = /^(token_embd|position_embd)/.test(role);
    // The last stage of a tied model needs the embedding, too.
    return first ? stage === 0 || (stage === stages - 1 && model.shape.tied) : stage === stages - 1;
  };
  const sizes = new Map<string, number>();
  for (const weight of model.weights) {
    if (!isHere(weight)) continue;
    const key = `${weight.layer ?? ""}/${JOINED[weight.role] ?? weight.role}`;
    sizes.set(key, (sizes.get(key) ?? 0) + onRank(weight, model, options));
  }
  if (stage === 0 && model.otherParameters > 0)
    sizes.set("towers", Math.ceil((model.otherParameters * options.computeBytes) / options.tensorParallel));
  return [...sizes.values()].map((size) => Math.ceil(size));
}

/** Bytes that the weights of a stage occupy in the caching allocator. */
export function rankWeightBytes(model: ServedModel, options: RankOptions): number {
  const allocator = new CachingAllocator({ totalBytes: Number.MAX_SAFE_INTEGER });
  let bytes = 0;
  for (const size of rankSizes(model, options)) bytes += allocator.malloc(size)?.bytes ?? 0;
  return bytes;
}

/** Sum of the weights of a whole model in a format, nothing rounded. */
export function modelWeightBytes(model: ServedModel, format: WeightFormat, computeBytes: number): number {
  const listed = model.weights.reduce((sum, weight) => sum + weightBytes(format, weight, computeBytes), 0);
  return listed + model.otherParameters * (format.keptBytes ?? computeBytes);
}
