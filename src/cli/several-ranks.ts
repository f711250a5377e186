/** Runs several ranks of one program, each as a program of its own, and finds out which of them are alike. */

import { availableParallelism } from "node:os";
import type { NamedRanks } from "./named-ranks.ts";
import { rankHub, type RankFailure, type RankHub } from "./rank-hub.ts";
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
  /** Ranks that did not run and must be equal: the program did nothing that depends on which of them it is. */
  readonly proven: readonly number[];
  /** Ranks that did not run and differ in their samples or random numbers alone; one that does, too, made the same allocations. */
  readonly drawn: readonly number[];
}

export interface RankRuns {
  readonly classes: readonly RankClass[];
  /** Ranks of which nothing is known. */
  readonly unknown: readonly number[];
  /** The ranks could not go on together. */
  readonly failure: RankFailure | null;
}

export interface RankPlan {
  /** The ranks that there are to choose from. */
  readonly pool: readonly number[];
  readonly worldSize: number;
  readonly ranks: readonly number[] | "auto";
  /** Ranks that the program's text tells apart. */
  readonly named: NamedRanks;
  readonly compared: boolean;
}

/** So many ranks that differ are all run; of more, some that lie evenly. */
const MOST_RANKS = 64;
/** An interpreter takes some hundred MB. */
const MOST_AT_ONCE = 4;
export const atOnce = (): number => Math.min(MOST_AT_ONCE, availableParallelism());
/** A program that failed so takes the other ranks with it, as torchrun ends them; of memory each rank tells its own need. */
const ENDS_OTHERS: ReadonlySet<string> = new Set(["python_error", "unsupported_op", "internal_error", "host_fault"]);

/** Errors that no kind of number brings about: not what a number that stands for several ranks may end in, where PyTorch's own would not. */
const OWN_ERRORS =
  /^(?:\w+\.)*(?:ImportError|ModuleNotFoundError|FileNotFoundError|NameError|SyntaxError|OutOfMemoryError|NotImplementedError|ValueError|RuntimeError|AssertionError|KeyError|IndexError)\b/;

/** Whether a rank failed for a reason of the program's own, whatever its number is made of. */
export function isOwnFailure({ status, errorText }: RunResult): boolean {
  if (status === "unsupported_op") return true;
  const lines = (errorText ?? "").trimEnd().split("\n");
  // of errors that followed each other the last; it begins at the left margin, and what it says may have several lines
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("Traceback ")) + 1);
  return status === "python_error" && last.some((line) => OWN_ERRORS.test(line));
}

/** A rank that went on from a call that met another rank's different one did not get where it would have. */
export function withoutImpossible(found: RankRuns): RankRuns {
  const { failure } = found;
  if (failure?.kind !== "mismatch") return found;
  const stopped = ({ rank, result }: RankRun): RankRun => {
    const isOver = result.status === "ok" && failure.calls.some((call) => call.rank === rank);
    return { rank, result: isOver ? { ...result, status: "interrupted" } : result };
  };
  return { ...found, classes: found.classes.map((each) => ({ ...each, ran: each.ran.map(stopped) })) };
}

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
export function samples({ pool, named }: RankPlan): readonly number[] {
  if (pool.length <= FEW) return pool;
  if (named === "all") return spread(pool);
  const usual = [pool[0]!, pool[1]!, pool[pool.length >> 1]!, pool.at(-1)!];
  return spread([...new Set([...usual, ...named.filter((rank) => pool.includes(rank))])]);
}

export function spread(ranks: readonly number[]): readonly number[] {
  const step = Math.max(1, Math.ceil(ranks.length / MOST_RANKS));
  return ranks.filter((_, i) => i % step === 0 || i === ranks.length - 1);
}

export type RunRank = (rank: number, signal: AbortSignal, ask: (question: unknown) => unknown) => Promise<RunResult>;

export async function runRanks(plan: RankPlan, run: RunRank): Promise<RankRuns> {
  const { pool, ranks, named } = plan;
  if (ranks !== "auto") return together(plan, ranks, false, run);
  const some = samples(plan);
  const rest = pool.filter((rank) => !some.includes(rank));
  const found = await together(plan, some, rest.length > 0, run);
  const runs = found.classes.flatMap(({ ran }) => ran);
  const died = runs.some(({ result }) => ENDS_OTHERS.has(result.status));
  const isOver = found.failure === null ? died : found.failure.kind !== "needs_all";
  if (rest.length === 0 || isOver) return { ...found, unknown: missing(pool, runs) };
  if (named === "all") return { ...found, unknown: rest };
  if (found.failure === null && found.classes.length === 1) return { ...found, classes: classesOf(runs, rest) };
  // what ranks told each other stood for those that were not there, too
  const all = spread(pool);
  const more = found.exchanged ? all : all.filter((rank) => !some.includes(rank));
  const then = await together(plan, more, all.length < pool.length, run);
  const every = [...(found.exchanged ? [] : runs), ...then.classes.flatMap(({ ran }) => ran)];
  return { ...then, classes: classesOf(every, []), unknown: missing(pool, every) };
}

/** How one rank runs beside others in a hub; `stop` ends them where it fails in a way that takes them with it. */
export const rankRunner =
  (run: RunRank, hub: () => RankHub, over: AbortSignal, runs: RankRun[], stop: () => void) =>
  async (rank: number): Promise<void> => {
    hub().started(rank);
    const result = await run(rank, over, (question) => hub().ask(rank, question));
    runs.push({ rank, result });
    if (ENDS_OTHERS.has(result.status)) stop();
    hub().ended(rank, result.status !== "ok" && result.status !== "system_exit");
  };

/** Runs these ranks side by side. One that waits for another leaves its place to the next. */
async function together(
  { worldSize }: RankPlan,
  ranks: readonly number[],
  othersAreEqual: boolean,
  run: RunRank,
): Promise<RankRuns & { readonly exchanged: boolean }> {
  const runs: RankRun[] = [];
  const over = new AbortController();
  const most = atOnce();
  const queue = [...ranks];
  const started: Promise<void>[] = [];
  let failure: RankFailure | null = null;
  const stop = (): void => {
    over.abort();
    hub.close();
  };
  const one = rankRunner(run, () => hub, over.signal, runs, stop);
  const startMore = (): void => {
    while (queue.length > 0 && !over.signal.aborted && hub.running < most) started.push(one(queue.shift()!));
  };
  const hub = rankHub({
    ranks,
    worldSize,
    othersAreEqual,
    onChange: startMore,
    onFailure: (found) => {
      failure = found;
      stop();
    },
  });
  startMore();
  // ranks that start later are added at the end
  for (let i = 0; i < started.length; i++) await started[i];
  return { classes: classesOf(runs, []), unknown: missing(ranks, runs), failure, exchanged: hub.exchanged };
}

export const missing = (ranks: readonly number[], runs: readonly RankRun[]): number[] =>
  ranks.filter((rank) => !runs.some((run) => run.rank === rank));

/** @param taken ranks that are taken as equal to the first class */
export function classesOf(runs: readonly RankRun[], taken: readonly number[]): RankClass[] {
  const classes: RankRun[][] = [];
  for (const run of [...runs].sort((a, b) => a.rank - b.rank)) {
    const same = classes.find(([first]) => alike(first!.result, run.result));
    if (same === undefined) classes.push([run]);
    else same.push(run);
  }
  return classes.map((ran, i) => ({ ran, taken: i === 0 ? taken : [], proven: [], drawn: [] }));
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

/** Of a rank that runs again, what it has printed before is not printed twice. */
export function printedOnce(write: (text: string) => void): (rank: number) => (text: string) => void {
  const before = new Map<number, string[]>();
  return (rank) => {
    const known = before.get(rank) ?? [];
    const lines: string[] = [];
    before.set(rank, lines);
    return (text) => {
      for (const line of text.split(/(?<=\n)/)) {
        if (known[lines.push(line) - 1] !== line) write(line);
      }
    };
  };
}
