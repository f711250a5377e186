/** The step of several models that the page shows: run when it is asked for, and what would help behind a button. */

import { effect, signal } from "@preact/signals";
import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import { alignmentRecipes, alignmentRequest } from "../../../src/cli/alignment-options.ts";
import { valueOf } from "../../../src/cli/command.ts";
import { UsageError } from "../../../src/cli/usage-error.ts";
import {
  alignmentRefusal,
  estimateAlignment,
  REWARD_FILE,
  tryAlignmentChanges,
  usualReference,
  type AlignmentEstimate,
  type AlignmentTask,
} from "../../../src/estimate/alignment/index.ts";
import { CONFIG_FILE, headOf, type SearchedChanges, type TrainRecipe } from "../../../src/estimate/index.ts";
import { DEFAULT_TORCH } from "../../../src/torch/releases.ts";
import { modeOf, parsedOf } from "./inputs.ts";
import { endRuns, isInterrupted, measureFor, type Ticket } from "./page-runs.ts";
import { publishedModel } from "./page-model.ts";
import { inputs, model, simulated } from "./page-state.ts";
import { failureOf } from "./simulation.ts";

export type AlignmentAnswer =
  | { readonly state: "running"; readonly runs: number }
  | { readonly state: "problem"; readonly problem: Diagnostic }
  | {
      readonly state: "done";
      readonly made: AlignmentEstimate;
      readonly changes: SearchedChanges<AlignmentEstimate> | null;
      /** Runs of a search that is going on, or null. */
      readonly searching: number | null;
    };

export const alignment = signal<AlignmentAnswer>({ state: "running", runs: 0 });

interface Step {
  readonly ask: (train: TrainRecipe, onRun: (runs: number) => void) => Promise<AlignmentEstimate>;
  readonly train: TrainRecipe;
  readonly ticket: Ticket;
}
let step: Step | null = null;

/** @throws {UsageError} for options that the task does not take */
function stepOf(): Step | Diagnostic | null {
  const about = model.value;
  const [gpu] = simulated.value;
  if (about?.config == null || about.text === null || gpu === undefined) return null;
  const parsed = parsedOf(inputs.value);
  const asked = alignmentRequest(valueOf(parsed, "task") as AlignmentTask, parsed);
  const judged = valueOf(parsed, "reward");
  const judge = judged === undefined ? null : publishedModel(judged);
  if (judge !== null && "code" in judge) return judge;
  for (const one of [about, judge]) {
    const refusal = one?.config == null ? null : alignmentRefusal(one.config, one.name);
    if (refusal !== null) return refusal;
  }
  const { recipe, train } = alignmentRecipes(asked, parsed, about.config);
  const files = { [CONFIG_FILE]: about.text, ...(judge === null ? {} : { [REWARD_FILE]: judge.text! }) };
  const ticket: Ticket = { cancelled: false, question: null };
  const head = headOf(about.config);
  const isChosen = parsed.values.has("reference");
  return {
    ticket,
    train,
    ask: (its, onRun) => {
      let runs = 0;
      const measure = measureFor({ torch: valueOf(parsed, "torch") ?? DEFAULT_TORCH, files }, ticket, () =>
        onRun(++runs),
      );
      const reference = isChosen ? recipe.reference : usualReference(recipe.task, its);
      return estimateAlignment(measure, { ...recipe, reference }, its, head, gpu, null);
    },
  };
}

function start(): void {
  stop();
  alignment.value = { state: "running", runs: 0 };
  let next: Step | Diagnostic | null;
  try {
    next = stepOf();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    next = { code: error.code, args: error.args };
  }
  if (next === null) return;
  if ("code" in next) {
    alignment.value = { state: "problem", problem: next };
    return;
  }
  const mine = (step = next);
  const isMine = (): boolean => step === mine;
  mine
    .ask(mine.train, (runs) => {
      if (isMine()) alignment.value = { state: "running", runs };
    })
    .then((made) => {
      if (isMine()) alignment.value = { state: "done", made, changes: null, searching: null };
    })
    .catch((error: unknown) => fail(error, isMine()));
}

function fail(error: unknown, isMine: boolean): void {
  if (!isMine || isInterrupted(error)) return;
  alignment.value = { state: "problem", problem: failureOf(error, model.value!) };
}

function stop(): void {
  if (step !== null) step.ticket.cancelled = true;
  step = null;
  endRuns();
}

/** Measures what would help, for the step that is shown. */
export function searchHelp(): void {
  const before = alignment.value;
  const mine = step;
  if (before.state !== "done" || mine === null || before.searching !== null) return;
  alignment.value = { ...before, searching: 0 };
  const isMine = (): boolean => step === mine;
  tryAlignmentChanges(
    before.made,
    (train) => mine.ask(train, () => {}),
    (runs) => {
      if (isMine()) alignment.value = { ...before, searching: runs };
    },
  )
    .then((changes) => {
      if (isMine()) alignment.value = { ...before, changes, searching: null };
    })
    .catch((error: unknown) => fail(error, isMine()));
}

let startedFor = "";

/** Runs whatever is entered, while the page shows such a step. */
export function watchAlignment(): () => void {
  const end = effect(() => {
    const key =
      modeOf(inputs.value) === "align"
        ? JSON.stringify([model.value?.text, inputs.value.chosen, simulated.value.map(({ id }) => id)])
        : "";
    if (key === startedFor) return;
    startedFor = key;
    if (key !== "") start();
  });
  return () => {
    end();
    startedFor = "";
    stop();
  };
}
