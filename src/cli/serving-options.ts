/** Options of `estimate` for serving engines and for weights alone. */

import { table } from "../base/table.ts";
import { ENGINES, type ServingOptions } from "../serving/engines.ts";
import { CAPACITIES, findCapacity, type Capacity } from "../gpus/capacity.ts";
import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { unknownCard } from "./unknown-card.ts";
import { findEngine } from "../serving/engines.ts";
import { OF_INFERENCE, OF_TRAINING } from "./estimate-options.ts";
import { UsageError } from "./usage-error.ts";
import { wholeNumber } from "./whole-number.ts";

const ids = ENGINES.map(({ id }) => id);

export const SERVING_OPTIONS: readonly OptionSpec[] = [
  { name: "engine", value: "NAME", summary: "option_engine", summaryArgs: { names: ids.join(", ") } },
  { name: "engine-version", value: "VERSION", summary: "option_engine_version" },
  { name: "weights-only", summary: "option_weights_only" },
  { name: "quant", value: "FORMAT", summary: "option_quant" },
  { name: "tp", value: "N", defaultValue: "1", summary: "option_tensor_parallel" },
  { name: "pp", value: "N", defaultValue: "1", summary: "option_pipeline_parallel" },
  { name: "memory-fraction", value: "SHARE", summary: "option_fraction" },
  { name: "max-len", value: "N", summary: "option_served_context" },
  { name: "max-seqs", value: "N", summary: "option_served_sequences" },
  { name: "kv-cache", value: "TYPE", summary: "option_kv_cache" },
  { name: "batched-tokens", value: "N", summary: "option_batched_tokens" },
  { name: "gpu-layers", value: "N", summary: "option_gpu_layers" },
  { name: "no-flash", summary: "option_no_flash" },
  { name: "eager", summary: "option_eager" },
];

/** Options that ask for simulated runs; engines and weights are computed. */
const SIMULATED_ONLY = ["max", "sweep", "explain", "show-program", "with"];
/** Options that mean nothing without an engine. */
const OF_ENGINES = SERVING_OPTIONS.map(({ name }) => name).filter(
  (name) => !["engine", "weights-only", "quant"].includes(name),
);

/** Which engines read an option; what is not here, all do. */
const READ_BY = table<readonly string[]>({
  "engine-version": ["vllm"],
  tp: ["vllm", "sglang", "tensorrt-llm"],
  pp: ["vllm", "sglang", "tensorrt-llm"],
  "memory-fraction": ["vllm", "sglang", "tensorrt-llm"],
  "max-seqs": ["vllm", "llama.cpp", "ollama"],
  "batched-tokens": ["vllm", "tensorrt-llm", "llama.cpp", "ollama"],
  "gpu-layers": ["llama.cpp", "ollama"],
  "no-flash": ["llama.cpp", "ollama"],
  eager: ["vllm"],
});
export const isReadBy = (engine: string, option: string): boolean => READ_BY[option]?.includes(engine) ?? true;

/** An option that was given and that the engine does not read; undefined: it reads all of them. */
function unreadBy(engine: string, parsed: Parsed): string | undefined {
  const found = findEngine(engine);
  if (!found.ok) return undefined;
  const { id } = found.value;
  const simulated = [...OF_TRAINING, ...OF_INFERENCE, "batch", "attention"];
  return [...parsed.values.keys(), ...parsed.flags].find((name) => simulated.includes(name) || !isReadBy(id, name));
}

export interface ServingRequest {
  readonly engine: string | null;
  readonly weightsOnly: boolean;
  readonly quant: string | undefined;
  /** Which weight format fits is asked for. */
  readonly fit: boolean;
  readonly json: boolean;
}

const MOST = 2 ** 31 - 1;

function count(parsed: Parsed, name: string, most = MOST): number | undefined {
  const typed = valueOf(parsed, name);
  return typed === undefined ? undefined : wholeNumber(`--${name}`, typed, most);
}

/** Null where the command line asks for neither an engine nor the weights alone. */
export function servingRequest(parsed: Parsed): ServingRequest | null {
  const engine = valueOf(parsed, "engine") ?? null;
  const weightsOnly = parsed.flags.has("weights-only");
  const quant = valueOf(parsed, "quant");
  if (engine === null) {
    const lone = OF_ENGINES.find((name) => parsed.values.has(name) || parsed.flags.has(name));
    if (lone !== undefined) throw new UsageError("option_needs_engine", { name: `--${lone}` });
    if (!weightsOnly && quant === undefined) return null;
  }
  const unread = SIMULATED_ONLY.find((name) => parsed.values.has(name) || parsed.flags.has(name));
  if (unread !== undefined) throw new UsageError("option_not_computed", { name: `--${unread}` });
  const foreign = engine === null ? undefined : unreadBy(engine, parsed);
  if (foreign !== undefined) throw new UsageError("option_not_of_engine", { name: `--${foreign}`, engine: engine! });
  const fit = parsed.flags.has("fit");
  if (fit && engine === null) throw new UsageError("option_not_computed", { name: "--fit" });
  if (fit && valueOf(parsed, "gpu") === "all") throw new UsageError("one_gpu_needed");
  return { engine, weightsOnly: weightsOnly || engine === null, quant, fit, json: parsed.flags.has("json") };
}

const MOST_RANKS = 4096;

/** One card, several with commas, or all of them; other vendors' as well, because nothing is simulated. */
export function cardsNamed(names: string): readonly Capacity[] {
  if (names === "all") return CAPACITIES;
  return names.split(",").map((typed) => {
    const name = typed.trim();
    const found = findCapacity(name);
    if (!found.ok) throw unknownCard(name);
    return found.value;
  });
}

export function servingOptions(parsed: Parsed, gpu: Capacity): ServingOptions {
  const share = valueOf(parsed, "memory-fraction");
  const fraction = share === undefined ? undefined : Number(share);
  if (fraction !== undefined && !(fraction > 0 && fraction <= 1))
    throw new UsageError("bad_number", { name: "--memory-fraction", value: share! });
  const ranks = (name: string): number => count(parsed, name, MOST_RANKS) ?? 1;
  const version = valueOf(parsed, "engine-version");
  if (version !== undefined && !/^\d{1,4}(\.\d{1,4}){1,3}$/.test(version))
    throw new UsageError("bad_number", { name: "--engine-version", value: version });
  return {
    totalBytes: gpu.totalBytes,
    contextBytes: gpu.contextBytes,
    architecture: gpu.architecture,
    multiprocessors: gpu.multiprocessors,
    quant: valueOf(parsed, "quant"),
    version,
    fraction,
    contextLength: count(parsed, "max-len"),
    sequences: count(parsed, "max-seqs"),
    tensorParallel: ranks("tp"),
    pipelineParallel: ranks("pp"),
    cacheType: valueOf(parsed, "kv-cache"),
    batchedTokens: count(parsed, "batched-tokens"),
    gpuLayers: count(parsed, "gpu-layers"),
    flashAttention: !parsed.flags.has("no-flash"),
    eager: parsed.flags.has("eager"),
  };
}
