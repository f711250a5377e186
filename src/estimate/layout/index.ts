/** Layouts of training on several GPUs: jobs, their readers, and the simulated ranks. */

export { readCommand } from "./from-command.ts";
export { ReadingError, type Reading, type ReadingProblem } from "./reading.ts";
export { withUnevenExperts } from "./uneven-experts.ts";
export { estimateRanks, distinctStages, type LayoutEstimate, type RankEstimate } from "./ranks.ts";
export { layoutVerdict, type LayoutVerdict } from "./verdict.ts";
export { rankProgram } from "./rank-program.ts";
export * from "./training-job.ts";
export { defaultJob } from "./default-job.ts";
export { layoutOf } from "./layout-words.ts";
export { MEGATRON_RELEASES, NEWEST_MEGATRON, underMegatron, type MegatronRelease } from "./megatron-releases.ts";
export { modelSizes } from "./model-sizes.ts";
