/** A model's `config.json`: read, and its sizes checked, so that nothing absurd reaches an estimate. */

import { field, isObject, parseObject, type JsonObject } from "./json-text.ts";
import { ModelFileError, shown } from "./model-file-error.ts";

export const MAX_CONFIG_BYTES = 1 << 22;
/** A model's text part and its towers lie one level deep; some have one more. */
const MAX_DEPTH = 4;

export type ModelConfig = JsonObject;

interface Bound {
  readonly names: readonly string[];
  readonly least: number;
  readonly most: number;
}

/** Sizes far above any model's; what is outside is a mistake or an attack. */
const BOUNDS: readonly Bound[] = [
  { names: ["vocab_size", "padded_vocab_size", "type_vocab_size"], least: 0, most: 1 << 26 },
  {
    names: ["hidden_size", "n_embd", "d_model", "dim", "word_embed_proj_dim", "embedding_size", "embed_dim"],
    least: 1,
    most: 1 << 20,
  },
  {
    names: [
      "intermediate_size",
      "n_inner",
      "d_ff",
      "ffn_dim",
      "ffn_hidden_size",
      "moe_intermediate_size",
      "intermediate_size_mlp",
    ],
    least: 0,
    most: 1 << 24,
  },
  {
    names: [
      "num_hidden_layers",
      "n_layer",
      "n_layers",
      "num_layers",
      "encoder_layers",
      "decoder_layers",
      "num_decoder_layers",
      "depth",
    ],
    least: 0,
    most: 1 << 14,
  },
  { names: ["num_attention_heads", "n_head", "n_heads", "num_heads"], least: 0, most: 1 << 16 },
  { names: ["num_key_value_heads", "n_head_kv", "num_kv_heads", "multi_query_group_num"], least: 0, most: 1 << 16 },
  {
    names: [
      "head_dim",
      "d_kv",
      "kv_channels",
      "q_lora_rank",
      "kv_lora_rank",
      "qk_rope_head_dim",
      "qk_nope_head_dim",
      "v_head_dim",
    ],
    least: 0,
    most: 1 << 16,
  },
  { names: ["num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"], least: 0, most: 1 << 16 },
  { names: ["num_experts_per_tok", "n_shared_experts", "shared_expert_intermediate_size"], least: 0, most: 1 << 24 },
  {
    names: ["state_size", "mamba_d_state", "conv_kernel", "mamba_d_conv", "mamba_expand", "expand", "n_groups"],
    least: 0,
    most: 1 << 16,
  },
  {
    names: ["max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_seq_len", "sliding_window"],
    least: 0,
    most: 1 << 30,
  },
];
const BOUND_OF: ReadonlyMap<string, Bound> = new Map(
  BOUNDS.flatMap((bound) => bound.names.map((name) => [name, bound] as const)),
);

function checkFields(config: JsonObject, path: string, depth: number): void {
  for (const name of Object.keys(config)) {
    const value = config[name];
    if (isObject(value) && depth < MAX_DEPTH) checkFields(value, `${path}${name}.`, depth + 1);
    const bound = BOUND_OF.get(name);
    // Lists are sizes by layer, null is a default: what reads them checks them.
    if (bound === undefined || value === null || Array.isArray(value) || isObject(value)) continue;
    if (typeof value !== "number" || !Number.isInteger(value) || value < bound.least || value > bound.most) {
      // Some files write -1 for "none".
      if (value === -1 && bound.least === 0) continue;
      throw new ModelFileError("config-bad-field", { field: shown(`${path}${name}`), value: shown(value) });
    }
  }
}

/** Checks the sizes of a configuration that is an object already. */
export function checkModelConfig(config: JsonObject): ModelConfig {
  checkFields(config, "", 0);
  return config;
}

/** Reads a `config.json`; throws {@link ModelFileError}. */
export function readModelConfig(text: string): ModelConfig {
  if (text.length > MAX_CONFIG_BYTES)
    throw new ModelFileError("model-file-too-large", {
      what: "config.json",
      value: text.length,
      most: MAX_CONFIG_BYTES,
    });
  return checkModelConfig(parseObject(text, "config.json"));
}

/** Names under which the part that generates text lies in a config of several parts. */
const TEXT_PARTS = ["text_config", "llm_config", "language_config", "thinker_config", "decoder"] as const;

/** The part of a configuration that describes the language model; the configuration itself where it has no parts. */
export function textConfig(config: ModelConfig): ModelConfig {
  for (const name of TEXT_PARTS) {
    const part = field(config, name);
    if (isObject(part)) return textConfig(part);
  }
  return config;
}

/** The first of `names` that is a number. */
export function numberField(config: ModelConfig, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = field(config, name);
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return undefined;
}

/** The first of `names` that is true or false. */
export function flagField(config: ModelConfig, ...names: readonly string[]): boolean | undefined {
  for (const name of names) {
    const value = field(config, name);
    if (typeof value === "boolean") return value;
  }
  return undefined;
}

export function textField(config: ModelConfig, name: string): string | undefined {
  const value = field(config, name);
  return typeof value === "string" ? value : undefined;
}

export function objectField(config: ModelConfig, name: string): JsonObject | undefined {
  const value = field(config, name);
  return isObject(value) ? value : undefined;
}

/** A list of texts or of whole numbers, one for each layer; undefined where the field is something else. */
export function listField(config: ModelConfig, name: string): readonly (string | number)[] | undefined {
  const value = field(config, name);
  if (!Array.isArray(value)) return undefined;
  return value.every((item) => typeof item === "string" || Number.isSafeInteger(item)) ? value : undefined;
}
