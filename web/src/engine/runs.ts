/** Runs of programs in the page: what `run` and the estimate's runs are in the npm package, with the same options and results. */

import { DiagnosticError } from "../../../src/base/diagnostic.ts";
import type { Formulas } from "../../../src/formulas/index.ts";
import type { EstimateAnswer } from "../../../src/python/estimate-orders.ts";
import { followRun, type RunFollower } from "../../../src/python/follow-run.ts";
import { liveFigures, type LiveFigures } from "../../../src/trace/live-figures.ts";
import { copyOf, type SharedTrace } from "../../../src/trace/recorder-memory.ts";
import type { LeftBehind } from "../../../src/python/relay-messages.ts";
import type { WorkerRequest } from "../../../src/python/messages.ts";
import { estimateRequest, HOME, machineOf, requestOf } from "../../../src/python/request.ts";
import { keptOutput, type KeptOutput } from "../../../src/python/kept-output.ts";
import type { RunOptions, RunResult, RunStatus } from "../../../src/python/run-types.ts";
import { runResult, unfinishedRun } from "../../../src/python/run-trace.ts";
import { parseSymbols } from "../../../src/python/symbol-places.ts";
import type { Measure } from "../../../src/estimate/estimate.ts";
import { OFFLINE, placeInMemory, withPackages } from "../../../src/python/program-place.ts";
import { packedPackages } from "../packages/kept-packages.ts";
import type { PackedFiles } from "./protocol.ts";
import { startOwn, takeThread, type PythonThread } from "./python-pool.ts";

/** A program of the page: its text is given, and what lies beside it. */
export interface PageProgram extends RunOptions {
  readonly source: string;
  /** Other files that the program may read, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Told some times in a second what the program has allocated, where the page may look on. */
  readonly onFigures?: (figures: LiveFigures) => void;
}

/** Often enough to follow with the eye. */
const LOOK_EVERY_MS = 250;

function pageRequest(options: PageProgram, packages: Packages): WorkerRequest {
  const encoder = new TextEncoder();
  const place = placeInMemory(options.script);
  const env = packages === null ? options.env : { ...OFFLINE, ...options.env };
  return requestOf({ ...options, ...(env && { env }) }, machineOf(options), {
    source: options.source,
    place: packages === null ? place : withPackages(place),
    files: Object.entries(options.files ?? {}).map(
      ([name, text]) => [`${HOME}/${name}`, encoder.encode(text)] as const,
    ),
    // threads share memory only where the server isolates the page: Stop ends the worker instead
    interrupt: null,
  });
}

/**
 * Runs a program. Aborting `signal` ends it at once, as `timeoutSeconds` does; the trace goes up to there.
 *
 * @throws {DiagnosticError} for an unknown GPU or version, and for allocator options that PyTorch would refuse
 */
export async function runInPage(options: PageProgram): Promise<RunResult> {
  const started = performance.now();
  const { gpu, torch } = machineOf(options);
  const packages = await packedPackages();
  const request = pageRequest(options, packages);
  const output = keptOutput();
  const snapshot = packages === null ? null : await ownInterpreter(request, options, packages);
  const result = await oneRun(request, options, output, packages, snapshot);
  const stands = result.status === "ok" || result.status === "out_of_memory";
  const formulas =
    stands && options.symbols !== undefined && options.symbols.length > 0
      ? await formulasInPage(options, options.symbols)
      : null;
  return {
    schemaVersion: 1,
    ...result,
    ...(formulas === null ? {} : { formulas }),
    ...output.result,
    gpu,
    torch,
    seconds: (performance.now() - started) / 1000,
  };
}

/** One that has imported the program's packages already, where that is worth while. */
async function ownInterpreter(
  request: WorkerRequest,
  { signal, onProgress }: PageProgram,
  packages: readonly PackedFiles[],
): Promise<Blob | null> {
  const { packageInterpreter } = await import("./package-interpreter.ts");
  return packageInterpreter({ request, packages, signal, onMaking: () => onProgress?.("packages") });
}

type OneRun = Omit<RunResult, "schemaVersion" | "stdout" | "stderr" | "outputLeftOut" | "gpu" | "torch" | "seconds">;

/** What programs of the page find installed. */
type Packages = readonly PackedFiles[] | null;

function oneRun(
  request: WorkerRequest,
  options: PageProgram,
  output: KeptOutput,
  packages: Packages,
  snapshot: Blob | null,
): Promise<OneRun> {
  return new Promise((done) => {
    if (options.signal?.aborted) {
      done(unfinishedRun(request, "interrupted", null, null));
      return;
    }
    const thread = snapshot === null ? takeThread() : startOwn({ snapshot, freeze: false });
    let limit: ReturnType<typeof setTimeout> | undefined;
    let looking: ReturnType<typeof setInterval> | undefined;
    let shared: SharedTrace | null = null;
    /** What the thread recorded up to now; nothing where the page may not share memory with it. */
    const left = (): LeftBehind => (shared === null ? {} : copyOf(shared));
    const finish = (result: () => OneRun): void => {
      clearTimeout(limit);
      clearInterval(looking);
      options.signal?.removeEventListener("abort", onAbort);
      thread.end();
      done(result());
    };
    const without = (status: RunStatus, errorText: string | null): void =>
      finish(() => unfinishedRun(request, status, errorText, left()));
    const onAbort = (): void => without("interrupted", null);
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const follower: RunFollower = {
      onProgram: () => {
        if (options.onFigures !== undefined && shared !== null) {
          const figuresNow = liveFigures(shared);
          looking = setInterval(() => options.onFigures!(figuresNow()), LOOK_EVERY_MS);
        }
        if (options.timeoutSeconds !== undefined) {
          limit = setTimeout(() => without("timeout", null), options.timeoutSeconds * 1000);
        }
      },
      onResult: (end, trace) => finish(() => runResult(request, end, trace ?? left())),
      onFailure: (message) => without("internal_error", message),
    };
    thread.listen((message) => {
      switch (message.type) {
        case "shared_memory":
          shared = message.memory;
          break;
        case "progress":
        case "output":
        case "result":
        case "failed":
          followRun(message, options, output, follower);
          break;
        default:
      }
    });
    options.onProgress?.("python");
    if (packages !== null) thread.send({ type: "packages", packages });
    thread.send({ type: "run", request });
  });
}

/**
 * The closed forms of a program's memory.
 *
 * @returns null when it was aborted
 * @throws {DiagnosticError} for symbols that the program does not have or that cannot be changed
 */
export async function formulasInPage(options: PageProgram, symbols: readonly string[]): Promise<Formulas | null> {
  const packages = await packedPackages();
  return new Promise((done, fail) => {
    const specs = parseSymbols(symbols);
    const thread = takeThread();
    const finish = (tell: () => void): void => {
      options.signal?.removeEventListener("abort", onAbort);
      thread.end();
      tell();
    };
    const onAbort = (): void => finish(() => done(null));
    options.signal?.addEventListener("abort", onAbort, { once: true });
    thread.listen((message) => {
      if (message.type === "formulas") finish(() => done(message.formulas));
      else if (message.type === "refused") finish(() => fail(new DiagnosticError(message.diagnostic)));
      else if (message.type === "failed") finish(() => fail(new Error(message.message)));
    });
    if (packages !== null) thread.send({ type: "packages", packages });
    thread.send({ type: "formulas", request: pageRequest(options, packages), symbols: specs });
  });
}

export interface PageEstimateRuns {
  readonly run: Measure;
  close(): void;
}

/** The runs behind an estimate, as `openEstimateRuns` of the npm package; `files` are texts of configurations by name. */
export function openPageRuns(torch: string, files: Readonly<Record<string, string>>): PageEstimateRuns {
  const thread: PythonThread = takeThread();
  const waiting = new Map<number, { done: (answer: EstimateAnswer) => void; fail: (error: Error) => void }>();
  let next = 0;
  let broken: Error | null = null;
  const breakAll = (error: Error): void => {
    broken ??= error;
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  };
  thread.listen((message) => {
    if (message.type === "answer") {
      waiting.get(message.answer.id)?.done(message.answer);
      waiting.delete(message.answer.id);
    } else if (message.type === "failed") breakAll(new Error(message.message));
  });
  thread.send({ type: "estimate", request: estimateRequest(torch, files, null) });
  return {
    run: async (program, gpu, totalBytes) => {
      if (broken !== null) throw broken;
      const id = next++;
      const answer = await new Promise<EstimateAnswer>((done, fail) => {
        waiting.set(id, { done, fail });
        thread.send({ type: "order", order: { id, program, gpu, totalBytes } });
      });
      if ("failed" in answer) throw new Error(answer.failed);
      return { status: answer.status, error: answer.error, digest: answer.digest };
    },
    close: () => {
      breakAll(new DiagnosticError({ code: "estimate_interrupted", args: {} }));
      thread.end();
    },
  };
}
