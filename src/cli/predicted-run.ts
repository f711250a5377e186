/** The prediction of a comparison, when it is a script: it runs under the GPU and version that the recording names, unless told otherwise. */

import type { OpenedFile } from "../formats/foreign-format.ts";
import { DEFAULT_GPU, findGpu } from "../gpus/catalogue.ts";
import { DEFAULT_TORCH, findTorch } from "../gpus/versions.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Trace } from "../trace/model.ts";
import { valueOf, type Parsed } from "./command.ts";
import { readScript, requireDirectory } from "./files.ts";
import type { Io } from "./io.ts";
import { progressLine } from "./progress.ts";
import { runSettings } from "./run-options.ts";

export const isScript = (typed: string): boolean => typed.endsWith(".py");

/** What a recording says about the machine, in words that the catalogues understand; undefined where it does not. */
function recordedOn({ trace, readings }: OpenedFile): { gpu: string | undefined; torch: string | undefined } {
  const note = (name: string): string => String(readings?.notes.find((entry) => entry.name === name)?.value ?? "");
  const gpu = findGpu(trace?.gpu || note("gpu") || DEFAULT_GPU);
  const torch = findTorch(trace?.torch || note("torch") || DEFAULT_TORCH);
  return { gpu: gpu.ok ? gpu.value.id : undefined, torch: torch.ok ? torch.value : undefined };
}

export async function predictedRun(
  typed: string,
  recorded: OpenedFile,
  parsed: Parsed,
  locale: Locale,
  io: Io,
): Promise<Trace> {
  const settings = runSettings(parsed);
  const { script, source, folder } = readScript(typed, io);
  const machine = recordedOn(recorded);
  const runProgram = await io.loadRun();
  const progress = progressLine(io);
  progress.say(message(locale, "progress_run", { script }));
  try {
    const result = await runProgram({
      script,
      source,
      folder,
      argv: parsed.rest,
      gpu: valueOf(parsed, "gpu") === undefined ? (machine.gpu ?? settings.gpu) : settings.gpu,
      torch: valueOf(parsed, "torch") === undefined ? (machine.torch ?? settings.torch) : settings.torch,
      kernelTemporaries: settings.kernelTemporaries,
      attention: settings.attention,
      timeoutSeconds: settings.timeoutSeconds,
      sitePackages: settings.sitePackages.map((directory) => requireDirectory(directory, io)),
      env: settings.env,
      signal: io.signal,
    });
    progress.end();
    if (result.status !== "ok" && result.status !== "system_exit") {
      if (result.errorText !== null) io.err(result.errorText.endsWith("\n") ? result.errorText : `${result.errorText}\n`);
      io.err(`vramscope: ${message(locale, "compare_program_failed")}\n`);
    }
    return result.trace;
  } finally {
    progress.end();
  }
}
