/** Makes the request that an interpreter gets of the options of a run: names checked, paths as they are inside. */

import { AllocConfError, allocConfigFromEnvironment } from "../alloc/index.ts";
import { escapedBytes } from "../base/source-text.ts";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { type Machine, resolveMachine } from "../session/machine.ts";
import { releaseOf } from "../torch/releases.ts";
import type { WorkerRequest } from "./messages.ts";
import { HOME, placeInMemory, type ProgramPlace } from "./program-place.ts";
import { pythonRelease } from "./release.ts";
import type { RunOptions, SimulationOptions } from "./run-types.ts";

export { HOME };

/** @throws DiagnosticError for an unknown GPU or version. */
export const machineOf = (options: SimulationOptions): Machine =>
  resolveMachine({
    ...options,
    kernelTemporaries: options.kernelTemporaries !== "off",
  });

/** What depends on where the program comes from. */
export interface ProgramText {
  readonly source: string | Uint8Array;
  readonly files: WorkerRequest["files"];
  /** Where its files are inside; by default all of them are in memory. */
  readonly place?: ProgramPlace;
  readonly interrupt: SharedArrayBuffer | null;
}

/** @throws DiagnosticError for allocator options in `env` that PyTorch would refuse. */
export function requestOf(options: RunOptions, asked: Machine, program: ProgramText): WorkerRequest {
  const { script } = options;
  const { source, files, place = placeInMemory(script), interrupt } = program;
  // the host adds variables to those that were asked for
  const machine = { ...asked, env: { HOME, USER: "user", ...options.env } };
  checkAllocatorOptions(machine);
  return {
    script,
    source: typeof source === "string" ? source : escapedBytes(source),
    sourceIsEscaped: typeof source !== "string",
    module: options.module ?? null,
    argv: [...(options.argv ?? [])],
    machine,
    packages: options.packages ?? "auto",
    listings: {},
    files,
    ...place,
    interrupt,
    timeoutSeconds: options.timeoutSeconds ?? null,
    saveFiles: options.saveFiles ?? false,
    recordGraph: options.recordGraph ?? false,
    holdersAt: options.holdersAt ?? null,
    changes: (options.changes ?? []).map(({ name, lines = [] }) => [name, lines]),
    data: Object.entries(options.data ?? {}),
    passes: options.passes ?? "auto",
    together: options.askRanks !== undefined,
    cold: false,
  };
}

function checkAllocatorOptions({ env, torch }: Machine): void {
  try {
    allocConfigFromEnvironment(env, torch);
  } catch (error) {
    if (!(error instanceof AllocConfError)) throw error;
    const code = error.code.replaceAll("-", "_");
    throw new DiagnosticError(diagnostic(error.args["nearest"] ? `${code}_nearest` : code, error.args));
  }
}

/** The script of estimates, as it appears in tracebacks. */
export const ESTIMATE_SCRIPT = "estimate.py";

/** The request under which the programs of an estimate run, one after another; `files` are texts by name. */
export function estimateRequest(
  torch: string,
  files: Readonly<Record<string, string>>,
  interrupt: SharedArrayBuffer | null,
  env: Readonly<Record<string, string>> = {},
  place: ProgramPlace = placeInMemory(ESTIMATE_SCRIPT),
): WorkerRequest {
  const encoder = new TextEncoder();
  return requestOf({ script: ESTIMATE_SCRIPT, env }, machineOf({ torch }), {
    source: "",
    files: Object.entries(files).map(([name, text]) => [`${HOME}/${name}`, encoder.encode(text)] as const),
    place,
    interrupt,
  });
}

/** The request as Python reads it: JSON, without what only JavaScript can hold. */
export const requestText = (request: WorkerRequest, more: object = {}): string => {
  const { torch, kernelTemporaries, env, overrides } = request.machine;
  return JSON.stringify({
    ...request,
    env,
    release: pythonRelease(releaseOf(torch), { deepcopyCopiesStorage: kernelTemporaries, ...overrides.rules }),
    machine: undefined,
    files: undefined,
    interrupt: undefined,
    ...more,
  });
};
