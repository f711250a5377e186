/** How the threads are started in which programs run: nothing of this process's environment, and an own share of memory. */

import { totalmem } from "node:os";
import { Worker } from "node:worker_threads";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";

const MIB = 2 ** 20;
/** A graph of a million nodes takes some GiB; more than half of a machine is not ours to take. */
const MOST_HEAP_MIB = 12 * 1024;
const LEAST_HEAP_MIB = 1024;
const heapMib = (): number => Math.max(LEAST_HEAP_MIB, Math.min(MOST_HEAP_MIB, Math.floor(totalmem() / 2 / MIB)));

/** @param module one of the files beside this one, built: `worker.js` */
export function startThread(module: string, workerData: unknown): Worker {
  return new Worker(new URL(`./${module}`, import.meta.url), {
    workerData,
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    trackUnmanagedFds: false,
    resourceLimits: { maxOldGenerationSizeMb: heapMib() },
  });
}

/** What broke a thread, as a diagnostic where it was the size of what it was asked for. */
export function threadError(error: Error): Error {
  if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_OUT_OF_MEMORY") return error;
  return new DiagnosticError(diagnostic("thread_out_of_memory", { heapBytes: heapMib() * MIB }));
}
