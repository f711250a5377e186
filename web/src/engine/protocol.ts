/** What the page and its Python worker say to each other. */

import type { EstimateAnswer, EstimateOrder } from "../../../src/python/estimate-orders.ts";
import type { FromWorker, WorkerRequest } from "../../../src/python/messages.ts";
import type { ProbeAnswer } from "../../../src/python/probe-worker.ts";
import type { SymbolSpec } from "../../../src/python/symbol-places.ts";

export type ToPython =
  /** Gets an interpreter ready; `base` is the address of its parts, with a slash at the end. */
  | { readonly type: "load"; readonly base: string; readonly cold: boolean }
  /** Runs one program; after it the worker is of no use. */
  | { readonly type: "run"; readonly request: WorkerRequest }
  /** Finds the closed forms of one program's memory; after it the worker is of no use. */
  | { readonly type: "formulas"; readonly request: WorkerRequest; readonly symbols: readonly SymbolSpec[] }
  /** From now on the worker takes orders. */
  | { readonly type: "estimate"; readonly request: WorkerRequest }
  | { readonly type: "order"; readonly order: EstimateOrder };

export type FromPython =
  | FromWorker
  | ProbeAnswer
  /** Bytes of Python's parts that have arrived. */
  | { readonly type: "fetched"; readonly bytes: number; readonly totalBytes: number }
  | { readonly type: "loaded"; readonly warm: boolean; readonly seconds: number }
  | { readonly type: "answer"; readonly answer: EstimateAnswer };
