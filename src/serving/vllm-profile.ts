/** What vLLM's profile run makes above the weights, and what its CUDA graphs keep: gpu_model_runner.py, flash_attn.py and the sampler of vLLM. */

import { denseWidth, mixtureOf, type ServedModel } from "./served-model.ts";
import {
  GRAPH_BASE_BYTES,
  GRAPH_EXPERTS_BYTES,
  GRAPH_LAYER_BYTES,
  GRAPH_SHARED_BYTES,
  LARGEST_GRAPH,
  OTHER_TOWER_BYTES,
  SEES_PICTURES_WHOLE,
  SPLIT_ARCHITECTURE,
  SPLIT_WIDTH,
  type VllmRules,
} from "./vllm-rules.ts";

export interface ProfileSettings {
  readonly rules: VllmRules;
  readonly architecture: string;
  readonly multiprocessors: number;
  readonly computeBytes: number;
  readonly length: number;
  readonly batched: number;
  readonly sequences: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly cacheBytes: number;
  readonly block: number;
}

/** Those of the card whose logs the rules were compared with. */
export const MULTIPROCESSORS = 132;

/** Peak of the profile run above what is loaded. */
export function activationBytes(model: ServedModel, settings: ProfileSettings, isLast: boolean): number {
  const { shape } = model;
  const { batched, computeBytes, tensorParallel: ranks } = settings;
  const mixture = mixtureOf(shape);
  const hidden = batched * shape.hidden * computeBytes;
  const forward = (batched * (3 * denseWidth(shape) * computeBytes)) / ranks + 6 * hidden;
  const answer = isLast ? hidden + (model.pools ? 0 : samplerBytes(model, settings)) : 0;
  // Buffers of the experts' kernel are kept between layers.
  const slots = batched * mixture.perToken * computeBytes;
  const width = mixture.width / ranks;
  const experts = slots * (Math.max(width, shape.hidden) + Math.max(2 * width, shape.hidden));
  return Math.max(forward, answer) + (mixture.experts > 0 ? experts : 0) + pictureBytes(model, settings);
}

/** Logits of one row per sequence, and what choosing a token from them makes. */
function samplerBytes({ shape }: ServedModel, settings: ProfileSettings): number {
  const { rules, computeBytes, multiprocessors } = settings;
  const rows = Math.min(settings.sequences, settings.batched);
  const workers = rules.samplerWorkers ? Math.min(multiprocessors, rows) : 0;
  return shape.vocab * (rows * (computeBytes + rules.samplerBytes) + workers * 4) + rules.activationBaseBytes;
}

/**
 * As many of the largest pictures as a step takes are in memory until the profile run ends, and so is what the tower made of them.
 * encoder_budget.py: what does not fit into a step is tried once.
 */
function pictureBytes({ shape, picture }: ServedModel, { batched, computeBytes }: ProfileSettings): number {
  if (!shape.hasTowers) return 0;
  if (picture === null) return batched * shape.hidden * computeBytes + OTHER_TOWER_BYTES;
  const pictures = Math.max(1, Math.floor(batched / picture.tokens));
  return pictures * (picture.tokens * shape.hidden + picture.values) * computeBytes;
}

/** Memory that capturing takes: what the driver keeps of each graph, and buffers in the pool that all graphs share. */
export function graphBytes(model: ServedModel, settings: ProfileSettings): number {
  const layers = model.shape.layers.slice(0, Math.ceil(model.shape.layers.length / settings.pipelineParallel));
  const perLayer = layers.reduce((sum, { feed }) => {
    const mixed = (feed?.experts ?? 0) > 0;
    return (
      sum +
      GRAPH_LAYER_BYTES +
      (mixed ? GRAPH_EXPERTS_BYTES : 0) +
      (mixed && (feed?.width ?? 0) > 0 ? GRAPH_SHARED_BYTES : 0)
    );
  }, 0);
  return GRAPH_BASE_BYTES + perLayer + splitBytes(model, settings);
}

/**
 * Decoding under a graph sums up parts of a long sequence that were computed apart: float32 results of every part, and their maxima, for the
 * tokens of the largest graph. FlashAttentionMetadataBuilder: max_num_splits.
 */
function splitBytes({ shape }: ServedModel, settings: ProfileSettings): number {
  const { rules, architecture, computeBytes, tensorParallel: ranks } = settings;
  const look = shape.layers.find(({ attention }) => attention !== null)?.attention ?? null;
  if (look === null || architecture !== SPLIT_ARCHITECTURE || computeBytes > 2) return 0;
  if (shape.hasTowers && SEES_PICTURES_WHOLE.has(shape.modelType)) return 0;
  const width = look.kind === "latent" ? look.rank : look.valueDim;
  if (look.kind === "grouped" && width > SPLIT_WIDTH) return 0;
  const tokens = Math.min(settings.sequences, settings.batched, LARGEST_GRAPH);
  return rules.graphSplits * Math.ceil(look.heads / ranks) * tokens * (width + 1) * 4;
}
