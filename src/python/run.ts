/** Runs a program in a worker: the function behind `vramscope run` and the library's `run`. */

import { readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { AllocConfError, allocConfigFromEnvironment } from "../alloc/index.ts";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { DEFAULT_GPU, findGpu, type GpuRow } from "../gpus/catalogue.ts";
import { DEFAULT_TORCH, findTorch, type TorchVersion } from "../gpus/versions.ts";
import type { MachineOverrides } from "../session/create.ts";
import { TraceBuilder } from "../trace/builder.ts";
import { unpackTrace } from "../trace/packed.ts";
import { formulasOf } from "./formulas.ts";
import type { FromWorker, ProgramResult, WorkerRequest } from "./messages.ts";
import { mountFolder, PACKAGES, SCRIPT_FOLDER } from "./mounts.ts";
import { parseSymbols } from "./symbol-places.ts";
import type { OutputStream, RunOptions, RunResult, RunStatus } from "./run-types.ts";

export type { RunOptions, RunResult } from "./run-types.ts";

/** Where the script's folder appears inside. */
const HOME = "/home/user";
const packagesAt = (index: number): string => `/site-packages/${index}`;

/** How long a program that was asked to stop may take before its thread is ended. */
const GRACE_MS = 1000;
/** A request to stop can get lost in a finalizer, so it is repeated. */
const REPEAT_MS = 20;
/** A program with these may have formulas. */
const STANDS: ReadonlySet<RunStatus> = new Set<RunStatus>(["ok", "system_exit", "out_of_memory"]);
const SIGNALS = { interrupted: 2, timeout: 14 } as const;

/** Options that only tests and the conformance corpus use. */
export interface InternalOptions {
  readonly cold?: boolean;
  readonly machine?: MachineOverrides;
}

/**
 * Runs a Python program on a simulated GPU.
 *
 * @returns what happened, with the trace of every allocation; a program's own failure is a result, not an exception.
 * @throws DiagnosticError for an unknown GPU or version, a script that cannot be read, a directory that is none,
 *   allocator options in `env` that PyTorch would refuse, symbols that the program does not have or that cannot be changed.
 */
export async function runProgram(options: RunOptions, internal: InternalOptions = {}): Promise<RunResult> {
  const started = performance.now();
  const gpu = findGpu(options.gpu ?? DEFAULT_GPU);
  if (!gpu.ok) throw new DiagnosticError(gpu.error);
  const version = findTorch(options.torch ?? DEFAULT_TORCH);
  if (!version.ok) throw new DiagnosticError(version.error);
  const request = requestFor(options, internal, gpu.value, version.value);
  const output: Record<OutputStream, string[]> = { stdout: [], stderr: [] };
  const symbols = parseSymbols(options.symbols ?? []);
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const asked = symbols.length > 0 ? formulasOf(request, symbols, signal) : null;
  // what is wrong with the symbols is told when the program is done
  asked?.catch(() => {});
  const result = await inWorker(request, options, output, gpu.value);
  // a program that fails says so itself
  const stands = STANDS.has(result.status) && (result.status !== "system_exit" || result.exitStatus === 0);
  if (!stands) failed.abort();
  const formulas = await (stands ? asked : null);
  return {
    schemaVersion: 1,
    ...result,
    ...(formulas ? { formulas } : {}),
    stdout: output.stdout.join(""),
    stderr: output.stderr.join(""),
    gpu: gpu.value,
    torch: version.value,
    seconds: (performance.now() - started) / 1000,
  };
}

function requestFor(options: RunOptions, internal: InternalOptions, gpu: GpuRow, torch: TorchVersion): WorkerRequest {
  const source = options.source ?? readSource(options.script);
  const folder = options.folder ?? (options.source === undefined ? dirname(options.script) : null);
  const packages = (options.sitePackages ?? []).map((path, index) => ({ path, inside: packagesAt(index) }));
  for (const path of [...(folder === null ? [] : [folder]), ...packages.map((entry) => entry.path)]) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new DiagnosticError(diagnostic("not_a_directory", { path }));
    }
  }
  checkAllocatorOptions(options.env ?? {}, torch);
  return {
    script: options.script,
    source,
    argv: [...(options.argv ?? [])],
    gpu: gpu.id,
    torch,
    kernelTemporaries: options.kernelTemporaries !== "off",
    attention: options.attention ?? "auto",
    env: { HOME, USER: "user", ...options.env },
    files: [
      ...(folder === null ? [] : mountFolder(resolve(folder), HOME, SCRIPT_FOLDER)),
      ...packages.flatMap(({ path, inside }) => mountFolder(resolve(path), inside, PACKAGES)),
    ],
    searchPath: [HOME, ...packages.map(({ inside }) => inside)],
    workingDirectory: HOME,
    shownPaths: [
      [`${HOME}/`, options.script.slice(0, options.script.length - basename(options.script).length)],
      ...packages.map(({ path, inside }) => [`${inside}/`, `${path}/`] as const),
    ],
    interrupt: new SharedArrayBuffer(1),
    timeoutSeconds: options.timeoutSeconds ?? null,
    saveFiles: options.saveFiles ?? false,
    recordGraph: options.recordGraph ?? false,
    holdersAt: options.holdersAt ?? null,
    changes: (options.changes ?? []).map(({ name, lines = [] }) => [name, lines]),
    cold: internal.cold ?? false,
    machine: internal.machine,
  };
}

function checkAllocatorOptions(env: Readonly<Record<string, string>>, torch: TorchVersion): void {
  try {
    allocConfigFromEnvironment(env, torch);
  } catch (error) {
    if (!(error instanceof AllocConfError)) throw error;
    const code = error.code.replaceAll("-", "_");
    throw new DiagnosticError(diagnostic(error.args["nearest"] ? `${code}_nearest` : code, error.args));
  }
}

function readSource(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new DiagnosticError(diagnostic("cannot_read", { path, reason: error instanceof Error ? error.message : String(error) }));
  }
}

function inWorker(
  request: WorkerRequest,
  options: RunOptions,
  output: Record<OutputStream, string[]>,
  gpu: GpuRow,
): Promise<ProgramResult> {
  return new Promise((done) => {
    /** A result without a trace, for a program that could not be stopped gently. */
    const without = (status: RunStatus, errorText: string | null): ProgramResult => ({
      status,
      exitStatus: 1,
      errorText,
      trace: emptyTrace(request, gpu),
      stats: { peakAllocatedBytes: 0, peakReservedBytes: 0, allocatedBytes: 0, reservedBytes: 0, peakEvent: -1 },
    });
    if (options.signal?.aborted) {
      done(without("interrupted", null));
      return;
    }
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: request,
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      trackUnmanagedFds: false,
    });
    let stopping: keyof typeof SIGNALS | null = null;
    let limit: NodeJS.Timeout | undefined;
    let grace: NodeJS.Timeout | undefined;
    let repeat: NodeJS.Timeout | undefined;
    const finish = (result: ProgramResult): void => {
      clearTimeout(limit);
      clearTimeout(grace);
      clearInterval(repeat);
      options.signal?.removeEventListener("abort", onAbort);
      worker.removeAllListeners();
      worker.on("error", () => {});
      void worker.terminate();
      done(result);
    };
    /** Whatever a program that was asked to stop does then, it was stopped. */
    const end = (result: ProgramResult): void => finish(stopping === null ? result : { ...result, status: stopping });
    const stop = (why: keyof typeof SIGNALS): void => {
      if (stopping !== null) return;
      stopping = why;
      const byte = new Uint8Array(request.interrupt);
      const ask = (): void => void (byte[0] = SIGNALS[why]);
      ask();
      repeat = setInterval(ask, REPEAT_MS);
      grace = setTimeout(() => finish(without(why, null)), GRACE_MS);
    };
    const onAbort = (): void => stop("interrupted");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    worker.on("message", (message: FromWorker) => {
      switch (message.type) {
        case "progress":
          options.onProgress?.(message.phase);
          // the limit is the program's: what the interpreter takes to start does not count
          if (message.phase === "program" && options.timeoutSeconds !== undefined) {
            limit = setTimeout(() => stop("timeout"), options.timeoutSeconds * 1000);
          }
          break;
        case "output":
          output[message.stream].push(message.text);
          options.onOutput?.(message.stream, message.text);
          break;
        case "result": {
          const { type: _, trace, ...result } = message;
          end({ ...result, trace: unpackTrace(trace) });
          break;
        }
        default:
          end(without("internal_error", message.message));
      }
    });
    worker.on("error", (error) => end(without("internal_error", String(error.message).slice(0, 4000))));
    worker.on("exit", (code) => end(without("internal_error", `the worker ended with code ${code}`)));
  });
}

function emptyTrace(request: WorkerRequest, gpu: GpuRow): ProgramResult["trace"] {
  return new TraceBuilder().finish({
    source: "simulated",
    program: request.script,
    gpu: gpu.id,
    capacityBytes: gpu.totalBytes,
    torch: request.torch,
  });
}
