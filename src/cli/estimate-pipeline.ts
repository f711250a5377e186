/** `vramscope estimate` of a pipeline of diffusers: several models, computed from what is known of each. */

import { shownJson } from "../base/shown-text.ts";
import { estimatePipeline, partBytes, type PipelineEstimate } from "../estimate/pipeline.ts";
import { DEFAULT_GPU } from "../gpus/catalogue.ts";
import type { GpuRow } from "../gpus/row.ts";
import type { Locale } from "../i18n/index.ts";
import { findPipeline } from "../models/pipelines.ts";
import { pipelineText } from "../report/pipeline-text.ts";
import { painterOf } from "./colour.ts";
import { valueOf, type Parsed } from "./command.ts";
import { gpusOf } from "./estimate-options.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { askedPipeline, PIPELINE_OPTIONS } from "./pipeline-options.ts";
import { profiledGpus } from "./profiled-machine.ts";
import { UsageError } from "./usage-error.ts";

/** Other options that mean something for a pipeline. */
const SHARED = ["batch", "weights", "gpu", "profile", "json", "color", "ascii", "weights-only", "task"];
function documentOf(name: string, made: readonly PipelineEstimate[]): object {
  return {
    schemaVersion: 1,
    model: name,
    pipelines: made.map(({ gpu, phases, peak, ...rest }) => ({
      gpu: gpu.id,
      ...rest,
      peak: peak.part.name,
      parts: phases.map(({ part, residentBytes, activationBytes }) => ({
        name: part.name,
        class: part.class,
        parameters: part.parameters,
        weightBytes: partBytes(part, rest.request),
        residentBytes,
        activationBytes: part.activations === undefined ? null : activationBytes,
      })),
    })),
  };
}

/** Null where the name is none of a known pipeline. */
export function pipelineAnswer(typed: string, parsed: Parsed, locale: Locale, io: Io): ExitCode | null {
  const found = findPipeline(typed);
  const own = PIPELINE_OPTIONS.find(({ name }) => parsed.values.has(name));
  if (found === null) {
    if (own !== undefined) throw new UsageError("option_needs_pipeline", { name: `--${own.name}` });
    return null;
  }
  const named = [...parsed.values.keys(), ...parsed.flags];
  const foreign = named.find((name) => !SHARED.includes(name) && !PIPELINE_OPTIONS.some((one) => one.name === name));
  if (foreign !== undefined) throw new UsageError("option_not_of_pipeline", { name: `--${foreign}` });
  const task = valueOf(parsed, "task") ?? "infer";
  if (task !== "infer") throw new UsageError("option_not_of_pipeline", { name: `--task ${task}` });
  const { name, row: pipeline } = found;
  const { request, weights } = askedPipeline(parsed, pipeline);
  const gpus: readonly GpuRow[] = profiledGpus(
    valueOf(parsed, "profile"),
    gpusOf(valueOf(parsed, "gpu") ?? DEFAULT_GPU),
    io,
  );
  const taken = [
    ["gpu", DEFAULT_GPU],
    ["weights", weights],
    ["size", `${request.width}x${request.height}`],
    ["batch", String(request.batch)],
  ].flatMap(([option, value]) => (parsed.values.has(option!) ? [] : [`--${option} ${value}`]));
  const painter = painterOf(parsed, io.env, io.outInfo);
  const made = gpus.map((gpu) => estimatePipeline(pipeline, request, gpu));
  io.out(
    parsed.flags.has("json")
      ? `${shownJson(documentOf(name, made), 2)}\n`
      : made.map((one) => pipelineText(name, weights, one, taken, { locale, painter })).join("\n"),
  );
  return made.some(({ fit }) => fit !== "does_not_fit") ? EXIT.ok : EXIT.doesNotFit;
}
