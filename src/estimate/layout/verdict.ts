/** Whether a layout fits: the worst of its ranks decides, and sequences that are only bounded leave it open. */

import type { GpuRow } from "../../gpus/catalogue.ts";
import type { LayoutEstimate, RankEstimate } from "./ranks.ts";

/** Worst first; `shorter`: sequences of the greatest length do not fit, those of the data may. */
const VERDICTS = ["does_not_fit", "shorter", "released", "tight", "fits"] as const;
export type LayoutVerdict = (typeof VERDICTS)[number];

function verdictOf({ fit, statesBytes }: RankEstimate, upToLength: boolean, gpu: GpuRow): LayoutVerdict {
  if (!upToLength || fit === "fits" || fit === "tight") return fit;
  return statesBytes + gpu.context.lowBytes > gpu.totalBytes ? "does_not_fit" : "shorter";
}

export function layoutVerdict({ job, gpu, ranks }: LayoutEstimate): LayoutVerdict {
  const found = new Set(ranks.map((rank) => verdictOf(rank, job.upToLength, gpu)));
  return VERDICTS.find((verdict) => found.has(verdict))!;
}
