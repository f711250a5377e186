/** The thread in which one program runs: interpreter, engine and bridge; it talks to its starter by messages only. */

import { parentPort, workerData } from "node:worker_threads";
import { failureText } from "./failure-text.ts";
import { INSTALLED_PARTS } from "./files.ts";
import { startInterpreter } from "./interpreter.ts";
import type { FromWorker, WorkerRequest } from "./messages.ts";
import { closeNode } from "./node-sandbox.ts";
import { closeSandbox } from "./sandbox.ts";
import { runInInterpreter } from "./program.ts";
import { buffersOf, packTrace } from "../trace/packed.ts";

const port = parentPort;
if (!port) throw new Error("worker.ts is not a program");
const post = (message: FromWorker, handOver: ArrayBuffer[] = []): void => port.postMessage(message, handOver);

const request = workerData as WorkerRequest;
try {
  post({ type: "progress", phase: "python" });
  const { pyodide, warm } = await startInterpreter(INSTALLED_PARTS, request.cold);
  post({ type: "progress", phase: warm ? "warm" : "cold" });
  const result = runInInterpreter(pyodide, request, {
    output: (stream, text) => post({ type: "output", stream, text }),
    beforeProgram: () => {
      closeSandbox(pyodide, closeNode);
      post({ type: "progress", phase: "program" });
    },
  });
  const trace = packTrace(result.trace);
  post({ type: "result", ...result, trace }, buffersOf(trace));
} catch (error) {
  post({ type: "failed", message: failureText(error) });
}
