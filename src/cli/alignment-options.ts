/** What `estimate --task dpo|reward|grpo|ppo` asks, on the command line and on the page. */

import {
  ALIGNMENT_TASKS,
  REFERENCES,
  SLEEP_LEVELS,
  TASKS,
  usualReference,
  type AlignmentRecipe,
  type AlignmentTask,
  type Reference,
  type SleepLevel,
} from "../estimate/alignment/index.ts";
import { DEFAULT_INFERENCE, settledRecipe, type TrainRecipe } from "../estimate/index.ts";
import { InvariantError } from "../base/invariant.ts";
import type { ModelConfig } from "../formats/model-config.ts";
import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { recipeOf } from "./estimate-options.ts";
import { UsageError } from "./usage-error.ts";
import { wholeNumber } from "./whole-number.ts";

export const ALIGNMENT_OPTIONS: readonly OptionSpec[] = [
  { name: "reference", value: "WHICH", choices: REFERENCES, summary: "option_reference" },
  { name: "reward", value: "MODEL", summary: "option_reward" },
  { name: "sleep", value: "LEVEL", choices: SLEEP_LEVELS.map(String), summary: "option_sleep" },
];

/** What is asked where answers are written. */
export const OF_GENERATING: readonly string[] = ["prompt", "new", "engine", "reward"];
const WITH_ENGINE = ["sleep", "memory-fraction"];
/** Options of `estimate` that these tasks do not read. */
export const NOT_OF_ALIGNMENT: readonly string[] = [
  "loss",
  "packing",
  "pruning",
  "teacher",
  "max",
  "sweep",
  "weights",
  "cache",
  "images",
  "image-size",
  "explain",
  "profile",
  "site-packages",
  "python",
  "gpus",
  "layout",
  "from",
  "from-command",
];

/** Null where another task is asked for. */
export function alignmentTask(parsed: Parsed): AlignmentTask | null {
  const typed = valueOf(parsed, "task");
  const task = ALIGNMENT_TASKS.find((name) => name === typed) ?? null;
  const lone = ALIGNMENT_OPTIONS.find(({ name }) => parsed.values.has(name));
  if (task === null && lone !== undefined)
    throw new UsageError("layout_option_needs", {
      name: `--${lone.name}`,
      needs: `--task ${ALIGNMENT_TASKS.join("|")}`,
    });
  return task;
}

/** Checks what can be checked without the model: a mistake is told before anything is loaded. */
export function alignmentRequest(
  task: AlignmentTask,
  parsed: Parsed,
): { readonly recipe: AlignmentRecipe; readonly values: Parsed["values"] } {
  const { generates } = TASKS[task];
  const has = (name: string): boolean => parsed.values.has(name) || parsed.flags.has(name);
  const foreign = [...NOT_OF_ALIGNMENT, ...(generates ? ["seq"] : OF_GENERATING)].find(has);
  if (foreign !== undefined) throw new UsageError("option_of_other_task", { name: `--${foreign}`, task });
  const engine = valueOf(parsed, "engine");
  if (engine !== undefined && (engine !== "vllm" || task !== "grpo"))
    throw new UsageError("option_of_other_task", { name: `--engine ${engine}`, task });
  const lone = engine === undefined ? WITH_ENGINE.find(has) : undefined;
  if (lone !== undefined) throw new UsageError("layout_option_needs", { name: `--${lone}`, needs: "--engine vllm" });
  if (task === "ppo" && !has("reward"))
    throw new UsageError("layout_option_needs", { name: "--task ppo", needs: "--reward MODEL" });
  const size = (name: string, otherwise: number): number => {
    const typed = valueOf(parsed, name);
    return typed === undefined ? otherwise : wholeNumber(`--${name}`, typed, 2 ** 31 - 1);
  };
  const prompt = size("prompt", DEFAULT_INFERENCE.prompt);
  const newTokens = size("new", DEFAULT_INFERENCE.newTokens);
  const values = new Map(parsed.values);
  values.set("task", ["train"]);
  if (generates) values.set("seq", [String(prompt + newTokens)]);
  for (const name of OF_GENERATING) values.delete(name);
  const recipe: AlignmentRecipe = {
    task,
    reference: "none",
    prompt,
    newTokens,
    hasRewardModel: has("reward"),
    hasEngine: engine !== undefined,
    sleep: Number(valueOf(parsed, "sleep") ?? 0) as SleepLevel,
  };
  return { recipe, values };
}

/** How a step trains the model, and what it is compared with. */
export function alignmentRecipes(
  { recipe, values }: ReturnType<typeof alignmentRequest>,
  parsed: Parsed,
  config: ModelConfig,
): { readonly recipe: AlignmentRecipe; readonly train: TrainRecipe } {
  const train = settledRecipe(recipeOf({ ...parsed, values }), config, (name) => parsed.values.has(name));
  if (train.task !== "train") throw new InvariantError("preferences are trained");
  const reference = (valueOf(parsed, "reference") as Reference | undefined) ?? usualReference(recipe.task, train);
  if (reference === "same" && usualReference("dpo", train) !== "same")
    throw new UsageError("layout_option_needs", { name: "--reference same", needs: "--method lora" });
  return { recipe: { ...recipe, reference }, train };
}
