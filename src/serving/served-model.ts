/** A model as serving engines see it: its shape, its weights one by one, and what of it cannot be listed. */

import { table } from "../base/table.ts";
import { listField, type ModelConfig } from "../formats/model-config.ts";
import { largestPicture, type LargestPicture } from "../models/largest-picture.ts";
import { decoderConfig, modelShape, type ModelShape } from "../models/model-shape.ts";
import { parameterCount, weightList, type Weight } from "../models/weight-list.ts";

export interface ServedModel {
  readonly shape: ModelShape;
  readonly weights: readonly Weight[];
  /** Parameters that are not listed: towers for images and sound, or what an unknown family has beside a Llama's. */
  readonly otherParameters: number;
  /** The largest picture that is put before a prompt; null: none, or not known. */
  readonly picture: LargestPicture | null;
  /** It answers with vectors or classes: no token is chosen. */
  readonly pools: boolean;
}

/**
 * The model of a configuration. `parameters` is the known count of the whole model: what the list does not explain is kept apart.
 * Throws {@link ModelFileError} where the configuration lacks what every language model has.
 */
export function servedModel(config: ModelConfig, parameters?: number): ServedModel {
  const shape = modelShape(config);
  const weights = weightList(shape, decoderConfig(config).config);
  const listed = parameterCount(weights);
  return {
    shape,
    weights,
    otherParameters: otherThan(listed, shape.towerParameters, parameters),
    picture: largestPicture(config),
    pools: poolsTokens(config),
  };
}

/** What the list does not explain of a known count; without one, the towers. */
function otherThan(listed: number, towers: number | null, parameters: number | undefined): number {
  return parameters === undefined ? (towers ?? 0) : Math.max(0, parameters - listed);
}

/** Endings of classes that engines run for vectors or classes; vllm/config/model.py: _SUFFIX_TO_DEFAULTS. */
const POOLING =
  /(ForTextEncoding|EmbeddingModel|For\w+Classification|ClassificationModel|RewardModel(ing)?|[^M]Model)$/;
const GENERATING = /(ForCausalLM|ForConditionalGeneration|ChatModel|LMHeadModel)$/;

function poolsTokens(config: ModelConfig): boolean {
  const [first] = listField(config, "architectures") ?? [];
  return typeof first === "string" && POOLING.test(first) && !GENERATING.test(first);
}

const BYTES_OF = table<number>({ float32: 4, float64: 8, bfloat16: 2, float16: 2 });

/** Bytes of a value in the type that the model is published in; 16 bits where it does not say. */
export function publishedBytes(shape: ModelShape): number {
  return BYTES_OF[shape.dtype ?? ""] ?? 2;
}

/** The mixture's sizes, from the first layer that has one; zeros without. */
export function mixtureOf(shape: ModelShape): {
  readonly experts: number;
  readonly perToken: number;
  readonly width: number;
} {
  const feed = shape.layers.find((layer) => (layer.feed?.experts ?? 0) > 0)?.feed;
  return { experts: feed?.experts ?? 0, perToken: feed?.expertsPerToken ?? 0, width: feed?.expertWidth ?? 0 };
}

/** Width of the widest dense feed-forward part. */
export function denseWidth(shape: ModelShape): number {
  return Math.max(0, ...shape.layers.map((layer) => layer.feed?.width ?? 0));
}
