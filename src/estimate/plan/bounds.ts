/** Lower bounds of a rank's memory: what no schedule and no kernel can do without. A layout above the card's memory is not simulated. */

import { layersOfChunks } from "../layout/rank-program.ts";
import { dataRanks, expertDataRanks, microBatches, paddedVocab, type TrainingJob } from "../layout/training-job.ts";
import { heldBy } from "./parameters.ts";

/** Parameters in 16 bits, gradients in 32, and 12 bytes of optimizer states that are shared out. */
const HELD_BYTES = 6;
const SHARED_BYTES = 12;

/** Tensors of one layer that wait for backward, in bytes; less than any implementation keeps. */
function layerBytes(job: TrainingJob, isExpert: boolean): number {
  const { model, layout } = job;
  const rows = (job.seq / layout.cp) * job.microBatch;
  const local = rows / (layout.sequenceParallel ? layout.tp : 1);
  const boundary = 2 * local * model.hidden;
  if (job.recompute === "full") return boundary;
  const { latent } = model;
  const width =
    latent === null
      ? (model.heads + 2 * model.groups + model.heads) * model.headDim
      : model.heads * (latent.plain * 2 + latent.rope * 2 + latent.value * 2);
  const attention = (2 * rows * width) / layout.tp;
  const inner = model.gated ? 3 : 2;
  const feed =
    isExpert && model.experts !== null
      ? 2 * local * model.experts.topk * (model.hidden + inner * model.experts.ffn) +
        (2 * rows * inner * model.experts.sharedFfn) / layout.tp
      : (2 * rows * inner * model.ffn) / layout.tp;
  return 4 * boundary + attention + feed;
}

/** Micro-batches whose activations a stage holds at once. */
function inFlight(job: TrainingJob, stage: number): number {
  const { pp, chunks } = job.layout;
  const all = microBatches(job);
  if (chunks === 1) return Math.min(all, pp - stage);
  return Math.min(all * chunks, (pp - stage - 1) * 2 + (chunks - 1) * pp + 1) / chunks;
}

export function boundBytes(job: TrainingJob, stage: number): number {
  const { dense, expert } = heldBy(job, stage);
  const { pp, cp, chunks, tp } = job.layout;
  const shared = job.zero > 0;
  const states =
    dense * (HELD_BYTES + SHARED_BYTES / (shared ? dataRanks(job) * cp : 1)) +
    expert * (HELD_BYTES + SHARED_BYTES / (shared ? expertDataRanks(job) : 1));
  const parts = layersOfChunks(job);
  const experts = new Set(job.model.expertLayers);
  let activations = 0;
  for (let chunk = 0; chunk < chunks; chunk++)
    for (const layer of parts[chunk * pp + stage]!) activations += layerBytes(job, experts.has(layer));
  // logits in 16 bits and their softmax in 32
  const rows = (job.seq / cp) * job.microBatch;
  const logits = stage === pp - 1 ? (rows * paddedVocab(job) * 6) / tp : 0;
  return states + activations * inFlight(job, stage) + logits;
}

/** The largest bound over the stages. */
export const largestBound = (job: TrainingJob): number =>
  Math.max(...Array.from({ length: job.layout.pp }, (_, stage) => boundBytes(job, stage)));
