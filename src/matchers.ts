/**
 * Matchers for vitest and jest: `expect.extend(matchers)`, then `await expect("train.py").toFitOn("t4")`.
 * What is checked is a script's path, options of a run, or the result of one.
 */

import { formatBytes } from "./base/bytes.ts";
import { parseSize } from "./base/parse-size.ts";
import { runFits } from "./explain/trials.ts";
import { findGpu } from "./gpus/catalogue.ts";
import { runProgram } from "./python/run.ts";
import type { RunOptions, RunResult } from "./python/run-types.ts";

/** A script's path, or options, to run it; or what a run gave. */
export type Subject = string | RunOptions | RunResult;

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Which figure a limit is for: what PyTorch reserves (default), or what tensors take. */
export interface PeakOptions {
  readonly of?: "reserved" | "allocated";
}

/** For `declare module "vitest"`, so that the type checker knows the matchers. */
export interface MemoryMatchers<R = unknown> {
  /** The program ends within the memory of this GPU, with context and libraries at the least. */
  toFitOn(gpu: string): Promise<R>;
  /** Its peak is below a size such as `76GiB`, or a number of bytes. */
  toPeakBelow(size: string | number, options?: PeakOptions): Promise<R>;
}

const isResult = (subject: Subject): subject is RunResult => typeof subject === "object" && "stats" in subject;

async function resultOf(subject: Subject, gpu?: string): Promise<RunResult> {
  if (isResult(subject)) return subject;
  const options = typeof subject === "string" ? { script: subject } : subject;
  return runProgram(gpu === undefined ? options : { ...options, gpu });
}

/** How a run went, for a message. */
function words({ status, stats, errorText, trace }: RunResult): string {
  const last = errorText?.trimEnd().split("\n").at(-1);
  const peaks = `peak ${formatBytes(stats.peakAllocatedBytes)} allocated, ${formatBytes(stats.peakReservedBytes)} reserved`;
  return `${trace.program}: ${peaks}${status === "ok" ? "" : `; ${status}${last === undefined ? "" : `: ${last}`}`}`;
}

async function toFitOn(subject: Subject, gpu: string): Promise<MatcherResult> {
  const wanted = findGpu(gpu);
  if (!wanted.ok) throw new TypeError(`toFitOn: no GPU is called '${gpu}'`);
  const result = await resultOf(subject, wanted.value.id);
  if (result.gpu.id !== wanted.value.id) {
    throw new TypeError(`toFitOn: the result is of a run on ${result.gpu.name}, not on ${wanted.value.name}`);
  }
  const pass = runFits(result);
  const capacity = formatBytes(result.trace.capacityBytes);
  return {
    pass,
    message: () =>
      `expected the program ${pass ? "not to" : "to"} fit on ${result.gpu.name} (${capacity})\n${words(result)}`,
  };
}

async function toPeakBelow(
  subject: Subject,
  size: string | number,
  { of = "reserved" }: PeakOptions = {},
): Promise<MatcherResult> {
  const limitBytes = typeof size === "number" ? size : parseSize(size);
  if (limitBytes === null) throw new TypeError(`toPeakBelow: '${size}' is no size such as 76GiB`);
  const result = await resultOf(subject);
  const finished = result.status === "ok" || (result.status === "system_exit" && result.exitStatus === 0);
  const { peakAllocatedBytes, peakReservedBytes } = result.stats;
  const pass = finished && (of === "reserved" ? peakReservedBytes : peakAllocatedBytes) < limitBytes;
  return {
    pass,
    message: () =>
      `expected ${of} memory ${pass ? "not to" : "to"} peak below ${formatBytes(limitBytes)}\n${words(result)}`,
  };
}

export const matchers = { toFitOn, toPeakBelow };
