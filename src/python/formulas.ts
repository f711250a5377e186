/** Asks a process for the closed forms of a program's memory, and waits for them. */

import { DiagnosticError } from "../base/diagnostic.ts";
import type { Formulas } from "../formulas/index.ts";
import type { HostFiles } from "./host-files.ts";
import type { WorkerRequest } from "./messages.ts";
import { offerFiles } from "./host-place.ts";
import { takeProcess } from "./program-process.ts";
import type { SymbolSpec } from "./symbol-places.ts";

/** All runs together may take this many times the limit of one. */
const RUNS = 60;

/**
 * @returns null when it was aborted
 * @throws {DiagnosticError} for symbols that the program does not have or that cannot be changed; `formula_timeout`
 */
export function formulasOf(
  request: WorkerRequest,
  files: HostFiles,
  symbols: readonly SymbolSpec[],
  signal: AbortSignal | undefined,
): Promise<Formulas | null> {
  return new Promise((done, fail) => {
    if (signal?.aborted) {
      done(null);
      return;
    }
    const runner = takeProcess(request.cold);
    offerFiles(runner, files);
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
      runner.end();
      tell();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    runner.listen({
      onMessage: (message) => {
        if (message.type === "formulas") end(() => done(message.formulas));
        else if (message.type === "refused") end(() => fail(new DiagnosticError(message.diagnostic)));
        else if (message.type === "failed") end(() => fail(new Error(message.message)));
      },
      onBroken: (error) => end(() => fail(error)),
    });
    runner.send({ type: "formulas", request, symbols });
  });
}
