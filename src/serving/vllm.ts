/**
 * vLLM at start-up: it loads, runs a forward pass of the most tokens that a step may have, and gives the cache what is left of its
 * fraction of the GPU. The cache is blocks of a few tokens for groups of layers.
 */

import { diagnostic, type Diagnostic } from "../base/diagnostic.ts";
import type { LayerCache } from "./kv-cache.ts";
import { layerCache, stateElements } from "./kv-cache.ts";
import { rankWeightBytes, stageLayers } from "./rank-weights.ts";
import { publishedBytes, type ServedModel } from "./served-model.ts";
import { exactPart, roughPart, type ServingEstimate, type ServingPart } from "./serving.ts";
import { activationBytes, graphBytes, MULTIPROCESSORS, type ProfileSettings } from "./vllm-profile.ts";
import {
  ACTIVATION_SOURCE,
  COUNTED_CONTEXT,
  GRAPH_SHARE,
  GRAPH_SOURCE,
  NEWEST_VLLM,
  NON_TORCH,
  NON_TORCH_ABOVE,
  NON_TORCH_SOURCE,
  NON_TORCH_STAGES,
  vllmRules,
} from "./vllm-rules.ts";
import type { WeightFormat } from "../models/weight-formats.ts";

export interface VllmOptions {
  readonly version?: string;
  /** What cudaMemGetInfo returns as the total. */
  readonly totalBytes: number;
  /** NVIDIA's name for the generation of the card, and its multiprocessors. */
  readonly architecture?: string;
  readonly multiprocessors?: number;
  readonly format: WeightFormat;
  /** Bytes of a value in the type of the computation; default as published, at most 16 bits unless said. */
  readonly computeBytes?: number;
  readonly utilization?: number;
  readonly maxModelLen?: number;
  readonly maxBatchedTokens?: number;
  readonly maxSequences?: number;
  readonly tensorParallel?: number;
  readonly pipelineParallel?: number;
  /** Bytes of a value of the cache: 2, or 1 in FP8. */
  readonly cacheBytes?: number;
  readonly blockTokens?: number;
  /** `--enforce-eager` */
  readonly eager?: boolean;
}

const LARGE_GPU_BYTES = 70 * 2 ** 30;
/** Keeps smaller defaults than others of its size: EngineArgs looks for an A100. */
const SMALLER_DEFAULTS = "Ampere";
const DEFAULT_LENGTH = 8192;

function settingsOf(model: ServedModel, options: VllmOptions): ProfileSettings {
  const isLarge = options.totalBytes >= LARGE_GPU_BYTES && options.architecture !== SMALLER_DEFAULTS;
  const length = options.maxModelLen ?? model.shape.positions ?? DEFAULT_LENGTH;
  const rules = vllmRules(options.version ?? NEWEST_VLLM);
  return {
    rules,
    architecture: options.architecture ?? "",
    multiprocessors: options.multiprocessors ?? MULTIPROCESSORS,
    computeBytes: options.computeBytes ?? Math.min(publishedBytes(model.shape), 2),
    length,
    batched: options.maxBatchedTokens ?? (rules.batchesWholeLength ? Math.max(length, 2048) : isLarge ? 8192 : 2048),
    sequences: options.maxSequences ?? (isLarge ? rules.largeSequences : 256),
    tensorParallel: options.tensorParallel ?? 1,
    pipelineParallel: options.pipelineParallel ?? 1,
    cacheBytes: options.cacheBytes ?? 2,
    block: options.blockTokens ?? 16,
  };
}

interface CacheGroups {
  /** Groups of layers; each has its own blocks out of the same pool. */
  readonly groups: number;
  /** Bytes of one block: of every layer of a group. */
  readonly blockBytes: number;
  readonly blockTokens: number;
  /** Bytes of states that one sequence needs, whatever its length. */
  readonly stateBytesPerSequence: number;
}

/** Layers of one kind share blocks; kinds that are fewer decide how long a group is. */
export function cacheGroups(model: ServedModel, settings: ProfileSettings, stage: number): CacheGroups | null {
  const [from, to] = stageLayers(model.shape.layers.length, settings.pipelineParallel, stage);
  const kinds = new Map<string, { cache: LayerCache; layers: number }>();
  for (const layer of model.shape.layers.slice(from, to)) {
    const cache = layerCache(layer.attention, layer.state);
    if (cache.kind === "none") continue;
    const key = `${cache.kind}/${cache.keyElements}/${cache.valueElements}/${cache.window ?? ""}`;
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { cache, layers: 1 });
    else kind.layers++;
  }
  const all = [...kinds.values()];
  const kept = all.find(({ cache }) => cache.kind !== "state");
  if (kept === undefined) return null;
  const counts = all.map(({ layers }) => layers);
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  const length = most < 1.5 * least ? most : least;
  const groups = all.reduce((sum, { layers }) => sum + Math.ceil(layers / length), 0);
  const ranks = settings.tensorParallel;
  const heads = model.shape.layers.find((layer) => layer.attention !== null)!.attention!;
  // Heads beyond the ranks are copied; a latent is whole on every rank.
  const share = heads.kind === "latent" ? 1 : Math.min(ranks, heads.kvHeads);
  const perToken = ((kept.cache.keyElements + kept.cache.valueElements) * settings.cacheBytes) / share;
  const state = all.find(({ cache }) => cache.kind === "state");
  let blockTokens = settings.block;
  if (state !== undefined) {
    const bytes = stateBytes(state.cache, settings) / ranks;
    blockTokens = Math.max(blockTokens, settings.block * Math.ceil(bytes / (settings.block * perToken)));
  }
  return {
    groups,
    blockBytes: perToken * blockTokens * length,
    blockTokens,
    stateBytesPerSequence: state === undefined ? 0 : stateBytes(state.cache, settings) * state.layers,
  };
}

/** The convolution's part in the computation's type, the recurrent part in float32. */
function stateBytes({ state }: LayerCache, settings: ProfileSettings): number {
  if (state === null) return 0;
  const convolution = stateElements(state) - state.stateElements;
  return convolution * settings.computeBytes + state.stateElements * 4;
}

interface Rank {
  readonly parts: readonly ServingPart[];
  readonly availableBytes: number;
  readonly blocks: number;
  readonly groups: CacheGroups | null;
}

function rankOf(
  model: ServedModel,
  options: VllmOptions,
  settings: ProfileSettings,
  stage: number,
  budget: number,
): Rank {
  const { tensorParallel, pipelineParallel, computeBytes, rules } = settings;
  const isLast = stage === pipelineParallel - 1;
  const weights = rankWeightBytes(model, {
    format: options.format,
    computeBytes,
    tensorParallel,
    pipelineParallel,
    stage,
  });
  const tables = model.shape.rotary.reduce((sum, { positions, dim }) => sum + positions * dim * computeBytes, 0);
  const activations = activationBytes(model, settings, isLast);
  const graphs = options.eager === true ? 0 : graphBytes(model, settings);
  const taken = [
    exactPart("weights", weights, `${options.format.evidence}; joined and split as vLLM's layers`),
    exactPart("rotary_tables", tables, "cosines and sines of every position"),
    roughPart("activations", activations, 0.1, "derived", ACTIVATION_SOURCE),
    outsidePart(settings),
  ];
  const graphsPart = roughPart("cuda_graphs", graphs, GRAPH_SHARE, "derived", GRAPH_SOURCE);
  const sumOf = (end: "bytes" | "lowBytes" | "highBytes"): number =>
    [...taken, ...(rules.takesGraphsOff ? [graphsPart] : [])].reduce((sum, part) => sum + part[end], 0);
  const availableBytes = budget - sumOf("bytes");
  const groups = cacheGroups(model, settings, stage);
  const blocks = groups === null ? 0 : Math.max(0, Math.floor(availableBytes / groups.blockBytes));
  const whole = groups === null ? 0 : blocks * groups.blockBytes;
  // what the parts above it take more or less is the cache's loss or gain
  const cache = {
    ...exactPart("kv_cache", whole, "whole blocks of what is left"),
    lowBytes: Math.max(0, whole - (sumOf("highBytes") - sumOf("bytes"))),
    highBytes: groups === null ? 0 : whole + (sumOf("bytes") - sumOf("lowBytes")),
  };
  const parts: ServingPart[] = [...taken, graphsPart, cache];
  return { parts, availableBytes, blocks, groups };
}

function outsidePart({ pipelineParallel, tensorParallel, rules }: ProfileSettings): ServingPart {
  const mark = tensorParallel > 4 ? "recalled" : "source";
  const context = rules.countsContext ? COUNTED_CONTEXT : { lowBytes: 0, bytes: 0, highBytes: 0 };
  const { lowBytes, bytes } =
    pipelineParallel > 1 && tensorParallel === 1
      ? { lowBytes: NON_TORCH_STAGES * (1 - NON_TORCH_ABOVE), bytes: NON_TORCH_STAGES }
      : NON_TORCH.findLast(({ ranks }) => ranks <= tensorParallel)!;
  return {
    ...roughPart("non_torch", bytes + context.bytes, 0, mark, NON_TORCH_SOURCE),
    lowBytes: lowBytes + context.lowBytes,
    highBytes: bytes * (1 + NON_TORCH_ABOVE) + context.highBytes,
  };
}

/** Blocks that one request of the longest length needs, in every group. */
function requestBlocks(model: ServedModel, settings: ProfileSettings, groups: CacheGroups): number {
  const tokens = Math.ceil(settings.length / groups.blockTokens);
  const windows = model.shape.layers.flatMap(({ attention }) => (attention?.window == null ? [] : [attention.window]));
  if (windows.length === 0) return tokens * groups.groups;
  const kept = Math.min(Math.max(...windows) - 1 + settings.batched, settings.length);
  const windowed = Math.ceil(kept / groups.blockTokens) + 1;
  const fullLayers = model.shape.layers.some(({ attention }) => attention !== null && attention.window === null)
    ? 1
    : 0;
  return tokens * fullLayers + windowed * (groups.groups - fullLayers);
}

/** What vLLM does with one GPU, the fullest of its stage that has the least room for the cache. */
export function estimateVllm(model: ServedModel, options: VllmOptions): ServingEstimate {
  const settings = settingsOf(model, options);
  const budget = Math.ceil(options.totalBytes * (options.utilization ?? settings.rules.utilization));
  const stages = settings.pipelineParallel === 1 ? [0] : [0, settings.pipelineParallel - 1];
  const ranks = stages.map((stage) => rankOf(model, options, settings, stage, budget));
  const worst = ranks.reduce((least, rank) => (rank.blocks < least.blocks ? rank : least));
  const { groups } = worst;
  const tokens = groups === null ? null : Math.floor(worst.blocks / groups.groups) * groups.blockTokens;
  const needed = groups === null ? 0 : requestBlocks(model, settings, groups);
  const assumptions: Diagnostic[] = [];
  if (model.shape.assumed) assumptions.push(diagnostic("serving_family_assumed", { modelType: model.shape.modelType }));
  if (model.shape.hasTowers) assumptions.push(diagnostic("serving_towers"));
  if (groups !== null && groups.stateBytesPerSequence > 0) assumptions.push(diagnostic("serving_states"));
  return {
    engine: "vLLM",
    version: options.version ?? NEWEST_VLLM,
    parts: worst.parts,
    budgetBytes: budget,
    cacheTokens: tokens,
    concurrency: needed === 0 ? null : worst.blocks / needed,
    contextLength: settings.length,
    fits: worst.availableBytes > 0 && worst.blocks >= needed,
    settings: {
      "max-len": settings.length,
      "max-seqs": settings.sequences,
      "batched-tokens": settings.batched,
      "memory-fraction": options.utilization ?? settings.rules.utilization,
    },
    assumptions,
  };
}
