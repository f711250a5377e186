/** The page's simulation: what was asked is run, then a few points around it, so that sliders have something to go by. */

import { computed, signal } from "@preact/signals";
import { DiagnosticError, type Diagnostic } from "../../../src/base/diagnostic.ts";
import {
  CONFIG_FILE,
  chainOf,
  estimate,
  explainFailure,
  fitOf,
  headOf,
  generated,
  programOf,
  TEACHER_FILE,
  type Estimate,
  type Fit,
  type MeasuredRun,
  type Recipe,
} from "../../../src/estimate/index.ts";
import { ROOMY_BYTES } from "../../../src/estimate/estimate.ts";
import type { GpuRow } from "../../../src/gpus/catalogue.ts";
import { endRuns, isInterrupted, measureFor, type RunSettings, type Ticket } from "./page-runs.ts";
import { publishedModel, type PageModel } from "./page-model.ts";
import { answers, NO_ANSWERS, type QuestionId } from "./answers.ts";
import type { Asked } from "./inputs.ts";
import { asked, askedShown, longest, model, simulated } from "./page-state.ts";
import { aboutAt, errorOf, edgeAlong, sizesOf, worthKnowing, type Point, type TaskSizes } from "./size-fit.ts";

/** What is being worked on; `count` of `of` runs, where it is known how many there will be. */
export interface Work {
  readonly what: "main" | "points" | QuestionId;
  readonly count: number;
  readonly of: number | null;
}
export const work = signal<Work | null>(null);
export const problem = signal<Diagnostic | null>(null);
/** The reader stopped it: nothing runs until something changes. */
export const isStopped = signal(false);

/** What was simulated last, for each chosen card, and what it answers. */
export interface Answer {
  readonly model: PageModel;
  readonly asked: Asked;
  readonly estimates: readonly Estimate[];
}
export const answer = signal<Answer | null>(null);

/** Simulated points of everything that is equal but sizes. */
const points = signal<ReadonlyMap<string, readonly Point[]>>(new Map());

function shapeOf(about: PageModel, { recipe, torch, teacher }: Asked, sm: number): string {
  const same =
    recipe.task === "train"
      ? { ...recipe, batch: 0, seq: 0, loraRank: 0 }
      : { ...recipe, batch: 0, prompt: 0, newTokens: 0 };
  return JSON.stringify([about.text, torch, teacher, sm, same]);
}

/** The simulated points that belong to what is shown. */
export const pointsNow = computed<readonly Point[]>(() => {
  const now = askedShown.value;
  const [gpu] = simulated.value;
  if (model.value === null || now === null || "problem" in now || gpu === undefined) return [];
  return points.value.get(shapeOf(model.value, now.asked, gpu.sm)) ?? [];
});
export const fitError = computed(() => errorOf(pointsNow.value));

/** An estimate; where it is about, the verdict may be one that only a run can give: null. */
export interface ShownEstimate extends Omit<Estimate, "fit"> {
  readonly fit: Fit | null;
}

export interface Shown {
  readonly estimates: readonly ShownEstimate[];
  /** Simulated; about, from points around it; or of inputs that were changed since. */
  readonly state: "simulated" | "about" | "old";
}

/** What can be shown of what is entered now. */
export const shown = computed<Shown | null>(() => {
  const now = askedShown.value;
  const before = answer.value;
  if (now === null || "problem" in now || model.value === null) return null;
  const { recipe } = now.asked;
  const gpus = simulated.value;
  const same = before?.model === model.value && before.asked.torch === now.asked.torch;
  if (before !== null && same && isSame(before.asked.recipe, recipe) && isFor(before.estimates, gpus)) {
    return { estimates: before.estimates, state: "simulated" };
  }
  const estimates = gpus.flatMap((gpu) => aboutOn(now.asked, gpu, recipe) ?? []);
  if (estimates.length > 0) return { estimates, state: "about" };
  // of another model nothing is worth showing
  return before === null || before.model !== model.value ? null : { estimates: before.estimates, state: "old" };
});

const isSame = (a: Recipe, b: Recipe): boolean => JSON.stringify(a) === JSON.stringify(b);
const isFor = (estimates: readonly Estimate[], gpus: readonly GpuRow[]): boolean =>
  estimates.length === gpus.length && estimates.every(({ gpu }, index) => gpu.id === gpus[index]!.id);

/** An estimate from points around it; null without any. */
export function aboutOn(now: Asked, gpu: GpuRow, recipe: Recipe): ShownEstimate | null {
  if (model.value?.config == null) return null;
  const own = points.value.get(shapeOf(model.value, now, gpu.sm));
  const digest = aboutAt(own ?? pointsNow.value, sizesOf(recipe));
  if (digest === null) return null;
  const chain = chainOf(digest, gpu);
  const head = headOf(model.value.config);
  return { recipe, head, program: programOf(recipe, head), gpu, digest, chain, fit: fitOf(chain, gpu) };
}

let ticket: Ticket = { cancelled: true, question: null };
/** What is under way, for a question that belongs to it; a new one where it was cancelled. */
export function ticketForQuestion(): Ticket {
  if (ticket.cancelled) ticket = { cancelled: false, question: null };
  return ticket;
}

export function settingsOf(about: PageModel, { torch, teacher }: Asked): RunSettings | Diagnostic {
  const files: Record<string, string> = { [CONFIG_FILE]: about.text! };
  if (teacher !== null) {
    const found = publishedModel(teacher);
    if ("code" in found) return found;
    files[TEACHER_FILE] = found.text!;
  }
  return { torch, files };
}

/** Ends what runs and starts anew with what is confirmed; called when that has changed. */
export function simulate(): void {
  stop();
  isStopped.value = false;
  problem.value = null;
  const about = model.value;
  const now = asked.value;
  const gpus = simulated.value;
  if (now !== null && "problem" in now) problem.value = now.problem;
  if (about === null || now === null || "problem" in now || about.refusal !== null || gpus.length === 0) return;
  const settings = settingsOf(about, now.asked);
  if ("code" in settings) {
    problem.value = settings;
    return;
  }
  const mine: Ticket = { cancelled: false, question: null };
  ticket = mine;
  void main(about, now.asked, gpus, settings, mine);
}

/** The reader's Cancel: nothing runs until something changes. */
export function cancel(): void {
  isStopped.value = answer.value === null || shown.value?.state !== "simulated";
  stop();
}

function stop(): void {
  ticket.cancelled = true;
  endRuns();
  work.value = null;
}

async function main(
  about: PageModel,
  now: Asked,
  gpus: readonly GpuRow[],
  settings: RunSettings,
  mine: Ticket,
): Promise<void> {
  let count = 0;
  work.value = { what: "main", count, of: null };
  const measure = measureFor(settings, mine, () => (work.value = { what: "main", count: ++count, of: null }));
  const head = headOf(about.config!);
  try {
    const estimates: Estimate[] = [];
    for (const gpu of gpus) {
      const made = await estimate(measure, now.recipe, head, gpu);
      estimates.push(made);
      addPoint(about, now, gpu.sm, { sizes: sizesOf(made.recipe), digest: made.digest });
    }
    if (mine.cancelled) return;
    answer.value = { model: about, asked: now, estimates };
    answers.value = NO_ANSWERS;
    work.value = null;
    await lookAround(about, now, gpus[0]!, settings, mine);
  } catch (error) {
    if (mine.cancelled || isInterrupted(error)) return;
    work.value = null;
    problem.value = failureOf(error, about);
  }
}

export function failureOf(error: unknown, about: PageModel): Diagnostic {
  if (!(error instanceof DiagnosticError)) {
    return { code: "internal_error", args: { reason: error instanceof Error ? error.message : String(error) } };
  }
  const { code, args } = error.diagnostic;
  return code === "estimate_program_fails" && about.config !== null
    ? explainFailure(String(args["error"]), about.config, about)
    : error.diagnostic;
}

/** A point that fails, because the model refuses its length for example, tells nothing and is left out. */
async function lookAround(
  about: PageModel,
  now: Asked,
  gpu: GpuRow,
  settings: RunSettings,
  mine: Ticket,
): Promise<void> {
  const head = headOf(about.config!);
  const own = sizesOf(now.recipe);
  const limits = sizeLimits(now.recipe);
  const known = (): readonly Point[] => points.value.get(shapeOf(about, now, gpu.sm)) ?? [];
  const edge = (axis: number) => (): TaskSizes | null => edgeAlong(known(), own, axis, gpu.totalBytes, limits);
  const wanted = [
    ...worthKnowing(own, now.recipe.task, limits).map((sizes) => (): TaskSizes | null => sizes),
    ...[0, 1, 0, 1].map(edge),
  ];
  const measure = measureFor(settings, mine, () => {});
  for (const [index, choose] of wanted.entries()) {
    const sizes = choose();
    if (sizes === null || known().some((point) => point.sizes.join() === sizes.join())) continue;
    while (mine.question !== null) await mine.question;
    if (mine.cancelled) return;
    work.value = { what: "points", count: index, of: wanted.length };
    const recipe = withSizes(now.recipe, sizes);
    const run = await measure(generated(recipe, head), gpu.id, ROOMY_BYTES).catch(
      (error: unknown): MeasuredRun | null => {
        if (isInterrupted(error)) throw error;
        return null;
      },
    );
    if (mine.cancelled) return;
    if (run?.status === "ok") addPoint(about, now, gpu.sm, { sizes, digest: run.digest });
  }
  if (mine.question === null && !mine.cancelled) work.value = null;
}

function withSizes(recipe: Recipe, sizes: readonly number[]): Recipe {
  const [batch, length, third] = sizes as [number, number, number];
  return recipe.task === "train"
    ? { ...recipe, batch, seq: length, loraRank: third }
    : { ...recipe, batch, prompt: length, newTokens: third };
}

function sizeLimits(recipe: Recipe): readonly (number | null)[] {
  const most = longest.value;
  return recipe.task === "train"
    ? [256, most, null]
    : [256, most === null ? null : most - recipe.newTokens, most === null ? null : most - recipe.prompt];
}

export function addPoint(about: PageModel, now: Asked, sm: number, point: Point): void {
  const key = shapeOf(about, now, sm);
  const own = points.value.get(key) ?? [];
  if (own.some(({ sizes }) => sizes.join() === point.sizes.join())) return;
  points.value = new Map([...points.value, [key, [...own, point]]]);
}
