/** `vramscope estimate` for training on several GPUs: one program for each kind of rank, and the worst one decides. */

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { shownJson } from "../base/shown-text.ts";
import {
  contradiction,
  defaultJob,
  estimateRanks,
  layoutOf,
  modelSizes,
  readCommand,
  ReadingError,
  type Reading,
  type TrainingJob,
} from "../estimate/layout/index.ts";
import { DEFAULT_GPU, findGpu } from "../gpus/catalogue.ts";
import { message, type Locale } from "../i18n/index.ts";
import { layoutJson, layoutText } from "../report/layout-text.ts";
import { DEFAULT_TORCH, findTorch } from "../torch/releases.ts";
import { valueOf, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import type { LayoutRequest } from "./layout-options.ts";
import { modelArgument } from "./model-argument.ts";
import { progressLine } from "./progress.ts";
import { UsageError } from "./usage-error.ts";

const MOST_BYTES = 2 ** 20;

function textAt(typed: string, io: Io): string {
  const path = resolve(io.cwd, typed);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile())
    throw new UsageError("cannot_read", { path: typed, reason: "no such file" });
  if (stats.size > MOST_BYTES) throw new UsageError("cannot_read", { path: typed, reason: "more than 1 MiB" });
  return readFileSync(path, "utf8");
}

/** The job that the command line describes, and what was read for it. */
function asked(
  typed: string | undefined,
  request: LayoutRequest,
  io: Io,
): { job: TrainingJob; reading: Reading | null } {
  if (request.from !== null || request.fromCommand !== null) {
    const text = request.fromCommand ?? textAt(request.from!, io);
    const named = typed === undefined ? null : modelArgument(typed, io);
    const given = named === null ? null : { name: named.name, sizes: modelSizes(named.config, named.name) };
    const reading = readCommand(text, request.gpus, given);
    return { job: reading.job, reading };
  }
  if (typed === undefined) throw new UsageError("missing_model", { usage: "vramscope estimate MODEL [options]" });
  const model = modelArgument(typed, io);
  const layout = layoutOf(request.layout, request.gpus);
  const { framework, microBatch, globalBatch, seq, zero, recompute } = request;
  const sizes = modelSizes(model.config, model.name);
  const job = defaultJob({
    framework,
    name: model.name,
    model: sizes,
    layout,
    microBatch,
    globalBatch,
    seq,
    zero,
    recompute,
  });
  return { job, reading: null };
}

/** Exit status 2 where the configuration contradicts itself. */
export async function layoutAnswer(
  typed: string | undefined,
  request: LayoutRequest,
  parsed: Parsed,
  locale: Locale,
  io: Io,
): Promise<ExitCode> {
  let found;
  try {
    found = asked(typed, request, io);
  } catch (error) {
    if (error instanceof ReadingError) throw new UsageError(error.code, error.args);
    throw error;
  }
  const { job, reading } = found;
  const problem = contradiction(job);
  if (problem !== null) throw new UsageError(problem.code, problem.args);
  const gpu = findGpu(valueOf(parsed, "gpu") ?? DEFAULT_GPU);
  if (!gpu.ok) throw new UsageError(gpu.error.code, gpu.error.args);
  const torch = findTorch(valueOf(parsed, "torch") ?? DEFAULT_TORCH);
  if (!torch.ok) throw new UsageError(torch.error.code, torch.error.args);
  const progress = progressLine(io);
  progress.say(message(locale, "progress_load"));
  const { openEstimateRuns } = await import("../python/estimate-runs.ts");
  const runs = openEstimateRuns({ torch: torch.value, files: {}, env: job.env, signal: io.signal });
  try {
    const made = await estimateRanks(runs.run, job, gpu.value, undefined, (count) =>
      progress.say(message(locale, "progress_estimate", { count })),
    );
    progress.end();
    const shown = { made, reading, model: typed ?? job.name };
    if (parsed.flags.has("json")) io.out(`${shownJson(layoutJson(shown), 2)}\n`);
    else if (parsed.flags.has("show-program")) io.out(made.worst.program);
    else io.out(layoutText(shown, locale));
    return made.ranks.every(({ fit }) => fit !== "does_not_fit") ? EXIT.ok : EXIT.doesNotFit;
  } finally {
    progress.end();
    runs.close();
  }
}
