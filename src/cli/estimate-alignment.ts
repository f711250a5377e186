/** `vramscope estimate --task dpo|reward|grpo|ppo`: the phases of one step of several models on one card. */

import { shownJson } from "../base/shown-text.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import {
  ALIGNMENT_TASKS,
  alignmentFits,
  alignmentNeeds,
  alignmentProgram,
  estimateAlignment,
  REFERENCES,
  REWARD_FILE,
  SLEEP_LEVELS,
  TASKS,
  usualReference,
  alignmentRefusal,
  tryAlignmentChanges,
  type AlignmentEstimate,
  type AlignmentRecipe,
  type AlignmentTask,
  type Reference,
  type SleepLevel,
} from "../estimate/alignment/index.ts";
import {
  CONFIG_FILE,
  DEFAULT_INFERENCE,
  headOf,
  optionsBetween,
  settledRecipe,
  takenOptions,
  type SearchedChanges,
  type TrainRecipe,
} from "../estimate/index.ts";
import { findCapacity } from "../gpus/capacity.ts";
import { DEFAULT_GPU, findGpu } from "../gpus/catalogue.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import { alignmentJson, alignmentText } from "../report/alignment-text.ts";
import { changesText, type ChangeFacts } from "../report/changes-text.ts";
import { estimateServing } from "../serving/engines.ts";
import type { ServingEstimate } from "../serving/serving.ts";
import { DEFAULT_TORCH, findTorch } from "../torch/releases.ts";
import { InvariantError } from "../base/invariant.ts";
import { painterOf } from "./colour.ts";
import { PROGRAM, valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { recipeOf } from "./estimate-options.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { modelArgument, type NamedModel } from "./model-argument.ts";
import { ModelError } from "./model-error.ts";
import { progressLine } from "./progress.ts";
import { servingOptions } from "./serving-options.ts";
import { UsageError } from "./usage-error.ts";
import { wholeNumber } from "./whole-number.ts";

export const ALIGNMENT_OPTIONS: readonly OptionSpec[] = [
  { name: "reference", value: "WHICH", choices: REFERENCES, summary: "option_reference" },
  { name: "reward", value: "MODEL", summary: "option_reward" },
  { name: "sleep", value: "LEVEL", choices: SLEEP_LEVELS.map(String), summary: "option_sleep" },
];

/** TRL's defaults for an engine on the card that trains (GRPOConfig, vllm_generation.py). */
const ENGINE_SHARE = 0.3;
const ENGINE_TOKENS = 4096;

const GENERATING = ["prompt", "new", "engine", "reward"];
const WITH_ENGINE = ["sleep", "memory-fraction"];
const NOT_THESE = [
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

function alignmentRecipe(
  task: AlignmentTask,
  parsed: Parsed,
): { recipe: AlignmentRecipe; values: Map<string, readonly string[]> } {
  const { generates } = TASKS[task];
  const has = (name: string): boolean => parsed.values.has(name) || parsed.flags.has(name);
  const foreign = [...NOT_THESE, ...(generates ? ["seq"] : GENERATING)].find(has);
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
  for (const name of GENERATING) values.delete(name);
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

function engineOf(
  parsed: Parsed,
  config: Parameters<typeof headOf>[0],
  parameters: number | undefined,
): ServingEstimate {
  const capacity = findCapacity(valueOf(parsed, "gpu") ?? DEFAULT_GPU);
  if (!capacity.ok) throw new UsageError(capacity.error.code, capacity.error.args);
  const options = servingOptions(parsed, capacity.value);
  const found = estimateServing(
    "vllm",
    { config, gguf: null, parameters },
    { ...options, fraction: options.fraction ?? ENGINE_SHARE, batchedTokens: options.batchedTokens ?? ENGINE_TOKENS },
  );
  if (!found.ok) throw new UsageError(found.error.code, found.error.args);
  return found.value;
}

export async function alignmentAnswer(
  typed: string,
  task: AlignmentTask,
  parsed: Parsed,
  locale: Locale,
  io: Io,
): Promise<ExitCode> {
  const asked = alignmentRecipe(task, parsed);
  const gpu = findGpu(valueOf(parsed, "gpu") ?? DEFAULT_GPU);
  if (!gpu.ok) throw new UsageError(gpu.error.code, gpu.error.args);
  const torch = findTorch(valueOf(parsed, "torch") ?? DEFAULT_TORCH);
  if (!torch.ok) throw new UsageError(torch.error.code, torch.error.args);
  const refuse = (code: string, args: Readonly<Record<string, string | number>>): ExitCode => {
    io.err(`${PROGRAM}: ${messageOrCode(locale, code, args)}\n`);
    return EXIT.programFailed;
  };
  const progress = progressLine(io);
  let close = (): void => {};
  try {
    const model = modelArgument(typed, io);
    const judged = valueOf(parsed, "reward");
    const judge = judged === undefined ? null : modelArgument(judged, io);
    const head = headOf(model.config);
    for (const one of [model, judge]) {
      const refusal = one === null ? null : alignmentRefusal(one.config, one.name);
      if (refusal !== null) return refuse(refusal.code, refusal.args);
    }
    const train = settledRecipe(recipeOf({ ...parsed, values: asked.values }), model.config, (name) =>
      parsed.values.has(name),
    );
    if (train.task !== "train") throw new InvariantError("preferences are trained");
    const reference = (valueOf(parsed, "reference") as Reference | undefined) ?? usualReference(task, train);
    const recipe: AlignmentRecipe = { ...asked.recipe, reference };
    if (reference === "same" && usualReference("dpo", train) !== "same")
      throw new UsageError("layout_option_needs", { name: "--reference same", needs: "--method lora" });
    if (parsed.flags.has("show-program") && !parsed.flags.has("json")) {
      io.out(alignmentProgram(recipe, train, head));
      return EXIT.ok;
    }
    const engine = recipe.hasEngine ? engineOf(parsed, model.config, model.parameters ?? undefined) : null;
    progress.say(message(locale, "progress_load"));
    const { openEstimateRuns } = await import("../python/estimate-runs.ts");
    const files = { [CONFIG_FILE]: model.text, ...(judge === null ? {} : { [REWARD_FILE]: judge.text }) };
    const runs = openEstimateRuns({ torch: torch.value, files, signal: io.signal });
    close = runs.close;
    const ask = (its: TrainRecipe): Promise<AlignmentEstimate> => {
      const compared = valueOf(parsed, "reference") === undefined ? usualReference(task, its) : reference;
      return estimateAlignment(runs.run, { ...recipe, reference: compared }, its, head, gpu.value, engine);
    };
    const made = await ask(train);
    const onRun = (count: number): void => progress.say(message(locale, "progress_estimate", { count }));
    const changes = parsed.flags.has("fit") ? await tryAlignmentChanges(made, ask, onRun) : null;
    progress.end();
    io.out(
      parsed.flags.has("json")
        ? `${shownJson(alignmentJson(model.name, made, changes), 2)}\n`
        : answerText(model, made, changes, parsed, locale, io),
    );
    return alignmentFits(made) ? EXIT.ok : EXIT.doesNotFit;
  } catch (error) {
    if (error instanceof ModelError) return refuse(error.code, error.args);
    if (!(error instanceof DiagnosticError)) throw error;
    const { code, args } = error.diagnostic;
    return code === "estimate_interrupted" ? EXIT.interrupted : refuse(code, args);
  } finally {
    progress.end();
    close();
  }
}

function answerText(
  { name, config }: NamedModel,
  made: AlignmentEstimate,
  changes: SearchedChanges<AlignmentEstimate> | null,
  parsed: Parsed,
  locale: Locale,
  io: Io,
): string {
  const painter = painterOf(parsed, io.env, io.outInfo);
  const { recipe, train } = made;
  const { generates } = TASKS[recipe.task];
  const given = (option: string): boolean => parsed.values.has(option);
  const lengths: readonly [string, number][] = generates
    ? [
        ["prompt", recipe.prompt],
        ["new", recipe.newTokens],
      ]
    : [];
  const taken = [
    ...(given("gpu") ? [] : [`--gpu ${DEFAULT_GPU}`]),
    ...takenOptions(train, config, (option) => given(option) || (generates && option === "seq")),
    ...lengths.filter(([option]) => !given(option)).map(([option, value]) => `--${option} ${value}`),
  ];
  const text = alignmentText(name, made, { taken, isTried: changes !== null }, { locale, painter });
  if (changes === null) return text;
  const factsOf = (one: AlignmentEstimate): ChangeFacts => ({
    neededBytes: alignmentNeeds(one),
    capacityBytes: one.gpu.totalBytes,
    fits: alignmentFits(one),
    verdict: message(locale, `estimate_${one.fit}`),
    options: optionsBetween(train, one.train).join(" "),
  });
  return `${text}\n${changesText(changes, made, factsOf, { locale, painter })}`;
}
