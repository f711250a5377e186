/** Runs a program in a process of its own: the function behind `vramscope run` and the library's `run`. */

import { readFileSync } from "node:fs";
import { sourceText } from "../base/source-text.ts";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { MachineOverrides } from "../session/machine.ts";
import { failureText } from "./failure-text.ts";
import { followRun, type RunFollower } from "./follow-run.ts";
import { formulasOf } from "./formulas.ts";
import type { FromWorker, ProgramResult, WorkerRequest } from "./messages.ts";
import { hostFolders, type HostMount } from "./host-folders.ts";
import { listingsOf, type HostFiles } from "./host-files.ts";
import { offerFiles, placeOnHost } from "./host-place.ts";
import { HostFault, OutOfHostMemory, saysOutOfMemory, takeProcess, takeProcessFrom } from "./program-process.ts";
import { RANK_SERVICE } from "./rank-questions.ts";
import { READER_SERVICE } from "./relay-messages.ts";
import type { LeftBehind } from "./relay-messages.ts";
import type { Machine } from "../session/machine.ts";
import { machineOf, requestOf } from "./request.ts";
import { keptOutput, type KeptOutput } from "./kept-output.ts";
import { parseSymbols } from "./symbol-places.ts";
import { emptyTrace, runResult, unfinishedRun } from "./run-trace.ts";
import type { RunOptions, RunResult, RunStatus } from "./run-types.ts";

export type { RunOptions, RunResult } from "./run-types.ts";

/** How long a program that was asked to stop may take before its thread is ended. */
const GRACE_MS = 1000;
/** A program with these may have formulas. */
const STANDS: ReadonlySet<RunStatus> = new Set<RunStatus>(["ok", "system_exit", "out_of_memory"]);
/** Messages of other tasks, and of the relay. */
const NOT_OF_RUNS: ReadonlySet<string> = new Set(["answer", "formulas", "frozen", "shared_memory"]);
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
  const machine = machineOf(options);
  const { gpu, torch } = machine;
  const hosted = requestFor(options, internal, machine);
  const output = keptOutput();
  const symbols = parseSymbols(options.symbols ?? []);
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const asked =
    symbols.length > 0 ? formulasOf(asText(hosted.request, options.source), hosted.files, symbols, signal) : null;
  // what is wrong with the symbols is told when the program is done
  asked?.catch(() => {});
  const result = await inProcess(hosted, await snapshotFor(hosted, options), options, output);
  // a program that fails says so itself
  const stands = STANDS.has(result.status) && (result.status !== "system_exit" || result.exitStatus === 0);
  if (!stands) failed.abort();
  const formulas = await (stands ? asked : null);
  return {
    schemaVersion: 1,
    ...result,
    ...(formulas ? { formulas } : {}),
    ...output.result,
    gpu,
    torch,
    seconds: (performance.now() - started) / 1000,
  };
}

/** What the process gets, and what it may ask for. */
interface HostedRequest {
  readonly mounts: readonly HostMount[];
  readonly request: WorkerRequest;
  readonly files: HostFiles;
}

function requestFor(options: RunOptions, internal: InternalOptions, machine: Machine): HostedRequest {
  const source = options.source ?? readSource(options.script);
  const { place, mounts, env } = placeOnHost(options);
  const request = requestOf({ ...options, env }, machine, { source, files: [], place, interrupt: null });
  const files = hostFolders(mounts, options.shownFiles);
  const listings = listingsOf(files, [...new Set([...request.mounts, ...request.searchPath])]);
  const { cold = false, machine: overrides = machine.overrides } = internal;
  return { request: { ...request, listings, cold, machine: { ...request.machine, overrides } }, mounts, files };
}

/** The request of runs that change numbers in the program's text: the text itself. */
function asText(request: WorkerRequest, programSource: RunOptions["source"]): WorkerRequest {
  if (!request.sourceIsEscaped) return request;
  const bytes = programSource instanceof Uint8Array ? programSource : readSource(request.script);
  return { ...request, source: sourceText(bytes), sourceIsEscaped: false };
}

/** The snapshot with the program's packages, where there is a cache and it is worth while. */
async function snapshotFor({ request, mounts, files }: HostedRequest, options: RunOptions): Promise<string | null> {
  const { cacheFolder, signal, onProgress } = options;
  if (cacheFolder === undefined || request.cold || signal?.aborted) return null;
  const { packageSnapshot, snapshotFolder } = await import("./package-snapshots.ts");
  const onMaking = (): void => onProgress?.("packages");
  return packageSnapshot({ folder: snapshotFolder(cacheFolder), request, mounts, files, signal, onMaking });
}

function readSource(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new DiagnosticError(
      diagnostic("cannot_read", { path, reason: error instanceof Error ? error.message : String(error) }),
    );
  }
}

function inProcess(
  { request, files }: HostedRequest,
  snapshot: string | null,
  options: RunOptions,
  output: KeptOutput,
): Promise<ProgramResult> {
  return new Promise((done, fail) => {
    if (options.signal?.aborted) {
      // nothing ran: there is nothing to be lost
      done(runResult(request, { status: "interrupted", exitStatus: 1, errorText: null }, emptyTrace(request)));
      return;
    }
    options.onProgress?.("python");
    const runner = snapshot === null ? takeProcess(request.cold) : takeProcessFrom(snapshot);
    offerFiles(runner, files);
    let read: unknown;
    runner.offer(READER_SERVICE, () => read);
    if (options.askRanks !== undefined) runner.offer(RANK_SERVICE, options.askRanks);
    let stopping: keyof typeof SIGNALS | null = null;
    let limit: NodeJS.Timeout | undefined;
    let grace: NodeJS.Timeout | undefined;
    let isOver = false;
    /** What the thread recorded is fetched before its process ends. */
    const finish = async (
      result: (left: LeftBehind) => ProgramResult,
      left: LeftBehind | Promise<LeftBehind> = runner.handOver(),
    ): Promise<void> => {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      clearTimeout(grace);
      options.signal?.removeEventListener("abort", onAbort);
      const recorded = await left;
      runner.end();
      try {
        done(result(recorded));
      } catch (error) {
        // a program that does not keep to its part can spoil what is recorded of it, and nothing else
        done(unfinishedRun(request, "internal_error", `what was recorded cannot be read: ${failureText(error)}`, null));
      }
    };
    const breakOff = (status: RunStatus, errorText: string | null, left?: LeftBehind): Promise<void> =>
      finish(
        (recorded) => unfinishedRun(request, stopping ?? status, stopping === null ? errorText : null, recorded),
        left,
      );
    const stop = (why: keyof typeof SIGNALS): void => {
      if (stopping !== null) return;
      stopping = why;
      runner.interrupt(SIGNALS[why]);
      grace = setTimeout(() => void breakOff(why, null), GRACE_MS);
    };
    const onAbort = (): void => stop("interrupted");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const follower: RunFollower = {
      onProgram: () => {
        // the limit is the program's: what the interpreter takes to start does not count
        if (options.timeoutSeconds !== undefined)
          limit = setTimeout(() => stop("timeout"), options.timeoutSeconds * 1000);
      },
      onOutput: (promise) => (read = promise),
      // whatever a program that was asked to stop does then, it was stopped
      onResult: (end, trace) =>
        void finish((left) => runResult(request, { ...end, status: stopping ?? end.status }, trace ?? left)),
      onFailure: (message) =>
        void (saysOutOfMemory(message) ? breakOff("host_out_of_memory", null) : breakOff("internal_error", message)),
    };
    runner.listen({
      onMessage: (message) => {
        if (message.type === "refused") fail(new DiagnosticError(message.diagnostic));
        else if (!NOT_OF_RUNS.has(message.type)) followRun(message as FromWorker, options, output, follower);
      },
      onBroken: (error, left) =>
        void (error instanceof OutOfHostMemory
          ? breakOff("host_out_of_memory", null, left)
          : breakOff(error instanceof HostFault ? "host_fault" : "internal_error", error.message, left)),
    });
    runner.send({ type: "run", request });
  });
}
