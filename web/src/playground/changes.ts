/** What would help the run that is shown: measured on request, by itself where memory ran out, and put in place by Apply. */

import { effect, signal } from "@preact/signals";
import { CHANGE_IDS, COMBINED_CHANGES, changedRun, type ChangeId } from "../../../src/explain/changes.ts";
import { explain } from "../../../src/explain/index.ts";
import { runTrials, type Trial } from "../../../src/explain/trials.ts";
import { runInPage, type PageProgram } from "../engine/runs.ts";
import { finished, inPlace, run, runState, type FinishedRun } from "./program.ts";

/** The change that is being measured, and how far the plan is. */
export interface Measuring {
  readonly changes: readonly ChangeId[];
  readonly count: number;
  readonly of: number;
}
export const measuring = signal<Measuring | null>(null);

export type Plan = readonly (readonly ChangeId[])[];

let current: AbortController | null = null;

export function stopMeasuring(): void {
  current?.abort();
  current = null;
  measuring.value = null;
}

export const nameOf = (changes: Trial["changes"]): string => changes.join("+");

/** All changes alone, then together where the program does not fit. */
export function planOf({ facts }: FinishedRun): Plan {
  return [...CHANGE_IDS.map((id) => [id]), ...(facts.verdict === "does_not_fit" ? COMBINED_CHANGES : [])];
}

/** A change comes on top of those that are in place. */
const onTop =
  ({ options }: FinishedRun) =>
  (next: PageProgram) =>
    runInPage({ ...next, changes: [...(options.changes ?? []), ...(next.changes ?? [])] });

/** Runs the program again with each change of the plan, one after another. */
export async function measure(done: FinishedRun, plan: Plan, untilFits: boolean): Promise<void> {
  stopMeasuring();
  const controller = new AbortController();
  current = controller;
  const { options, result, trials } = done;
  const { signal: abort } = controller;
  const applied = new Set(done.applied);
  const todo = plan.filter((changes) => !changes.some((id) => applied.has(id)));
  for (const [index, changes] of todo.entries()) {
    measuring.value = { changes, count: index + 1, of: todo.length };
    const made = await runTrials(
      (next) => onTop(done)(next as PageProgram),
      { ...options, signal: abort } as PageProgram,
      result,
      { changes: [changes], untilFits, before: trials.value },
    );
    if (abort.aborted) return;
    const names = new Set(made.map((trial) => nameOf(trial.changes)));
    trials.value = [...trials.value.filter((trial) => !names.has(nameOf(trial.changes))), ...made];
    if (untilFits && made.some(({ fits, tight }) => fits && !tight)) break;
  }
  stopMeasuring();
}

/** Puts changes in place and runs the program with them. */
export function apply(done: FinishedRun, ids: readonly ChangeId[]): void {
  const { options, result } = done;
  const { trace } = result;
  const added = changedRun(ids, { trace, findings: explain(trace), env: options.env ?? {} });
  if (added === null) return;
  inPlace.value = {
    ids: [...done.applied, ...ids],
    run: {
      changes: [...(options.changes ?? []), ...added.changes],
      env: { ...options.env, ...added.env },
    },
  };
  void run();
}

export function takeBack(): void {
  inPlace.value = null;
  void run();
}

/** A new run ends what is measured of the one before; one that ran out of memory is helped unasked. */
export function watchRuns(): () => void {
  let shown: FinishedRun | null = finished.peek();
  return effect(() => {
    const done = finished.value;
    if (runState.value.state === "running" || done !== shown) stopMeasuring();
    if (done === shown) return;
    shown = done;
    if (done?.result.status === "out_of_memory") void measure(done, planOf(done), true);
  });
}
