/** Who sees the operators of a compiled function, which runs while nothing has memory (src/inductor). */

import type { CompiledOp } from "../ops/registry.ts";
import type { Args } from "../ops/row.ts";

export interface Follower {
  /** Runs a leaf operator. */
  run(op: CompiledOp, args: Args, compute: () => unknown): unknown;
  /** What is to be done when the running operator runs with memory. */
  later(work: () => void): void;
  /** Whether the graph of the running operator is recorded: in backward, what checkpointing computes again. */
  recordsGraph: boolean;
}
