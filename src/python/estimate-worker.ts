/** The thread in which the programs of one estimate run, one after another, in one interpreter. */

import { parentPort, workerData } from "node:worker_threads";
import { digestOf, type Digest } from "../trace/digest.ts";
import { failureText } from "./failure-text.ts";
import { INSTALLED_PARTS } from "./files.ts";
import { startInterpreter } from "./interpreter.ts";
import type { WorkerRequest } from "./messages.ts";
import { closeNode } from "./node-sandbox.ts";
import { repeatedProgram } from "./repeated-program.ts";
import type { RunStatus } from "./run-types.ts";

export interface EstimateOrder {
  readonly id: number;
  readonly source: string;
  readonly gpu: string;
  /** Memory of the device, or null for that of the GPU. */
  readonly totalBytes: number | null;
}

export type EstimateAnswer =
  | { readonly id: number; readonly status: RunStatus; readonly error: string | null; readonly digest: Digest }
  | { readonly id: number; readonly failed: string };

const port = parentPort;
if (!port) throw new Error("estimate-worker.ts is not a program");
const request = workerData as WorkerRequest;

let last: number | null = null;
const { pyodide } = await startInterpreter(INSTALLED_PARTS, request.cold);
const program = repeatedProgram(pyodide, request, closeNode);
port.on("message", ({ id, source, gpu, totalBytes }: EstimateOrder) => {
  try {
    // what the run before left is put back only when another one comes
    if (last !== null) program.order("restore");
    last = id;
    program.renew({ gpu, overrides: totalBytes === null ? {} : { totalBytes } });
    program.order("program", source);
    const [status, , error] = program.order("run", {}, []) as [RunStatus, number, string | null];
    port.postMessage({ id, status, error, digest: digestOf(program.finish()) } satisfies EstimateAnswer);
  } catch (error) {
    port.postMessage({ id, failed: failureText(error) } satisfies EstimateAnswer);
  }
});
port.postMessage("ready");
