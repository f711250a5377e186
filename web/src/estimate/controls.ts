/** What the form asks, made from the option tables: one control per option. */

import { table } from "../../../src/base/table.ts";
import { SIZES } from "../../../src/estimate/index.ts";
import { findEngine } from "../../../src/serving/engines.ts";
import { GGUF_MIXES } from "../../../src/serving/gguf-mix.ts";
import { WEIGHT_FORMATS } from "../../../src/models/weight-formats.ts";
import { GGML_TYPES } from "../../../src/formats/ggml-types.ts";
import { TORCH_VERSIONS } from "../../../src/torch/releases.ts";
import { PIPELINE_TYPES } from "../../../src/cli/pipeline-options.ts";
import { askedOptions, defaultOf, modeOf, specOf, type Inputs } from "./inputs.ts";

export type ControlKind = "choice" | "size" | "text" | "flag";

export interface Control {
  readonly name: string;
  readonly kind: ControlKind;
  /** Ids; for a text, suggestions. */
  readonly choices: readonly string[];
  /** Null: what the engine does by itself. */
  readonly defaultValue: string | null;
  /** Asked where the reader looks first, or behind "more". */
  readonly first: boolean;
  /** Values that a slider stops at; empty: no slider. */
  readonly stops: readonly number[];
}

/** Where the form has a place of its own for it. */
const ELSEWHERE = new Set(["task", "method", "engine"]);
/** What most people decide; all else is behind "more". */
const FIRST = new Set([
  "batch",
  "seq",
  "prompt",
  "new",
  "lora-rank",
  "precision",
  "optimizer",
  "checkpointing",
  "attention",
  "weights",
  "cache",
  "quant",
  "max-len",
  "max-seqs",
  "kv-cache",
  "tp",
  "memory-fraction",
  "reference",
  "reward",
  "size",
  "frames",
  "on-card",
]);
const COUNTS = new Set<string>([...SIZES, "max-len", "max-seqs", "tp", "pp", "batched-tokens", "gpu-layers", "frames"]);

/** 1, 2, 3, 4, 6, 8, 12, ...: doublings, and one in the middle of each from `thirds` on. */
function doublings(from: number, to: number, thirds: number): number[] {
  const stops: number[] = [];
  for (let value = from; value <= to; value *= 2) {
    stops.push(value);
    if (value >= thirds && value * 1.5 <= to) stops.push(value * 1.5);
  }
  return stops;
}

const BATCHES = doublings(1, 256, 2);
const LENGTHS = doublings(128, 1 << 20, 512);
const STOPS = table<readonly number[]>({
  batch: BATCHES,
  seq: LENGTHS,
  prompt: LENGTHS,
  new: doublings(16, 1 << 17, 1 << 20),
  "lora-rank": doublings(4, 512, 1 << 20),
  "max-len": LENGTHS,
});
/** Sizes that end where the model's positions do. */
const LENGTH_NAMES = new Set(["seq", "prompt", "new", "max-len"]);

/** Suggested values of options that the tables leave open, because engines differ. */
function openChoices(name: string, engine: string | undefined): readonly string[] {
  const found = engine === undefined ? null : findEngine(engine);
  const isGguf = found?.ok === true && /llama\.cpp|ollama/.test(found.value.id);
  if (name === "torch") return TORCH_VERSIONS.toReversed();
  if (name === "quant") return isGguf ? GGUF_MIXES.map((mix) => mix.name) : WEIGHT_FORMATS.map((format) => format.name);
  if (name === "kv-cache") {
    return isGguf
      ? GGML_TYPES.filter((type) => type.kvCache === true).map((type) => type.name.toLowerCase())
      : ["auto", "fp8"];
  }
  return [];
}

/** `longest`: the model's positions, where they are known. */
export function controlsOf(inputs: Inputs, longest: number | null): readonly Control[] {
  return askedOptions(inputs)
    .filter((name) => !ELSEWHERE.has(name))
    .map((name): Control => {
      const spec = specOf(name);
      const isNarrow = name === "weights" && modeOf(inputs) === "pipeline";
      const choices = isNarrow ? PIPELINE_TYPES : (spec.choices ?? openChoices(name, inputs.chosen["engine"]));
      const kind: ControlKind =
        spec.value === undefined ? "flag" : COUNTS.has(name) ? "size" : choices.length > 0 ? "choice" : "text";
      const stops = STOPS[name] ?? [];
      const most = LENGTH_NAMES.has(name) ? (longest ?? 131_072) : Infinity;
      return {
        name,
        kind,
        choices,
        defaultValue: defaultOf(inputs, name),
        first: FIRST.has(name),
        stops: stops.filter((stop) => stop <= most),
      };
    });
}

/** Where a value stands on a slider: the stop that is nearest by ratio. */
export function nearestStop(stops: readonly number[], value: number): number {
  let best = 0;
  stops.forEach((stop, index) => {
    if (Math.abs(Math.log(stop / value)) < Math.abs(Math.log(stops[best]! / value))) best = index;
  });
  return best;
}

/** `4096`, `4k`, `1M` as a number; null for what is none. As the command line reads it. */
export function countOf(typed: string): number | null {
  const match = /^(\d{1,10})([kKmM]?)$/.exec(typed.trim());
  if (match === null) return null;
  const value = Number(match[1]) * { "": 1, k: 1024, m: 1024 ** 2 }[match[2]!.toLowerCase() as "" | "k" | "m"];
  return value >= 1 && value < 2 ** 31 ? value : null;
}
