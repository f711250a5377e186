/** What releases of Megatron-Core differ in, as far as memory goes; a job is one of the newest release until it is made another's. */

import type { TrainingJob } from "./training-job.ts";

/** Release branches of Megatron-LM (`core_r0.18.0`), oldest first. */
export const MEGATRON_RELEASES = ["0.13", "0.14", "0.15", "0.16", "0.17", "0.18", "0.19"] as const;
export type MegatronRelease = (typeof MEGATRON_RELEASES)[number];
export const NEWEST_MEGATRON: MegatronRelease = "0.19";

interface Difference {
  readonly first: MegatronRelease;
  /** The first release that has it no more. */
  readonly end: MegatronRelease;
  readonly apply: (job: TrainingJob) => TrainingJob;
}

const DIFFERENCES: readonly Difference[] = [
  { first: "0.13", end: "0.14", apply: (job) => ({ ...job, dropsPlaceholders: true }) },
  // get_batch puts the tensors on the GPU into the dict that the iterator remembers for a rerun of the step (pretrain_gpt.py,
  // core/rerun_state_machine.py: from pull request 4103 to 5635, which remembers a copy)
  {
    first: "0.18",
    end: "0.19",
    apply: (job) => (job.remembersBatches === true ? { ...job, keepsBatches: true } : job),
  },
];

/** The job as a release runs it. */
export function underMegatron(job: TrainingJob, release: MegatronRelease): TrainingJob {
  const at = MEGATRON_RELEASES.indexOf(release);
  const its = DIFFERENCES.filter(
    ({ first, end }) => MEGATRON_RELEASES.indexOf(first) <= at && at < MEGATRON_RELEASES.indexOf(end),
  );
  return its.reduce((changed, { apply }) => apply(changed), job);
}
