/** Lower bounds of a rank's memory: what no schedule and no kernel can do without. A layout above the card's memory is not simulated. */

import { layersOfChunks } from "../layout/rank-program.ts";
import { dataRanks, expertDataRanks, microBatches, paddedVocab, type TrainingJob } from "../layout/training-job.ts";
import { heldBy } from "./parameters.ts";

/** Parameters in 16 bits, gradients in 32, and 12 bytes of optimizer states that are shared out. */
const WEIGHT_BYTES = 2;
const GRADIENT_BYTES = 4;
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

/** What a rank of a stage cannot do without, by part. */
export interface BoundParts {
  readonly weights: number;
  readonly gradients: number;
  readonly optimizer: number;
  readonly activations: number;
}

export function boundParts(job: TrainingJob, stage: number): BoundParts {
  const { dense, expert } = heldBy(job, stage);
  const { pp, cp, chunks, tp } = job.layout;
  const shared = job.zero > 0;
  const shares = [shared ? dataRanks(job) * cp : 1, shared ? expertDataRanks(job) : 1] as const;
  const parts = layersOfChunks(job);
  const experts = new Set(job.model.expertLayers);
  let activations = 0;
  for (let chunk = 0; chunk < chunks; chunk++)
    for (const layer of parts[chunk * pp + stage]!) activations += layerBytes(job, experts.has(layer));
  // logits in 16 bits and their softmax in 32
  const rows = (job.seq / cp) * job.microBatch;
  const logits = stage === pp - 1 ? (rows * paddedVocab(job) * 6) / tp : 0;
  return {
    weights: (dense + expert) * WEIGHT_BYTES,
    gradients: (dense + expert) * GRADIENT_BYTES,
    optimizer: SHARED_BYTES * (dense / shares[0] + expert / shares[1]),
    activations: activations * inFlight(job, stage) + logits,
  };
}

export function boundBytes(job: TrainingJob, stage: number): number {
  const { weights, gradients, optimizer, activations } = boundParts(job, stage);
  return weights + gradients + optimizer + activations;
}

/** The largest bound over the stages. */
export const largestBound = (job: TrainingJob): number =>
  Math.max(...Array.from({ length: job.layout.pp }, (_, stage) => boundBytes(job, stage)));
