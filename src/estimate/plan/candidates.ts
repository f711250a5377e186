/** Every layout of a model on so many GPUs that can be started. */

import type { LinkData } from "../../gpus/links.ts";
import { defaultJob } from "../layout/default-job.ts";
import {
  contradiction,
  evenLayout,
  type ModelSizes,
  type Recompute,
  type TrainingJob,
} from "../layout/training-job.ts";

export interface PlanRequest {
  readonly name: string;
  readonly model: ModelSizes;
  readonly gpus: number;
  readonly seq: number;
  readonly globalBatch: number;
}

const RECOMPUTE: readonly Recompute[] = ["none", "selective", "full"];
const MICRO_BATCHES = [1, 2, 4, 8];
const MOST_STAGES = 64;
const MOST_CONTEXT = 16;
const MOST_CHUNKS = 10;
/** A rank of context parallelism with fewer tokens than this wastes its card. */
const LEAST_TOKENS = 2048;

const divisors = (value: number, most: number): number[] =>
  Array.from({ length: Math.min(value, most) }, (_, i) => i + 1).filter((i) => value % i === 0);

/** Chunks of a stage: two, or as many as leave no chunk with more layers than another. */
const chunkCounts = (layers: number, pp: number): readonly number[] =>
  pp === 1
    ? [1]
    : [1, 2, ...divisors(layers, MOST_CHUNKS).filter((chunks) => chunks > 2 && layers % (pp * chunks) === 0)];

export function candidates(request: PlanRequest, links: LinkData): TrainingJob[] {
  const { model, gpus, seq } = request;
  const found: TrainingJob[] = [];
  const contexts = divisors(gpus, MOST_CONTEXT).filter((cp) => cp === 1 || seq / cp >= LEAST_TOKENS);
  for (const tp of divisors(gpus, links.node).filter((tp) => (tp & (tp - 1)) === 0))
    for (const pp of divisors(gpus / tp, Math.min(MOST_STAGES, model.layers)))
      for (const cp of contexts) {
        const dp = gpus / (tp * pp * cp);
        if (!Number.isInteger(dp)) continue;
        const spread = model.experts === null ? [1] : divisors(gpus / pp, model.experts.experts);
        for (const ep of spread)
          for (const chunks of chunkCounts(model.layers, pp))
            for (const microBatch of MICRO_BATCHES)
              for (const recompute of RECOMPUTE) {
                const layout = evenLayout({ gpus, tp, pp, cp, ep, chunks });
                const job = defaultJob({ ...request, framework: "megatron", layout, microBatch, zero: 1, recompute });
                const micro = job.globalBatch / (microBatch * dp);
                // the interleaved schedule takes micro-batches in rounds of the stages
                if (chunks > 1 && micro % pp !== 0) continue;
                if (contradiction(job) === null) found.push(job);
              }
      }
  return found;
}
