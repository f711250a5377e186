/** Trials: the program runs again with a change, and its peak is read. Nothing here is estimated. */

import type { RunOptions, RunResult } from "../python/run-types.ts";
import {
  changedRun,
  takesHold,
  UNTRIED_CHANGES,
  type ChangeId,
  type ChangeSubject,
  type UntriedId,
} from "./changes.ts";
import { explain } from "./index.ts";

/**
 * `measured`: it ran to its end. `no_effect`: both peaks are the same. `out_of_memory`: so it was with the change, too.
 * `failed`: the program failed under the change. `not_tried`: there was nothing to change, or it needs other code.
 * `no_time`: the time for all trials was over before its end.
 */
export type TrialOutcome = "measured" | "no_effect" | "out_of_memory" | "failed" | "not_tried" | "no_time";

export interface Trial {
  /** Changes that were made together. */
  readonly changes: readonly (ChangeId | UntriedId)[];
  readonly outcome: TrialOutcome;
  readonly peakAllocatedBytes: number;
  readonly peakReservedBytes: number;
  /** The program ran to its end, and its reserved memory leaves room for context and libraries, and keeps a limit. */
  readonly fits: boolean;
  /** It fits only if context and libraries take less than they may. */
  readonly tight: boolean;
  /** Last line of the program's error, or null. */
  readonly errorText: string | null;
}

export interface TrialPlan {
  /** What to try, in this order. */
  readonly changes: readonly (readonly ChangeId[])[];
  /** Those that were tried before: what did nothing alone is not tried together. */
  readonly before?: readonly Trial[];
  /** Stop at the first that fits whatever context and libraries take. */
  readonly untilFits: boolean;
  /** Most bytes that may be reserved, or null. */
  readonly limitBytes?: number | null;
  /** All trials together run so long; without it, each to its end. */
  readonly seconds?: number;
  /** Called before each run. */
  readonly onTrial?: (changes: readonly ChangeId[]) => void;
}

const finished = ({ status, exitStatus }: RunResult): boolean =>
  status === "ok" || (status === "system_exit" && exitStatus === 0);

/** Whether a run came to its end within the GPU's memory, context and libraries at the least, and within a limit. */
export function runFits(result: RunResult, limitBytes: number | null = null): boolean {
  const { peakReservedBytes } = result.stats;
  const needsBytes = peakReservedBytes + result.gpu.context.lowBytes;
  return (
    finished(result) &&
    needsBytes <= result.trace.capacityBytes &&
    (limitBytes === null || peakReservedBytes <= limitBytes)
  );
}

/**
 * Runs the program of `options` again with each change of the plan.
 *
 * @param first the run without a change
 */
export async function runTrials(
  runProgram: (options: RunOptions) => Promise<RunResult>,
  options: RunOptions,
  first: RunResult,
  plan: TrialPlan,
): Promise<Trial[]> {
  const env = options.env ?? {};
  const subject: ChangeSubject = { trace: first.trace, findings: explain(first.trace), env };
  const trials: Trial[] = UNTRIED_CHANGES.filter(({ finding }) =>
    subject.findings.some(({ code }) => code === finding),
  ).map(({ id }) => withoutRun([id], "not_tried"));
  let leftSeconds = plan.seconds ?? Infinity;
  for (const changes of plan.changes) {
    if (options.signal?.aborted) break;
    if (changes.length > 1 && changes.every((id) => didNothing(id, [...(plan.before ?? []), ...trials]))) continue;
    const changed = changes.some((id) => takesHold(id, first.trace)) ? changedRun(changes, subject) : null;
    if (changed === null) {
      trials.push(withoutRun(changes, "not_tried"));
      continue;
    }
    if (leftSeconds <= 0) {
      trials.push(withoutRun(changes, "no_time"));
      continue;
    }
    plan.onTrial?.(changes);
    const result = await runProgram({
      ...options,
      onOutput: undefined,
      onProgress: undefined,
      saveFiles: false,
      recordGraph: false,
      symbols: [],
      ...(plan.seconds === undefined
        ? {}
        : { timeoutSeconds: Math.min(options.timeoutSeconds ?? Infinity, leftSeconds) }),
      env: { ...env, ...changed.env },
      changes: changed.changes,
    });
    leftSeconds -= result.seconds;
    const trial = trialOf(changes, first, result, plan.limitBytes ?? null);
    trials.push(trial);
    // what only may fit is no end of the search
    if (plan.untilFits && trial.fits && !trial.tight) break;
  }
  return trials;
}

/** Whether a change alone left the run as it was: it had no effect, or nothing to change. */
const didNothing = (id: ChangeId, trials: readonly Trial[]): boolean =>
  trials.some(
    ({ changes, outcome }) =>
      changes.length === 1 && changes[0] === id && (outcome === "no_effect" || outcome === "not_tried"),
  );

const withoutRun = (changes: Trial["changes"], outcome: TrialOutcome): Trial => ({
  changes,
  outcome,
  peakAllocatedBytes: 0,
  peakReservedBytes: 0,
  fits: false,
  tight: false,
  errorText: null,
});

const UNFINISHED: Partial<Record<RunResult["status"], TrialOutcome>> = {
  out_of_memory: "out_of_memory",
  timeout: "no_time",
};

function trialOf(changes: readonly ChangeId[], first: RunResult, result: RunResult, limitBytes: number | null): Trial {
  const { peakAllocatedBytes, peakReservedBytes } = result.stats;
  const same =
    result.status === first.status &&
    peakAllocatedBytes === first.stats.peakAllocatedBytes &&
    peakReservedBytes === first.stats.peakReservedBytes;
  const ended = finished(result) ? "measured" : (UNFINISHED[result.status] ?? "failed");
  return {
    changes,
    outcome: same && ended !== "failed" ? "no_effect" : ended,
    peakAllocatedBytes,
    peakReservedBytes,
    fits: runFits(result, limitBytes),
    tight: peakReservedBytes + result.gpu.context.highBytes > result.trace.capacityBytes,
    errorText: ended === "failed" ? (result.errorText?.trimEnd().split("\n").at(-1) ?? null) : null,
  };
}
