/**
 * Parameters of the towers for images, and of what joins them to the language model: one row per kind of tower, counted as the classes
 * of transformers have them.
 */

import { table } from "../base/table.ts";
import { field } from "../formats/json-text.ts";
import { flagField, numberField, objectField, textField, type ModelConfig } from "../formats/model-config.ts";

interface Tower {
  /** Width, width inside the feed-forward parts, number of layers. */
  readonly hidden: number;
  readonly inner: number;
  readonly layers: number;
  readonly patch: number;
  readonly channels: number;
  /** Patches of a picture, along both sides. */
  readonly positions: number;
}

/** `text` is the width of the language model. */
type Count = (vision: ModelConfig, text: number, whole: ModelConfig) => number | null;

const square = (value: number): number => value * value;
const linear = (from: number, to: number, bias = true): number => from * to + (bias ? to : 0);

/** Attention with biases, two matrices with biases, and two norms with biases. */
const classicLayer = ({ hidden, inner }: Pick<Tower, "hidden" | "inner">): number =>
  4 * linear(hidden, hidden) + linear(hidden, inner) + linear(inner, hidden) + 4 * hidden;

/** Sizes of a tower; null where one is missing, so that nothing is guessed. */
function towerOf(vision: ModelConfig, defaults: Partial<Tower> = {}): Tower | null {
  const hidden = numberField(vision, "hidden_size", "embed_dim") ?? defaults.hidden;
  const inner = numberField(vision, "intermediate_size") ?? defaults.inner;
  const layers = numberField(vision, "num_hidden_layers", "depth") ?? defaults.layers;
  const patch = numberField(vision, "patch_size") ?? defaults.patch;
  const channels = numberField(vision, "num_channels", "in_channels", "in_chans") ?? 3;
  const size = numberField(vision, "image_size");
  if (hidden === undefined || inner === undefined || layers === undefined || patch === undefined) return null;
  return { hidden, inner, layers, patch, channels, positions: size === undefined ? 0 : Math.floor(size / patch) };
}

/** modeling_siglip.py: SiglipVisionTransformer */
function siglip(vision: ModelConfig): number | null {
  const tower = towerOf(vision, { hidden: 768, inner: 3072, layers: 12, patch: 16 });
  if (tower === null || tower.positions === 0) return null;
  const { hidden, inner, layers, patch, channels, positions } = tower;
  const pooling = 5 * hidden + linear(hidden, 3 * hidden) + linear(hidden, hidden);
  const head = pooling - 2 * hidden + linear(hidden, inner) + linear(inner, hidden);
  return (
    linear(channels * square(patch), hidden) +
    square(positions) * hidden +
    layers * classicLayer(tower) +
    2 * hidden +
    (flagField(vision, "vision_use_head") === false ? 0 : head)
  );
}

/** modeling_clip.py: CLIPVisionTransformer */
function clip(vision: ModelConfig): number | null {
  const tower = towerOf(vision, { hidden: 768, inner: 3072, layers: 12, patch: 32 });
  if (tower === null || tower.positions === 0) return null;
  const { hidden, layers, patch, channels, positions } = tower;
  return (
    hidden +
    linear(channels * square(patch), hidden, false) +
    (square(positions) + 1) * hidden +
    layers * classicLayer(tower) +
    4 * hidden
  );
}

/** modeling_pixtral.py: PixtralVisionModel, without biases */
function pixtral(vision: ModelConfig): number | null {
  const tower = towerOf(vision, { hidden: 1024, inner: 4096, layers: 24, patch: 16 });
  if (tower === null) return null;
  const { hidden, inner, layers, patch, channels } = tower;
  const layer = 4 * square(hidden) + 3 * hidden * inner + 2 * hidden;
  return linear(channels * square(patch), hidden, false) + hidden + layers * layer;
}

const BY_TOWER = table<(vision: ModelConfig) => number | null>({
  siglip_vision_model: siglip,
  clip_vision_model: clip,
  pixtral,
});

/** A tower of its own kind, or null. */
function towerParameters(vision: ModelConfig): number | null {
  const type = textField(vision, "model_type") ?? "";
  return Object.hasOwn(BY_TOWER, type) ? BY_TOWER[type]!(vision) : null;
}

/** A tower, and what comes between it and the language model. */
const joined =
  (between: (visionHidden: number, text: number, whole: ModelConfig) => number): Count =>
  (vision, text, whole) => {
    const tower = towerParameters(vision);
    const hidden = numberField(vision, "hidden_size");
    return tower === null || hidden === undefined ? null : tower + between(hidden, text, whole);
  };

/** Four neighbouring patches become one token. modeling_qwen2_vl.py: PatchMerger */
const merged = (hidden: number, out: number, merge: number, norm: number): number =>
  norm + linear(hidden * square(merge), hidden * square(merge)) + linear(hidden * square(merge), out);

const patches = (vision: ModelConfig, { hidden, patch, channels }: Tower, bias: boolean): number =>
  linear(channels * (numberField(vision, "temporal_patch_size") ?? 2) * square(patch), hidden, bias);

/** modeling_qwen2_vl.py: Qwen2VisionTransformerPretrainedModel */
const qwen2: Count = (vision, text) => {
  const width = numberField(vision, "embed_dim") ?? 1280;
  const inner = width * (numberField(vision, "mlp_ratio") ?? 4);
  const tower = towerOf({ ...vision, hidden_size: width, intermediate_size: inner }, { layers: 32, patch: 14 });
  if (tower === null) return null;
  const merge = numberField(vision, "spatial_merge_size") ?? 2;
  return patches(vision, tower, false) + tower.layers * classicLayer(tower) + merged(width, text, merge, 2 * width);
};

/** modeling_qwen2_5_vl.py: Qwen2_5_VisionTransformerPretrainedModel */
const qwen25: Count = (vision, text) => {
  const tower = towerOf(vision, { hidden: 3584, inner: 3420, layers: 32, patch: 14 });
  if (tower === null) return null;
  const { hidden, inner, layers } = tower;
  const layer = 4 * linear(hidden, hidden) + 2 * linear(hidden, inner) + linear(inner, hidden) + 2 * hidden;
  const out = numberField(vision, "out_hidden_size") ?? text;
  const merge = numberField(vision, "spatial_merge_size") ?? 2;
  return patches(vision, tower, false) + layers * layer + merged(hidden, out, merge, hidden);
};

/** modeling_qwen3_vl.py: Qwen3VLVisionModel; states of some layers are merged, too */
const qwen3: Count = (vision, text) => {
  const tower = towerOf(vision, { hidden: 1152, inner: 4304, layers: 27, patch: 16 });
  if (tower === null) return null;
  const { hidden, layers } = tower;
  const out = numberField(vision, "out_hidden_size") ?? text;
  const merge = numberField(vision, "spatial_merge_size") ?? 2;
  const deep = field(vision, "deepstack_visual_indexes");
  const more = (Array.isArray(deep) ? deep.length : 3) * merged(hidden, out, merge, 2 * hidden * square(merge));
  const positions = (numberField(vision, "num_position_embeddings") ?? 2304) * hidden;
  return (
    patches(vision, tower, true) +
    positions +
    layers * classicLayer(tower) +
    merged(hidden, out, merge, 2 * hidden) +
    more
  );
};

/** modeling_llama4.py: Llama4VisionModel and Llama4MultiModalProjector */
const llama4: Count = (vision, text) => {
  const tower = towerOf(vision, { hidden: 768, inner: 5632, layers: 34, patch: 14 });
  const [into, out] = [numberField(vision, "projector_input_dim"), numberField(vision, "projector_output_dim")];
  if (tower === null || tower.positions === 0 || into === undefined || out === undefined) return null;
  const { hidden, inner, layers, patch, channels, positions } = tower;
  return (
    hidden +
    linear(channels * square(patch), hidden, false) +
    (square(positions) + 1) * hidden +
    layers * classicLayer(tower) +
    4 * hidden +
    linear(inner, into, false) +
    linear(into, out, false) +
    linear(numberField(vision, "vision_output_dim") ?? out, text, false)
  );
};

const llava: Count = joined((hidden, text) => linear(hidden, text) + linear(text, text));

/** By `model_type` of the whole model. */
const COUNTS = table<Count>({
  // modeling_gemma3.py: Gemma3MultiModalProjector
  gemma3: joined((hidden, text) => linear(hidden, text, false) + hidden),
  // modeling_paligemma.py: PaliGemmaMultiModalProjector
  paligemma: joined((hidden, text) => linear(hidden, text)),
  // modeling_llava.py: LlavaMultiModalProjector
  llava,
  // modeling_llava_next.py: one more vector for the ends of lines
  llava_next: (vision, text, whole) => {
    const found = llava(vision, text, whole);
    return found === null ? null : found + text;
  },
  // modeling_mistral3.py: Mistral3MultiModalProjector
  mistral3: joined((hidden, text, whole) => {
    const merge = numberField(whole, "spatial_merge_size") ?? 2;
    const bias = flagField(whole, "multimodal_projector_bias") ?? false;
    return (
      hidden + linear(hidden * square(merge), hidden, false) + linear(hidden, text, bias) + linear(text, text, bias)
    );
  }),
  qwen2_vl: qwen2,
  qwen2_5_vl: qwen25,
  qwen3_vl: qwen3,
  qwen3_vl_moe: qwen3,
  qwen3_5: qwen3,
  qwen3_5_moe: qwen3,
  llama4,
});

/** Parts of a configuration that describe what sees or hears; of a model that also speaks, they lie in the part that thinks. */
const PARTS = [
  "vision_config",
  "audio_config",
  "thinker_config",
  "visual",
  "vit_config",
  "vision_tower",
  "mm_vision_tower",
];

/** Whether the model sees pictures or hears sound beside reading text. */
export const hasTowers = (whole: ModelConfig): boolean =>
  PARTS.some((name) => field(whole, name) !== undefined && field(whole, name) !== null);

/**
 * Parameters beside the language model's; 0 without a tower, null where there is one that is not known.
 *
 * @param text width of the language model
 */
export function parametersOfTowers(whole: ModelConfig, text: number): number | null {
  const vision = objectField(whole, "vision_config");
  if (vision === undefined) return 0;
  const type = textField(whole, "model_type") ?? "";
  return Object.hasOwn(COUNTS, type) ? COUNTS[type]!(vision, text, whole) : null;
}

/** A tower that can be built by itself: its type in transformers and what its configuration says. */
export interface TowerModel {
  readonly type: string;
  readonly config: ModelConfig;
}

/** By the whole model's type, where the tower's own is not its name. */
const TOWER_TYPES = table<string>({
  qwen2_vl: "qwen2_vl_vision",
  qwen2_5_vl: "qwen2_5_vl_vision",
  qwen3_vl: "qwen3_vl_vision",
  qwen3_vl_moe: "qwen3_vl_vision",
  llava: "clip_vision_model",
  gemma3: "siglip_vision_model",
  paligemma: "siglip_vision_model",
});

/** Null without a tower, or where it is none that can be built. */
export function towerModel(whole: ModelConfig): TowerModel | null {
  const config = objectField(whole, "vision_config");
  const type = textField(whole, "model_type") ?? "";
  return config === undefined || !Object.hasOwn(TOWER_TYPES, type) ? null : { type: TOWER_TYPES[type]!, config };
}
