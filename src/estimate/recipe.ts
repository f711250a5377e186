/** What is done with a model: everything that decides about its memory, as checked data. */

export type Task = "train" | "infer";

export interface TrainRecipe {
  readonly task: "train";
  /** Ids of rows: see methods.ts, precisions.ts, optimizers.ts. */
  readonly method: string;
  /** `checkpoint`: the frozen weights are packed as the configuration's own `quantization_config` says. */
  readonly frozen: "plain" | "checkpoint";
  readonly precision: string;
  readonly optimizer: string;
  /** Id of a row of model-changes.ts. */
  readonly checkpointing: string;
  readonly attention: Attention;
  readonly loss: Loss;
  /** Id of a row of model-changes.ts. */
  readonly pruning: string;
  /** `flat`: the sequences of a batch lie one after the other in one row. */
  readonly packing: Packing;
  /** Micro-batches per optimizer step. */
  readonly accumulate: number;
  readonly batch: number;
  /** Tokens per sequence; text models only. */
  readonly seq: number;
  readonly loraRank: number;
  /** Names of linear layers, or `all-linear`. */
  readonly loraTargets: readonly string[];
  /** Names of modules that are trained whole beside the adapters, each with a copy of its own. */
  readonly modulesToSave: readonly string[];
  readonly loraDropout: number;
  readonly loraDtype: "float32" | "same";
  /** File of the teacher's configuration; null: no distillation. */
  readonly teacher: string | null;
  /** Release of transformers whose rules apply: `4.46`. */
  readonly transformers: string;
  /** Release of bitsandbytes whose rules apply, where the recipe has it: `0.43.1`. */
  readonly bitsandbytes: string;
  /** Version of the installed transformers that the program runs on. */
  readonly installed?: string;
}

export interface InferRecipe {
  readonly task: "infer";
  /** Id of a row of weights.ts. */
  readonly weights: string;
  readonly attention: Attention;
  readonly cache: CacheKind;
  readonly batch: number;
  /** Tokens that are given, and tokens that are generated; none: one forward pass with the logits of every token. */
  readonly prompt: number;
  readonly newTokens: number;
  /** Pictures before each prompt, of so many pixels; models of pictures and text only. */
  readonly pictures: number;
  readonly pictureWidth: number;
  readonly pictureHeight: number;
  /** Release of transformers whose rules apply: `4.46`. */
  readonly transformers: string;
  /** Release of bitsandbytes whose rules apply, where the recipe has it: `0.43.1`. */
  readonly bitsandbytes: string;
  /** Version of the installed transformers that the program runs on. */
  readonly installed?: string;
}

export const NEWEST_TRANSFORMERS = "5.12";
const OLDEST_TRANSFORMERS = [4, 31] as const;
export const NEWEST_BITSANDBYTES = "0.49";
const OLDEST_BITSANDBYTES = [0, 40] as const;

type MajorMinor = readonly [major: number, minor: number];
const asNumbers = (release: string): MajorMinor => release.split(".").map(Number) as unknown as MajorMinor;
const isBefore = ([major, minor]: MajorMinor, other: MajorMinor): boolean =>
  major < other[0] || (major === other[0] && minor < other[1]);

/** `4.46` of `4.46.2`, and `.2`; null for what is no release between the two. */
function knownRelease(typed: string, oldest: MajorMinor, newest: string): readonly [string, string] | null {
  const match = /^(\d{1,3})\.(\d{1,3})(\.[\w.]{1,20})?$/.exec(typed);
  if (match === null) return null;
  const found: MajorMinor = [Number(match[1]), Number(match[2])];
  if (isBefore(found, oldest) || isBefore(asNumbers(newest), found)) return null;
  return [found.join("."), match[3] ?? ""];
}

/** `4.46` of `4.46.2`; null for what is no release between 4.31 and the newest. */
export const transformersRelease = (typed: string): string | null =>
  knownRelease(typed, OLDEST_TRANSFORMERS, NEWEST_TRANSFORMERS)?.[0] ?? null;

/** `0.43.2` of `0.43.2` and of `0.43.2.post1`; null for what is no release between 0.40 and the newest. */
export function bitsandbytesRelease(typed: string): string | null {
  const found = knownRelease(typed, OLDEST_BITSANDBYTES, NEWEST_BITSANDBYTES);
  if (found === null) return null;
  const [release, rest] = found;
  return release + (/^\.\d+/.exec(rest)?.[0] ?? "");
}

export const LOSSES = ["plain", "chunked", "fused", "liger"] as const;
export type Loss = (typeof LOSSES)[number];
export const PACKINGS = ["none", "flat"] as const;
export type Packing = (typeof PACKINGS)[number];

export type Recipe = TrainRecipe | InferRecipe;

export const ATTENTIONS = ["eager", "sdpa", "flash"] as const;
export type Attention = (typeof ATTENTIONS)[number];
export const CACHES = ["dynamic", "static", "quantized"] as const;
export type CacheKind = (typeof CACHES)[number];

/** The name by which transformers knows it. */
export const ATTENTION_NAMES: Readonly<Record<Attention, string>> = {
  eager: "eager",
  sdpa: "sdpa",
  flash: "flash_attention_2",
};

export const DEFAULT_TRAINING: TrainRecipe = {
  task: "train",
  method: "full",
  frozen: "plain",
  precision: "bf16",
  optimizer: "adamw",
  checkpointing: "none",
  attention: "sdpa",
  loss: "plain",
  pruning: "none",
  packing: "none",
  accumulate: 1,
  batch: 1,
  seq: 2048,
  loraRank: 16,
  loraTargets: ["all-linear"],
  modulesToSave: [],
  loraDropout: 0,
  loraDtype: "float32",
  teacher: null,
  transformers: NEWEST_TRANSFORMERS,
  bitsandbytes: NEWEST_BITSANDBYTES,
};

export const DEFAULT_INFERENCE: InferRecipe = {
  task: "infer",
  weights: "bf16",
  attention: "sdpa",
  cache: "dynamic",
  batch: 1,
  prompt: 2048,
  newTokens: 256,
  pictures: 0,
  pictureWidth: 1024,
  pictureHeight: 1024,
  transformers: NEWEST_TRANSFORMERS,
  bitsandbytes: NEWEST_BITSANDBYTES,
};

/** The sizes that a solver or a sweep may change, by the name that people type. */
export const SIZES = ["batch", "seq", "context", "prompt", "new", "lora-rank", "accumulate"] as const;
export type SizeName = (typeof SIZES)[number];

/** A recipe whose default lengths are at most what the model's positions allow; lengths in `chosen` stay as they are. */
export function withinPositions(recipe: Recipe, limit: number | null, chosen: (name: string) => boolean): Recipe {
  if (limit === null || limit < 1) return recipe;
  if (recipe.task === "train") return chosen("seq") ? recipe : { ...recipe, seq: Math.min(recipe.seq, limit) };
  if (chosen("prompt") || chosen("new")) return recipe;
  if (recipe.newTokens === 0) return { ...recipe, prompt: Math.min(recipe.prompt, limit) };
  const newTokens = Math.max(1, Math.min(recipe.newTokens, Math.floor(limit / 4)));
  return { ...recipe, newTokens, prompt: Math.max(1, Math.min(recipe.prompt, limit - newTokens)) };
}

/** Whether a recipe has that size. */
export function hasSize(recipe: Recipe, name: SizeName): boolean {
  return recipe.task === "infer"
    ? ["batch", "context", "prompt"].includes(name) || (name === "new" && recipe.newTokens > 0)
    : ["batch", "seq", "context", "accumulate"].includes(name) || (name === "lora-rank" && recipe.method !== "full");
}

export function withSize(recipe: Recipe, name: SizeName, value: number): Recipe {
  if (name === "batch") return { ...recipe, batch: value };
  if (recipe.task === "train") {
    if (name === "lora-rank") return { ...recipe, loraRank: value };
    if (name === "accumulate") return { ...recipe, accumulate: value };
    return { ...recipe, seq: value };
  }
  if (name === "new") return { ...recipe, newTokens: value };
  if (name === "prompt") return { ...recipe, prompt: value };
  if (recipe.newTokens === 0) return { ...recipe, prompt: value };
  // a context is prompt and answer; the answer keeps its length as long as there is room for it
  const newTokens = Math.max(1, Math.min(recipe.newTokens, value - 1));
  return { ...recipe, newTokens, prompt: Math.max(1, value - newTokens) };
}

export function sizeOf(recipe: Recipe, name: SizeName): number {
  if (name === "batch") return recipe.batch;
  if (recipe.task === "train") {
    if (name === "lora-rank") return recipe.loraRank;
    return name === "accumulate" ? recipe.accumulate : recipe.seq;
  }
  if (name === "new") return recipe.newTokens;
  return name === "prompt" ? recipe.prompt : recipe.prompt + recipe.newTokens;
}
