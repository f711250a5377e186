/** `vramscope estimate` for training on several GPUs: one program for each kind of rank, and the worst one decides. */

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { shownJson } from "../base/shown-text.ts";
import {
  contradiction,
  defaultJob,
  estimateRanks,
  withUnevenExperts,
  layoutOf,
  layoutVerdict,
  modelSizes,
  readCommand,
  ReadingError,
  underMegatron,
  type LayoutEstimate,
  type Reading,
  type TrainingJob,
} from "../estimate/layout/index.ts";
import { readConfiguration, readScript, readSwiftCommand } from "../estimate/configs/index.ts";
import {
  CONFIG_FILE,
  loadsWeights,
  settledRecipe,
  takenOptions,
  type Recipe,
  type TrainRecipe,
} from "../estimate/index.ts";
import {
  companionFile,
  estimateSharded,
  shardedContradiction,
  shardedJob,
  shardedProgram,
  withKnownKernels,
  type ShardedJob,
} from "../estimate/sharded/index.ts";
import { saidOf } from "../models/full-of-pictures.ts";
import { DEFAULT_GPU, type GpuRow } from "../gpus/catalogue.ts";
import { message, type Locale } from "../i18n/index.ts";
import { layoutJson, layoutText } from "../report/layout-text.ts";
import { DEFAULT_TORCH, type TorchVersion } from "../torch/releases.ts";
import { widthOf } from "./colour.ts";
import { valueOf, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import type { LayoutRequest } from "./layout-options.ts";
import { InvariantError } from "../base/invariant.ts";
import { recipeOf } from "./estimate-options.ts";
import {
  estimateRuns,
  modelFailure,
  namedTransformers,
  onTransformers,
  type InstalledTransformers,
} from "./estimate-packages.ts";
import { modelArgument, type NamedModel } from "./model-argument.ts";
import { ModelError } from "./model-error.ts";
import { progressLine } from "./progress.ts";
import { UsageError } from "./usage-error.ts";
import { namedGpu, namedTorch } from "./named-machine.ts";

const MOST_BYTES = 2 ** 20;

function textAt(typed: string, io: Io): string {
  const path = resolve(io.cwd, typed);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile())
    throw new UsageError("cannot_read", { path: typed, reason: "no such file" });
  if (stats.size > MOST_BYTES) throw new UsageError("cannot_read", { path: typed, reason: "more than 1 MiB" });
  return readFileSync(path, "utf8");
}

const assumedOfTowers = ({ job, seen }: ShardedJob): (readonly [string, string])[] =>
  job.leavesOutTowers === true
    ? [["activations of towers for pictures and sound", "0"]]
    : seen === null
      ? []
      : [["pictures of each sequence", saidOf(seen)]];

interface Asked {
  readonly job: TrainingJob;
  /** Null: ranks of Megatron-Core. */
  readonly sharded: ShardedJob | null;
  readonly reading: Reading | null;
  /** Null where nobody named a model. */
  readonly model: NamedModel | null;
  /** What the programs read. */
  readonly files: Readonly<Record<string, string>>;
}

/** What recipes over several GPUs take where nobody says: float32 weights with 16-bit products, or DeepSpeed's 16-bit weights. */
const USUAL_PRECISION = { torch: "autocast-bf16", deepspeed: "bf16" } as const;

/** A layout's, not the recipe's: of one GPU, only answers are given with pictures. */
const OF_PICTURES = ["images", "image-size"];

/** Layers of Megatron-Core are its own, whatever transformers is installed. */
const OF_PACKAGES = ["site-packages", "python", "with"];

/** The recipe that the command line's options describe, as for one GPU. */
function recipeFor(parsed: Parsed, framework: "torch" | "deepspeed", model: NamedModel, seq: number): TrainRecipe {
  const chosen = new Set(parsed.values.keys());
  const values = new Map(parsed.values);
  values.set("task", ["train"]);
  values.set("seq", [String(seq)]);
  for (const name of OF_PICTURES) values.delete(name);
  if (!chosen.has("precision")) values.set("precision", [USUAL_PRECISION[framework]]);
  const recipe: Recipe = settledRecipe(recipeOf({ ...parsed, values }), model.config, (name) => chosen.has(name));
  if (recipe.task !== "train") throw new InvariantError("a layout trains");
  return recipe;
}

const CONFIG_FILES = /\.(json|ya?ml|toml)$/i;
const PROGRAM_FILE = /\.py$/i;

const READERS = { command: readSwiftCommand, program: readScript, configuration: readConfiguration };

/** A configuration of another project; the model that it names, or the one in its place; null for another command. Throws {@link ReadingError}. */
function configured(
  typed: string | undefined,
  text: string,
  request: LayoutRequest,
  io: Io,
  kind: keyof typeof READERS,
  torch: TorchVersion,
): Asked | null {
  const read = READERS[kind](text, request.gpus, torch);
  if (read === null && kind === "command") return null;
  if (read === null && kind === "program")
    throw new ReadingError("launch_other_program", {
      name: request.from!,
      what: "a Python program that hands its settings on in another way ('vramscope run' runs it)",
    });
  if (read === null) throw new ReadingError("launch_not_understood", { what: request.from ?? "" });
  const named = typed ?? read.model;
  if (named === null) throw new UsageError("missing_model", { usage: "vramscope estimate MODEL --from FILE" });
  const model = modelArgument(named, io);
  const { format, run, understood, without, unmodelled, unknown } = read;
  const { recipe, assumed } = withKnownKernels(run.recipe, model.config);
  const plain = shardedJob({ ...run, recipe, name: model.name, config: model.config });
  const sharded = { ...plain, job: { ...plain.job, env: read.env } };
  const taken = [...run.assumed, ...assumed, ...assumedOfTowers(plain)];
  const reading = { format, job: sharded.job, understood, without, unmodelled, unknown, assumed: taken };
  const others = (run.sharding.companions?.others ?? []).map(
    (name, i) => [companionFile(i), modelArgument(name, io).text] as const,
  );
  const files = { [CONFIG_FILE]: model.text, ...Object.fromEntries(others) };
  return { job: sharded.job, sharded, reading, model, files };
}

/** The job that the command line describes, and what was read for it. */
function asked(typed: string | undefined, request: LayoutRequest, parsed: Parsed, torch: TorchVersion, io: Io): Asked {
  if (request.from !== null || request.fromCommand !== null) {
    const text = request.fromCommand ?? textAt(request.from!, io);
    const kind =
      request.from !== null && PROGRAM_FILE.test(request.from)
        ? "program"
        : request.from === null || !CONFIG_FILES.test(request.from)
          ? "command"
          : "configuration";
    const read = configured(typed, text, request, io, kind, torch);
    if (read !== null) return read;
    const sizesOf = (model: NamedModel) => modelSizes(model.config, model.name);
    const named = typed === undefined ? null : modelArgument(typed, io);
    const namedModel = named === null ? null : { name: named.name, sizes: sizesOf(named) };
    const reading = readCommand(text, request.gpus, namedModel, (name) => sizesOf(modelArgument(name, io)));
    return { job: reading.job, sharded: null, reading, model: named, files: {} };
  }
  if (typed === undefined) throw new UsageError("missing_model", { usage: "vramscope estimate MODEL [options]" });
  const model = modelArgument(typed, io);
  const layout = layoutOf(request.layout, request.gpus);
  const { framework, microBatch, globalBatch, seq, sharding, recompute } = request;
  if (framework !== "megatron") {
    const recipe = recipeFor(parsed, framework, model, seq);
    const { config, name } = model;
    const sharded = shardedJob({ framework, name, config, recipe, layout, globalBatch, sharding });
    return { job: sharded.job, sharded, reading: null, model, files: { [CONFIG_FILE]: model.text } };
  }
  const sizes = modelSizes(model.config, model.name);
  const job = defaultJob({
    framework,
    name: model.name,
    model: sizes,
    layout,
    microBatch,
    globalBatch,
    seq,
    zero: sharding.zero,
    recompute,
  });
  return { job, sharded: null, reading: null, model, files: {} };
}

/** What decides about the figures and nobody gave, as one types it. */
function takenFor(parsed: Parsed, { job, sharded, model }: Asked): string[] {
  const deciding: readonly (readonly [string, string | number])[] = [
    ["gpu", DEFAULT_GPU],
    ["framework", job.framework],
    ...(parsed.values.has("fsdp") ? [] : [["zero", job.zero] as const]),
    ["batch", job.microBatch],
    ["global-batch", job.globalBatch],
    ["seq", job.seq],
    ...(sharded === null ? [["recompute", job.recompute] as const] : []),
  ];
  const named = new Set(deciding.map(([name]) => name));
  return [
    ...deciding.filter(([name]) => !parsed.values.has(name)).map(([name, value]) => `--${name} ${value}`),
    ...(sharded === null || model === null
      ? []
      : takenOptions(sharded.recipe, model.config, (name) => parsed.values.has(name) || named.has(name))),
  ];
}

/** Exit status 2 where the configuration contradicts itself. */
export async function layoutAnswer(
  typed: string | undefined,
  request: LayoutRequest,
  parsed: Parsed,
  locale: Locale,
  io: Io,
): Promise<ExitCode> {
  const torch = namedTorch(valueOf(parsed, "torch") ?? DEFAULT_TORCH);
  let found;
  try {
    found = asked(typed, request, parsed, torch, io);
  } catch (error) {
    if (error instanceof ReadingError) throw new UsageError(error.code, error.args);
    throw error;
  }
  const { sharded, reading } = found;
  const { megatron } = request;
  if (megatron !== null && found.job.framework !== "megatron")
    throw new UsageError("layout_option_needs", { name: "--megatron-core", needs: "--framework megatron" });
  const job = megatron === null ? found.job : underMegatron(found.job, megatron);
  const problem = sharded === null ? contradiction(job) : shardedContradiction(sharded);
  if (problem !== null) throw new UsageError(problem.code, problem.args);
  const gpu = namedGpu(valueOf(parsed, "gpu") ?? DEFAULT_GPU);
  if (sharded !== null && parsed.flags.has("show-program") && !parsed.flags.has("json")) {
    io.out(shardedProgram(sharded));
    return EXIT.ok;
  }
  const asks = { ...found, job, torch, gpu, locale, io };
  const unused = sharded === null ? OF_PACKAGES.find((name) => parsed.values.has(name)) : undefined;
  if (unused !== undefined)
    throw new UsageError("layout_option_needs", { name: `--${unused}`, needs: "--framework torch" });
  const named = await namedTransformers(parsed, locale, io);
  const { made, real } = await onTransformers(named, io, async (one) => ({
    made: await simulated(asks, one),
    real: one,
  }));
  const taken = reading === null ? takenFor(parsed, found) : [];
  const shown = { made, reading, model: typed ?? job.name, taken };
  const { version = "", folder = "" } = real ?? {};
  const packages = real === null ? {} : { packages: { transformers: version, folder } };
  if (parsed.flags.has("json")) io.out(`${shownJson({ ...layoutJson(shown), ...packages }, 2)}\n`);
  else if (parsed.flags.has("show-program")) io.out(made.worst.program);
  else {
    if (real !== null) io.out(`${message(locale, "estimate_packages", { version, folder })}\n\n`);
    io.out(layoutText(shown, locale, widthOf(io.env, io.outInfo)));
  }
  return layoutVerdict(made) !== "does_not_fit" ? EXIT.ok : EXIT.doesNotFit;
}

interface Simulation extends Pick<Asked, "job" | "sharded" | "model" | "files"> {
  readonly torch: TorchVersion;
  readonly gpu: GpuRow;
  readonly locale: Locale;
  readonly io: Io;
}

/** @param real the installed transformers that the ranks run on; null: the built-in one */
async function simulated(asked: Simulation, real: InstalledTransformers | null): Promise<LayoutEstimate> {
  const { job, sharded, model, files, torch, gpu, locale, io } = asked;
  if (real !== null && sharded !== null && loadsWeights(sharded.recipe))
    throw new ModelError("estimate_installed_loads", { version: real.version });
  const progress = progressLine(io);
  progress.say(message(locale, "progress_load"));
  const wanted = { torch, files, env: job.env, signal: io.signal };
  const onMaking = (): void => progress.say(message(locale, "progress_packages", { script: "transformers" }));
  const runs = await estimateRuns(wanted, real, onMaking);
  const onRun = (count: number): void => progress.say(message(locale, "progress_estimate", { count }));
  try {
    if (sharded === null)
      return await withUnevenExperts(runs.run, await estimateRanks(runs.run, job, gpu, undefined, onRun), gpu, onRun);
    const recipe = real === null ? sharded.recipe : { ...sharded.recipe, installed: real.version };
    return await estimateSharded(runs.run, { ...sharded, recipe }, gpu, onRun);
  } catch (error) {
    throw model === null ? error : modelFailure(error, model);
  } finally {
    progress.end();
    runs.close();
  }
}
