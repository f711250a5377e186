/** Whether a layout fits: the worst of its ranks decides, and sequences that are only bounded leave it open. */

import type { GpuRow } from "../../gpus/catalogue.ts";
import type { TrainingJob } from "./training-job.ts";
import type { LayoutEstimate, RankEstimate } from "./ranks.ts";

/** Worst first; `shorter`: sequences of the greatest length do not fit, those of the data may; `pictures`: the same of sequences full of pictures; `towers`: so far it fits, and towers were left out; `uneven`: it fits with equal shares of tokens for experts, and not with more on one rank. */
const VERDICTS = ["does_not_fit", "shorter", "pictures", "released", "towers", "tight", "uneven", "fits"] as const;
export type LayoutVerdict = (typeof VERDICTS)[number];

function verdictOf({ fit, statesBytes }: RankEstimate, job: TrainingJob, gpu: GpuRow): LayoutVerdict {
  const open = job.upToLength ? "shorter" : job.fullOfPictures === true ? "pictures" : null;
  if (open === null || fit === "fits" || fit === "tight") return fit;
  return statesBytes + gpu.context.lowBytes > gpu.totalBytes ? "does_not_fit" : open;
}

export function layoutVerdict({ job, gpu, ranks, uneven }: LayoutEstimate): LayoutVerdict {
  const found = new Set<LayoutVerdict>(ranks.map((rank) => verdictOf(rank, job, gpu)));
  if (job.leavesOutTowers === true) found.add("towers");
  if (uneven !== undefined && uneven.rank.fit !== "fits") found.add("uneven");
  return VERDICTS.find((verdict) => found.has(verdict))!;
}
