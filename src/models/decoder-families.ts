/**
 * What is special about each family of language models that read left to right, as far as the number and shape of their weights
 * goes. A field that a family does not mention is Llama's. Configurations say the rest; these are what they leave out.
 */

import { table } from "../base/table.ts";

/** A yes or no that a field of the configuration decides; `or` where the field is missing. */
export interface ByField {
  readonly field: string;
  readonly or: boolean;
  /** The field says the opposite. */
  readonly not?: true;
  /** Where this field is true, the answer is no, whatever the other says. */
  readonly unless?: string;
}
export type Choice = boolean | ByField;

export interface FamilyTraits {
  /** The output layer is the embedding where the configuration does not say. */
  readonly tied: boolean;
  /** A norm's parameters: a weight, a weight and a bias, or none. */
  readonly norm: "weight" | "weight+bias" | "none";
  readonly normBias?: ByField;
  readonly normsPerLayer: 1 | 2 | 4;
  /** As many norms as the layer has parts, because layers differ in them. */
  readonly normPerPart: boolean;
  /** One norm before both parts of a layer where this field is true. */
  readonly oneNormIf?: ByField;
  readonly finalNorm: boolean;
  readonly embeddingNorm: boolean;
  readonly qkvBias: Choice;
  readonly outBias: Choice;
  /** Norms of queries and keys: none, over a head, over the whole projection, over each head apart. */
  readonly qkNorm: "none" | "head" | "all" | "each-head";
  readonly qkNormBias: boolean;
  readonly qkNormIf?: ByField;
  readonly gated: boolean;
  readonly feedBias: Choice;
  /** Learned positions: this many rows more than the longest input; null: none. */
  readonly learnedPositions: number | null;
  readonly headBias: boolean;
  /** One value per head that attention may look at instead of a token. */
  readonly sinks: boolean;
  readonly routerBias: boolean;
  /** A value per expert that checkpoints hold in float32 and models do not count as a parameter. */
  readonly expertScores: boolean;
  readonly expertBias: boolean;
  /** The gate of the shared expert is a matrix of one row. */
  readonly sharedGate: boolean;
  /** Every query head's projection has a gate of the same width beside it. */
  readonly queryGate: boolean;
  /** Key and value heads where the configuration does not say: as many as query heads, or one. */
  readonly oneKeyHead: Choice;
  /** Width of the feed-forward part in hidden sizes, where the configuration does not say. */
  readonly feedFactor: number;
  /** The configuration gives the width of both halves of the gated part together. */
  readonly feedHalved: boolean;
  /** Checkpoints hold query, key and value as one matrix, and gate and up as one. */
  readonly fusedQkv: boolean;
  readonly fusedGateUp: boolean;
  /** How layers alternate where the configuration gives no list: every n-th looks at everything, the others at a window. */
  readonly windowPeriod: number | null;
  /** The last layer of a period looks at everything, or the first. */
  readonly fullLayerLast: boolean;
  /** A window is used only where this field is true. */
  readonly windowIf?: ByField;
}

export const LLAMA: FamilyTraits = {
  tied: false,
  norm: "weight",
  normsPerLayer: 2,
  normPerPart: false,
  finalNorm: true,
  embeddingNorm: false,
  qkvBias: { field: "attention_bias", or: false },
  outBias: { field: "attention_bias", or: false },
  qkNorm: "none",
  qkNormBias: false,
  gated: true,
  feedBias: { field: "mlp_bias", or: false },
  learnedPositions: null,
  headBias: false,
  sinks: false,
  routerBias: false,
  expertScores: false,
  expertBias: false,
  sharedGate: false,
  queryGate: false,
  oneKeyHead: false,
  feedFactor: 4,
  feedHalved: false,
  fusedQkv: false,
  fusedGateUp: false,
  windowPeriod: null,
  fullLayerLast: true,
};

/** Biases and norms of the time before Llama. */
const CLASSIC: Partial<FamilyTraits> = {
  norm: "weight+bias",
  qkvBias: true,
  outBias: true,
  gated: false,
  feedBias: true,
};
const QWEN2: Partial<FamilyTraits> = {
  qkvBias: true,
  outBias: false,
  windowIf: { field: "use_sliding_window", or: false },
};
const QWEN3: Partial<FamilyTraits> = { qkNorm: "head", windowIf: { field: "use_sliding_window", or: false } };
const GEMMA: Partial<FamilyTraits> = { tied: true };
const GEMMA3: Partial<FamilyTraits> = { tied: true, normsPerLayer: 4, qkNorm: "head", windowPeriod: 6 };
const NO_OUT_BIAS: Partial<FamilyTraits> = { outBias: false };
const GLM4: Partial<FamilyTraits> = { ...NO_OUT_BIAS, fusedGateUp: true, normsPerLayer: 4 };
const GLM4_MOE: Partial<FamilyTraits> = {
  ...NO_OUT_BIAS,
  expertScores: true,
  qkNorm: "head",
  qkNormIf: { field: "use_qk_norm", or: false },
};
const QWEN_NEXT: Partial<FamilyTraits> = { ...QWEN3, queryGate: true, sharedGate: true };

/** By `model_type`. Counted against the transformers classes in test/estimate. */
const FAMILIES = table<Partial<FamilyTraits>>({
  llama: {},
  code_llama: {},
  yi: {},
  mistral: {},
  mistral3: {},
  ministral: {},
  mixtral: {},
  granite: {},
  smollm3: { tied: true },
  seed_oss: { outBias: { field: "attention_out_bias", or: false } },
  arcee: { gated: false },
  minimax_m2: { qkNorm: "all", expertScores: true },
  hunyuan_v1_dense: { qkNorm: "head" },
  ministral3: {},
  nemotron: { norm: "weight+bias", gated: false },
  phimoe: { norm: "weight+bias", headBias: true },
  internlm: { qkvBias: { field: "bias", or: true }, outBias: { field: "bias", or: true } },
  internlm2: { qkvBias: { field: "bias", or: false }, outBias: { field: "bias", or: false } },
  baichuan: {},
  qwen: { ...QWEN2, feedHalved: true, fusedQkv: true },
  qwen2: QWEN2,
  qwen2_moe: { ...QWEN2, sharedGate: true },
  qwen2_vl: QWEN2,
  qwen2_vl_text: QWEN2,
  qwen2_5_vl: QWEN2,
  qwen2_5_vl_text: QWEN2,
  qwen3: QWEN3,
  qwen3_moe: QWEN3,
  qwen3_vl: QWEN3,
  qwen3_vl_text: QWEN3,
  qwen3_vl_moe: QWEN3,
  qwen3_vl_moe_text: QWEN3,
  qwen3_next: QWEN_NEXT,
  qwen3_5: { ...QWEN_NEXT, sharedGate: false },
  qwen3_5_text: { ...QWEN_NEXT, sharedGate: false },
  qwen3_5_moe: QWEN_NEXT,
  qwen3_5_moe_text: QWEN_NEXT,
  gemma: GEMMA,
  gemma2: { ...GEMMA, normsPerLayer: 4, windowPeriod: 2 },
  gemma3: GEMMA3,
  gemma3_text: GEMMA3,
  phi3: { fusedQkv: true, fusedGateUp: true },
  phi3_v: { fusedQkv: true, fusedGateUp: true },
  phi: { ...CLASSIC, normsPerLayer: 1, headBias: true },
  "phi-msft": { ...CLASSIC, normsPerLayer: 1, headBias: true },
  olmo: { norm: "none" },
  olmo2: { qkNorm: "all" },
  olmo3: { qkNorm: "all" },
  olmoe: { qkNorm: "all" },
  glm: { ...NO_OUT_BIAS, fusedGateUp: true },
  glm4: GLM4,
  glm4v_text: GLM4,
  glm4_moe: GLM4_MOE,
  glm4v_moe_text: GLM4_MOE,
  chatglm: { fusedQkv: true, fusedGateUp: true, qkvBias: { field: "add_qkv_bias", or: false }, outBias: false },
  deepseek: {},
  deepseek_v2: {},
  deepseek_v3: { expertScores: true },
  deepseek_v32: { expertScores: true },
  kimi_k2: { expertScores: true },
  gpt_oss: { qkvBias: true, outBias: true, sinks: true, routerBias: true, expertBias: true, windowPeriod: 2 },
  // configuration_llama4.py: every fourth layer has no rotary embedding and sees all, the others their chunk
  llama4: { windowPeriod: 4 },
  llama4_text: { windowPeriod: 4 },
  ernie4_5: {
    tied: true,
    qkvBias: { field: "use_bias", or: false },
    outBias: { field: "use_bias", or: false },
    feedBias: { field: "use_bias", or: false },
  },
  exaone4: { qkNorm: "head" },
  cohere: {
    tied: true,
    norm: "weight",
    normsPerLayer: 1,
    qkNorm: "each-head",
    qkNormIf: { field: "use_qk_norm", or: false },
  },
  cohere2: { tied: true, normsPerLayer: 1, windowPeriod: 4 },
  stablelm: {
    norm: "weight+bias",
    qkvBias: { field: "use_qkv_bias", or: false },
    outBias: false,
    qkNorm: "each-head",
    qkNormIf: { field: "qk_layernorm", or: false },
    oneNormIf: { field: "use_parallel_residual", or: false },
  },
  starcoder2: {
    ...CLASSIC,
    tied: true,
    qkvBias: { field: "use_bias", or: true },
    outBias: { field: "use_bias", or: true },
    feedBias: { field: "use_bias", or: true },
  },
  gpt2: { ...CLASSIC, fusedQkv: true, tied: true, learnedPositions: 0 },
  gpt_bigcode: {
    ...CLASSIC,
    fusedQkv: true,
    tied: true,
    learnedPositions: 0,
    oneKeyHead: { field: "multi_query", or: true },
  },
  gpt_neo: { ...CLASSIC, tied: true, learnedPositions: 0, qkvBias: false },
  gpt_neox: { ...CLASSIC, fusedQkv: true },
  gptj: { ...CLASSIC, normsPerLayer: 1, qkvBias: false, outBias: false, headBias: true },
  codegen: { ...CLASSIC, fusedQkv: true, normsPerLayer: 1, qkvBias: false, outBias: false, headBias: true },
  opt: { ...CLASSIC, tied: true, learnedPositions: 2 },
  bloom: { ...CLASSIC, fusedQkv: true, tied: true, embeddingNorm: true },
  biogpt: { ...CLASSIC, tied: true, learnedPositions: 2 },
  persimmon: { ...CLASSIC, fusedQkv: true, qkNorm: "head", qkNormBias: true },
  falcon: {
    ...CLASSIC,
    fusedQkv: true,
    tied: true,
    // modeling_falcon.py: FalconDecoderLayer has a norm for each part, unless they are side by side behind one
    oneNormIf: { field: "parallel_attn", or: true, unless: "new_decoder_architecture" },
    qkvBias: { field: "bias", or: false },
    outBias: { field: "bias", or: false },
    feedBias: { field: "bias", or: false },
    oneKeyHead: { field: "multi_query", or: true, unless: "new_decoder_architecture" },
  },
  mpt: { fusedQkv: true, tied: true, qkvBias: false, outBias: false, gated: false, feedBias: false },
  jamba: {},
  nemotron_h: { ...NO_OUT_BIAS, normPerPart: true, gated: false, expertScores: true },
  "nemotron-nas": { normPerPart: true },
  mamba: { tied: true, normsPerLayer: 1 },
  mamba2: { tied: false, normsPerLayer: 1 },
  falcon_mamba: { tied: true, normsPerLayer: 1 },
});

/** Model types whose weights are listed without running their program. */
export const DECODER_FAMILIES: readonly string[] = Object.keys(FAMILIES);

export function familyTraits(modelType: string): FamilyTraits | undefined {
  return Object.hasOwn(FAMILIES, modelType) ? { ...LLAMA, ...FAMILIES[modelType] } : undefined;
}
