/** Which ranks of a program for several GPUs run: the options that torchrun has, and which of its ranks is simulated. */

import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export const RANK_OPTIONS: readonly OptionSpec[] = [
  { name: "nproc-per-node", aliases: ["nproc_per_node"], value: "N", summary: "option_nproc" },
  { name: "nnodes", value: "N", summary: "option_nnodes" },
  { name: "rank", value: "R", summary: "option_rank" },
];

export interface RankSettings {
  readonly localWorldSize: number;
  readonly worldSize: number;
  /** The rank that is simulated. */
  readonly rank: number;
}

function count(typed: string | undefined, name: string): number {
  if (typed === undefined) return 1;
  const value = Number(typed);
  if (!Number.isInteger(value) || value < 1) throw new UsageError("bad_number", { name, value: typed });
  return value;
}

/** Null for a program that runs as one process without a world. */
export function rankSettings(parsed: Parsed): RankSettings | null {
  const [typed, nodes, which] = ["nproc-per-node", "nnodes", "rank"].map((name) => valueOf(parsed, name));
  if (typed === undefined && nodes === undefined) {
    if (which !== undefined) throw new UsageError("rank_without_world", {});
    return null;
  }
  const localWorldSize = count(typed, "--nproc-per-node");
  const worldSize = localWorldSize * count(nodes, "--nnodes");
  return { localWorldSize, worldSize, rank: chosen(which, worldSize) };
}

function chosen(which: string | undefined, worldSize: number): number {
  if (which === undefined) return 0;
  if (which === "all" || which.includes(",")) throw new UsageError("several_ranks", { value: which });
  const rank = Number(which);
  if (which.trim() === "" || !Number.isInteger(rank) || rank < 0 || rank >= worldSize) {
    throw new UsageError("bad_rank", { value: which, last: worldSize - 1 });
  }
  return rank;
}
