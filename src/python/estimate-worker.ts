/** The thread in which the programs of one estimate run. */

import { parentPort, workerData } from "node:worker_threads";
import { orderTaker, type EstimateOrder } from "./estimate-orders.ts";
import { INSTALLED_PARTS } from "./files.ts";
import { startInterpreter } from "./interpreter.ts";
import type { WorkerRequest } from "./messages.ts";
import { closeNode } from "./node-sandbox.ts";
import { repeatedProgram } from "./repeated-program.ts";

const port = parentPort;
if (!port) throw new Error("estimate-worker.ts is not a program");
const request = workerData as WorkerRequest;

const { pyodide } = await startInterpreter(INSTALLED_PARTS, request.cold);
const take = orderTaker(repeatedProgram(pyodide, request, closeNode));
port.on("message", (order: EstimateOrder) => port.postMessage(take(order)));
