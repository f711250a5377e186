/**
 * What the reader has entered, in the words of the command line: names and values of `vramscope estimate`'s options. So the page asks
 * what the command asks, and its address, its command line and its numbers cannot drift apart.
 */

import type { OptionSpec, Parsed } from "../../../src/cli/command.ts";
import { ESTIMATE_OPTIONS, estimateSettings, OF_INFERENCE, OF_TRAINING } from "../../../src/cli/estimate-options.ts";
import { ALIGNMENT_OPTIONS, NOT_OF_ALIGNMENT, OF_GENERATING } from "../../../src/cli/alignment-options.ts";
import { PIPELINE_OPTIONS } from "../../../src/cli/pipeline-options.ts";
import { isReadBy, SERVING_OPTIONS } from "../../../src/cli/serving-options.ts";
import { ALIGNMENT_TASKS, TASKS } from "../../../src/estimate/alignment/index.ts";
import { METHODS, row, settledRecipe, type Recipe } from "../../../src/estimate/index.ts";
import type { ModelConfig } from "../../../src/formats/model-config.ts";
import { DEFAULT_GPU } from "../../../src/gpus/catalogue.ts";
import { findPipeline } from "../../../src/models/pipelines.ts";

export interface Inputs {
  /** A published model by name, or the name of what was given. */
  readonly model: string;
  /** Text of a config.json that was given; null: a published model, or files. */
  readonly configText: string | null;
  /** Options that are not as by default, as typed; those without a value have "". Those of other tasks are kept and mean nothing. */
  readonly chosen: Readonly<Record<string, string>>;
  /** Ids, at least one; the first is the one that details speak of. */
  readonly gpus: readonly string[];
}

export const FIRST_MODEL = "meta-llama/Llama-3.1-8B-Instruct";
export const FIRST_INPUTS: Inputs = { model: FIRST_MODEL, configText: null, chosen: {}, gpus: [DEFAULT_GPU] };

/** Generate with transformers, train, train by preferences, serve with an engine, or make pictures with a pipeline of models. */
export type Mode = "infer" | "train" | "align" | "serve" | "pipeline";

const pipelineOf = ({ model, configText }: Inputs) => (configText === null ? (findPipeline(model)?.row ?? null) : null);
/** The task of several models, where one was chosen. */
export const alignmentOf = ({ chosen }: Inputs) => ALIGNMENT_TASKS.find((task) => task === chosen["task"]) ?? null;

export function modeOf(inputs: Inputs): Mode {
  const { chosen } = inputs;
  if (pipelineOf(inputs) !== null) return "pipeline";
  if (alignmentOf(inputs) !== null) return "align";
  if (chosen["engine"] !== undefined) return "serve";
  return chosen["task"] === "train" ? "train" : "infer";
}

export const TASK_OPTIONS: readonly string[] = ["batch", "attention", "torch"];
const ADAPTER_OPTIONS = /^lora-/;
const SPECS = new Map(
  [...ESTIMATE_OPTIONS, ...SERVING_OPTIONS, ...ALIGNMENT_OPTIONS, ...PIPELINE_OPTIONS].map(
    (spec) => [spec.name, spec] as const,
  ),
);

/** The option of that name; names come from the tables, so a missing one is our mistake. */
export function specOf(name: string): OptionSpec {
  const spec = SPECS.get(name);
  if (spec === undefined) throw new Error(`no option ${name}`);
  return spec;
}
export const isOption = (name: string): boolean => SPECS.has(name);

export const methodOf = ({ chosen }: Inputs) => row(METHODS, chosen["method"] ?? specOf("method").defaultValue!);

/** Names of the options that mean something now, in the order of the tables. */
export function askedOptions(inputs: Inputs): readonly string[] {
  const mode = modeOf(inputs);
  if (mode === "serve") {
    const engine = inputs.chosen["engine"]!;
    return SERVING_OPTIONS.map(({ name }) => name).filter((name) => name !== "weights-only" && isReadBy(engine, name));
  }
  if (mode === "pipeline") {
    const isFilm = pipelineOf(inputs)!.frames > 1;
    const own = PIPELINE_OPTIONS.map(({ name }) => name).filter((name) => name !== "frames" || isFilm);
    return ["batch", "weights", ...own];
  }
  const task = alignmentOf(inputs);
  const aligned = task === null ? [] : alignmentOptions(task);
  const own = mode === "infer" ? OF_INFERENCE : OF_TRAINING.filter((name) => task === null || !isForeign(task, name));
  const hasAdapters = mode !== "infer" && methodOf(inputs).adapters;
  const listed = ESTIMATE_OPTIONS.map(({ name }) => name).filter(
    (name) =>
      name === "task" ||
      ((own.includes(name) || TASK_OPTIONS.includes(name) || aligned.includes(name)) &&
        (hasAdapters || !ADAPTER_OPTIONS.test(name))),
  );
  return [...listed, ...aligned.filter((name) => !listed.includes(name))];
}

type AlignmentTask = NonNullable<ReturnType<typeof alignmentOf>>;

/** What a task of several models is asked besides what all training is; engines beside it are the command line's. */
const alignmentOptions = (task: AlignmentTask): readonly string[] => [
  "reference",
  ...(TASKS[task].generates ? OF_GENERATING.filter((name) => name !== "engine") : []),
];

/** Its answers have a length of their own, where it writes some. */
const isForeign = (task: AlignmentTask, name: string): boolean =>
  NOT_OF_ALIGNMENT.includes(name) || (TASKS[task].generates && name === "seq");

/** What an option is where nobody chooses; null: the engine decides. */
export function defaultOf(inputs: Inputs, name: string): string | null {
  if (name === "checkpointing") return methodOf(inputs).checkpointing;
  const pipeline = pipelineOf(inputs);
  if (pipeline !== null) {
    const own = { weights: pipeline.weights, size: `${pipeline.width}x${pipeline.height}`, frames: pipeline.frames };
    if (Object.hasOwn(own, name)) return String(own[name as keyof typeof own]);
  }
  return specOf(name).defaultValue ?? null;
}

/** The chosen options that mean something now. */
export function chosenNow(inputs: Inputs): readonly (readonly [name: string, value: string])[] {
  return askedOptions(inputs).flatMap((name) =>
    inputs.chosen[name] === undefined ? [] : [[name, inputs.chosen[name]] as const],
  );
}

/** As the command line's parser would give it. */
export function parsedOf(inputs: Inputs): Parsed {
  const flags = new Set<string>();
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of chosenNow(inputs)) {
    if (specOf(name).value === undefined) flags.add(name);
    else values.set(name, [value]);
  }
  const mode = modeOf(inputs);
  if (mode === "infer" || mode === "train") values.set("task", [mode]);
  return { flags, values, positionals: [inputs.model], rest: [] };
}

export interface Asked {
  readonly recipe: Recipe;
  readonly torch: string;
  /** Model whose logits are learned, as typed. */
  readonly teacher: string | null;
}

/** @throws {UsageError} for a value that is none */
export function askedOf(inputs: Inputs, config: ModelConfig): Asked {
  const { recipe, torch, teacher, chosen } = estimateSettings(parsedOf(inputs));
  return { recipe: settledRecipe(recipe, config, (name) => chosen.has(name)), torch, teacher };
}

/** With an option set; null takes the choice back. */
export function withOption(inputs: Inputs, name: string, value: string | null): Inputs {
  const { [name]: _, ...rest } = inputs.chosen;
  return { ...inputs, chosen: value === null ? rest : { ...rest, [name]: value } };
}

/** `lora-rank` is `loraRank` in a recipe. */
const fieldOf = (option: string): string =>
  option === "new" ? "newTokens" : option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Options that lead to this recipe from these inputs: the way back from a change that was tried. */
export function inputsOfRecipe(inputs: Inputs, recipe: Recipe): Inputs {
  const fields = recipe as unknown as Readonly<Record<string, unknown>>;
  return askedOptions(inputs).reduce((made, option) => {
    const value = fields[fieldOf(option)];
    if (option === "task" || (typeof value !== "string" && typeof value !== "number")) return made;
    const isDefault = String(value) === defaultOf(made, option);
    return withOption(made, option, isDefault && made.chosen[option] === undefined ? null : String(value));
  }, inputs);
}
