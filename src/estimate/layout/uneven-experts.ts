/** Tokens choose their experts, so one rank may get more than its share: a layout that fits with equal shares is tried with twice as many on one rank. */

import type { GpuRow } from "../../gpus/catalogue.ts";
import type { Measure } from "../estimate.ts";
import { estimateRanks, type LayoutEstimate } from "./ranks.ts";
import type { TrainingJob } from "./training-job.ts";

/** Megatron-Bridge's guide to recomputation saw 72.9 GiB on hot ranks of a run whose others had 64.6; figures of ms-swift's scripts lie up to a sixth above equal shares. */
const LOAD = 2;

/** Experts on several ranks that take every token that chooses them. */
const mayBeUneven = ({ model: { experts }, layout: { ep } }: TrainingJob): boolean =>
  experts !== null && experts.capacity === undefined && experts.load === undefined && ep > 1;

function loaded(job: TrainingJob): TrainingJob {
  const { model } = job;
  return { ...job, model: { ...model, experts: model.experts === null ? null : { ...model.experts, load: LOAD } } };
}

/** What a step takes beside the states at most doubles with the tokens: where that much is left, nothing needs to run. */
function isRoomy({ worst: { chain, digest, statesBytes } }: LayoutEstimate): boolean {
  const left = chain.capacityBytes - chain.process.bytes;
  return left >= (LOAD - 1) * (digest.allocatedPeakBytes - statesBytes);
}

export async function withUnevenExperts(
  measure: Measure,
  made: LayoutEstimate,
  gpu: GpuRow,
  onRun: (done: number) => void = () => {},
): Promise<LayoutEstimate> {
  const { job, ranks, worst } = made;
  if (!mayBeUneven(job) || ranks.some(({ fit }) => fit !== "fits") || isRoomy(made)) return made;
  const more = await estimateRanks(measure, loaded(job), gpu, [worst.stage], (done) => onRun(ranks.length + done));
  return { ...made, uneven: { load: LOAD, rank: more.worst } };
}
