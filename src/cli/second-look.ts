/** What a report says after the program ran again: who held what at one moment, and what changes save. */

import { outOfMemory } from "../explain/out-of-memory.ts";
import { runTrials, type Trial } from "../explain/trials.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { RunOptions, RunResult } from "../python/run-types.ts";
import type { HolderTable } from "../session/holders.ts";
import type { Io } from "./io.ts";
import { lookAgain } from "./look-again.ts";
import { progressLine } from "./progress.ts";
import type { RunSettings } from "./run-options.ts";
import { trialPlan } from "./trial-plan.ts";

export interface SecondLook {
  /** The event whose holders were asked for, or null. */
  readonly event: number | null;
  /** Null where nobody asked, or the program could not be repeated up to that event. */
  readonly holders: HolderTable | null;
  readonly trials: readonly Trial[];
}

type RunProgram = (options: RunOptions) => Promise<RunResult>;
/** Only of these is there a whole run to compare with. */
const FINISHED = new Set(["ok", "system_exit"]);

export async function secondLook(
  runProgram: RunProgram,
  options: RunOptions,
  result: RunResult,
  settings: RunSettings,
  locale: Locale,
  io: Io,
): Promise<SecondLook> {
  const event = momentToExplain(result, settings);
  const holders = event === null ? null : await whoHolds(runProgram, options, result, event, locale, io);
  return { event, holders, trials: await trialsOf(runProgram, options, result, settings, locale, io) };
}

/** Whether a second look at this run would look at anything. */
export const looksAgain = (result: RunResult, settings: RunSettings): boolean =>
  momentToExplain(result, settings) !== null || planOf(result, settings) !== null;

function planOf(result: RunResult, settings: RunSettings): ReturnType<typeof trialPlan> {
  const explainsFailure = result.status === "out_of_memory" && settings.report === "lines";
  return FINISHED.has(result.status) || result.status === "out_of_memory"
    ? trialPlan(settings.trials, explainsFailure, result.seconds)
    : null;
}

/** The changes that were asked for, or, when memory ran out, those up to the first with which the program fits. */
async function trialsOf(
  runProgram: RunProgram,
  options: RunOptions,
  result: RunResult,
  settings: RunSettings,
  locale: Locale,
  io: Io,
): Promise<Trial[]> {
  const plan = planOf(result, settings);
  if (plan === null) return [];
  const { limitBytes } = settings;
  const progress = progressLine(io);
  const onTrial = (changes: readonly string[]): void =>
    progress.say(message(locale, "progress_try", { script: options.script, change: changes.join("+") }));
  try {
    return await runTrials(runProgram, options, result, { ...plan, limitBytes, onTrial });
  } finally {
    progress.end();
  }
}

/** The event whose holders the report names: that of a request that failed, or the peak when that is asked for. */
function momentToExplain(result: RunResult, settings: RunSettings): number | null {
  // a second run would have to count the events of all GPUs
  if (result.gpus.length > 0) return null;
  if (result.status === "out_of_memory" && (settings.why || settings.report === "lines")) {
    return outOfMemory(result.trace)?.event ?? null;
  }
  return settings.why && result.stats.peakEvent >= 0 ? result.stats.peakEvent : null;
}

async function whoHolds(
  runProgram: RunProgram,
  options: RunOptions,
  result: RunResult,
  event: number,
  locale: Locale,
  io: Io,
): Promise<HolderTable | null> {
  const progress = progressLine(io);
  try {
    progress.say(message(locale, "progress_why", { script: options.script }));
    return await lookAgain(runProgram, options, result, event);
  } finally {
    progress.end();
  }
}
