/** Runs several ranks of one program, each as a program of its own, and finds out which of them are alike. */

import { availableParallelism } from "node:os";
import type { NamedRanks } from "./named-ranks.ts";
import type { RunResult } from "../python/run-types.ts";
import type { Trace } from "../trace/model.ts";

export interface RankRun {
  readonly rank: number;
  readonly result: RunResult;
}

/** Ranks with the same allocations in the same order; the first one ran, others may be taken as equal to it. */
export interface RankClass {
  readonly ran: readonly RankRun[];
  /** Ranks that did not run and are taken as equal. */
  readonly taken: readonly number[];
}

export interface RankRuns {
  readonly classes: readonly RankClass[];
  /** Ranks of which nothing is known. */
  readonly unknown: readonly number[];
}

export interface RankPlan {
  /** The ranks that there are to choose from. */
  readonly pool: readonly number[];
  readonly ranks: readonly number[] | "auto";
  /** Ranks that the program's text tells apart. */
  readonly named: NamedRanks;
}

/** So many ranks that differ are all run; of more, some that lie evenly. */
const MOST_RANKS = 64;
/** An interpreter takes some hundred MB. */
const MOST_AT_ONCE = 4;
/** A program that failed so takes the other ranks with it, as torchrun ends them; of memory each rank tells its own need. */
const ENDS_OTHERS: ReadonlySet<string> = new Set(["python_error", "unsupported_op", "internal_error", "host_fault"]);

/** Whether two ranks asked for and gave back the same in the same order. */
export function alike(a: RunResult, b: RunResult): boolean {
  if (a.status !== b.status || a.exitStatus !== b.exitStatus) return false;
  if (a.trace.assumptions.length !== b.trace.assumptions.length) return false;
  return sameEvents(a.trace, b.trace);
}

function sameEvents({ events: a }: Trace, { events: b }: Trace): boolean {
  if (a.kind.length !== b.kind.length) return false;
  for (let i = 0; i < a.kind.length; i++) {
    if (a.kind[i] !== b.kind[i]) return false;
    if (a.allocatedBytes[i] !== b.allocatedBytes[i] || a.reservedBytes[i] !== b.reservedBytes[i]) return false;
  }
  return true;
}

/** So few ranks all run. */
const FEW = 4;

/** First, second, middle and last, where uneven shards begin and end, and those that the program names. */
function samples({ pool, named }: RankPlan): readonly number[] {
  if (pool.length <= FEW) return pool;
  if (named === "all") return spread(pool);
  const usual = [pool[0]!, pool[1]!, pool[pool.length >> 1]!, pool.at(-1)!];
  return spread([...new Set([...usual, ...named.filter((rank) => pool.includes(rank))])]);
}

function spread(ranks: readonly number[]): readonly number[] {
  const step = Math.max(1, Math.ceil(ranks.length / MOST_RANKS));
  return ranks.filter((_, i) => i % step === 0 || i === ranks.length - 1);
}

export async function runRanks(
  plan: RankPlan,
  run: (rank: number, signal: AbortSignal) => Promise<RunResult>,
): Promise<RankRuns> {
  const runs: RankRun[] = [];
  const over = new AbortController();
  const runAll = async (ranks: readonly number[]): Promise<void> => {
    const queue = [...ranks];
    const one = async (): Promise<void> => {
      for (let rank; (rank = queue.shift()) !== undefined && !over.signal.aborted;) {
        const result = await run(rank, over.signal);
        runs.push({ rank, result });
        if (ENDS_OTHERS.has(result.status)) over.abort();
      }
    };
    await Promise.all(Array.from({ length: Math.min(queue.length, MOST_AT_ONCE, availableParallelism()) }, one));
  };
  const { pool, ranks } = plan;
  if (ranks !== "auto") {
    await runAll(ranks);
    return { classes: classesOf(runs, []), unknown: missing(ranks, runs) };
  }
  await runAll(samples(plan));
  const rest = missing(pool, runs);
  const equal = plan.named !== "all" && runs.every(({ result }) => alike(result, runs[0]!.result));
  if (over.signal.aborted || rest.length === 0) return { classes: classesOf(runs, []), unknown: rest };
  if (equal) return { classes: classesOf(runs, rest), unknown: [] };
  if (plan.named !== "all") await runAll(spread(rest));
  return { classes: classesOf(runs, []), unknown: missing(pool, runs) };
}

const missing = (ranks: readonly number[], runs: readonly RankRun[]): number[] =>
  ranks.filter((rank) => !runs.some((run) => run.rank === rank));

/** @param taken ranks that are taken as equal to the first class */
function classesOf(runs: readonly RankRun[], taken: readonly number[]): RankClass[] {
  const classes: RankRun[][] = [];
  for (const run of [...runs].sort((a, b) => a.rank - b.rank)) {
    const same = classes.find(([first]) => alike(first!.result, run.result));
    if (same === undefined) classes.push([run]);
    else same.push(run);
  }
  return classes.map((ran, i) => ({ ran, taken: i === 0 ? taken : [] }));
}

/** Ranks as they are written: 0-3, 7. */
export function rankList(ranks: readonly number[]): string {
  const sorted = [...ranks].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length;) {
    let j = i;
    while (sorted[j + 1] === sorted[j]! + 1) j++;
    parts.push(j === i ? String(sorted[i]) : `${sorted[i]}-${sorted[j]}`);
    i = j + 1;
  }
  return parts.join(", ");
}

export interface HeadedOutput {
  readonly write: (text: string) => void;
  /** The last line may have no end. */
  readonly end: () => void;
}

/** Gives each line of a rank's output the header that torchrun's agent gives it, and passes whole lines on. */
export function headedOutput(role: string, rank: number, write: (text: string) => void): HeadedOutput {
  let begun = "";
  return {
    write: (text) => {
      const lines = (begun + text).split("\n");
      begun = lines.pop()!;
      if (lines.length > 0) write(lines.map((line) => `[${role}${rank}]:${line}\n`).join(""));
    },
    end: () => {
      if (begun !== "") write(`[${role}${rank}]:${begun}\n`);
      begun = "";
    },
  };
}
