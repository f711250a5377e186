/** The worker in which a program runs: an interpreter is made ready beforehand, runs what it gets, and is then of no use. */

import { DiagnosticError } from "../../../src/base/diagnostic.ts";
import { orderTaker } from "../../../src/python/estimate-orders.ts";
import { failureText } from "../../../src/python/failure-text.ts";
import { findFormulas } from "../../../src/python/find-formulas.ts";
import { startInterpreter, type Interpreter } from "../../../src/python/interpreter.ts";
import { runInInterpreter } from "../../../src/python/program.ts";
import { repeatedProgram } from "../../../src/python/repeated-program.ts";
import { closeSandbox } from "../../../src/python/sandbox.ts";
import { buffersOf, packTrace } from "../../../src/trace/packed.ts";
import { browserParts } from "./browser-parts.ts";
import { closeBrowser } from "./browser-sandbox.ts";
import type { FromPython, ToPython } from "./protocol.ts";

interface WorkerScope {
  postMessage(message: FromPython, handOver?: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToPython>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const post = scope.postMessage.bind(scope);
let interpreter: Promise<Interpreter> | null = null;
let take: ReturnType<typeof orderTaker> | null = null;

async function load(base: string, cold: boolean): Promise<void> {
  const started = performance.now();
  const parts = browserParts(base, (bytes, totalBytes) => post({ type: "fetched", bytes, totalBytes }));
  interpreter = startInterpreter(parts, cold);
  const { warm } = await interpreter;
  post({ type: "loaded", warm, seconds: (performance.now() - started) / 1000 });
}

async function obey(message: ToPython): Promise<void> {
  if (message.type === "load") return load(message.base, message.cold);
  if (message.type === "order") {
    if (take === null) throw new Error("no program takes orders here");
    post({ type: "answer", answer: take(message.order) });
    return;
  }
  if (interpreter === null) throw new Error("no interpreter was asked for");
  const { pyodide } = await interpreter;
  if (message.type === "estimate") {
    take = orderTaker(repeatedProgram(pyodide, message.request, closeBrowser));
    return;
  }
  if (message.type === "formulas") {
    post({ type: "formulas", formulas: findFormulas(pyodide, message.request, message.symbols, closeBrowser) });
    return;
  }
  const result = runInInterpreter(pyodide, message.request, {
    output: (stream, text) => post({ type: "output", stream, text }),
    beforeProgram: () => {
      closeSandbox(pyodide, closeBrowser);
      post({ type: "progress", phase: "program" });
    },
  });
  const trace = packTrace(result.trace);
  post({ type: "result", ...result, trace }, buffersOf(trace));
}

// one after another: an order that arrives while the interpreter is prepared waits for it
let queue: Promise<void> = Promise.resolve();
scope.addEventListener("message", ({ data }) => {
  queue = queue
    .then(() => obey(data))
    .catch((error: unknown) => {
      if (error instanceof DiagnosticError) post({ type: "refused", diagnostic: error.diagnostic });
      else post({ type: "failed", message: failureText(error) });
    });
});
