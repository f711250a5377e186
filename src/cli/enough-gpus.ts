/** A program that names a GPU by a number that the simulated machine does not have runs again on a machine with enough of them. */

import type { RunOptions, RunResult } from "../python/run-types.ts";

/** What PyTorch says of a number that no GPU has, with ours on how many GPUs would do. */
const NAMED = /CUDA error: invalid device ordinal\n.*--gpus (\d+) simulates/;

export interface EnoughGpus {
  readonly result: RunResult;
  readonly options: RunOptions;
  /** How many GPUs the program was given because it named one of them, or null. */
  readonly given: number | null;
}

/**
 * Runs a program; where it fails for a GPU that is not there, and nobody said how many there are, once more with as many as it takes.
 *
 * @param mayGive whether nobody said how many GPUs the machine has
 * @param most the most GPUs that a machine is given
 */
export async function runWithEnoughGpus(
  runProgram: (options: RunOptions) => Promise<RunResult>,
  options: RunOptions,
  mayGive: boolean,
  most: number,
  onAgain: (gpus: number) => void,
): Promise<EnoughGpus> {
  const result = await runProgram(options);
  const asked = result.status === "python_error" ? NAMED.exec(result.errorText ?? "") : null;
  const gpus = Number(asked?.[1] ?? 0);
  if (!mayGive || gpus <= 1 || gpus > most) return { result, options, given: null };
  onAgain(gpus);
  const enough = { ...options, devices: gpus };
  return { result: await runProgram(enough), options: enough, given: gpus };
}
