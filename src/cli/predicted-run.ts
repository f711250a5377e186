/** The prediction of a comparison, when it is a script: it runs under the GPU and version that the recording names, unless told otherwise. */

import type { OpenedFile } from "../formats/foreign-format.ts";
import { DEFAULT_GPU, findGpu, type GpuRow } from "../gpus/catalogue.ts";
import { DEFAULT_TORCH, findTorch } from "../torch/releases.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Trace } from "../trace/model.ts";
import { valueOf, type Parsed } from "./command.ts";
import { exitCodeOf, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { machineWith } from "./profiled-machine.ts";
import { profileFor } from "./profiles.ts";
import { programFiles } from "./program-files.ts";
import { progressLine } from "./progress.ts";
import { runSettings } from "./run-options.ts";

export const isScript = (typed: string): boolean => typed.endsWith(".py");

/** What a recording says about the machine, in words that the catalogues understand; undefined where it does not. */
function recordedOn({ trace, readings }: OpenedFile): { gpu: GpuRow | undefined; torch: string | undefined } {
  const note = (name: string): string => String(readings?.notes.find((entry) => entry.name === name)?.value ?? "");
  const gpu = findGpu(trace?.gpu || note("gpu") || DEFAULT_GPU);
  const torch = findTorch(trace?.torch || note("torch") || DEFAULT_TORCH);
  return { gpu: gpu.ok ? gpu.value : undefined, torch: torch.ok ? torch.value : undefined };
}

export type PredictedRun =
  | { readonly ok: true; readonly trace: Trace }
  /** There is nothing to compare; what happened was said. */
  | { readonly ok: false; readonly exitCode: ExitCode };

export async function predictedRun(
  typed: string,
  recorded: OpenedFile,
  parsed: Parsed,
  locale: Locale,
  io: Io,
): Promise<PredictedRun> {
  const settings = runSettings(parsed);
  const { simulation } = settings;
  const files = programFiles(typed, settings, io);
  const { script } = files;
  const machine = recordedOn(recorded);
  const gpu = valueOf(parsed, "gpu") === undefined ? (machine.gpu ?? simulation.gpu) : simulation.gpu;
  const runProgram = await io.loadRun();
  const progress = progressLine(io);
  progress.say(message(locale, "progress_run", { script }));
  try {
    const result = await runProgram({
      ...files,
      argv: parsed.rest,
      ...simulation,
      gpu,
      torch: valueOf(parsed, "torch") === undefined ? (machine.torch ?? simulation.torch) : simulation.torch,
      ...machineWith(profileFor(settings.profile, gpu.id, io), simulation),
      signal: io.signal,
    });
    progress.end();
    const { status, exitStatus, errorText, trace } = result;
    if (status === "ok" || status === "system_exit") return { ok: true, trace };
    if (status === "internal_error") {
      io.err(`vramscope: ${message(locale, "internal_error", { reason: errorText ?? "" })}\n`);
    } else if (errorText !== null) io.err(errorText.endsWith("\n") ? errorText : `${errorText}\n`);
    if (status === "internal_error" || trace.events.kind.length === 0) {
      return { ok: false, exitCode: exitCodeOf({ status, exitStatus, doesNotFit: false, overLimit: false }) };
    }
    io.err(`vramscope: ${message(locale, "compare_program_failed")}\n`);
    return { ok: true, trace };
  } finally {
    progress.end();
  }
}
