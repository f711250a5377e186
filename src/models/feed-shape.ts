/** The feed-forward part of each layer: dense, or a mixture of experts with or without shared ones. */

import { flagField, listField, numberField, objectField, type ModelConfig } from "../formats/model-config.ts";
import { ModelFileError } from "../formats/model-file-error.ts";
import type { FamilyTraits } from "./decoder-families.ts";
import { isStateOnly } from "./state-shape.ts";

export interface FeedShape {
  readonly gated: boolean;
  /** Width of the dense part, or of the shared expert; 0: none. */
  readonly width: number;
  /** 0: no mixture. */
  readonly experts: number;
  readonly expertsPerToken: number;
  readonly expertWidth: number;
  /** Experts work on vectors that are so much narrower than the model's, between two matrices; 0: on the model's own. */
  readonly latent: number;
}

const FEED = ["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "d_ff"] as const;
const EXPERTS = ["num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"] as const;
const PER_TOKEN = ["num_experts_per_tok", "moe_top_k", "num_experts_per_token"] as const;

/** Which layers have experts; the rules that configurations know, in the order in which they apply. */
function hasExperts(config: ModelConfig): (layer: number) => boolean {
  const moeLayers = listField(config, "moe_layers");
  if (moeLayers !== undefined) return (layer) => moeLayers.includes(layer);
  const dense = listField(config, "mlp_only_layers") ?? [];
  const firstDense = numberField(config, "first_k_dense_replace") ?? 0;
  const frequency = numberField(config, "moe_layer_freq") ?? 1;
  const period = numberField(config, "expert_layer_period");
  const offset = numberField(config, "expert_layer_offset") ?? 0;
  const step = numberField(config, "decoder_sparse_step", "interleave_moe_layer_step") ?? 1;
  return (layer) => {
    if (dense.includes(layer) || layer < firstDense) return false;
    if (period !== undefined && period > 0) return layer % period === offset;
    if (frequency > 1) return layer % frequency === 0;
    return step > 0 && (layer + 1) % step === 0;
  };
}

export interface FeedShapes {
  /** One per layer; none where no layer has one. */
  readonly layers: readonly FeedShape[];
  readonly dense: FeedShape;
  /** Null without experts. */
  readonly mixture: FeedShape | null;
}

/** Feed-forward parts by layer and by kind. Throws {@link ModelFileError}. */
export function feedShapes(config: ModelConfig, traits: FamilyTraits, hidden: number, layers: number): FeedShapes {
  const own = objectField(config, "ffn_config") ?? {};
  const experts = numberField(config, ...EXPERTS) ?? numberField(own, ...EXPERTS) ?? 0;
  const written = numberField(config, ...FEED) ?? numberField(own, ...FEED) ?? traits.feedFactor * hidden;
  const width = traits.feedHalved ? written / 2 : written;
  if (!(width >= 0) || !(experts >= 0)) throw new ModelFileError("config-bad-field", { field: FEED[0], value: width });
  const doubleWide = flagField(config, "use_double_wide_mlp") === true ? 2 : 1;
  const dense: FeedShape = {
    gated: traits.gated,
    width: (numberField(config, "intermediate_size_mlp") ?? width) * doubleWide,
    experts: 0,
    expertsPerToken: 0,
    expertWidth: 0,
    latent: 0,
  };
  // Their `intermediate_size` is the state's.
  if (isStateOnly(config)) return { layers: [], dense, mixture: null };
  if (experts < 2) return { layers: Array.from({ length: layers }, () => dense), dense, mixture: null };
  const expertWidth = numberField(config, "moe_intermediate_size") ?? width;
  const hasDenseWidth = numberField(config, "intermediate_size_mlp") !== undefined;
  const shared =
    numberField(
      config,
      "shared_expert_intermediate_size",
      "moe_shared_expert_intermediate_size",
      "shared_intermediate_size",
    ) ?? (numberField(config, "n_shared_experts", "num_shared_experts") ?? (hasDenseWidth ? 1 : 0)) * expertWidth;
  const mixture: FeedShape = {
    gated: traits.gated,
    width: shared,
    experts,
    expertsPerToken: numberField(config, ...PER_TOKEN) ?? numberField(own, ...PER_TOKEN) ?? 1,
    expertWidth,
    latent: numberField(config, "moe_latent_size") ?? 0,
  };
  const mixed = hasExperts(config);
  return { layers: Array.from({ length: layers }, (_, layer) => (mixed(layer) ? mixture : dense)), dense, mixture };
}
