/** The thread in which one program runs at many sizes, until the closed forms of its memory are found. */

import { parentPort, workerData } from "node:worker_threads";
import { DiagnosticError, type Diagnostic } from "../base/diagnostic.ts";
import type { Formulas } from "../formulas/index.ts";
import { failureText } from "./failure-text.ts";
import { INSTALLED_PARTS } from "./files.ts";
import { findFormulas } from "./find-formulas.ts";
import { startInterpreter } from "./interpreter.ts";
import type { WorkerRequest } from "./messages.ts";
import { closeNode } from "./node-sandbox.ts";
import type { SymbolSpec } from "./symbol-places.ts";

export interface ProbeRequest {
  readonly request: WorkerRequest;
  readonly symbols: readonly SymbolSpec[];
}

export type ProbeAnswer =
  | { readonly type: "formulas"; readonly formulas: Formulas }
  | { readonly type: "refused"; readonly diagnostic: Diagnostic }
  | { readonly type: "failed"; readonly message: string };

const port = parentPort;
if (!port) throw new Error("probe-worker.ts is not a program");
const post = (answer: ProbeAnswer): void => port.postMessage(answer);

const { request, symbols } = workerData as ProbeRequest;
try {
  const { pyodide } = await startInterpreter(INSTALLED_PARTS, request.cold);
  post({ type: "formulas", formulas: findFormulas(pyodide, request, symbols, closeNode) });
} catch (error) {
  if (error instanceof DiagnosticError) post({ type: "refused", diagnostic: error.diagnostic });
  else post({ type: "failed", message: failureText(error) });
}
