/**
 * Runs as few ranks as speak for all: each holds what the others have where its number stands (python/torch/_ranked.py), and tells from
 * which of them the program has not told it apart. One of those that are left is started as soon as there are any. Of ranks that differ
 * in their samples or random numbers alone, one is run to see whether that matters.
 */

import { rankHub, type RankFailure } from "./rank-hub.ts";
import {
  atOnce,
  classesOf,
  isOwnFailure,
  missing,
  rankRunner,
  samples,
  spread,
  type RankPlan,
  type RankRun,
  type RankRuns,
  type RunRank,
} from "./several-ranks.ts";

/** So many run before those that are left are taken for like the others, or run as well. */
const MOST_CLASSES = 4;

/**
 * @returns null where it is not to be had: ranks told each other something before all that differ had started, or the program does not
 *   run with numbers that stand for several ranks
 */
export async function provenRanks(plan: RankPlan, run: RunRank): Promise<RankRuns | null> {
  const { pool, worldSize } = plan;
  const every = spread(pool);
  const order = [...new Set([pool[0]!, pool.at(-1)!, ...samples(plan), ...every, ...pool])];
  // a program that compares ranks has two kinds at least, and there is most often a processor for each
  const atFirst = plan.compared ? 2 : 1;
  let begun = 0;
  let most = Math.min(MOST_CLASSES, pool.length);
  const runs: RankRun[] = [];
  const started = new Map<number, Promise<void>>();
  /** Told apart from those that were started, and waiting for a processor. */
  const expected: number[] = [];
  const over = new AbortController();
  let failure = null as RankFailure | null;
  /** Other samples are taken to have the same sizes until a rank shows that they have not. */
  let drawsMatter = false;

  const isRunning = (rank: number): boolean => !runs.some((each) => each.rank === rank);
  const spokenFor = (rank: number): readonly number[] => {
    const alike = hub.alikeTo(rank) ?? (isRunning(rank) ? pool : [rank]);
    return drawsMatter ? alike.filter((each) => !hub.drawnBeside(rank).includes(each)) : alike;
  };
  /** Ranks that draw something else than one that was started, where none of them was. */
  const unchecked = (): number[] =>
    [...started.keys()].flatMap((rank) => {
      const drawn = hub.drawnBeside(rank);
      return drawn.some((each) => started.has(each) || expected.includes(each)) ? [] : drawn.slice(-1);
    });
  const left = (): number[] => {
    const spoken = new Set([...[...started.keys()].flatMap(spokenFor), ...(expected.length > 0 ? pool : [])]);
    return order.filter((rank) => !spoken.has(rank));
  };
  const giveUp = (): void => {
    over.abort();
    hub.close();
  };
  const one = rankRunner(run, () => hub, over.signal, runs, giveUp);
  const startMore = (): void => {
    while (!over.signal.aborted) {
      const isFull = started.size + expected.length >= most;
      const rank = isFull ? unchecked()[0] : begun < atFirst ? order[begun++] : (left()[0] ?? unchecked()[0]);
      if (rank === undefined) break;
      // what those before it were told would have been its words, too
      if (hub.stoodIn) return giveUp();
      hub.expect(rank);
      expected.push(rank);
    }
    while (!over.signal.aborted && expected.length > 0 && hub.running < atOnce()) {
      const rank = expected.shift()!;
      started.set(rank, one(rank));
    }
  };
  const hub = rankHub({
    ranks: [],
    worldSize,
    othersAreEqual: true,
    standsFor: pool,
    onChange: startMore,
    onFailure: (found) => {
      failure = found;
      over.abort();
    },
  });
  const settled = async (): Promise<void> => {
    startMore();
    for (let count = -1; count !== started.size;) {
      count = started.size;
      await Promise.all(started.values());
    }
  };
  await settled();
  drawsMatter = classesOf(runs, []).some(({ ran }) => {
    const same = ran.map(({ rank }) => rank);
    return same.some((rank) => hub.drawnBeside(rank).some((each) => started.has(each) && !same.includes(each)));
  });
  let taken: readonly number[] = over.signal.aborted ? [] : left();
  let unknown: readonly number[] = [];
  if (drawsMatter || (taken.length > 0 && classesOf(runs, []).length > 1)) {
    most = every.length;
    await settled();
    unknown = left();
    taken = [];
  }
  hub.letGo();
  // with all of them there it is the program's own
  if (failure !== null && failure.kind !== "needs_all" && started.size === pool.length) {
    return { classes: classesOf(runs, []), unknown: [], failure };
  }
  if (failure === null && !hub.stoodIn && runs.some(({ result }) => isOwnFailure(result))) {
    return { classes: classesOf(runs, []), unknown: missing(pool, runs), failure: null };
  }
  if (failure !== null || over.signal.aborted) return null;
  const classes = classesOf(runs, []).map(({ ran }, i) => {
    const alike = new Set(ran.flatMap(({ rank }) => spokenFor(rank)));
    const others = pool.filter((rank) => alike.has(rank) && !started.has(rank));
    const draws = new Set(ran.flatMap(({ rank }) => hub.drawnBeside(rank)));
    return {
      ran,
      proven: others.filter((rank) => !draws.has(rank)),
      drawn: others.filter((rank) => draws.has(rank)),
      taken: i === 0 ? pool.filter((rank) => taken.includes(rank)) : [],
    };
  });
  return { classes, unknown, failure: null };
}
