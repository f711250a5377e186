/**
 * The weights of a language model from its shape: one entry per matrix or vector, with what it does. Roles are called as in GGUF
 * files, whose mixes are rules about roles.
 */

import type { AttentionShape, LayerShape, ModelShape } from "./model-shape.ts";
import { chosenFor } from "./trait-choices.ts";
import type { FeedShape } from "./feed-shape.ts";
import type { StateShape } from "./state-shape.ts";
import { listField, numberField, objectField, type ModelConfig } from "../formats/model-config.ts";

export interface Weight {
  /** `attn_q`, `ffn_down_exps`, `token_embd`: the GGUF name without block and suffix. */
  readonly role: string;
  /** Null outside the layers. */
  readonly layer: number | null;
  /** Inputs: the contiguous dimension. */
  readonly columns: number;
  /** Outputs; 1 for vectors. */
  readonly rows: number;
  /** Experts in one tensor; 1 elsewhere. */
  readonly copies: number;
  readonly kind: "matrix" | "vector";
  /** A checkpoint has it and a model's parameters do not: a buffer. */
  readonly buffer?: true;
}

export function weightElements(weight: Weight): number {
  return weight.columns * weight.rows * weight.copies;
}

class List {
  readonly weights: Weight[] = [];
  layer: number | null = null;

  matrix(role: string, columns: number, rows: number, copies = 1): void {
    if (columns * rows * copies === 0) return;
    this.weights.push({ role, layer: this.layer, columns, rows, copies, kind: "matrix" });
  }
  vector(role: string, length: number, copies = 1): void {
    if (length * copies === 0) return;
    this.weights.push({ role, layer: this.layer, columns: length, rows: 1, copies, kind: "vector" });
  }
  buffer(role: string, length: number): void {
    this.weights.push({ role, layer: this.layer, columns: length, rows: 1, copies: 1, kind: "vector", buffer: true });
  }
  /** A matrix with its bias. */
  linear(role: string, columns: number, rows: number, bias: boolean): void {
    this.matrix(role, columns, rows);
    if (bias) this.vector(`${role}.bias`, rows);
  }
  norm(role: string, length: number, parts: number): void {
    if (parts >= 1) this.vector(role, length);
    if (parts >= 2) this.vector(`${role}.bias`, length);
  }
}

interface Choices {
  readonly qkvBias: boolean;
  readonly outBias: boolean;
  readonly feedBias: boolean;
  readonly qkNorm: "none" | "head" | "all" | "each-head";
  /** Parameters of a norm: 0, 1 or 2 vectors. */
  readonly normParts: number;
  readonly norms: number;
}

function attention(list: List, shape: ModelShape, look: AttentionShape, choices: Choices): void {
  const { hidden, traits } = shape;
  if (look.kind === "latent") {
    const perHead = look.plainDim + look.ropeDim;
    if (look.queryRank > 0) {
      list.linear("attn_q_a", hidden, look.queryRank, choices.qkvBias);
      list.norm("attn_q_a_norm", look.queryRank, 1);
      list.matrix("attn_q_b", look.queryRank, look.heads * perHead);
    } else list.matrix("attn_q", hidden, look.heads * perHead);
    list.linear("attn_kv_a_mqa", hidden, look.rank + look.ropeDim, choices.qkvBias);
    list.norm("attn_kv_a_norm", look.rank, 1);
    // One matrix in checkpoints, two in GGUF files; the keys' half is stored transposed there.
    list.matrix("attn_k_b", look.plainDim, look.rank, look.heads);
    list.matrix("attn_v_b", look.rank, look.valueDim, look.heads);
    list.linear("attn_output", look.heads * look.valueDim, hidden, choices.outBias);
    if (look.indexHeads > 0) {
      list.matrix("indexer.attn_q_b", look.queryRank, look.indexHeads * look.indexDim);
      list.matrix("indexer.attn_k", hidden, look.indexDim);
      list.norm("indexer.k_norm", look.indexDim, 2);
      list.matrix("indexer.proj", hidden, look.indexHeads);
    }
    return;
  }
  const query = look.heads * look.headDim * (traits.queryGate ? 2 : 1);
  list.linear("attn_q", hidden, query, choices.qkvBias);
  list.linear("attn_k", hidden, look.kvHeads * look.headDim, choices.qkvBias);
  list.linear("attn_v", hidden, look.kvHeads * look.valueDim, choices.qkvBias);
  list.linear("attn_output", look.heads * look.valueDim, hidden, choices.outBias);
  if (traits.sinks) list.vector("attn_sinks", look.heads);
  const parts = traits.qkNormBias ? 2 : 1;
  if (choices.qkNorm === "head") {
    list.norm("attn_q_norm", look.headDim, parts);
    list.norm("attn_k_norm", look.headDim, parts);
  } else if (choices.qkNorm !== "none") {
    list.norm("attn_q_norm", look.heads * look.headDim, parts);
    list.norm("attn_k_norm", look.kvHeads * look.headDim, parts);
  }
}

function recurrent(list: List, shape: ModelShape, state: StateShape): void {
  const { hidden } = shape;
  const { inner } = state;
  if (state.kind === "delta") {
    list.matrix("ssm_in", hidden, state.convChannels + inner);
    list.matrix("ssm_ba", hidden, 2 * state.heads);
    list.matrix("ssm_conv1d", state.taps, state.convChannels);
    list.vector("ssm_dt.bias", state.heads);
    list.vector("ssm_a", state.heads);
    list.vector("ssm_norm", state.valueDim);
    list.matrix("ssm_out", inner, hidden);
    return;
  }
  if (state.kind === "mamba2") {
    list.matrix("ssm_in", hidden, inner + state.convChannels + state.heads);
    list.matrix("ssm_conv1d", state.taps, state.convChannels);
    list.vector("ssm_conv1d.bias", state.convChannels);
    for (const role of ["ssm_dt.bias", "ssm_a", "ssm_d"]) list.vector(role, state.heads);
    list.vector("ssm_norm", inner);
    list.matrix("ssm_out", inner, hidden);
    return;
  }
  list.matrix("ssm_in", hidden, 2 * inner);
  list.matrix("ssm_conv1d", state.taps, inner);
  list.vector("ssm_conv1d.bias", inner);
  list.matrix("ssm_x", inner, state.rank + 2 * state.stateSize);
  list.linear("ssm_dt", state.rank, inner, true);
  list.matrix("ssm_a", state.stateSize, inner);
  list.vector("ssm_d", inner);
  if (state.innerNorms) {
    list.vector("ssm_dt_norm", state.rank);
    list.vector("ssm_b_norm", state.stateSize);
    list.vector("ssm_c_norm", state.stateSize);
  }
  list.matrix("ssm_out", inner, hidden);
}

function dense(list: List, hidden: number, width: number, gated: boolean, bias: boolean, suffix = ""): void {
  if (width === 0) return;
  if (gated) list.linear(`ffn_gate${suffix}`, hidden, width, bias);
  list.linear(`ffn_up${suffix}`, hidden, width, bias);
  list.linear(`ffn_down${suffix}`, width, hidden, bias);
}

function feed(list: List, shape: ModelShape, part: FeedShape, choices: Choices): void {
  const { hidden, traits } = shape;
  if (part.experts === 0) {
    dense(list, hidden, part.width, part.gated, choices.feedBias);
    return;
  }
  list.linear("ffn_gate_inp", hidden, part.experts, traits.routerBias);
  if (traits.expertScores) list.buffer("exp_probs_b.bias", part.experts);
  const inner = part.latent > 0 ? part.latent : hidden;
  list.matrix("ffn_latent_down", hidden, part.latent);
  if (part.gated) list.matrix("ffn_gate_exps", inner, part.expertWidth, part.experts);
  list.matrix("ffn_up_exps", inner, part.expertWidth, part.experts);
  list.matrix("ffn_down_exps", part.expertWidth, inner, part.experts);
  list.matrix("ffn_latent_up", part.latent, hidden);
  if (traits.expertBias) {
    list.vector("ffn_gate_exps.bias", part.expertWidth, part.experts);
    list.vector("ffn_up_exps.bias", part.expertWidth, part.experts);
    list.vector("ffn_down_exps.bias", hidden, part.experts);
  }
  dense(list, hidden, part.width, part.gated, false, "_shexp");
  if (traits.sharedGate && part.width > 0) list.matrix("ffn_gate_inp_shexp", hidden, 1);
}

const NORMS = ["attn_norm", "ffn_norm", "post_attention_norm", "post_ffw_norm"] as const;

function layerWeights(list: List, shape: ModelShape, layer: LayerShape, choices: Choices): void {
  if (layer.attention !== null) attention(list, shape, layer.attention, choices);
  if (layer.state !== null) recurrent(list, shape, layer.state);
  if (layer.feed !== null) feed(list, shape, layer.feed, choices);
  const parts = [layer.attention, layer.state, layer.feed].filter((part) => part !== null).length;
  const norms = shape.traits.normPerPart ? parts : choices.norms;
  for (const role of NORMS.slice(0, norms)) list.norm(role, shape.hidden, choices.normParts);
}

/** Classes without an output over the vocabulary: how many values they make instead; null: the class has one. */
function valuesPerToken(config: ModelConfig): number | null {
  const [name] = listField(config, "architectures") ?? [];
  if (typeof name !== "string" || name.endsWith("LMHeadModel")) return null;
  // transformers' `num_labels`: as many as there are names, two where nothing is said
  const labels = objectField(config, "id2label");
  if (/For(?:Sequence|Token)Classification$/.test(name))
    return numberField(config, "num_labels") ?? (labels === undefined ? 2 : Object.keys(labels).length);
  return /[a-z\d]Model$/.test(name) && !name.includes("For") ? 0 : null;
}

/** Every weight of the text model, tied ones once. */
export function weightList(shape: ModelShape, config: ModelConfig): readonly Weight[] {
  const { traits, hidden } = shape;
  const choices: Choices = {
    qkvBias: chosenFor(traits.qkvBias, config),
    outBias: chosenFor(traits.outBias, config),
    feedBias: chosenFor(traits.feedBias, config),
    qkNorm: traits.qkNormIf === undefined || chosenFor(traits.qkNormIf, config) ? traits.qkNorm : "none",
    normParts: traits.norm === "none" ? 0 : traits.norm === "weight" ? 1 : 2,
    norms: traits.oneNormIf !== undefined && chosenFor(traits.oneNormIf, config) ? 1 : traits.normsPerLayer,
  };
  const list = new List();
  list.matrix("token_embd", hidden, shape.vocab);
  if (traits.learnedPositions !== null && shape.positions !== null)
    list.matrix("position_embd", hidden, shape.positions + traits.learnedPositions);
  if (traits.embeddingNorm) list.norm("token_embd_norm", hidden, choices.normParts);
  shape.layers.forEach((layer, i) => {
    list.layer = i;
    layerWeights(list, shape, layer, choices);
  });
  list.layer = null;
  if (traits.finalNorm) list.norm("output_norm", hidden, choices.normParts);
  const values = valuesPerToken(config);
  if (values !== null) list.matrix("cls.output", hidden, values);
  else if (!shape.tied) list.matrix("output", hidden, shape.vocab);
  if (values === null && traits.headBias) list.vector("output.bias", shape.vocab);
  return list.weights;
}

/** What `parameters()` of the model sums to; buffers are not in it. */
export function parameterCount(weights: readonly Weight[]): number {
  return weights.reduce((sum, weight) => (weight.buffer === true ? sum : sum + weightElements(weight)), 0);
}
