/** Runs of generated programs for estimates: one thread that stays, so that only the first run waits for Python. */

import { DiagnosticError, diagnostic } from "../base/diagnostic.ts";
import type { Digest } from "../trace/digest.ts";
import type { EstimateAnswer, EstimateOrder } from "./estimate-orders.ts";
import { estimateRequest } from "./request.ts";
import type { RunStatus } from "./run-types.ts";
import { startThread, threadError } from "./threads.ts";

export interface EstimateSettings {
  /** PyTorch version whose rules apply, checked. */
  readonly torch: string;
  /** Files that the programs may read, by name: texts of configurations. */
  readonly files: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface EstimateRun {
  readonly status: RunStatus;
  /** The traceback, or null. */
  readonly error: string | null;
  readonly digest: Digest;
}

export interface EstimateRuns {
  /** Runs a program on a GPU by id; `totalBytes` replaces the GPU's memory. */
  run(source: string, gpu: string, totalBytes: number | null): Promise<EstimateRun>;
  close(): void;
}

/** Starts the thread. A run that fails is a result; what is our fault throws. */
export function openEstimateRuns(settings: EstimateSettings): EstimateRuns {
  const request = estimateRequest(settings.torch, settings.files, new SharedArrayBuffer(1));
  const worker = startThread("estimate-worker.js", request);
  const waiting = new Map<number, { done: (run: EstimateRun) => void; fail: (error: Error) => void }>();
  let broken: Error | null = null;
  let next = 0;
  const breakAll = (error: Error): void => {
    broken ??= error;
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  };
  worker.on("message", (answer: EstimateAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("failed" in answer) asked?.fail(new Error(answer.failed));
    else asked?.done({ status: answer.status, error: answer.error, digest: answer.digest });
  });
  worker.on("error", (error) => breakAll(threadError(error)));
  worker.on("exit", (code) => breakAll(new Error(`the worker ended with code ${code}`)));
  const onAbort = (): void => {
    breakAll(new DiagnosticError(diagnostic("estimate_interrupted")));
    void worker.terminate();
  };
  settings.signal?.addEventListener("abort", onAbort, { once: true });
  return {
    run: (source, gpu, totalBytes) =>
      new Promise((done, fail) => {
        if (broken !== null) {
          fail(broken);
          return;
        }
        const order: EstimateOrder = { id: next++, source, gpu, totalBytes };
        waiting.set(order.id, { done, fail });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of threads
        worker.postMessage(order);
      }),
    close: () => {
      settings.signal?.removeEventListener("abort", onAbort);
      worker.removeAllListeners();
      worker.on("error", () => {});
      void worker.terminate();
    },
  };
}
