/** Which ranks of a program for several GPUs run: the options that torchrun has, and which of its ranks are simulated. */

import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export const RANK_OPTIONS: readonly OptionSpec[] = [
  { name: "nproc-per-node", aliases: ["nproc_per_node"], value: "N", summary: "option_nproc" },
  { name: "nnodes", value: "N", summary: "option_nnodes" },
  { name: "rank", value: "R,...|all|auto", summary: "option_rank" },
];

export interface RankSettings {
  readonly localWorldSize: number;
  readonly worldSize: number;
  /** The ranks that are simulated; `auto`: some, and the others where those differ. */
  readonly ranks: readonly number[] | "auto";
}

/** As many GPUs as no machine room has; what is above is a slip. */
const MOST_RANKS = 65_536;

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
  if (worldSize > MOST_RANKS) {
    const name = nodes === undefined ? "--nproc-per-node" : "--nproc-per-node x --nnodes";
    throw new UsageError("too_large", { name, value: worldSize, most: MOST_RANKS });
  }
  return { localWorldSize, worldSize, ranks: chosen(which ?? "auto", worldSize) };
}

function chosen(which: string, worldSize: number): readonly number[] | "auto" {
  if (worldSize === 1 && (which === "auto" || which === "all")) return [0];
  if (which === "auto") return "auto";
  if (which === "all") return Array.from({ length: worldSize }, (_, rank) => rank);
  const ranks = which.split(",").map((text) => {
    const rank = Number(text);
    if (text.trim() === "" || !Number.isInteger(rank) || rank < 0 || rank >= worldSize) {
      throw new UsageError("bad_rank", { value: text, last: worldSize - 1 });
    }
    return rank;
  });
  return [...new Set(ranks)].sort((a, b) => a - b);
}
