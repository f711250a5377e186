/** The options of `estimate` and what they mean: strings as typed become a checked recipe and questions. */

import {
  ATTENTIONS,
  CACHES,
  CHECKPOINTING,
  DEFAULT_INFERENCE,
  DEFAULT_TRAINING,
  hasSize,
  rangeOf,
  SIZES,
  bitsandbytesRelease,
  transformersRelease,
  LOSSES,
  METHODS,
  NEWEST_BITSANDBYTES,
  NEWEST_TRANSFORMERS,
  OPTIMIZERS,
  PACKINGS,
  PRECISIONS,
  PRUNING,
  WEIGHTS,
  type Attention,
  type CacheKind,
  type InferRecipe,
  type Loss,
  type Packing,
  type Recipe,
  type SizeName,
} from "../estimate/index.ts";
import { ALIGNMENT_TASKS } from "../estimate/alignment/index.ts";
import { findCapacity } from "../gpus/capacity.ts";
import { unknownCard } from "./unknown-card.ts";
import { DEFAULT_GPU, findGpu, GPUS, type GpuRow } from "../gpus/catalogue.ts";
import { DEFAULT_TORCH, TORCH_VERSIONS } from "../torch/releases.ts";
import { COLOUR_CHOICES, type ColourChoice } from "./colour-choices.ts";
import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { INDEX_OPTIONS } from "./index-options.ts";
import { pixelSize } from "./pixel-size.ts";
import { UsageError } from "./usage-error.ts";
import { wholeNumber } from "./whole-number.ts";
import { namedTorch } from "./named-machine.ts";

/** What is done with a model; `forward`: one pass over the prompt with the logits of every token. */
const TASKS = ["infer", "forward", "train"] as const;
/** Those and training by preferences and rewards (estimate-alignment.ts). */
const ALL_TASKS: readonly string[] = [...TASKS, ...ALIGNMENT_TASKS];

const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);
const { method, precision, optimizer, loraRank } = DEFAULT_TRAINING;

export const ESTIMATE_OPTIONS: readonly OptionSpec[] = [
  { name: "task", value: "TASK", choices: ALL_TASKS, defaultValue: "infer", summary: "option_task" },
  { name: "batch", value: "N", defaultValue: "1", summary: "option_batch" },
  { name: "seq", value: "N", defaultValue: "2048", summary: "option_seq" },
  { name: "method", value: "METHOD", choices: ids(METHODS), defaultValue: method, summary: "option_method" },
  { name: "precision", value: "NAME", choices: ids(PRECISIONS), defaultValue: precision, summary: "option_precision" },
  {
    name: "optimizer",
    value: "NAME",
    choices: ids(OPTIMIZERS),
    defaultValue: optimizer,
    summary: "option_optimizer",
    summaryArgs: { names: ids(OPTIMIZERS).join(", ") },
  },
  {
    name: "checkpointing",
    value: "WHICH",
    choices: ids(CHECKPOINTING),
    summary: "option_checkpointing",
  },
  { name: "accumulate", value: "N", defaultValue: "1", summary: "option_accumulate" },
  { name: "attention", value: "NAME", choices: ATTENTIONS, defaultValue: "sdpa", summary: "option_attention_kind" },
  { name: "loss", value: "HOW", choices: LOSSES, defaultValue: "plain", summary: "option_loss" },
  { name: "packing", value: "HOW", choices: PACKINGS, defaultValue: "none", summary: "option_packing" },
  { name: "pruning", value: "HOW", choices: ids(PRUNING), defaultValue: "none", summary: "option_pruning" },
  { name: "lora-rank", value: "N", defaultValue: String(loraRank), summary: "option_lora_rank" },
  { name: "lora-targets", value: "NAMES", defaultValue: "all-linear", summary: "option_lora_targets" },
  { name: "modules-to-save", value: "NAMES", summary: "option_modules_to_save" },
  {
    name: "lora-dtype",
    value: "TYPE",
    choices: ["float32", "same"],
    defaultValue: "float32",
    summary: "option_lora_dtype",
  },
  { name: "lora-dropout", value: "P", defaultValue: "0", summary: "option_lora_dropout" },
  { name: "teacher", value: "MODEL", summary: "option_teacher" },
  { name: "weights", value: "TYPE", choices: ids(WEIGHTS), defaultValue: "bf16", summary: "option_weights" },
  { name: "prompt", value: "N", defaultValue: String(DEFAULT_INFERENCE.prompt), summary: "option_prompt" },
  { name: "images", value: "N", defaultValue: "0", summary: "option_images" },
  { name: "image-size", value: "WxH", defaultValue: "1024x1024", summary: "option_image_size" },
  { name: "new", value: "N", defaultValue: String(DEFAULT_INFERENCE.newTokens), summary: "option_new" },
  { name: "cache", value: "KIND", choices: CACHES, defaultValue: "dynamic", summary: "option_cache" },
  { name: "gpu", value: "NAME", defaultValue: DEFAULT_GPU, summary: "option_estimate_gpu" },
  {
    name: "torch",
    value: "VERSION",
    defaultValue: DEFAULT_TORCH,
    summary: "option_torch",
    summaryArgs: { oldest: TORCH_VERSIONS[0], newest: DEFAULT_TORCH },
  },
  {
    name: "transformers",
    value: "VERSION",
    defaultValue: NEWEST_TRANSFORMERS,
    summary: "option_transformers",
  },
  {
    name: "bitsandbytes",
    value: "VERSION",
    defaultValue: NEWEST_BITSANDBYTES,
    summary: "option_bitsandbytes",
  },
  { name: "site-packages", value: "DIR", repeatable: true, summary: "option_site_packages" },
  { name: "python", value: "PATH", summary: "option_environment" },
  { name: "with", value: "REQUIREMENT", repeatable: true, summary: "option_with" },
  ...INDEX_OPTIONS,
  { name: "max", value: "SIZE", choices: SIZES, repeatable: true, summary: "option_max" },
  { name: "fit", summary: "option_fit" },
  { name: "sweep", value: "SIZE=A..B[:N]", summary: "option_sweep" },
  { name: "explain", summary: "option_sheet" },
  { name: "show-program", summary: "option_show_program" },
  { name: "json", summary: "option_estimate_json" },
  { name: "profile", value: "NAME", summary: "option_profile" },
  { name: "color", value: "WHEN", choices: COLOUR_CHOICES, defaultValue: "auto", summary: "option_color" },
  { name: "ascii", summary: "option_ascii" },
];

export interface SweepRequest {
  readonly name: SizeName;
  readonly values: readonly number[];
}

export interface EstimateSettings {
  readonly recipe: Recipe;
  /** Options that were typed. */
  readonly chosen: ReadonlySet<string>;
  /** As typed; null: no distillation. */
  readonly teacher: string | null;
  /** One GPU, or all of the catalogue. */
  readonly gpus: readonly GpuRow[];
  readonly torch: string;
  readonly max: readonly SizeName[];
  readonly fit: boolean;
  readonly sweep: SweepRequest | null;
  readonly explain: boolean;
  readonly showProgram: boolean;
  readonly json: boolean;
  readonly colour: ColourChoice;
  readonly ascii: boolean;
}

/** Options that only one of the tasks has; giving one chooses the task. */
export const OF_TRAINING: readonly string[] = [
  "method",
  "precision",
  "optimizer",
  "checkpointing",
  "accumulate",
  "loss",
  "packing",
  "pruning",
  "lora-rank",
  "lora-targets",
  "modules-to-save",
  "lora-dtype",
  "lora-dropout",
  "teacher",
  "seq",
];
export const OF_INFERENCE: readonly string[] = ["weights", "prompt", "new", "cache", "images", "image-size"];
const MOST = 2 ** 31 - 1;

const count = (name: string, typed: string): number => wholeNumber(name, typed, MOST);

function taskOf(parsed: Parsed): (typeof TASKS)[number] {
  const typed = valueOf(parsed, "task");
  const firstSet = (names: readonly string[]): string | undefined => names.find((name) => parsed.values.has(name));
  // a size that is asked for chooses the task like one that is given
  const asked = [...(parsed.values.get("max") ?? []), (valueOf(parsed, "sweep") ?? "").split("=")[0]!];
  const askedFor = (names: readonly string[]): string | undefined => names.find((name) => asked.includes(name));
  const training = firstSet(OF_TRAINING) ?? askedFor(OF_TRAINING);
  const inference = firstSet(OF_INFERENCE) ?? askedFor(OF_INFERENCE);
  const task = typed ?? (training === undefined ? "infer" : "train");
  const answer = task === "forward" ? firstSet(["new", "cache"]) : undefined;
  const foreign = task === "train" ? inference : (training ?? answer);
  if (foreign !== undefined) throw new UsageError("option_of_other_task", { name: `--${foreign}`, task });
  return task as (typeof TASKS)[number];
}

const MOST_PICTURES = 10_000;

/** How many pictures, and their size; one where only a size is given. */
function picturesOf(
  parsed: Parsed,
  { pictureWidth: width, pictureHeight: height }: InferRecipe,
): Pick<InferRecipe, "pictures" | "pictureWidth" | "pictureHeight"> {
  const [typed, sized] = [valueOf(parsed, "images"), valueOf(parsed, "image-size")];
  const pictures =
    typed === undefined
      ? Number(sized !== undefined)
      : typed === "0"
        ? 0
        : wholeNumber("--images", typed, MOST_PICTURES);
  if (sized === undefined) return { pictures, pictureWidth: width, pictureHeight: height };
  const size = pixelSize(sized, Infinity);
  if (size === null) throw new UsageError("bad_image_size", { value: sized });
  return { pictures, pictureWidth: size.width, pictureHeight: size.height };
}

export function recipeOf(parsed: Parsed): Recipe {
  const value = (name: string, otherwise: string): string => valueOf(parsed, name) ?? otherwise;
  const size = (name: string, otherwise: number): number => count(`--${name}`, value(name, String(otherwise)));
  const attention = value("attention", "sdpa") as Attention;
  const batch = size("batch", 1);
  const typed = value("transformers", NEWEST_TRANSFORMERS);
  const transformers = transformersRelease(typed);
  if (transformers === null) throw new UsageError("bad_transformers", { value: typed, newest: NEWEST_TRANSFORMERS });
  const named = value("bitsandbytes", NEWEST_BITSANDBYTES);
  const bitsandbytes = bitsandbytesRelease(named);
  if (bitsandbytes === null) throw new UsageError("bad_bitsandbytes", { value: named, newest: NEWEST_BITSANDBYTES });
  const task = taskOf(parsed);
  if (task !== "train") {
    const base = DEFAULT_INFERENCE;
    return {
      ...base,
      attention,
      batch,
      weights: value("weights", base.weights),
      cache: value("cache", base.cache) as CacheKind,
      prompt: size("prompt", base.prompt),
      newTokens: task === "forward" ? 0 : size("new", base.newTokens),
      ...picturesOf(parsed, base),
      transformers,
      bitsandbytes,
    };
  }
  const base = DEFAULT_TRAINING;
  const dropout = Number(value("lora-dropout", "0"));
  if (!(dropout >= 0 && dropout < 1))
    throw new UsageError("bad_number", { name: "--lora-dropout", value: value("lora-dropout", "") });
  const names = (option: string, otherwise: string): string[] => {
    const listed = value(option, otherwise)
      .split(",")
      .filter((name) => name !== "");
    const odd = listed.find((name) => !/^[\w.-]{1,100}$/.test(name));
    if (odd !== undefined) throw new UsageError("bad_target", { name: `--${option}`, value: odd });
    return listed;
  };
  return {
    ...base,
    attention,
    batch,
    method: value("method", base.method),
    precision: value("precision", base.precision),
    optimizer: value("optimizer", base.optimizer),
    checkpointing: value("checkpointing", base.checkpointing),
    loss: value("loss", base.loss) as Loss,
    packing: value("packing", base.packing) as Packing,
    pruning: value("pruning", base.pruning),
    accumulate: size("accumulate", base.accumulate),
    seq: size("seq", base.seq),
    loraRank: size("lora-rank", base.loraRank),
    loraTargets: names("lora-targets", "all-linear"),
    modulesToSave: names("modules-to-save", ""),
    loraDtype: value("lora-dtype", base.loraDtype) as "float32" | "same",
    loraDropout: dropout,
    teacher: valueOf(parsed, "teacher") ?? null,
    transformers,
    bitsandbytes,
  };
}

const MOST_POINTS = 500;

function sweepOf(typed: string | undefined, recipe: Recipe): SweepRequest | null {
  if (typed === undefined) return null;
  const match = /^([\w-]+)=([^.:]+)\.\.([^.:]+?)(?::(\d{1,4}))?$/.exec(typed);
  const name = SIZES.find((size) => size === match?.[1]);
  if (match === null || name === undefined)
    throw new UsageError("bad_sweep", { value: typed, sizes: SIZES.join(", ") });
  const [from, to] = [count("--sweep", match[2]!), count("--sweep", match[3]!)];
  const points = match[4] === undefined ? null : Number(match[4]);
  if (from >= to || (points !== null && (points < 2 || points > MOST_POINTS)))
    throw new UsageError("bad_sweep", { value: typed, sizes: SIZES.join(", ") });
  requireSize(recipe, name);
  return { name, values: rangeOf(from, to, points) };
}

function requireSize(recipe: Recipe, name: SizeName): void {
  if (!hasSize(recipe, name)) throw new UsageError("size_not_there", { name, task: recipe.task });
}

export function gpusOf(typed: string): readonly GpuRow[] {
  if (typed === "all") return GPUS;
  const found = findGpu(typed);
  if (found.ok) return [found.value];
  const other = findCapacity(typed);
  if (!other.ok) throw unknownCard(typed);
  throw new UsageError("gpu_only_engines", { name: other.value.name, vendor: other.value.vendor });
}

export function estimateSettings(parsed: Parsed): EstimateSettings {
  const recipe = recipeOf(parsed);
  const torch = namedTorch(valueOf(parsed, "torch") ?? DEFAULT_TORCH);
  const max = (parsed.values.get("max") ?? []) as readonly SizeName[];
  for (const name of max) requireSize(recipe, name);
  const gpus = gpusOf(valueOf(parsed, "gpu") ?? DEFAULT_GPU);
  const sweep = sweepOf(valueOf(parsed, "sweep"), recipe);
  if (gpus.length > 1 && (max.length > 0 || parsed.flags.has("fit") || sweep !== null))
    throw new UsageError("one_gpu_needed");
  return {
    recipe,
    chosen: new Set(parsed.values.keys()),
    teacher: valueOf(parsed, "teacher") ?? null,
    gpus,
    torch,
    max,
    fit: parsed.flags.has("fit"),
    sweep,
    explain: parsed.flags.has("explain"),
    showProgram: parsed.flags.has("show-program"),
    json: parsed.flags.has("json"),
    colour: (valueOf(parsed, "color") ?? "auto") as ColourChoice,
    ascii: parsed.flags.has("ascii"),
  };
}
