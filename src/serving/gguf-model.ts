/** What llama.cpp reads of a model: tensors with their types, from a GGUF file's header or from a configuration and a mix. */

import { table } from "../base/table.ts";
import { ggmlBytes, ggmlTypeNamed } from "../formats/ggml-types.ts";
import type { GgufHeader, GgufValue } from "../formats/gguf.ts";
import { checkModelConfig, type ModelConfig } from "../formats/model-config.ts";
import { ModelFileError } from "../formats/model-file-error.ts";
import { GGUF_MIXES, ggufTensors, type MixModel } from "./gguf-mix.ts";
import { mixtureOf, type ServedModel } from "./served-model.ts";
import type { Weight } from "../models/weight-list.ts";

export interface PlacedTensor {
  readonly role: string;
  readonly layer: number | null;
  readonly type: string;
  readonly bytes: number;
}

export interface GgufModel {
  readonly tensors: readonly PlacedTensor[];
  readonly model: ServedModel;
}

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

export type GgufMix = (typeof GGUF_MIXES)[number];

export function findGgufMix(name: string): { readonly mix: GgufMix; readonly pure: boolean } | undefined {
  const key = squeezed(name).replace(/^gguf/, "");
  const pure = key.endsWith("pure");
  const wanted = pure ? key.slice(0, -"pure".length) : key;
  const mix = GGUF_MIXES.find((row) => squeezed(row.name) === wanted);
  return mix === undefined ? undefined : { mix, pure };
}

/** Matrices that some families keep as one: llama.cpp's rules name the joined tensor. */
function joined(weights: readonly Weight[], model: ServedModel): readonly Weight[] {
  const { fusedQkv, fusedGateUp } = model.shape.traits;
  if (!fusedQkv && !fusedGateUp) return weights;
  const result: Weight[] = [];
  const at = new Map<string, number>();
  for (const weight of weights) {
    const match = /^(attn_[qkv]|ffn_gate|ffn_up)(\.bias)?$/.exec(weight.role);
    const isQkv = match !== null && match[1]!.startsWith("attn");
    if (match === null || (isQkv ? !fusedQkv : !fusedGateUp)) {
      result.push(weight);
      continue;
    }
    const role = (isQkv ? "attn_qkv" : "ffn_up") + (match[2] ?? "");
    const key = `${weight.layer}/${role}`;
    const index = at.get(key);
    if (index === undefined) at.set(key, result.push({ ...weight, role }) - 1);
    else {
      const first = result[index]!;
      const side = weight.kind === "vector" ? "columns" : "rows";
      result[index] = { ...first, [side]: first[side] + weight[side] };
    }
  }
  return result;
}

/** The model as `llama-quantize` would write it. */
export function ggufFromConfig(model: ServedModel, mix: GgufMix, pure = false): GgufModel {
  const { shape } = model;
  const look = shape.layers.find((layer) => layer.attention !== null)?.attention;
  const queriesPerKey = look?.kind === "grouped" ? Math.floor(look.heads / look.kvHeads) : 1;
  const about: MixModel = {
    layers: shape.layers.length,
    queriesPerKey,
    experts: mixtureOf(shape).experts,
    hasOutput: !shape.tied,
    isSeventy: shape.layers.length === 80 && queriesPerKey > 1,
  };
  const tensors = ggufTensors(joined(model.weights, model), mix, about, pure).map(
    ({ weight, type, bytes }): PlacedTensor => ({ role: weight.role, layer: weight.layer, type: type.name, bytes }),
  );
  return { tensors, model };
}

const TENSOR_NAME = /^(?:blk\.(\d+)\.)?(.+?)(?:\.weight)?$/;

/** Tensors of a file by place. */
export function placedTensors(header: GgufHeader): readonly PlacedTensor[] {
  return header.tensors.map(({ name, dtype, bytes }) => {
    const match = TENSOR_NAME.exec(name);
    return { role: match?.[2] ?? name, layer: match?.[1] === undefined ? null : Number(match[1]), type: dtype, bytes };
  });
}

/** GGUF's own field names, and those of configurations. */
const FIELDS: readonly (readonly [gguf: string, config: string])[] = [
  ["embedding_length", "hidden_size"],
  ["block_count", "num_hidden_layers"],
  ["feed_forward_length", "intermediate_size"],
  ["attention.head_count", "num_attention_heads"],
  ["attention.head_count_kv", "num_key_value_heads"],
  ["attention.key_length", "head_dim"],
  ["attention.sliding_window", "sliding_window"],
  ["context_length", "max_position_embeddings"],
  ["expert_count", "num_local_experts"],
  ["expert_used_count", "num_experts_per_tok"],
  ["expert_feed_forward_length", "moe_intermediate_size"],
  ["leading_dense_block_count", "first_k_dense_replace"],
  ["expert_shared_count", "n_shared_experts"],
  ["attention.kv_lora_rank", "kv_lora_rank"],
  ["attention.q_lora_rank", "q_lora_rank"],
  ["rope.dimension_count", "rope_dimension_count"],
  ["vocab_size", "vocab_size"],
  ["ssm.state_size", "state_size"],
  ["ssm.conv_kernel", "conv_kernel"],
  ["ssm.time_step_rank", "time_step_rank"],
];

/** Architectures by their GGUF name, where it differs from the `model_type`. */
const TYPES = table<string>({
  qwen2moe: "qwen2_moe",
  qwen3moe: "qwen3_moe",
  deepseek2: "deepseek_v3",
  "gpt-oss": "gpt_oss",
  gptneox: "gpt_neox",
  gemma3: "gemma3_text",
  phi2: "phi",
  "command-r": "cohere",
  chatglm: "chatglm",
});

function numberOf(value: GgufValue | undefined): number | undefined {
  if (typeof value === "number") return value;
  // By layer: the largest, as far as memory goes the cautious choice.
  if (Array.isArray(value)) return Math.max(0, ...value.filter((item) => typeof item === "number"));
  return undefined;
}

/** A file's metadata in the words of a configuration; throws {@link ModelFileError} where there is no architecture. */
export function configOfGguf(header: GgufHeader): ModelConfig {
  const architecture = header.metadata.get("general.architecture");
  if (typeof architecture !== "string")
    throw new ModelFileError("config-missing-field", { field: "general.architecture" });
  const config: Record<string, unknown> = {
    model_type: Object.hasOwn(TYPES, architecture) ? TYPES[architecture] : architecture,
  };
  for (const [key, name] of FIELDS) {
    const value = numberOf(header.metadata.get(`${architecture}.${key}`));
    if (value !== undefined) config[name] = value;
  }
  const tokens = header.metadata.get("tokenizer.ggml.tokens");
  const embedding = header.tensors.find(({ name }) => name === "token_embd.weight");
  if (embedding !== undefined) config["vocab_size"] = embedding.shape[0];
  else if (tokens !== undefined && typeof tokens === "object" && "length" in tokens)
    config["vocab_size"] ??= tokens.length;
  config["tie_word_embeddings"] = !header.tensors.some(({ name }) => name === "output.weight");
  if (config["kv_lora_rank"] !== undefined) {
    const rope = config["rope_dimension_count"];
    const key = numberOf(header.metadata.get(`${architecture}.attention.key_length_mla`)) ?? config["head_dim"];
    config["qk_rope_head_dim"] = rope;
    config["qk_nope_head_dim"] = Number(key) - Number(rope);
    config["v_head_dim"] =
      numberOf(header.metadata.get(`${architecture}.attention.value_length_mla`)) ??
      numberOf(header.metadata.get(`${architecture}.attention.value_length`));
  }
  return checkModelConfig(config);
}

/** Bytes of a value of a cache type: 2 for f16, 34/32 for q8_0. */
export function cacheTypeBytes(name: string): number | undefined {
  const type = ggmlTypeNamed(name);
  return type?.kvCache === true ? ggmlBytes(type, type.blockSize, 1) / type.blockSize : undefined;
}
