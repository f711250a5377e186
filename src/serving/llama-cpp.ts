/**
 * llama.cpp on load: which tensors lie on the GPU, the cache by cells, and the buffers that a graph of one micro-batch needs.
 * Formulas fitted to builds of ggml 0.27 and published CUDA logs.
 */

import { diagnostic, type Diagnostic } from "../base/diagnostic.ts";
import type { GgufModel, PlacedTensor } from "./gguf-model.ts";
import { layerCache, stateElements } from "./kv-cache.ts";
import { denseWidth, mixtureOf } from "./served-model.ts";
import { exactPart, roughPart, type ServingEstimate, type ServingPart } from "./serving.ts";

export const LLAMA_CPP_VERSION = "b11669";

export interface LlamaCppOptions {
  readonly totalBytes: number;
  readonly contextBytes: number;
  /** `-c`: tokens of all sequences together. */
  readonly contextLength?: number;
  /** `-ngl`: layers on the GPU, from the end; the output is one more. Absent: all. */
  readonly gpuLayers?: number;
  /** `-ub` */
  readonly microBatch?: number;
  /** `-np`: sequences. */
  readonly sequences?: number;
  /** Sequences share one cache, as llama-server has it. */
  readonly unified?: boolean;
  readonly flashAttention?: boolean;
  /** Bytes of a value of keys and of values. */
  readonly keyBytes?: number;
  readonly valueBytes?: number;
  /** Rows of a micro-batch whose logits are asked for: one per sequence in a server, all in other programs. */
  readonly outputs?: number;
  readonly swaFull?: boolean;
}

/** Caches grow by so many cells. */
const CELL_PADDING = 256;
const padded = (tokens: number): number => Math.ceil(tokens / CELL_PADDING) * CELL_PADDING;

interface Cells {
  /** Cells of a layer that keeps everything, in all streams. */
  readonly full: number;
  readonly windowed: number;
}

function cellsOf(
  gguf: GgufModel,
  options: Required<Pick<LlamaCppOptions, "contextLength" | "microBatch" | "sequences">> & LlamaCppOptions,
): Cells {
  const { contextLength, microBatch, sequences } = options;
  const unified = options.unified ?? sequences > 1;
  const streams = unified ? 1 : sequences;
  const perStream = padded(Math.floor(contextLength / streams));
  const window = Math.max(0, ...gguf.model.shape.layers.map(({ attention }) => attention?.window ?? 0));
  const kept = window * (unified ? sequences : 1) + microBatch;
  const windowed = options.swaFull === true ? perStream : padded(Math.min(perStream, kept));
  return { full: perStream * streams, windowed: windowed * streams };
}

/** Tensors outside the layers that go with the output; the embedding stays on the host. */
const isOutput = ({ role, layer }: PlacedTensor): boolean => layer === null && role.startsWith("output");

export interface TensorPlaces {
  readonly gpuBytes: number;
  readonly hostBytes: number;
}

/** Where weights lie with so many layers offloaded; a tied embedding is on both sides. */
export function placeTensors(tensors: readonly PlacedTensor[], layers: number, gpuLayers: number): TensorPlaces {
  const from = layers - Math.min(gpuLayers, layers);
  const withOutput = gpuLayers > layers;
  const hasOutput = tensors.some(({ role }) => role === "output");
  let gpuBytes = 0;
  let hostBytes = 0;
  for (const tensor of tensors) {
    const onGpu = tensor.layer === null ? withOutput && isOutput(tensor) : tensor.layer >= from;
    if (onGpu) gpuBytes += tensor.bytes;
    else hostBytes += tensor.bytes;
    if (tensor.role === "token_embd" && !hasOutput && withOutput) gpuBytes += tensor.bytes;
  }
  return { gpuBytes, hostBytes };
}

interface ComputeBuffers {
  readonly gpuBytes: number;
  readonly hostBytes: number;
}

/** Buffers of one graph. Masks and embeddings of the input are the host's. */
export function computeBuffers(
  gguf: GgufModel,
  cells: Cells,
  microBatch: number,
  outputs: number,
  flash: boolean,
): ComputeBuffers {
  const { shape } = gguf.model;
  const look = shape.layers.find((layer) => layer.attention !== null)?.attention ?? null;
  const mixture = mixtureOf(shape);
  const width = Math.max(denseWidth(shape), mixture.perToken * mixture.width);
  const hasWindows = shape.layers.some(({ attention }) => attention !== null && attention.window !== null);
  const hasFull = shape.layers.some(({ attention }) => attention !== null && attention.window === null);
  const masks = (hasFull ? cells.full : 0) + (hasWindows ? cells.windowed : 0);
  const inputs = 4 * microBatch * shape.hidden;
  const logits = (shape.vocab * outputs) / microBatch;
  const fused = 4 * microBatch * (5 * shape.hidden + Math.max(3 * width, logits));
  if (flash || look === null) {
    const hostBytes = 2 * microBatch * masks + inputs;
    return { gpuBytes: fused - inputs, hostBytes };
  }
  const heads = look.kind === "grouped" ? look.headDim : look.plainDim + look.ropeDim;
  const scores = 4 * microBatch * Math.max(hasFull ? cells.full : 0, hasWindows ? cells.windowed : 0) * look.heads;
  const attention = scores + 4 * microBatch * (5 * shape.hidden + look.heads * heads);
  return { gpuBytes: Math.max(attention, fused - inputs), hostBytes: 4 * microBatch * masks + inputs };
}

/** Cache of the layers from `from` on. */
export function cacheBuffers(
  gguf: GgufModel,
  cells: Cells,
  from: number,
  sequences: number,
  keyBytes: number,
  valueBytes: number,
): { readonly cacheBytes: number; readonly stateBytes: number } {
  let cacheBytes = 0;
  let stateBytes = 0;
  for (const layer of gguf.model.shape.layers.slice(from)) {
    const cache = layerCache(layer.attention, layer.state);
    if (cache.state !== null) stateBytes += stateElements(cache.state) * 4 * sequences;
    const count = cache.window === null ? cells.full : cells.windowed;
    cacheBytes += count * (cache.keyElements * keyBytes + cache.valueElements * valueBytes);
  }
  return { cacheBytes, stateBytes };
}

const MICRO_BATCH = 512;

/** What llama.cpp puts on one GPU and on the host. */
export function estimateLlamaCpp(gguf: GgufModel, options: LlamaCppOptions): ServingEstimate {
  const { shape } = gguf.model;
  const layers = shape.layers.length;
  const microBatch = options.microBatch ?? MICRO_BATCH;
  const sequences = options.sequences ?? 1;
  const contextLength = options.contextLength ?? shape.positions ?? 4096;
  const gpuLayers = options.gpuLayers ?? layers + 1;
  const flash = options.flashAttention ?? true;
  const outputs = options.outputs ?? sequences;
  const cells = cellsOf(gguf, { ...options, contextLength, microBatch, sequences });
  const placement = placeTensors(gguf.tensors, layers, gpuLayers);
  const from = layers - Math.min(gpuLayers, layers);
  const { cacheBytes, stateBytes } = cacheBuffers(
    gguf,
    cells,
    from,
    sequences,
    options.keyBytes ?? 2,
    options.valueBytes ?? 2,
  );
  const compute = computeBuffers(gguf, cells, microBatch, outputs, flash);
  const isLatent = shape.layers.some(({ attention }) => attention?.kind === "latent");
  const parts: ServingPart[] = [
    exactPart("weights", placement.gpuBytes, "tensors of the offloaded layers and the output"),
    exactPart("kv_cache", cacheBytes, "cells in steps of 256, windows by their own rule"),
    ...(stateBytes === 0 ? [] : [exactPart("states", stateBytes, "float32, one per sequence")]),
    roughPart(
      "compute",
      compute.gpuBytes,
      isLatent ? 1 : 0.15,
      isLatent ? "recalled" : "derived",
      "formula fitted to builds of ggml 0.27 and a published CUDA log",
    ),
    roughPart("non_torch", options.contextBytes, 0.5, "recalled", "CUDA context and cuBLAS"),
    exactPart("host_weights", placement.hostBytes, "the embedding, and layers that are not offloaded"),
    roughPart("host_compute", compute.hostBytes, 0.15, "derived", "masks and embeddings of the input"),
    exactPart("host_output", shape.vocab * 4 * sequences, "logits of one row per sequence"),
  ];
  const used = parts.filter((part) => !part.code.startsWith("host_")).reduce((sum, part) => sum + part.bytes, 0);
  const assumptions: Diagnostic[] = [];
  if (shape.assumed) assumptions.push(diagnostic("serving_family_assumed", { modelType: shape.modelType }));
  if (isLatent) assumptions.push(diagnostic("serving_latent_compute"));
  return {
    engine: "llama.cpp",
    version: LLAMA_CPP_VERSION,
    parts,
    budgetBytes: options.totalBytes,
    cacheTokens: null,
    concurrency: null,
    contextLength,
    fits: used <= options.totalBytes,
    settings: {
      "max-len": contextLength,
      "max-seqs": sequences,
      "batched-tokens": microBatch,
      "gpu-layers": gpuLayers,
    },
    assumptions,
  };
}
