/** Questions behind buttons: what would help, the largest size, a curve, all cards. Each is answered by runs of its own. */

import {
  CHANGES,
  estimate,
  headOf,
  largest,
  programOf,
  sweep,
  tryChanges,
  type Estimate,
  type Measure,
  type MeasuredRun,
  type Problem,
  type Recipe,
} from "../../../src/estimate/index.ts";
import { ROOMY_BYTES } from "../../../src/estimate/estimate.ts";
import { GPUS, type GpuRow } from "../../../src/gpus/catalogue.ts";
import { answers, type Answers, type Question } from "./answers.ts";
import { isInterrupted, keptRun, measureFor, type RunSettings, type Ticket } from "./page-runs.ts";
import { longest } from "./page-state.ts";
import { addPoint, answer, ticketForQuestion, failureOf, settingsOf, work, type Answer } from "./simulation.ts";
import { sizesOf } from "./size-fit.ts";

/** Runs a question behind a button; the points around wait for it. */
export function ask(wanted: Question): void {
  const before = answer.value;
  if (before === null) return;
  const mine = ticketForQuestion();
  if (mine.question !== null) return;
  const settings = settingsOf(before.model, before.asked);
  if ("code" in settings) return;
  mine.question = answerTo(wanted, before, settings, mine)
    .catch((error: unknown) => {
      if (!mine.cancelled && !isInterrupted(error))
        answers.value = { ...answers.value, problem: failureOf(error, before.model) };
    })
    .then(() => {
      if (mine.cancelled) return;
      mine.question = null;
      work.value = null;
    });
}

async function answerTo(wanted: Question, before: Answer, settings: RunSettings, mine: Ticket): Promise<void> {
  const { recipe } = before.asked;
  const [first] = before.estimates;
  if (first === undefined) return;
  const of =
    wanted.id === "changes"
      ? CHANGES.filter((change) => change.apply(recipe) !== null).length
      : wanted.id === "cards"
        ? new Set(GPUS.map(({ sm }) => sm)).size
        : null;
  let count = 0;
  work.value = { what: wanted.id, count, of };
  const measure = measureFor(settings, mine, () => (work.value = { what: wanted.id, count: ++count, of }));
  const head = headOf(before.model.config!);
  const asking: Problem = { measure, recipe, head, gpu: first.gpu };
  const set = (change: Partial<Answers>): void => {
    if (!mine.cancelled) answers.value = { ...answers.value, ...change, problem: null };
  };
  const remember = (recipes: readonly Recipe[]): void => {
    for (const made of recipes) {
      const run = keptRun(settings, programOf(made, head), first.gpu.id, ROOMY_BYTES);
      if (run?.status === "ok")
        addPoint(before.model, { ...before.asked, recipe: made }, first.gpu.sm, {
          sizes: sizesOf(made),
          digest: run.digest,
        });
    }
  };
  if (wanted.id === "changes") {
    const changes = await tryChanges(asking, first);
    remember(changes.single.map((tried) => tried.estimate.recipe));
    set({ changes });
  } else if (wanted.id === "largest") {
    const limit = ["seq", "context", "prompt"].includes(wanted.size) ? longest.value : null;
    const found = await largest(asking, wanted.size, limit);
    remember([found.estimate, found.next].flatMap((made) => made?.recipe ?? []));
    set({ largest: [...answers.value.largest.filter(({ name }) => name !== found.name), found] });
  } else if (wanted.id === "sweep") {
    set({ sweep: await sweep(asking, wanted.size, wanted.values, Math.min(12, wanted.values.length)) });
  } else {
    set({ cards: await onAllCards(asking, measure) });
  }
}

/** GPUs of one compute capability make the same choices, so that one run tells about all of them, as with `--gpu all`. */
async function onAllCards({ recipe, head }: Problem, measure: Measure): Promise<readonly Estimate[]> {
  const roomy = new Map<number, Promise<MeasuredRun>>();
  const shared =
    (gpu: GpuRow): Measure =>
    (source, id, totalBytes) => {
      if (totalBytes === null) return measure(source, id, null);
      let run = roomy.get(gpu.sm);
      if (run === undefined) roomy.set(gpu.sm, (run = measure(source, id, totalBytes)));
      return run;
    };
  const made: Estimate[] = [];
  for (const gpu of GPUS) made.push(await estimate(shared(gpu), recipe, head, gpu));
  return made;
}
