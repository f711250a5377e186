/** One program in a started interpreter: wires a session to Python, runs the file, collects the trace. */

import type { PyodideInterface } from "pyodide";
import { createProcess } from "../session/create.ts";
import type { Session } from "../session/session.ts";
import type { HolderLink, HolderTable } from "../session/holders.ts";
import { createBridge, type PythonDispatcher } from "./bridge.ts";
import { callsOf } from "./freeze-packages.ts";
import type { ProgramEnd, WorkerRequest } from "./messages.ts";
import { giveFunctions } from "./native-functions.ts";
import { numberedOps } from "./op-table.ts";
import { viewGraph, type AutogradGraph } from "../autograd/graph-view.ts";
import type { TraceBuilder } from "../trace/builder.ts";
import { packTrace, type PackedTrace } from "../trace/packed.ts";
import type { SharedTrace } from "../trace/recorder-memory.ts";
import { shownPath, traceMeta } from "./run-trace.ts";
import { filesWritten } from "./written-files.ts";
import { repeatCalls } from "./recorded-calls.ts";
import { outcomeOf } from "./outcome.ts";
import type { OutputStream } from "./run-types.ts";
import { requestText } from "./request.ts";

/** How a program ended, with its trace where that is not in shared memory. */
export type TracedEnd = ProgramEnd & { readonly trace: PackedTrace | null };

export interface ProgramHooks {
  readonly output: (stream: OutputStream, text: string) => void;
  /** Called when everything is loaded and nothing of the program has run. */
  readonly beforeProgram: () => void;
  /** Asks the ranks that run beside this one. */
  readonly askRanks?: (question: unknown) => unknown;
  /** Called when the program ends itself at once, by `os._exit`: this thread does nothing any more. */
  readonly left: (end: TracedEnd) => void;
}

/** The assumptions that name a program whose tensors are all on the CPU, and one that counted the GPUs and made none. */
const UNUSED_GPU = "unused_gpu";
const NOTHING_MADE = "unused_gpu_nothing";

/** The assumption that names an optimizer which never stepped; what stood in for data is said by codes that begin so. */
const UNSTEPPED = "optimizer_unstepped";
const STOOD_IN = "placeholder_";

/** What a program prints is passed on in pieces of at most this. */
const PIECE_BYTES = 2 ** 20;

/**
 * @param shared where the trace is recorded, so that it outlives this thread; null where threads share no memory
 * @returns how it ended; its trace is in `shared`, or beside it where there is no shared memory
 */
export function runInInterpreter(
  pyodide: PyodideInterface,
  request: WorkerRequest,
  shared: SharedTrace | null,
  hooks: ProgramHooks,
): TracedEnd {
  const { session, trace } = createProcess(request.machine, shared);
  const { askRanks } = hooks;
  const shown = (path: string): string => shownPath(path, request);
  const rankLine = request.together && askRanks !== undefined ? { ask: askRanks, shown } : null;
  const bridge = createBridge(session, numberedOps, request.passes, rankLine);
  for (const stream of ["stdout", "stderr"] as const) {
    const decoder = new TextDecoder();
    const options = {
      write: (bytes: Uint8Array): number => {
        // a text may be longer than a string of JavaScript
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          hooks.output(stream, decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }));
        }
        return bytes.length;
      },
      isatty: false,
    };
    if (stream === "stdout") pyodide.setStdout(options);
    else pyodide.setStderr(options);
  }
  // at its end, as standard input of a job is
  pyodide.setStdin({ stdin: () => null });
  placeFiles(pyodide, request);
  let graph: AutogradGraph | null = null;
  let holders: HolderTable | null = null;
  const { holdersAt } = request;
  const withRest = (end: ProgramEnd): TracedEnd => {
    sayUnused(session, trace);
    sayUnstepped(session, trace);
    bridge.end();
    return rest(end);
  };
  const rest = (end: ProgramEnd): TracedEnd => ({
    ...end,
    trace: shared === null ? packTrace(trace.finish(traceMeta(request))) : null,
    firstGpu: session.memory.firstGpu,
    ...(request.saveFiles ? { files: filesWritten(pyodide, request) } : {}),
    ...(request.recordGraph ? { graph } : {}),
    ...(holdersAt === null ? {} : { holders: holders && shownHolders(holders, request) }),
  });
  const leave = (status: number): never => {
    hooks.left(withRest({ status: "system_exit", exitStatus: status & 255, errorText: null }));
    return waitForTheEnd();
  };
  // Python sees these functions and nothing else of JavaScript
  const functions = { ...bridge.functions, leave };
  pyodide.runPython("import types\n_engine = types.SimpleNamespace()");
  giveFunctions(pyodide, "_engine", Object.keys(functions), () => functions);
  pyodide.globals.set("_request", requestText(request));
  const dispatcher = pyodide.runPython("import torch._C as _c; _c.dispatch") as PythonDispatcher;
  repeatCalls(bridge.functions, callsOf(pyodide));
  bridge.connectPython(dispatcher);
  const outcome = outcomeOf(
    pyodide,
    pyodide.runPython("import vramscope_boot\nvramscope_boot.prepare(_engine, _request)"),
  );
  // from here on a request to stop is heard: what is loaded before is not the program's
  // and of timers of its own, which need one, too
  pyodide.setInterruptBuffer(new Uint8Array(request.interrupt ?? new ArrayBuffer(1)));
  if (request.recordGraph) {
    session.onBackward = (roots) => {
      graph ??= viewGraph(roots, trace.eventCount);
    };
  }
  hooks.beforeProgram();
  if (holdersAt !== null) trace.watch(holdersAt, () => (holders = bridge.holders(holdersAt)));
  return withRest(outcome.carryOut(() => trace.ranOut));
}

/** A program that puts nothing on the GPU fits every one, which is hardly what was asked. */
function sayUnused({ memory, devices }: Session, trace: TraceBuilder): void {
  if (memory.initialized) return;
  const { peakBytes, largestFrame, deviceOption, countAsked } = memory.host;
  const option: Record<string, string> = deviceOption === "" ? {} : { option: deviceOption };
  if (peakBytes > 0) trace.assumption(UNUSED_GPU, { hostBytes: peakBytes, ...option }, largestFrame);
  else if (countAsked) trace.assumption(NOTHING_MADE, { gpus: devices }, -1);
}

/** Training that never began, because nothing came out of what stood in for its data, tells nothing of its memory. */
function sayUnstepped({ optimizerMade, optimizerSteps }: Session, trace: TraceBuilder): void {
  if (optimizerMade >= 0 && optimizerSteps === 0 && trace.hasAssumed(STOOD_IN))
    trace.assumption(UNSTEPPED, {}, optimizerMade);
}

/** Whoever heard that the program left ends this thread. */
function waitForTheEnd(): never {
  const nothing = typeof SharedArrayBuffer === "function" ? new Int32Array(new SharedArrayBuffer(4)) : null;
  for (;;) if (nothing !== null) Atomics.wait(nothing, 0, 0);
}

/** Holders with the names by which people know files. */
function shownHolders(table: HolderTable, request: WorkerRequest): HolderTable {
  const shown = (link: HolderLink): HolderLink =>
    link.kind !== "python"
      ? link
      : {
          kind: "python",
          steps: link.steps.map(([kind, ...details]) => [
            kind,
            ...details.map((detail) => (typeof detail === "string" ? shownPath(detail, request) : detail)),
          ]),
        };
  return {
    ...table,
    blocks: table.blocks.map(({ block, chains }) => ({ block, chains: chains.map((chain) => chain.map(shown)) })),
  };
}

export function placeFiles(pyodide: PyodideInterface, request: WorkerRequest): void {
  const { FS } = pyodide;
  FS.mkdirTree(request.workingDirectory);
  for (const [path, bytes] of request.files) {
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
    FS.writeFile(path, bytes);
  }
  FS.chdir(request.workingDirectory);
}
