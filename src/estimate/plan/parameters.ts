/** How many parameters a rank of each stage holds, and how many work on a token: counted from sizes, nothing is built. */

import { layersOfChunks } from "../layout/rank-program.ts";
import { paddedVocab, type ModelSizes, type TrainingJob } from "../layout/training-job.ts";

/** Values of an attention block and its norms, over `tp` ranks. */
function attention(model: ModelSizes, tp: number): number {
  const { hidden, heads, groups, headDim, latent } = model;
  const norm = hidden * (model.layerNorm ? 2 : 1);
  if (latent === null) {
    const own = Math.max(1, groups / tp);
    return ((heads / tp) * 2 + own * 2) * headDim * hidden + norm;
  }
  const { queryRank, rank, plain, rope, value } = latent;
  const up = (queryRank || hidden) * (heads / tp) * (plain + rope) + rank * (heads / tp) * (plain + value);
  return queryRank * (hidden + 1) + up + hidden * (rank + rope) + rank + hidden * (heads / tp) * value + norm;
}

const matrices = (model: ModelSizes): number => (model.gated ? 3 : 2);
const dense = (model: ModelSizes, width: number, tp: number): number => (matrices(model) * model.hidden * width) / tp;

export interface Held {
  /** Replicated over all data-parallel ranks, and over those of the same experts alone. */
  readonly dense: number;
  readonly expert: number;
}

/** What a rank of a stage holds. */
export function heldBy(job: TrainingJob, stage: number): Held {
  const { model, layout } = job;
  const { tp, pp, ep, etp, chunks } = layout;
  const parts = layersOfChunks(job);
  const experts = new Set(model.expertLayers);
  let shared = 0;
  let expert = 0;
  for (let chunk = 0; chunk < chunks; chunk++)
    for (const layer of parts[chunk * pp + stage]!) {
      shared += attention(model, tp) + model.hidden;
      if (!experts.has(layer) || model.experts === null) shared += dense(model, model.ffn, tp);
      else {
        shared += model.hidden * model.experts.experts + dense(model, model.experts.sharedFfn, tp);
        expert += (model.experts.experts / ep) * dense(model, model.experts.ffn, etp);
      }
    }
  const table = (paddedVocab(job) / tp) * model.hidden;
  const last = stage === pp - 1;
  if (stage === 0) shared += table + model.positions * model.hidden;
  if (last && !(stage === 0 && model.tied)) shared += table;
  if (last && model.extraPredictions > 0) {
    const one = attention(model, tp) + (2 * model.hidden * model.hidden) / tp;
    shared += table + model.extraPredictions * one;
    if (model.experts !== null)
      expert += model.extraPredictions * (model.experts.experts / ep) * dense(model, model.experts.ffn, etp);
  }
  return { dense: shared, expert };
}

/** Values that work on one token: of experts, those that it visits. */
export function activeParameters(model: ModelSizes): number {
  let sum = 2 * model.vocab * model.hidden;
  const experts = new Set(model.expertLayers);
  for (let layer = 0; layer < model.layers; layer++) {
    sum += attention(model, 1);
    if (!experts.has(layer) || model.experts === null) sum += dense(model, model.ffn, 1);
    else sum += dense(model, model.experts.ffn * model.experts.topk + model.experts.sharedFfn, 1);
  }
  return sum;
}

/** Operations of attention's own products per token of a causal sequence, forward alone. */
export function attentionFlops({ layers, heads, headDim, latent }: ModelSizes, seq: number): number {
  const width = latent === null ? 2 * headDim : latent.plain + latent.rope + latent.value;
  return layers * heads * width * seq;
}
