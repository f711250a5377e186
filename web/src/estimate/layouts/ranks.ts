/** Which rank is where in the order of Megatron-Core: tensor parts are neighbours, then context, copies, and stages of the pipeline. */

import { dataRanks, type TrainingJob } from "../../../../src/estimate/layout/training-job.ts";

export interface RankPlace {
  readonly rank: number;
  readonly tensor: number;
  readonly context: number;
  readonly copy: number;
  readonly stage: number;
}

export function placeOf(job: TrainingJob, rank: number): RankPlace {
  const { tp, cp } = job.layout;
  const copies = dataRanks(job);
  return {
    rank,
    tensor: rank % tp,
    context: Math.floor(rank / tp) % cp,
    copy: Math.floor(rank / (tp * cp)) % copies,
    stage: Math.floor(rank / (tp * cp * copies)),
  };
}

/** Nodes that are drawn: the first few, and those in which another stage begins, as far as there is room. */
export function drawnNodes(job: TrainingJob, perNode: number, most: number): number[] {
  const nodes = Math.ceil(job.layout.gpus / perNode);
  if (nodes <= most) return Array.from({ length: nodes }, (_, i) => i);
  const starts = new Set<number>([0, nodes - 1]);
  for (let node = 1; node < nodes && starts.size < most; node++)
    if (placeOf(job, node * perNode).stage !== placeOf(job, (node - 1) * perNode).stage) starts.add(node);
  for (let node = 1; starts.size < most; node++) starts.add(node);
  return [...starts].sort((a, b) => a - b);
}
