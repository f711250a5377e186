/**
 * SGLang at start-up: a static fraction of the GPU holds weights and the cache; graphs and activations live in the rest. Rules of
 * server_args.py and the pool configurator.
 */

import { diagnostic } from "../base/diagnostic.ts";
import { MIB } from "../base/bytes.ts";
import { layerCache, stateElements } from "./kv-cache.ts";
import { rankWeightBytes } from "./rank-weights.ts";
import { publishedBytes, type ServedModel } from "./served-model.ts";
import { exactPart, roughPart, type ServingEstimate } from "./serving.ts";
import type { WeightFormat } from "../models/weight-formats.ts";

export const SGLANG_VERSION = "0.5";

export interface SglangOptions {
  readonly totalBytes: number;
  /** Free before weights: the total less the context and what communication takes. */
  readonly contextBytes: number;
  readonly format: WeightFormat;
  readonly computeBytes?: number;
  /** `--mem-fraction-static` */
  readonly staticFraction?: number;
  readonly contextLength?: number;
  readonly tensorParallel?: number;
  readonly pipelineParallel?: number;
  readonly cacheBytes?: number;
  readonly pageTokens?: number;
}

/** Prompt pieces and the largest batch of a graph, by size of the GPU; the first row that is larger applies. */
const BY_GPU: readonly {
  readonly belowMiB: number;
  readonly chunk: number;
  readonly graphs: number;
  /** With four or more ranks. */
  readonly graphsWide: number;
}[] = [
  { belowMiB: 20 * 1024, chunk: 2048, graphs: 8, graphsWide: 8 },
  { belowMiB: 35 * 1024, chunk: 2048, graphs: 24, graphsWide: 80 },
  { belowMiB: 60 * 1024, chunk: 4096, graphs: 32, graphsWide: 160 },
  { belowMiB: 160 * 1024, chunk: 8192, graphs: 256, graphsWide: 512 },
  { belowMiB: Infinity, chunk: 16_384, graphs: 512, graphsWide: 512 },
];
const LARGE_GPU_MIB = 60 * 1024;
const LARGE_RESERVE_MIB = 10_240;

/** The fraction that SGLang chooses: three decimals. */
export function sglangStaticFraction(totalBytes: number, tensorParallel: number, pipelineParallel: number): number {
  const gpuMiB = totalBytes / MIB;
  const row = BY_GPU.find(({ belowMiB }) => gpuMiB < belowMiB)!;
  const graphs = tensorParallel >= 4 ? row.graphsWide : row.graphs;
  let reserved = 512 + 1.5 * Math.max(row.chunk, 2048) + 2 * graphs + (1024 * tensorParallel * pipelineParallel) / 8;
  if (gpuMiB > LARGE_GPU_MIB) reserved = Math.max(reserved, LARGE_RESERVE_MIB);
  return Math.round(((gpuMiB - reserved) / gpuMiB) * 1000) / 1000;
}

/** Windowed layers have a pool of their own, this share of the full one. */
const WINDOW_RATIO = 0.8;
/** States get this share of what full layers get. */
const STATE_RATIO = 0.9;

export function estimateSglang(model: ServedModel, options: SglangOptions): ServingEstimate {
  const { shape } = model;
  const tensorParallel = options.tensorParallel ?? 1;
  const pipelineParallel = options.pipelineParallel ?? 1;
  const computeBytes = options.computeBytes ?? Math.min(publishedBytes(shape), 2);
  const cacheBytes = options.cacheBytes ?? 2;
  const page = options.pageTokens ?? 1;
  const fraction = options.staticFraction ?? sglangStaticFraction(options.totalBytes, tensorParallel, pipelineParallel);
  const rank = { format: options.format, computeBytes, tensorParallel, pipelineParallel, stage: 0 };
  const weights = rankWeightBytes(model, rank);
  const before = options.totalBytes - options.contextBytes;
  const reserve = before * (1 - fraction);
  const rest = before - weights - reserve;
  const caches = shape.layers.map((layer) => layerCache(layer.attention, layer.state));
  const heads = shape.layers.find((layer) => layer.attention !== null)?.attention;
  const share = heads?.kind === "grouped" ? Math.min(tensorParallel, heads.kvHeads) : 1;
  const perLayer = (window: boolean): number =>
    caches
      .filter((cache) => cache.state === null && (cache.window !== null) === window)
      .reduce((sum, cache) => sum + ((cache.keyElements + cache.valueElements) * cacheBytes) / share, 0) /
    pipelineParallel;
  const full = perLayer(false);
  const windowed = perLayer(true);
  // With no layer that keeps everything, the windowed pool is the only one.
  const cell = full === 0 ? windowed : full + windowed * WINDOW_RATIO;
  const states = caches.reduce((sum, cache) => sum + (cache.state === null ? 0 : stateElements(cache.state) * 4), 0);
  const forStates = states === 0 ? 0 : (rest * STATE_RATIO) / (1 + STATE_RATIO);
  const cacheTokens = cell === 0 ? 0 : Math.max(0, Math.floor((rest - forStates) / cell / page) * page);
  const contextLength = options.contextLength ?? shape.positions ?? 8192;
  return {
    engine: "SGLang",
    version: SGLANG_VERSION,
    parts: [
      exactPart("weights", weights, `${options.format.evidence}; joined and split as the layers`),
      exactPart("kv_cache", cacheTokens * cell, "what the static fraction leaves, in whole pages"),
      ...(forStates === 0 ? [] : [exactPart("states", forStates, "mamba_full_memory_ratio")]),
      roughPart("reserve", reserve, 0, "source", "outside the static fraction: graphs, activations"),
      roughPart("non_torch", options.contextBytes, 0.2, "derived", "CUDA context"),
    ],
    budgetBytes: before * fraction,
    cacheTokens,
    concurrency: contextLength === 0 ? null : cacheTokens / contextLength,
    contextLength,
    fits: rest > 0 && cacheTokens >= 1,
    settings: { "max-len": contextLength, "memory-fraction": Math.round(fraction * 1000) / 1000 },
    assumptions: [
      ...(shape.assumed ? [diagnostic("serving_family_assumed", { modelType: shape.modelType })] : []),
      diagnostic("serving_not_compared", { engine: "SGLang" }),
    ],
  };
}
