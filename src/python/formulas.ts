/** Asks a thread for the closed forms of a program's memory, and waits for them. */

import { DiagnosticError } from "../base/diagnostic.ts";
import type { Formulas } from "../formulas/index.ts";
import type { WorkerRequest } from "./messages.ts";
import type { ProbeAnswer, ProbeRequest } from "./probe-worker.ts";
import type { SymbolSpec } from "./symbol-places.ts";
import { startThread, threadError } from "./threads.ts";

/** All runs together may take this many times the limit of one. */
const RUNS = 60;

/**
 * @returns null when it was aborted
 * @throws {DiagnosticError} for symbols that the program does not have or that cannot be changed; `formula_timeout`
 */
export function formulasOf(
  request: WorkerRequest,
  symbols: readonly SymbolSpec[],
  signal: AbortSignal | undefined,
): Promise<Formulas | null> {
  return new Promise((done, fail) => {
    if (signal?.aborted) {
      done(null);
      return;
    }
    const workerData: ProbeRequest = { request, symbols };
    const worker = startThread("probe-worker.js", workerData);
    const { timeoutSeconds } = request;
    const onAbort = (): void => end(() => done(null));
    const limit =
      timeoutSeconds === null
        ? undefined
        : setTimeout(
            () => end(() => fail(new DiagnosticError({ code: "formula_timeout", args: {} }))),
            timeoutSeconds * 1000 * RUNS,
          );
    const end = (tell: () => void): void => {
      clearTimeout(limit);
      signal?.removeEventListener("abort", onAbort);
      worker.removeAllListeners();
      worker.on("error", () => {});
      void worker.terminate();
      tell();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.on("message", (answer: ProbeAnswer) => {
      end(() => {
        if (answer.type === "formulas") done(answer.formulas);
        else if (answer.type === "refused") fail(new DiagnosticError(answer.diagnostic));
        else fail(new Error(answer.message));
      });
    });
    worker.on("error", (error) => end(() => fail(threadError(error))));
    worker.on("exit", (code) => end(() => fail(new Error(`the worker ended with code ${code}`))));
  });
}
