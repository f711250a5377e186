/** What is chosen of a layout, the job that it means, and what its ranks need when they run. */

import { computed, signal } from "@preact/signals";
import {
  contradiction,
  defaultJob,
  evenLayout,
  distinctStages,
  estimateRanks,
  withUnevenExperts,
  modelSizes,
  ReadingError,
  type Contradiction,
  type LayoutEstimate,
  type ModelSizes,
  type Recompute,
  type TrainingJob,
} from "../../../../src/estimate/layout/index.ts";
import { ModelFileError } from "../../../../src/formats/model-file-error.ts";
import { measureFor, type Ticket } from "../page-runs.ts";
import { asked, askedShown, model, simulated } from "../page-state.ts";
import { settingsOf } from "../simulation.ts";

export interface LayoutChoice {
  readonly gpus: number;
  readonly tp: number;
  readonly pp: number;
  readonly cp: number;
  readonly ep: number;
  readonly recompute: Recompute;
}

export const FIRST_CHOICE: LayoutChoice = { gpus: 8, tp: 1, pp: 1, cp: 1, ep: 1, recompute: "none" };
/** As dragged: drawn at once. */
export const choice = signal<LayoutChoice>(FIRST_CHOICE);

/** Null: no decoder that Megatron-Core could cut. */
export const sizes = computed<ModelSizes | null>(() => {
  const now = model.value;
  if (now?.config == null) return null;
  try {
    return modelSizes(now.config, now.name);
  } catch (error) {
    if (error instanceof ReadingError || error instanceof ModelFileError) return null;
    throw error;
  }
});

/** Of what is shown, which is ahead while a slider is dragged; null where not all of the model trains. */
export const job = computed<TrainingJob | null>(() => {
  const now = askedShown.value;
  const model = sizes.value;
  if (model === null || now === null || "problem" in now) return null;
  const { recipe } = now.asked;
  if (recipe.task !== "train" || recipe.method !== "full") return null;
  const { gpus, tp, pp, cp, ep, recompute } = choice.value;
  const { batch, seq } = recipe;
  const layout = evenLayout({ gpus, tp, pp, cp, ep });
  return defaultJob({
    framework: "megatron",
    name: "layout",
    model,
    layout,
    microBatch: batch,
    globalBatch: null,
    seq,
    zero: 1,
    recompute,
  });
});

export const obstacle = computed<Contradiction | null>(() => (job.value === null ? null : contradiction(job.value)));

export interface RanRanks {
  readonly job: TrainingJob;
  readonly made: LayoutEstimate;
}
export const ran = signal<RanRanks | null>(null);
export const isRunning = signal(false);

/** The ends of the pipeline, and stages that differ. */
export async function runRanks(): Promise<void> {
  const now = job.value;
  const [gpu] = simulated.value;
  const entered = asked.value;
  if (now === null || gpu === undefined || obstacle.value !== null || isRunning.value) return;
  if (model.value === null || entered === null || "problem" in entered) return;
  const settings = settingsOf(model.value, entered.asked);
  if ("code" in settings) return;
  isRunning.value = true;
  const ticket: Ticket = { cancelled: false, question: null };
  try {
    const measure = measureFor(settings, ticket, () => {});
    const made = await estimateRanks(measure, now, gpu, distinctStages(now));
    ran.value = { job: now, made: await withUnevenExperts(measure, made, gpu) };
  } finally {
    isRunning.value = false;
  }
}
