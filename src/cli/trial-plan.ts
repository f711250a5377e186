/** `--try`: which changes a run tries afterwards, as typed or because the program ran out of memory. */

import { nearestNames } from "../base/nearest.ts";
import { CHANGE_IDS, COMBINED_CHANGES, type ChangeId } from "../explain/changes.ts";
import type { TrialPlan } from "../explain/trials.ts";
import { UsageError } from "./usage-error.ts";

/** `auto`: after running out of memory, until one fits. */
export type TrialChoice = "auto" | "none" | readonly (readonly ChangeId[])[];

const ALONE = CHANGE_IDS.map((id) => [id] as const);

/** `all`, `none`, or names with commas; `a+b` are made together. */
export function trialChoice(typed: string | undefined): TrialChoice {
  if (typed === undefined || typed === "auto") return "auto";
  if (typed === "none") return "none";
  if (typed === "all") return ALONE;
  return typed.split(",").map((entry) => entry.split("+").map((name) => changeId(name.trim())));
}

function changeId(typed: string): ChangeId {
  const known = CHANGE_IDS.find((id) => id === typed.replaceAll("-", "_"));
  if (known !== undefined) return known;
  const [nearest] = nearestNames(typed, CHANGE_IDS);
  throw nearest === undefined
    ? new UsageError("unknown_change", { name: typed, known: CHANGE_IDS.join(", ") })
    : new UsageError("unknown_change_nearest", { name: typed, nearest });
}

/** Nobody asked for these trials, so the answer waits for them as long as the run itself took, or so many seconds if that is more. */
const LEAST_SECONDS = 15;

/**
 * The plan, or null when nothing is to be tried.
 *
 * @param runSeconds what the run without a change took
 */
export function trialPlan(
  choice: TrialChoice,
  outOfMemory: boolean,
  runSeconds: number,
): Pick<TrialPlan, "changes" | "untilFits" | "seconds"> | null {
  if (choice === "none") return null;
  if (choice !== "auto") return { changes: choice, untilFits: false };
  if (!outOfMemory) return null;
  return {
    changes: [...ALONE, ...COMBINED_CHANGES],
    untilFits: true,
    seconds: Math.max(LEAST_SECONDS, runSeconds),
  };
}
