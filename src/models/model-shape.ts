/** The shape of a language model as its configuration describes it: layers, heads, experts, states. Nothing is built. */

import { table } from "../base/table.ts";
import {
  flagField,
  listField,
  numberField,
  objectField,
  textConfig,
  textField,
  type ModelConfig,
} from "../formats/model-config.ts";
import { ModelFileError, shown } from "../formats/model-file-error.ts";
import { familyTraits, LLAMA, type FamilyTraits } from "./decoder-families.ts";
import { feedShapes, type FeedShape, type FeedShapes } from "./feed-shape.ts";
import { layerPatterns, type LayerPattern } from "./layer-patterns.ts";
import { chosenFor } from "./trait-choices.ts";
import { isStateOnly, stateShape, type StateShape } from "./state-shape.ts";
import { parametersOfTowers } from "./towers.ts";

/** Attention whose keys and values are kept per head. */
export interface GroupedAttention {
  readonly kind: "grouped";
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Values may be narrower than keys. */
  readonly valueDim: number;
  /** Tokens that it looks back at; null: all. */
  readonly window: number | null;
}
/** Attention that keeps one compressed vector per token (MLA). */
export interface LatentAttention {
  readonly kind: "latent";
  readonly heads: number;
  /** 0: queries are not compressed. */
  readonly queryRank: number;
  readonly rank: number;
  readonly ropeDim: number;
  readonly plainDim: number;
  readonly valueDim: number;
  /** Heads that choose the tokens to look at (DeepSeek's sparse attention); 0: all are looked at. */
  readonly indexHeads: number;
  readonly indexDim: number;
  readonly window: null;
}
export type AttentionShape = GroupedAttention | LatentAttention;

export interface LayerShape {
  readonly attention: AttentionShape | null;
  readonly state: StateShape | null;
  readonly feed: FeedShape | null;
}

export interface ModelShape {
  readonly modelType: string;
  /** The type is not in the table; read as if it were Llama's. */
  readonly assumed: boolean;
  readonly traits: FamilyTraits;
  readonly hidden: number;
  readonly vocab: number;
  readonly tied: boolean;
  readonly layers: readonly LayerShape[];
  /** Longest input; null where the configuration does not say. */
  readonly positions: number | null;
  /** Positions and width of the rotary tables that engines keep: one for each base. */
  readonly rotary: readonly { readonly positions: number; readonly dim: number }[];
  /** Type of the weights as published: `bfloat16`. */
  readonly dtype: string | null;
  /** There are parts beside the text model: towers for images or sound. */
  readonly hasTowers: boolean;
  /** Their parameters; null where they are not known. */
  readonly towerParameters: number | null;
  /** The configuration describes quantized weights: its method's name. */
  readonly quantization: string | null;
}

function needed(config: ModelConfig, ...names: readonly [string, ...string[]]): number {
  const value = numberField(config, ...names);
  if (value === undefined) throw new ModelFileError("config-missing-field", { field: names[0] });
  if (value < 1) throw new ModelFileError("config-bad-field", { field: names[0], value: shown(value) });
  return value;
}

/** The field by which a transformer's size is told; encoders and others have none of these. */
export const HIDDEN = ["hidden_size", "n_embd", "d_model"] as const;
const LAYERS = ["num_hidden_layers", "n_layer", "n_layers", "num_layers"] as const;
const HEADS = ["num_attention_heads", "n_head", "n_heads", "num_heads"] as const;
const KV_HEADS = ["num_key_value_heads", "n_head_kv", "num_kv_heads", "multi_query_group_num"] as const;
const POSITIONS = ["max_position_embeddings", "n_positions", "max_seq_len", "seq_length"] as const;

function attentionShape(config: ModelConfig, traits: FamilyTraits, hidden: number): AttentionShape {
  const heads = needed(config, ...HEADS);
  const rank = numberField(config, "kv_lora_rank");
  if (rank !== undefined && rank > 0)
    return {
      kind: "latent",
      heads,
      queryRank: numberField(config, "q_lora_rank") ?? 0,
      rank,
      ropeDim: needed(config, "qk_rope_head_dim"),
      plainDim: needed(config, "qk_nope_head_dim"),
      valueDim: needed(config, "v_head_dim"),
      indexHeads: numberField(config, "index_n_heads") ?? 0,
      indexDim: numberField(config, "index_head_dim") ?? 0,
      window: null,
    };
  const headDim = numberField(config, "head_dim", "kv_channels") ?? Math.floor(hidden / heads);
  if (headDim < 1) throw new ModelFileError("config-bad-field", { field: "head_dim", value: headDim });
  const nested = objectField(config, "attn_config");
  const kvHeads =
    (chosenFor(traits.oneKeyHead, config) ? 1 : undefined) ??
    numberField(config, ...KV_HEADS) ??
    (nested === undefined ? undefined : numberField(nested, "kv_n_heads")) ??
    heads;
  if (kvHeads < 1 || kvHeads > heads)
    throw new ModelFileError("config-bad-field", { field: KV_HEADS[0], value: kvHeads });
  return { kind: "grouped", heads, kvHeads, headDim, valueDim: headDim, window: null };
}

type LayerKind = "full" | "window" | "state";

const KIND_OF = table<LayerKind>({
  full_attention: "full",
  attention: "full",
  sliding_attention: "window",
  chunked_attention: "window",
  local: "window",
  linear_attention: "state",
  mamba: "state",
});

function layerKinds(config: ModelConfig, traits: FamilyTraits, count: number, window: number | null): LayerKind[] {
  const types = listField(config, "layer_types");
  if (types !== undefined && types.length === count)
    return types.map((type) => {
      const kind = Object.hasOwn(KIND_OF, type) ? KIND_OF[type]! : "full";
      return kind === "window" && window === null ? "full" : kind;
    });
  const every = (period: number, offset: number, found: LayerKind, other: LayerKind): LayerKind[] =>
    Array.from({ length: count }, (_, i) => (i % period === offset ? found : other));
  const attentionPeriod = numberField(config, "attn_layer_period");
  if (attentionPeriod !== undefined && attentionPeriod > 0)
    return every(attentionPeriod, numberField(config, "attn_layer_offset") ?? 0, "full", "state");
  const interval = numberField(config, "full_attention_interval");
  if (interval !== undefined && interval > 0) return every(interval, interval - 1, "full", "state");
  if (isStateOnly(config)) return every(1, 0, "state", "state");
  if (window === null) return every(1, 0, "full", "full");
  const period = numberField(config, "sliding_window_pattern", "_sliding_window_pattern") ?? traits.windowPeriod;
  if (period === null || period < 1) return every(1, 0, "window", "window");
  return every(period, traits.fullLayerLast ? period - 1 : 0, "full", "window");
}

/**
 * Kinds of scaling with longer tables than the longest input: that length, or the one of the first training, times the factor.
 * As vLLM computes them.
 */
const LONGER_TABLES = table<"positions" | "original">({
  linear: "positions",
  dynamic: "positions",
  yarn: "original",
});

function rotaryTables(config: ModelConfig, attention: AttentionShape | null): ModelShape["rotary"] {
  const positions = numberField(config, ...POSITIONS);
  if (positions === undefined || attention === null) return [];
  const width = attention.kind === "latent" ? attention.ropeDim : attention.headDim;
  const parameters = objectField(config, "rope_parameters") ?? {};
  const share =
    numberField(config, "partial_rotary_factor", "rotary_pct") ?? numberField(parameters, "partial_rotary_factor") ?? 1;
  const dim = attention.kind === "latent" ? width : Math.floor(width * share);
  const scaling = objectField(config, "rope_scaling");
  const kind = scaling === undefined ? undefined : (textField(scaling, "rope_type") ?? textField(scaling, "type"));
  const rule = kind !== undefined && Object.hasOwn(LONGER_TABLES, kind) ? LONGER_TABLES[kind] : undefined;
  const factor = rule === undefined ? 1 : (numberField(scaling!, "factor") ?? 1);
  const original = rule === "original" ? numberField(scaling!, "original_max_position_embeddings") : undefined;
  const tables = [{ positions: Math.round((original ?? positions) * factor), dim }];
  if (numberField(config, "rope_local_base_freq") !== undefined || objectField(config, "rope_local") !== undefined)
    tables.push({ positions, dim });
  return tables;
}

const TOWERS = [
  "vision_config",
  "audio_config",
  "encoder_config",
  "vision_tower",
  "vit_config",
  "img_processor",
  "encoder",
];

/** Fields that the classes fill in for parts of published configurations that leave them out, by type of the part. */
const DEFAULTS = table<ModelConfig>({
  gemma3_text: {
    vocab_size: 262_208,
    num_attention_heads: 8,
    num_key_value_heads: 4,
    head_dim: 256,
    max_position_embeddings: 131_072,
    sliding_window: 4096,
    rope_local_base_freq: 10_000,
  },
  gemma: { vocab_size: 256_000, head_dim: 256 },
  llama: {
    vocab_size: 32_000,
    hidden_size: 4096,
    num_hidden_layers: 32,
    num_attention_heads: 32,
    intermediate_size: 11_008,
    max_position_embeddings: 2048,
  },
  mistral: { num_key_value_heads: 8, vocab_size: 32_000 },
});

/** The language model's part of a configuration with what its class fills in, and its type. */
export function decoderConfig(config: ModelConfig): { readonly config: ModelConfig; readonly modelType: string } {
  const part = textConfig(config);
  const modelType = textField(part, "model_type") ?? textField(config, "model_type") ?? "";
  const defaults = part !== config && Object.hasOwn(DEFAULTS, modelType) ? DEFAULTS[modelType]! : {};
  return { config: { ...defaults, ...part }, modelType };
}

/** Fields of language models since Llama; encoders and older families have none of them. */
const MODERN = [
  "num_key_value_heads",
  "head_dim",
  "rope_theta",
  "rms_norm_eps",
  "rope_parameters",
  "rope_scaling",
  "state_size",
];

/** Whether the configuration describes a language model whose weights are listed: a known family, or one much like Llama. */
export function describesDecoder(whole: ModelConfig): boolean {
  const { config, modelType } = decoderConfig(whole);
  return familyTraits(modelType) !== undefined || MODERN.some((name) => Object.hasOwn(config, name));
}

function withKeyHeads(attention: AttentionShape | null, kvHeads: number | undefined): AttentionShape | null {
  return attention?.kind === "grouped" && kvHeads !== undefined ? { ...attention, kvHeads } : attention;
}

function feedOf({ feed, width }: LayerPattern, feeds: FeedShapes): FeedShape | null {
  if (feed === null) return null;
  if (feed === "experts") return feeds.mixture ?? feeds.dense;
  return width === undefined ? feeds.dense : { ...feeds.dense, width };
}

/** The shape; throws {@link ModelFileError} where a size that every model needs is missing or absurd. */
export function modelShape(whole: ModelConfig): ModelShape {
  const { config, modelType } = decoderConfig(whole);
  const known = familyTraits(modelType);
  const traits = known ?? LLAMA;
  const hidden = needed(config, ...HIDDEN);
  const vocab = needed(config, "vocab_size", "padded_vocab_size");
  // a list of the layers' kinds says how many there are, too
  const count = listField(config, "layers_block_type")?.length ?? needed(config, ...LAYERS);
  const attention = isStateOnly(config) ? null : attentionShape(config, traits, hidden);
  const size = numberField(config, "sliding_window", "attention_chunk_size", "window_size");
  const uses = traits.windowIf === undefined || chosenFor(traits.windowIf, config);
  const window = uses && size !== undefined && size > 0 ? size : null;
  const kinds = layerKinds(config, traits, count, window);
  const feeds = feedShapes(config, traits, hidden, count);
  const patterns = layerPatterns(config, count, hidden);
  const patterned = (pattern: LayerPattern): LayerShape => ({
    attention: pattern.attention ? withKeyHeads(attention, pattern.kvHeads) : null,
    state: pattern.state ? stateShape(config, hidden) : null,
    feed: feedOf(pattern, feeds),
  });
  const layers =
    patterns?.map(patterned) ??
    kinds.map((kind, i): LayerShape => {
      if (kind === "state")
        return { attention: null, state: stateShape(config, hidden), feed: feeds.layers[i] ?? null };
      const look =
        attention !== null && attention.kind === "grouped" && kind === "window" ? { ...attention, window } : attention;
      return { attention: look, state: null, feed: feeds.layers[i] ?? null };
    });
  const tied = flagField(config, "tie_word_embeddings") ?? flagField(whole, "tie_word_embeddings") ?? traits.tied;
  return {
    modelType,
    assumed: known === undefined,
    traits,
    hidden,
    vocab,
    tied,
    layers,
    positions: numberField(config, ...POSITIONS) ?? null,
    rotary: rotaryTables(config, attention),
    dtype:
      textField(config, "torch_dtype") ??
      textField(config, "dtype") ??
      textField(whole, "torch_dtype") ??
      textField(whole, "dtype") ??
      null,
    hasTowers: TOWERS.some((name) => objectField(whole, name) !== undefined),
    towerParameters: parametersOfTowers(whole, hidden),
    quantization: quantizationOf(whole),
  };
}

function quantizationOf(config: ModelConfig): string | null {
  const part = objectField(config, "quantization_config");
  return part === undefined ? null : (textField(part, "quant_method") ?? null);
}
