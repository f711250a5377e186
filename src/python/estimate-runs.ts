/** Runs of generated programs for estimates: one process that stays, so that only the first run waits for Python. */

import { DiagnosticError, diagnostic } from "../base/diagnostic.ts";
import type { Digest } from "../trace/digest.ts";
import type { EstimateOrder, GeneratedProgram } from "./estimate-orders.ts";
import type { WorkerRequest } from "./messages.ts";
import { takeProcess, type ProgramProcess } from "./program-process.ts";
import { estimateRequest } from "./request.ts";
import type { RunStatus } from "./run-types.ts";

export interface EstimateSettings {
  /** PyTorch version whose rules apply, checked. */
  readonly torch: string;
  /** Files that the programs may read, by name: texts of configurations. */
  readonly files: Readonly<Record<string, string>>;
  /** Environment of the programs. */
  readonly env?: Readonly<Record<string, string>>;
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
  run(program: GeneratedProgram, gpu: string, totalBytes: number | null): Promise<EstimateRun>;
  close(): void;
}

/** Starts the process. A run that fails is a result; what is our fault throws. */
export function openEstimateRuns(settings: EstimateSettings): EstimateRuns {
  const request = estimateRequest(settings.torch, settings.files, null, settings.env);
  return estimatesIn(takeProcess(), request, settings.signal);
}

/** Runs in a process that was just started. */
export function estimatesIn(runner: ProgramProcess, request: WorkerRequest, signal?: AbortSignal): EstimateRuns {
  const waiting = new Map<number, { done: (run: EstimateRun) => void; fail: (error: Error) => void }>();
  let broken: Error | null = null;
  let next = 0;
  const breakAll = (error: Error): void => {
    broken ??= error;
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  };
  runner.listen({
    onMessage: (message) => {
      if (message.type === "failed") breakAll(new Error(message.message));
      if (message.type !== "answer") return;
      const { answer } = message;
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("failed" in answer) asked?.fail(new Error(answer.failed));
      else asked?.done({ status: answer.status, error: answer.error, digest: answer.digest });
    },
    onBroken: breakAll,
  });
  runner.send({ type: "estimate", request });
  const onAbort = (): void => {
    breakAll(new DiagnosticError(diagnostic("estimate_interrupted")));
    runner.end();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    run: (program, gpu, totalBytes) =>
      new Promise((done, fail) => {
        if (broken !== null) {
          fail(broken);
          return;
        }
        const order: EstimateOrder = { id: next++, program, gpu, totalBytes };
        waiting.set(order.id, { done, fail });
        runner.send({ type: "order", order });
      }),
    close: () => {
      signal?.removeEventListener("abort", onAbort);
      runner.end();
    },
  };
}
