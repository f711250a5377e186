/** A second run of a program, to look at one moment of the first: who held what. Runs are deterministic, so the moment is the same. */

import type { RunOptions, RunResult } from "../python/run-types.ts";
import type { HolderTable } from "../session/holders.ts";

/**
 * Runs the program again and looks after event `event` of `first`.
 *
 * @returns the holders, or null when the second run was not at the same point at that event
 */
export async function lookAgain(
  runProgram: (options: RunOptions) => Promise<RunResult>,
  options: RunOptions,
  first: RunResult,
  event: number,
): Promise<HolderTable | null> {
  const second = await runProgram({
    ...options,
    onOutput: undefined,
    saveFiles: false,
    recordGraph: false,
    holdersAt: event,
  });
  const [before, after] = [first.trace.events, second.trace.events];
  const same = (["kind", "block", "address", "bytes", "allocatedBytes", "reservedBytes"] as const).every(
    (column) => before[column][event] === after[column][event],
  );
  return same ? (second.holders ?? null) : null;
}
