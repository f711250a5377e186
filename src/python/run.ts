/** Runs a program in a worker: the function behind `vramscope run` and the library's `run`. */

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { DiagnosticError } from "../base/diagnostic.ts";
import { DEFAULT_GPU, findGpu } from "../gpus/catalogue.ts";
import { DEFAULT_TORCH, findTorch } from "../gpus/versions.ts";
import { TraceBuilder } from "../trace/builder.ts";
import type { FromWorker, MachineOverrides, ProgramResult, WorkerRequest } from "./messages.ts";
import { mountFolder } from "./mounts.ts";
import type { OutputStream, RunOptions, RunResult, RunStatus } from "./run-types.ts";

export type { RunOptions, RunResult } from "./run-types.ts";

/** Where the script's folder appears inside. */
const HOME = "/home/user";

/** Options that only tests and the conformance corpus use. */
export interface InternalOptions {
  readonly cold?: boolean;
  readonly machine?: MachineOverrides;
}

/**
 * Runs a Python program on a simulated GPU.
 *
 * @returns what happened, with the trace of every allocation; a program's own failure is a result, not an exception.
 * @throws DiagnosticError for an unknown GPU or version, or a script that cannot be read.
 */
export async function runProgram(options: RunOptions, internal: InternalOptions = {}): Promise<RunResult> {
  const started = performance.now();
  const gpu = findGpu(options.gpu ?? DEFAULT_GPU);
  if (!gpu.ok) throw new DiagnosticError(gpu.error);
  const version = findTorch(options.torch ?? DEFAULT_TORCH);
  if (!version.ok) throw new DiagnosticError(version.error);
  const source = options.source ?? readFileSync(options.script, "utf8");
  const folder = options.source === undefined ? dirname(resolve(options.script)) : null;
  const request: WorkerRequest = {
    script: options.script,
    source,
    argv: [...(options.argv ?? [])],
    gpu: gpu.value.id,
    torch: version.value,
    kernelTemporaries: options.kernelTemporaries !== "off",
    attention: options.attention ?? "auto",
    env: { HOME, USER: "user", ...options.env },
    files: [
      ...(folder ? mountFolder(folder, HOME, false) : []),
      ...(options.sitePackages ?? []).flatMap((dir, i) => mountFolder(resolve(dir), `/site-packages/${i}`, true)),
    ],
    searchPath: [HOME, ...(options.sitePackages ?? []).map((_, i) => `/site-packages/${i}`)],
    workingDirectory: HOME,
    cold: internal.cold ?? false,
    machine: internal.machine,
  };
  const output: Record<OutputStream, string[]> = { stdout: [], stderr: [] };
  const result = await inWorker(request, options, output);
  return {
    schemaVersion: 1,
    ...result,
    stdout: output.stdout.join(""),
    stderr: output.stderr.join(""),
    gpu: gpu.value,
    torch: version.value,
    seconds: (performance.now() - started) / 1000,
  };
}

function inWorker(
  request: WorkerRequest,
  options: RunOptions,
  output: Record<OutputStream, string[]>,
): Promise<ProgramResult> {
  return new Promise((done) => {
    const stopped = (status: RunStatus, text: string | null): ProgramResult => ({
      status,
      exitStatus: 1,
      errorText: text,
      trace: emptyTrace(request),
      stats: { peakAllocatedBytes: 0, peakReservedBytes: 0, allocatedBytes: 0, reservedBytes: 0, peakEvent: -1 },
    });
    if (options.signal?.aborted) {
      done(stopped("interrupted", null));
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
    let timer: NodeJS.Timeout | undefined;
    const finish = (result: ProgramResult): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      worker.removeAllListeners();
      worker.on("error", () => {});
      void worker.terminate();
      done(result);
    };
    const onAbort = (): void => finish(stopped("interrupted", null));
    options.signal?.addEventListener("abort", onAbort, { once: true });
    if (options.timeoutSeconds !== undefined)
      timer = setTimeout(() => finish(stopped("timeout", null)), options.timeoutSeconds * 1000);
    worker.on("message", (message: FromWorker) => {
      switch (message.type) {
        case "progress":
          options.onProgress?.(message.phase);
          break;
        case "output":
          output[message.stream].push(message.text);
          options.onOutput?.(message.stream, message.text);
          break;
        case "result": {
          const { type: _, ...result } = message;
          finish(result);
          break;
        }
        default:
          finish(stopped("internal_error", message.message));
      }
    });
    worker.on("error", (error) => finish(stopped("internal_error", String(error.message).slice(0, 4000))));
    worker.on("exit", (code) => finish(stopped("internal_error", `the worker ended with code ${code}`)));
  });
}

function emptyTrace(request: WorkerRequest): ProgramResult["trace"] {
  const gpu = findGpu(request.gpu);
  return new TraceBuilder().finish({
    source: "simulated",
    program: request.script,
    gpu: request.gpu,
    capacityBytes: gpu.ok ? gpu.value.totalBytes : 0,
    torch: request.torch,
  });
}
