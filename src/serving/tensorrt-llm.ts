/** TensorRT-LLM, PyTorch backend: after a trial pass, the cache gets a fraction of what is free. Rules of its `_util.py`. */

import { diagnostic } from "../base/diagnostic.ts";
import { layerCache } from "./kv-cache.ts";
import { rankWeightBytes } from "./rank-weights.ts";
import { denseWidth, mixtureOf, publishedBytes, type ServedModel } from "./served-model.ts";
import { exactPart, roughPart, type ServingEstimate } from "./serving.ts";
import type { WeightFormat } from "../models/weight-formats.ts";

export const TENSORRT_LLM_VERSION = "1.0";

export interface TensorrtOptions {
  readonly totalBytes: number;
  readonly contextBytes: number;
  readonly format: WeightFormat;
  readonly computeBytes?: number;
  /** `free_gpu_memory_fraction` */
  readonly freeFraction?: number;
  readonly maxTokens?: number;
  readonly contextLength?: number;
  readonly tensorParallel?: number;
  readonly pipelineParallel?: number;
  readonly cacheBytes?: number;
}

const FREE_FRACTION = 0.9;
const MAX_TOKENS = 8192;
const TOKENS_PER_BLOCK = 32;

export function estimateTensorrt(model: ServedModel, options: TensorrtOptions): ServingEstimate {
  const { shape } = model;
  const tensorParallel = options.tensorParallel ?? 1;
  const pipelineParallel = options.pipelineParallel ?? 1;
  const computeBytes = options.computeBytes ?? Math.min(publishedBytes(shape), 2);
  const tokens = options.maxTokens ?? MAX_TOKENS;
  const rank = { format: options.format, computeBytes, tensorParallel, pipelineParallel, stage: 0 };
  const weights = rankWeightBytes(model, rank);
  const mixture = mixtureOf(shape);
  const width = Math.max(denseWidth(shape), mixture.perToken * mixture.width) / tensorParallel;
  const activations = tokens * computeBytes * (3 * width + 6 * shape.hidden);
  const free = options.totalBytes - options.contextBytes - weights - activations;
  const available = Math.max(0, free * (options.freeFraction ?? FREE_FRACTION));
  const perToken =
    shape.layers.reduce((sum, layer) => {
      const cache = layerCache(layer.attention, layer.state);
      const heads = layer.attention?.kind === "grouped" ? layer.attention.kvHeads : 1;
      return (
        sum + ((cache.keyElements + cache.valueElements) * (options.cacheBytes ?? 2)) / Math.min(tensorParallel, heads)
      );
    }, 0) / pipelineParallel;
  const cacheTokens = perToken === 0 ? 0 : Math.floor(available / perToken / TOKENS_PER_BLOCK) * TOKENS_PER_BLOCK;
  const contextLength = options.contextLength ?? shape.positions ?? MAX_TOKENS;
  return {
    engine: "TensorRT-LLM",
    version: TENSORRT_LLM_VERSION,
    parts: [
      exactPart("weights", weights, options.format.evidence),
      roughPart(
        "activations",
        activations,
        0.3,
        "recalled",
        "widest layer over max_num_tokens; not compared with a run",
      ),
      exactPart("kv_cache", cacheTokens * perToken, "free_gpu_memory_fraction of what the trial pass leaves"),
      roughPart("non_torch", options.contextBytes, 0.2, "derived", "CUDA context"),
      exactPart("unused", free - cacheTokens * perToken, "left to others"),
    ],
    budgetBytes: options.totalBytes,
    cacheTokens,
    concurrency: cacheTokens / contextLength,
    contextLength,
    fits: free > 0 && cacheTokens >= 1,
    settings: {
      "max-len": contextLength,
      "batched-tokens": tokens,
      "memory-fraction": options.freeFraction ?? FREE_FRACTION,
    },
    assumptions: [
      ...(shape.assumed ? [diagnostic("serving_family_assumed", { modelType: shape.modelType })] : []),
      diagnostic("serving_not_compared", { engine: "TensorRT-LLM" }),
    ],
  };
}
