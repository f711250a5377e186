/** What the thread of an interpreter is told to do, and how it obeys; the same in Node and in a browser. */

import { DiagnosticError, type Diagnostic } from "../base/diagnostic.ts";
import type { Formulas } from "../formulas/index.ts";
import { buffersOf } from "../trace/packed.ts";
import { sharedTrace, type SharedTrace } from "../trace/recorder-memory.ts";
import { orderTaker, type EstimateAnswer, type EstimateOrder } from "./estimate-orders.ts";
import { failureText } from "./failure-text.ts";
import { findFormulas } from "./find-formulas.ts";
import type { HostFiles } from "./host-files.ts";
import { mountHost } from "./host-mount.ts";
import { freezePackages, type FrozenPackages } from "./freeze-packages.ts";
import type { Interpreter } from "./interpreter.ts";
import type { FromWorker, WorkerRequest } from "./messages.ts";
import { runInInterpreter, type TracedEnd } from "./program.ts";
import { repeatedProgram } from "./repeated-program.ts";
import { closeSandbox } from "./sandbox.ts";
import type { SymbolSpec } from "./symbol-places.ts";

export type Task =
  /** Runs one program; after it the thread is of no use. */
  | { readonly type: "run"; readonly request: WorkerRequest }
  /** Finds the closed forms of one program's memory; after it the thread is of no use. */
  | { readonly type: "formulas"; readonly request: WorkerRequest; readonly symbols: readonly SymbolSpec[] }
  /** From now on the thread takes orders. */
  | { readonly type: "estimate"; readonly request: WorkerRequest }
  /** Imports packages and hands over the interpreter's memory; after it the thread is of no use. */
  | { readonly type: "freeze"; readonly request: WorkerRequest; readonly imports: readonly string[] }
  | { readonly type: "order"; readonly order: EstimateOrder };

/** Memory that outlives the thread, by name; said once. */
export interface SharedMemory {
  readonly type: "shared_memory";
  readonly memory: SharedTrace;
}

export type FromTask =
  | FromWorker
  | SharedMemory
  | { readonly type: "formulas"; readonly formulas: Formulas }
  | { readonly type: "refused"; readonly diagnostic: Diagnostic }
  | ({ readonly type: "frozen" } & FrozenPackages)
  | { readonly type: "answer"; readonly answer: EstimateAnswer };

export interface TaskThread {
  /** Started before the first task comes, so that the task need not wait for all of it. */
  readonly interpreter: Promise<Interpreter>;
  readonly post: (message: FromTask, handOver?: ArrayBuffer[]) => void;
  /** Takes away what this kind of host offers; see sandbox.ts. */
  readonly closeHost: () => void;
  /** Where the folders that a request mounts come from. */
  readonly hostFiles: HostFiles;
  /** Asks the ranks that run beside this one, where there may be some. */
  readonly askRanks?: (question: unknown) => unknown;
}

/** A function that takes tasks and carries them out one after another. */
export function taskTaker({ interpreter, post, closeHost, hostFiles, askRanks }: TaskThread): (task: Task) => void {
  let take: ReturnType<typeof orderTaker> | null = null;

  async function obey(task: Task): Promise<void> {
    if (task.type === "order") {
      if (take === null) throw new Error("no program takes orders here");
      post({ type: "answer", answer: take(task.order) });
      return;
    }
    const memory = task.type === "run" ? sharedTrace() : null;
    if (memory !== null) post({ type: "shared_memory", memory });
    const { pyodide, warm, closeCalls } = await interpreter;
    mountHost(pyodide, hostFiles, task.request.mounts, task.request.listings);
    const close = (): void => {
      closeHost();
      closeCalls();
    };
    if (task.type === "freeze") {
      const frozen = freezePackages(pyodide, task.request, task.imports, close);
      post({ type: "frozen", ...frozen }, [frozen.snapshot.buffer as ArrayBuffer]);
    } else if (task.type === "estimate") {
      take = orderTaker(repeatedProgram(pyodide, task.request, close));
    } else if (task.type === "formulas") {
      post({ type: "formulas", formulas: findFormulas(pyodide, task.request, task.symbols, close) });
    } else {
      post({ type: "progress", phase: warm ? "warm" : "cold" });
      const end = (result: TracedEnd): void =>
        post({ type: "result", ...result }, result.trace === null ? [] : buffersOf(result.trace));
      const result = runInInterpreter(pyodide, task.request, memory, {
        left: end,
        askRanks,
        output: (stream, text) => post({ type: "output", stream, text }),
        beforeProgram: () => {
          closeSandbox(pyodide, close);
          post({ type: "progress", phase: "program" });
        },
      });
      end(result);
    }
  }

  // what arrives while the interpreter is prepared waits for it
  let queue: Promise<void> = Promise.resolve();
  return (task) => {
    queue = queue
      .then(() => obey(task))
      .catch((error: unknown) => {
        if (error instanceof DiagnosticError) post({ type: "refused", diagnostic: error.diagnostic });
        else post({ type: "failed", message: failureText(error) });
      });
  };
}
