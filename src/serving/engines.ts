/** The serving engines: one row each, all asked in the same words. */

import { table } from "../base/table.ts";
import { failure, success, type Outcome } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";
import type { GgufHeader } from "../formats/gguf.ts";
import type { ModelConfig } from "../formats/model-config.ts";
import { GGUF_MIXES } from "./gguf-mix.ts";
import {
  cacheTypeBytes,
  configOfGguf,
  findGgufMix,
  ggufFromConfig,
  placedTensors,
  type GgufModel,
} from "./gguf-model.ts";
import { decoderConfig, describesDecoder } from "../models/model-shape.ts";
import { estimateLlamaCpp, type LlamaCppOptions } from "./llama-cpp.ts";
import { estimateOllama } from "./ollama.ts";
import { formatOfConfig } from "../models/quantized-config.ts";
import { modelWeightBytes } from "./rank-weights.ts";
import { publishedBytes, servedModel, type ServedModel } from "./served-model.ts";
import type { ServingEstimate } from "./serving.ts";
import { estimateSglang } from "./sglang.ts";
import { estimateTensorrt } from "./tensorrt-llm.ts";
import { estimateVllm } from "./vllm.ts";
import { findWeightFormat, weightFormatNames, type WeightFormat } from "../models/weight-formats.ts";

/** A model to serve: its configuration, or the header of its GGUF file. */
export interface ServingInput {
  readonly config: ModelConfig | null;
  /** Known parameter count of the whole model. */
  readonly parameters?: number;
  readonly gguf?: GgufHeader | null;
}

export interface ServingOptions {
  readonly totalBytes: number;
  readonly contextBytes: number;
  /** NVIDIA's name for the card's generation, and its multiprocessors, where they are known. */
  readonly architecture?: string;
  readonly multiprocessors?: number;
  /** Weight format or GGUF mix; absent: as published. */
  readonly quant?: string;
  readonly version?: string;
  /** Share of the GPU that the engine takes, as the engine understands it. */
  readonly fraction?: number;
  readonly contextLength?: number;
  readonly sequences?: number;
  readonly tensorParallel?: number;
  readonly pipelineParallel?: number;
  /** `auto`, `fp8`, or a type of llama.cpp's cache such as `q8_0`. */
  readonly cacheType?: string;
  readonly batchedTokens?: number;
  readonly gpuLayers?: number;
  readonly flashAttention?: boolean;
  readonly eager?: boolean;
  /** Bytes of a value in the type of the computation. */
  readonly computeBytes?: number;
}

export type ServingErrorCode =
  | "unknown_engine"
  | "unknown_engine_nearest"
  | "unknown_quant"
  | "unknown_quant_nearest"
  | "unknown_quant_method"
  | "unknown_cache_type"
  | "engine_needs_config"
  | "serving_heads_ranks"
  | "unknown_family"
  | "unknown_family_quant";

type Answer = Outcome<ServingEstimate, ServingErrorCode>;

interface Engine {
  readonly id: string;
  readonly name: string;
  /** It reads GGUF files, whose mixes are its weight formats. */
  readonly readsGguf: boolean;
  readonly estimate: (input: ServingInput, options: ServingOptions) => Answer;
}

function quantError(name: string, names: readonly string[]): ReturnType<typeof failure<ServingErrorCode>> {
  const [nearest] = nearestNames(name, names);
  return nearest === undefined
    ? failure("unknown_quant", { name })
    : failure("unknown_quant_nearest", { name, nearest });
}

const unknownFamily = (config: ModelConfig): ReturnType<typeof failure<ServingErrorCode>> =>
  failure("unknown_family", { modelType: decoderConfig(config).modelType });

/** The format that was asked for, that the configuration describes, or the published type. */
export function chosenFormat(
  input: ServingInput,
  model: ServedModel,
  quant: string | undefined,
): Outcome<WeightFormat, ServingErrorCode> {
  if (quant !== undefined) {
    const format = findWeightFormat(quant);
    return format === undefined ? quantError(quant, weightFormatNames()) : success(format);
  }
  const own = input.config === null ? null : formatOfConfig(input.config);
  if (own === undefined) return failure("unknown_quant_method", { name: model.shape.quantization ?? "" });
  return success(own ?? findWeightFormat(publishedBytes(model.shape) === 4 ? "fp32" : "bf16")!);
}

const CACHE_BYTES = table<number>({
  auto: 2,
  fp16: 2,
  f16: 2,
  bf16: 2,
  bfloat16: 2,
  fp32: 4,
  fp8: 1,
  fp8_e4m3: 1,
  fp8_e5m2: 1,
  int8: 1,
});

/**
 * Attention heads that ranks cannot share: the engines refuse to start then (vLLM's `verify_with_parallel_config`, SGLang's and
 * TensorRT-LLM's assertions in the attention of a model). Fewer heads of keys than ranks are repeated, if whole times.
 */
function unsharedHeads({ shape }: ServedModel, ranks: number): number | undefined {
  const shared = (heads: number): boolean => heads % ranks === 0;
  for (const { attention } of shape.layers) {
    if (attention === null) continue;
    if (!shared(attention.heads)) return attention.heads;
    if (attention.kind === "grouped" && !shared(attention.kvHeads) && ranks % attention.kvHeads !== 0)
      return attention.kvHeads;
  }
  return undefined;
}

/** Engines that run in PyTorch ask for the same things. */
function inTorch(
  run: (model: ServedModel, format: WeightFormat, cacheBytes: number, options: ServingOptions) => ServingEstimate,
) {
  return (input: ServingInput, options: ServingOptions): Answer => {
    if (input.config === null) return failure("engine_needs_config");
    if (!describesDecoder(input.config)) return unknownFamily(input.config);
    const model = servedModel(input.config, input.parameters);
    const format = chosenFormat(input, model, options.quant);
    if (!format.ok) return format;
    const ranks = options.tensorParallel ?? 1;
    const heads = unsharedHeads(model, ranks);
    if (heads !== undefined) return failure("serving_heads_ranks", { heads, ranks });
    const type = options.cacheType ?? "auto";
    if (!Object.hasOwn(CACHE_BYTES, type)) return failure("unknown_cache_type", { name: type });
    const made = run(model, format.value, CACHE_BYTES[type]!, options);
    return success({ ...made, settings: { ...made.settings, "kv-cache": type } });
  };
}

/** What people download where they do not choose. */
export const DEFAULT_MIX = "Q4_K_M";

/** The format that an engine's answer is about; null: the file's own. */
export function servedFormat(engine: string, input: ServingInput, quant: string | undefined): string | null {
  const found = findEngine(engine);
  if (!found.ok || input.config === null || input.gguf != null) return null;
  if (found.value.readsGguf) return quant ?? DEFAULT_MIX;
  const format = chosenFormat(input, servedModel(input.config, input.parameters), quant);
  return format.ok ? format.value.name : null;
}

/** The model as llama.cpp reads it: the file where there is one, otherwise what its quantizer would write. */
export function ggufModelOf(input: ServingInput, quant: string | undefined): Outcome<GgufModel, ServingErrorCode> {
  if (input.gguf != null) {
    const model = servedModel(configOfGguf(input.gguf));
    return success({ tensors: placedTensors(input.gguf), model });
  }
  if (input.config === null) return failure("engine_needs_config");
  if (!describesDecoder(input.config)) return unknownFamily(input.config);
  const found = findGgufMix(quant ?? DEFAULT_MIX);
  if (found === undefined)
    return quantError(
      quant ?? "",
      GGUF_MIXES.map(({ name }) => name),
    );
  return success(ggufFromConfig(servedModel(input.config, input.parameters), found.mix, found.pure));
}

function inGguf(run: (gguf: GgufModel, options: LlamaCppOptions) => ServingEstimate) {
  return (input: ServingInput, options: ServingOptions): Answer => {
    const gguf = ggufModelOf(input, options.quant);
    if (!gguf.ok) return gguf;
    const type = options.cacheType ?? "f16";
    const bytes = cacheTypeBytes(type === "auto" ? "f16" : type);
    if (bytes === undefined) return failure("unknown_cache_type", { name: type });
    const made = run(gguf.value, { ...options, keyBytes: bytes, valueBytes: bytes, microBatch: options.batchedTokens });
    return success({ ...made, settings: { ...made.settings, "kv-cache": type } });
  };
}

export const ENGINES: readonly Engine[] = [
  {
    id: "vllm",
    name: "vLLM",
    readsGguf: false,
    estimate: inTorch((model, format, cacheBytes, options) =>
      estimateVllm(model, {
        ...options,
        format,
        cacheBytes: options.computeBytes === 4 && cacheBytes === 2 ? 4 : cacheBytes,
        utilization: options.fraction,
        maxModelLen: options.contextLength,
        maxBatchedTokens: options.batchedTokens,
        maxSequences: options.sequences,
      }),
    ),
  },
  {
    id: "sglang",
    name: "SGLang",
    readsGguf: false,
    estimate: inTorch((model, format, cacheBytes, options) =>
      estimateSglang(model, { ...options, format, cacheBytes, staticFraction: options.fraction }),
    ),
  },
  {
    id: "tensorrt-llm",
    name: "TensorRT-LLM",
    readsGguf: false,
    estimate: inTorch((model, format, cacheBytes, options) =>
      estimateTensorrt(model, {
        ...options,
        format,
        cacheBytes,
        freeFraction: options.fraction,
        maxTokens: options.batchedTokens,
      }),
    ),
  },
  { id: "llama.cpp", name: "llama.cpp", readsGguf: true, estimate: inGguf(estimateLlamaCpp) },
  { id: "ollama", name: "Ollama", readsGguf: true, estimate: inGguf(estimateOllama) },
];

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

export function findEngine(name: string): Outcome<Engine, ServingErrorCode> {
  const engine = ENGINES.find(({ id }) => squeezed(id) === squeezed(name));
  if (engine !== undefined) return success(engine);
  const [nearest] = nearestNames(
    name,
    ENGINES.map(({ id }) => id),
  );
  return nearest === undefined
    ? failure("unknown_engine", { name, known: ENGINES.map(({ id }) => id).join(", ") })
    : failure("unknown_engine_nearest", { name, nearest });
}

/** What an engine makes of a GPU; throws {@link ModelFileError} where the model's description is not usable. */
export function estimateServing(engine: string, input: ServingInput, options: ServingOptions): Answer {
  const found = findEngine(engine);
  return found.ok ? found.value.estimate(input, options) : found;
}

export interface WeightsAnswer {
  /** As asked for, or as found. */
  readonly format: string;
  readonly bytes: number;
  readonly parameters: number;
}

/** Of other families only the count is known, which tells the size where every value has the same type. */
function weightsByCount(
  input: ServingInput & { readonly config: ModelConfig },
  quant: string | undefined,
): Outcome<WeightsAnswer, ServingErrorCode> {
  const { parameters } = input;
  if (parameters === undefined) return unknownFamily(input.config);
  const format = findWeightFormat(quant ?? "bf16");
  if (format === undefined || format.keptBytes === null)
    return failure("unknown_family_quant", { modelType: decoderConfig(input.config).modelType, name: quant ?? "" });
  return success({ format: format.name, bytes: parameters * format.keptBytes, parameters });
}

/** Bytes of all weights in a format or a GGUF mix, nothing placed on any GPU. */
export function weightsIn(
  input: ServingInput & { readonly config: ModelConfig },
  quant: string | undefined,
): Outcome<WeightsAnswer, ServingErrorCode> {
  if (!describesDecoder(input.config)) return weightsByCount(input, quant);
  const model = servedModel(input.config, input.parameters);
  const listed = model.weights.reduce(
    (sum, { columns, rows, copies, buffer }) => sum + (buffer ? 0 : columns * rows * copies),
    0,
  );
  const parameters = listed + model.otherParameters;
  const mix = quant === undefined || findWeightFormat(quant) !== undefined ? undefined : findGgufMix(quant);
  if (mix !== undefined) {
    const { tensors } = ggufFromConfig(model, mix.mix, mix.pure);
    return success({ format: mix.mix.name, bytes: tensors.reduce((sum, tensor) => sum + tensor.bytes, 0), parameters });
  }
  if (quant !== undefined && findWeightFormat(quant) === undefined)
    return quantError(quant, [...weightFormatNames(), ...GGUF_MIXES.map(({ name }) => name)]);
  const format = chosenFormat(input, model, quant);
  if (!format.ok) return format;
  const bytes = modelWeightBytes(model, format.value, publishedBytes(model.shape));
  return success({ format: format.value.name, bytes: Math.round(bytes), parameters });
}
