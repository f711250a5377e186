/** Training by preferences and by rewards as phases of one step: which models there are beside the one that trains, and what each phase does. */

/** Ids that `--task` takes, in TRL's words. */
export const ALIGNMENT_TASKS = ["dpo", "reward", "grpo", "ppo"] as const;
export type AlignmentTask = (typeof ALIGNMENT_TASKS)[number];

export const PHASE_IDS = [
  "start",
  "generate",
  "old",
  "reference",
  "values",
  "reward",
  "forward",
  "backward",
  "update",
  "sync",
] as const;
export type PhaseId = (typeof PHASE_IDS)[number];

/** What the reference is: another copy of the model, the model without its adapters, or none. */
export const REFERENCES = ["copy", "same", "none"] as const;
export type Reference = (typeof REFERENCES)[number];

/** Levels of vLLM's sleep between generations: awake, weights on the host, weights dropped. */
export const SLEEP_LEVELS = [0, 1, 2] as const;
export type SleepLevel = (typeof SLEEP_LEVELS)[number];

export interface AlignmentRecipe {
  readonly task: AlignmentTask;
  readonly reference: Reference;
  /** Tokens that are given and tokens of an answer, where answers are generated. */
  readonly prompt: number;
  readonly newTokens: number;
  /** A model gives rewards; otherwise a function does. */
  readonly hasRewardModel: boolean;
  /** An engine on the same card writes the answers; otherwise transformers does. */
  readonly hasEngine: boolean;
  readonly sleep: SleepLevel;
}

export interface TaskRow {
  /** Sequences of one sample: a chosen and a rejected answer. */
  readonly sequences: number;
  readonly generates: boolean;
  /** The class that trains, where it is not the model's own. */
  readonly scores: boolean;
  /** A second model that trains: it says what an answer is worth. */
  readonly hasValues: boolean;
  readonly usualReference: "copy" | "none";
}

/** After trl 1.9: GRPO has no reference where `beta` is 0, which is its default. */
export const TASKS: Readonly<Record<AlignmentTask, TaskRow>> = {
  dpo: { sequences: 2, generates: false, scores: false, hasValues: false, usualReference: "copy" },
  reward: { sequences: 2, generates: false, scores: true, hasValues: false, usualReference: "none" },
  grpo: { sequences: 1, generates: true, scores: false, hasValues: false, usualReference: "none" },
  ppo: { sequences: 1, generates: true, scores: false, hasValues: true, usualReference: "copy" },
};
