/** `vramscope estimate`: what a model needs, from its configuration, and what would make it fit. */

import { formatBytes } from "../base/bytes.ts";
import { shownJson } from "../base/shown-text.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import {
  CONFIG_FILE,
  estimate,
  fits,
  headOf,
  largest,
  loadsWeights,
  longestSequence,
  optionsBetween,
  parameterCounts,
  programOf,
  refusalOf,
  settledRecipe,
  sweep,
  takenOptions,
  TEACHER_FILE,
  textbookBytes,
  textbookSheet,
  tryChanges,
  type Estimate,
  type Measure,
  type MeasuredRun,
  type Problem,
  type Recipe,
} from "../estimate/index.ts";
import { DEFAULT_GPU } from "../gpus/catalogue.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import {
  estimateText,
  gpuTable,
  largestText,
  sheetText,
  sweepText,
  type EstimateWords,
} from "../report/estimate-text.ts";
import { changesText, type ChangeFacts } from "../report/changes-text.ts";
import { estimateDocument } from "../report/estimate-json.ts";
import { estimateNotes } from "../report/estimate-notes.ts";
import { painterFor, wantsColour, widthOf } from "./colour.ts";
import { PROGRAM, valueOf, type Command, type CommandContext } from "./command.ts";
import { ESTIMATE_OPTIONS, estimateSettings, type EstimateSettings } from "./estimate-options.ts";
import { ALIGNMENT_OPTIONS, alignmentTask } from "./alignment-options.ts";
import { alignmentAnswer } from "./estimate-alignment.ts";
import {
  estimateRuns,
  modelFailure,
  namedTransformers,
  onTransformers,
  type InstalledTransformers,
} from "./estimate-packages.ts";
import { pipelineAnswer } from "./estimate-pipeline.ts";
import { PIPELINE_OPTIONS } from "./pipeline-options.ts";
import { servingAnswer } from "./estimate-serving.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { LAYOUT_OPTIONS, layoutRequest } from "./layout-options.ts";
import { modelArgument, type NamedModel } from "./model-argument.ts";
import { ModelError } from "./model-error.ts";
import { profiledGpus } from "./profiled-machine.ts";
import { progressLine } from "./progress.ts";
import { SERVING_OPTIONS } from "./serving-options.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "MODEL [options]";

export const estimateCommand: Command = {
  name: "estimate",
  summary: "command_estimate",
  usage: USAGE,
  arguments: [{ name: "MODEL", summary: "argument_model" }],
  options: [...ESTIMATE_OPTIONS, ...PIPELINE_OPTIONS, ...SERVING_OPTIONS, ...LAYOUT_OPTIONS, ...ALIGNMENT_OPTIONS],
  firstOptions: ["task", "gpu", "batch", "seq", "prompt", "method", "weights", "fit", "max", "engine", "quant", "gpus"],
  examples: [
    { line: "vramscope estimate llama-3.1-8b", summary: "example_estimate_infer" },
    {
      line: "vramscope estimate llama-3.1-8b --method lora --seq 4096 --gpu rtx-4090 --fit",
      summary: "example_estimate_lora",
    },
    { line: "vramscope estimate ./my-model --task train --max batch", summary: "example_estimate_max" },
    { line: "vramscope estimate qwen2.5-7b --weights nf4 --gpu all", summary: "example_estimate_all" },
    { line: "vramscope estimate llama-3.1-8b --engine vllm --gpu h100", summary: "example_estimate_engine" },
    {
      line: "vramscope estimate stabilityai/stable-diffusion-xl-base-1.0 --gpu rtx-3070",
      summary: "example_estimate_pipeline",
    },
    { line: "vramscope estimate ./model.gguf --weights-only", summary: "example_estimate_weights" },
    { line: "vramscope estimate llama-3.1-8b --sweep context=1k..128k", summary: "example_estimate_sweep" },
    {
      line: "vramscope estimate llama-3.1-70b --gpus 64 --layout tp=8,pp=2 --gpu h100",
      summary: "example_estimate_layout",
    },
    { line: "vramscope estimate qwen2.5-7b --task dpo --method lora --gpu h100", summary: "example_estimate_dpo" },
    {
      line: "vramscope estimate qwen2.5-7b --task grpo --engine vllm --sleep 2 --gpu h100",
      summary: "example_estimate_grpo",
    },
    {
      line: "vramscope estimate --from pretrain.sh --gpus 64",
      summary: "example_estimate_from",
    },
  ],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const [typed, extra] = parsed.positionals;
  const layout = layoutRequest(parsed);
  if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
  try {
    if (layout !== null) {
      const { layoutAnswer } = await import("./estimate-layout.ts");
      return await layoutAnswer(typed, layout, parsed, locale, io);
    }
    if (typed === undefined) throw new UsageError("missing_model", { usage: `${PROGRAM} estimate ${USAGE}` });
    const pipeline = pipelineAnswer(typed, parsed, locale, io);
    if (pipeline !== null) return pipeline;
    const alignment = alignmentTask(parsed);
    if (alignment !== null) return await alignmentAnswer(typed, alignment, parsed, locale, io);
    const served = await servingAnswer(typed, parsed, locale, io);
    if (served !== null) return served;
    const asked = estimateSettings(parsed);
    const model = modelArgument(typed, io);
    const recipe = settledRecipe(asked.recipe, model.config, (name) => asked.chosen.has(name));
    const settings = { ...asked, recipe };
    const teacher = settings.teacher === null ? null : modelArgument(settings.teacher, io);
    for (const one of [model, teacher]) {
      const refusal = one === null ? null : refusalOf(one.config, one.name);
      if (refusal !== null) return refuse(refusal.code, refusal.args, locale, io);
    }
    if (settings.showProgram && !settings.json) {
      io.out(programOf(settings.recipe, headOf(model.config)));
      return EXIT.ok;
    }
    const gpus = profiledGpus(valueOf(parsed, "profile"), settings.gpus, io);
    const named = await namedTransformers(parsed, locale, io);
    const said = { ...settings, gpus };
    return await onTransformers(named, io, (real) => answer(said, model, teacher, real, locale, io));
  } catch (error) {
    if (error instanceof ModelError) return refuse(error.code, error.args, locale, io);
    if (error instanceof DiagnosticError) {
      const { code, args } = error.diagnostic;
      if (code === "estimate_interrupted") return EXIT.interrupted;
      return refuse(code, args, locale, io);
    }
    throw error;
  }
}

function refuse(code: string, args: Readonly<Record<string, string | number>>, locale: Locale, io: Io): ExitCode {
  io.err(`${PROGRAM}: ${messageOrCode(locale, code, args)}\n`);
  return EXIT.programFailed;
}

async function answer(
  asked: EstimateSettings,
  model: NamedModel,
  teacher: NamedModel | null,
  real: InstalledTransformers | null,
  locale: Locale,
  io: Io,
): Promise<ExitCode> {
  if (real !== null && loadsWeights(asked.recipe))
    throw new ModelError("estimate_installed_loads", { version: real.version });
  const settings = real === null ? asked : { ...asked, recipe: { ...asked.recipe, installed: real.version } };
  const progress = progressLine(io);
  const about = textbookBytes(model.config, settings.recipe, model.parameters);
  progress.say(
    about === null
      ? message(locale, "progress_load")
      : message(locale, "progress_textbook", { bytes: formatBytes(Math.round(about)) }),
  );
  const files = { [CONFIG_FILE]: model.text, ...(teacher === null ? {} : { [TEACHER_FILE]: teacher.text }) };
  const wanted = { torch: settings.torch, files, signal: io.signal };
  const onMaking = (): void => progress.say(message(locale, "progress_packages", { script: "transformers" }));
  const runs = await estimateRuns(wanted, real, onMaking);
  try {
    const head = headOf(model.config);
    const problemFor = (gpu: (typeof settings.gpus)[number]): Problem => ({
      measure: runs.run,
      recipe: settings.recipe,
      head,
      gpu,
      onRun: (count) => progress.say(message(locale, "progress_estimate", { count })),
    });
    const estimates = await onGpus(settings, problemFor).catch((error: unknown): never => {
      throw modelFailure(error, model);
    });
    const problem = problemFor(settings.gpus[0]!);
    const first = estimates[0]!;
    const limit = longestSequence(model.config);
    const found = [];
    for (const name of settings.max) {
      found.push(await largest(problem, name, ["seq", "context", "prompt"].includes(name) ? limit : null));
    }
    const changes = settings.fit ? await tryChanges(problem, first) : null;
    const swept =
      settings.sweep === null
        ? null
        : await sweep(problem, settings.sweep.name, settings.sweep.values, sweepRuns(settings));
    const sheet = settings.explain
      ? textbookSheet(model.config, first, parameterCounts(first, model.parameters))
      : null;
    progress.end();
    if (settings.json) {
      const document = estimateDocument({
        model: model.name,
        torch: settings.torch,
        estimates,
        largest: found,
        changes,
        sweep: swept,
        sheet,
      });
      const packages = real === null ? {} : { packages: { transformers: real.version, folder: real.folder } };
      const program = settings.showProgram ? { program: first.program } : {};
      io.out(`${shownJson({ ...document, ...packages, ...program }, 2)}\n`);
    } else {
      const painter = painterFor(
        wantsColour(settings.colour, io.env, io.outInfo),
        widthOf(io.env, io.outInfo),
        settings.ascii,
      );
      const words: EstimateWords = { locale, painter };
      const taken = [
        ...(settings.chosen.has("gpu") ? [] : [`--gpu ${DEFAULT_GPU}`]),
        ...takenOptions(settings.recipe, model.config, (name) => settings.chosen.has(name)),
      ];
      const { version = "", folder = "" } = real ?? {};
      const texts = [
        ...(real === null ? [] : [`${message(locale, "estimate_packages", { version, folder })}\n`]),
        estimates.length > 1
          ? `${gpuTable(estimates, words)}`
          : estimateText(model.name, first, { taken, isTried: changes !== null }, words),
      ];
      for (const one of found) texts.push(largestText(one, words));
      if (changes !== null) texts.push(changesText(changes, first, factsOf(settings.recipe, locale), words));
      if (swept !== null) texts.push(sweepText(swept, first.chain.capacityBytes, words));
      if (sheet !== null) texts.push(sheetText(sheet, words));
      texts.push(...notes(model, first, locale));
      io.out(texts.join("\n"));
    }
    return estimates.some(fits) ? EXIT.ok : EXIT.doesNotFit;
  } finally {
    progress.end();
    runs.close();
  }
}

const factsOf =
  (before: Recipe, locale: Locale) =>
  (made: Estimate): ChangeFacts => ({
    neededBytes: made.chain.process.bytes,
    capacityBytes: made.chain.capacityBytes,
    fits: fits(made),
    verdict: message(locale, `estimate_${made.fit}`),
    options: optionsBetween(before, made.recipe).join(" "),
  });

/** GPUs of one compute capability make the same choices, so that one run tells about all of them. */
async function onGpus(
  settings: EstimateSettings,
  problemFor: (gpu: EstimateSettings["gpus"][number]) => Problem,
): Promise<Estimate[]> {
  const made: Estimate[] = [];
  const roomy = new Map<number, Promise<MeasuredRun>>();
  for (const gpu of settings.gpus) {
    const { measure, recipe, head } = problemFor(gpu);
    const shared: Measure = (source, id, totalBytes) => {
      if (totalBytes === null) return measure(source, id, null);
      let run = roomy.get(gpu.sm);
      if (run === undefined) roomy.set(gpu.sm, (run = measure(source, id, totalBytes)));
      return run;
    };
    made.push(await estimate(shared, recipe, head, gpu));
  }
  return made;
}

/** Fifty points come in the time of a dozen runs. */
const SWEEP_RUNS = 12;
const sweepRuns = ({ sweep: asked }: EstimateSettings): number => Math.min(SWEEP_RUNS, asked?.values.length ?? 0);

/** What the figures rest on and the text above does not say. */
function notes(model: NamedModel, made: Estimate, locale: Locale): string[] {
  const kinds = estimateNotes(model, made, locale);
  return kinds.length === 0
    ? []
    : [`${message(locale, "section_assumed")}\n${kinds.map((line) => `  - ${line}\n`).join("")}`];
}
