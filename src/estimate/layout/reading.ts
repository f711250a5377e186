/** What a reader made of somebody's configuration: the job, and what happened to each key. */

import type { TrainingJob } from "./training-job.ts";

export interface Reading {
  /** What it was taken for: `Megatron-LM`. */
  readonly format: string;
  readonly job: TrainingJob;
  /** Keys that decided about the job. */
  readonly understood: readonly string[];
  /** Known keys that change no memory. */
  readonly without: readonly string[];
  /** Known keys whose memory is not modelled: the figure may be off by them. */
  readonly unmodelled: readonly string[];
  /** Keys that nobody here knows. */
  readonly unknown: readonly string[];
  /** What was taken because nothing was said: name and value. */
  readonly assumed: readonly (readonly [string, string])[];
}

export type ReadingProblem =
  | "launch_not_understood"
  | "launch_missing"
  | "launch_bad_value"
  | "launch_other_program"
  | "launch_contradiction";

/** A configuration that cannot be answered; worded in one line. */
export class ReadingError extends Error {
  override readonly name = "ReadingError";
  readonly code: ReadingProblem;
  readonly args: Readonly<Record<string, string | number>>;
  constructor(code: ReadingProblem, args: Readonly<Record<string, string | number>>) {
    super(code);
    this.code = code;
    this.args = args;
  }
}
