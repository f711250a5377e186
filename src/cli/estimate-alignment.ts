/** `vramscope estimate --task dpo|reward|grpo|ppo`: the phases of one step of several models on one card. */

import { shownJson } from "../base/shown-text.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import {
  alignmentFits,
  alignmentNeeds,
  alignmentProgram,
  estimateAlignment,
  REWARD_FILE,
  TASKS,
  usualReference,
  alignmentRefusal,
  tryAlignmentChanges,
  type AlignmentEstimate,
  type AlignmentTask,
} from "../estimate/alignment/index.ts";
import {
  CONFIG_FILE,
  headOf,
  optionsBetween,
  takenOptions,
  type SearchedChanges,
  type TrainRecipe,
} from "../estimate/index.ts";
import { findCapacity } from "../gpus/capacity.ts";
import { DEFAULT_GPU } from "../gpus/catalogue.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import { alignmentJson, alignmentText } from "../report/alignment-text.ts";
import { changesText, type ChangeFacts } from "../report/changes-text.ts";
import { estimateServing } from "../serving/engines.ts";
import type { ServingEstimate } from "../serving/serving.ts";
import { DEFAULT_TORCH } from "../torch/releases.ts";
import { painterOf } from "./colour.ts";
import { alignmentRecipes, alignmentRequest } from "./alignment-options.ts";
import { PROGRAM, valueOf, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { modelArgument, type NamedModel } from "./model-argument.ts";
import { ModelError } from "./model-error.ts";
import { progressLine } from "./progress.ts";
import { servingOptions } from "./serving-options.ts";
import { UsageError } from "./usage-error.ts";
import { namedGpu, namedTorch } from "./named-machine.ts";

/** TRL's defaults for an engine on the card that trains (GRPOConfig, vllm_generation.py). */
const ENGINE_SHARE = 0.3;
const ENGINE_TOKENS = 4096;

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
  const asked = alignmentRequest(task, parsed);
  const gpu = namedGpu(valueOf(parsed, "gpu") ?? DEFAULT_GPU);
  const torch = namedTorch(valueOf(parsed, "torch") ?? DEFAULT_TORCH);
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
    const { recipe, train } = alignmentRecipes(asked, parsed, model.config);
    if (parsed.flags.has("show-program") && !parsed.flags.has("json")) {
      io.out(alignmentProgram(recipe, train, head));
      return EXIT.ok;
    }
    const engine = recipe.hasEngine ? engineOf(parsed, model.config, model.parameters ?? undefined) : null;
    progress.say(message(locale, "progress_load"));
    const { openEstimateRuns } = await import("../python/estimate-runs.ts");
    const files = { [CONFIG_FILE]: model.text, ...(judge === null ? {} : { [REWARD_FILE]: judge.text }) };
    const runs = openEstimateRuns({ torch, files, signal: io.signal });
    close = runs.close;
    const ask = (its: TrainRecipe): Promise<AlignmentEstimate> => {
      const compared = valueOf(parsed, "reference") === undefined ? usualReference(task, its) : recipe.reference;
      return estimateAlignment(runs.run, { ...recipe, reference: compared }, its, head, gpu, engine);
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
  const isSet = (option: string): boolean => parsed.values.has(option);
  const lengths: readonly [string, number][] = generates
    ? [
        ["prompt", recipe.prompt],
        ["new", recipe.newTokens],
      ]
    : [];
  const taken = [
    ...(isSet("gpu") ? [] : [`--gpu ${DEFAULT_GPU}`]),
    ...takenOptions(train, config, (option) => isSet(option) || (generates && option === "seq")),
    ...lengths.filter(([option]) => !isSet(option)).map(([option, value]) => `--${option} ${value}`),
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
