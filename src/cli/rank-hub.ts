/**
 * The hub between ranks that run side by side: what host code of one needs of another is handed over here, calls of collectives are held
 * against each other, and a state in which no rank can go on is found.
 */

import { ERROR_MARK, isRankQuestion, NOBODY, type RankQuestion } from "../python/rank-questions.ts";
import { collectiveBook, type OpenCall } from "./rank-collectives.ts";
import { rankStore } from "./rank-store.ts";

/** Why no rank can go on, or why the run is worth nothing as it is. */
export type RankFailure =
  | { readonly kind: "deadlock"; readonly waits: readonly RankWait[]; readonly ended: readonly number[] }
  | { readonly kind: "mismatch"; readonly calls: readonly RankCall[] }
  /** Something was asked of a rank that does not run. */
  | { readonly kind: "needs_all" };

export interface RankCall {
  readonly rank: number;
  readonly what: string;
  readonly line: string;
}

export interface RankWait extends RankCall {
  readonly for: readonly number[];
}

export interface HubPlan {
  /** Ranks that run. */
  readonly ranks: readonly number[];
  readonly worldSize: number;
  /** Whether ranks that do not run are taken as equal to some that do; otherwise nothing is known of them. */
  readonly othersAreEqual: boolean;
  /**
   * Ranks for which each of those that run stands until the program tells them apart. They may be started later: what others did
   * before is held against what they do, until they are let go.
   */
  readonly standsFor?: readonly number[];
  readonly onFailure: (failure: RankFailure) => void;
  /** A rank waits or goes on: another one may start. */
  readonly onChange: () => void;
}

export interface RankHub {
  /** Answers the rank's question as soon as it can. */
  ask(rank: number, question: unknown): string | Promise<string>;
  started(rank: number): void;
  /** `alone`: it could not go on, but others may as if it were not there. */
  ended(rank: number, alone: boolean): void;
  /** How many are neither waiting nor over. */
  readonly running: number;
  /** Whether a rank got something of another one. */
  readonly exchanged: boolean;
  /** The ranks that the program has not told apart from this one, itself among them; null until it asked. */
  alikeTo(rank: number): readonly number[] | null;
  /** Those of them that get other samples of the data or other random numbers. */
  drawnBeside(rank: number): readonly number[];
  /** The others wait for a rank that will be started. */
  expect(rank: number): void;
  /** Those that were not started will not be. */
  letGo(): void;
  /** Whether the store answered a rank as if ranks had been there that may still be started. */
  readonly stoodIn: boolean;
  /** Lets nobody wait any more. */
  close(): void;
}

interface Waiting {
  readonly rank: number;
  readonly what: string;
  readonly line: string;
  /** The answer, once it can be given. */
  readonly poll: () => string | null;
  readonly missing: () => readonly number[];
  /** What is answered when nobody will come. */
  readonly without: () => string;
  readonly done: (answer: string) => void;
}

type State = "in_reserve" | "not_started" | "running" | "waiting" | "ended" | "gone";

const error = (text: string): string => `${ERROR_MARK}DistBackendError\n${text}`;
/** What ranks leave for each other lies in the memory of whoever started them. */
const MOST_TEXT = 2 ** 29;

export function rankHub(plan: HubPlan): RankHub {
  const states = new Map<number, State>(plan.ranks.map((rank) => [rank, "not_started"]));
  for (const rank of plan.standsFor ?? []) if (!states.has(rank)) states.set(rank, "in_reserve");
  const isHere = (rank: number): boolean => (states.get(rank) ?? "gone") !== "gone";
  const isPresent = (rank: number): boolean => states.has(rank) && states.get(rank) !== "in_reserve";
  const waiting = new Set<Waiting>();
  const meetings = new Map<string, Map<number, RankCall & { payload: string }>>();
  const over = new Set<string>();
  const meetingsOf = new Map<string, number>();
  const letters = new Map<string, string[]>();
  const store = rankStore();
  const alike = new Map<number, readonly number[]>();
  const drawn = new Map<number, readonly number[]>();
  let kept = 0;
  let isLoose = false;
  let exchanged = false;
  let stoodIn = false;
  let isClosed = false;

  const fail = (failure: RankFailure): void => {
    if (isClosed) return;
    isClosed = true;
    plan.onFailure(failure);
    close();
  };
  const close = (): void => {
    isClosed = true;
    for (const each of waiting) each.done(error("the ranks were ended"));
    waiting.clear();
  };
  const book = collectiveBook(isHere, (calls) => {
    if (!isLoose) fail({ kind: "mismatch", calls });
  });

  /** Of a rank that does not run, one that stands for it: the nearest before it. */
  const standIn = (rank: number, here: readonly number[], own: number): number =>
    plan.othersAreEqual ? (here.findLast((other) => other <= rank) ?? here[0] ?? own) : own;

  function meet(rank: number, question: RankQuestion & { kind: "meet" }): Omit<Waiting, "done"> {
    const { group, ranks, what, payload, of, line } = question;
    const count = (meetingsOf.get(`${rank} ${group}`) ?? 0) + 1;
    meetingsOf.set(`${rank} ${group}`, count);
    const key = `${group} ${count}`;
    const meeting = meetings.get(key) ?? new Map<number, RankCall & { payload: string }>();
    meetings.set(key, meeting);
    meeting.set(rank, { rank, what, line, payload });
    const [first] = meeting.values();
    if (first!.what !== what && !isLoose) fail({ kind: "mismatch", calls: [first!, { rank, what, line }] });
    const without = (): string => {
      const here = [...meeting.keys()].sort((a, b) => a - b);
      return ranks.map((each) => meeting.get(meeting.has(each) ? each : standIn(each, here, rank))!.payload).join("\n");
    };
    const missing = (): number[] => ranks.filter((each) => isHere(each) && isPresent(each) && !meeting.has(each));
    let answered = false;
    // it has begun after the others went on as if it had brought what they did
    const isLate = over.has(key);
    return {
      rank,
      what,
      line,
      missing,
      without,
      poll: () => {
        if (answered || missing().length > 0) return null;
        answered = true;
        over.add(key);
        const differ = of === -1 ? new Set([...meeting.values()].map((each) => each.payload)).size > 1 : !isPresent(of);
        // what those that run bring says nothing of the others
        if (differ && plan.othersAreEqual && (isLate || !ranks.every(isPresent))) fail({ kind: "needs_all" });
        return without();
      },
    };
  }

  function take(rank: number, question: RankQuestion & { kind: "take" }): Omit<Waiting, "done"> {
    const { group, from, what, line } = question;
    const box = (): string[] | undefined => {
      const own = [...letters].find(
        ([key, all]) =>
          all.length > 0 && (from === -1 ? key.endsWith(`>${rank} ${group}`) : key === `${from}>${rank} ${group}`),
      );
      return own?.[1];
    };
    return {
      rank,
      what,
      line,
      poll: () => box()?.shift() ?? null,
      missing: () => (from === -1 ? others(rank) : [from]),
      without: () => NOBODY,
    };
  }

  const isUndecided = (): boolean => [...states.values()].includes("in_reserve");
  const others = (rank: number): number[] =>
    [...states.keys()].filter((other) => other !== rank && isHere(other)).sort((a, b) => a - b);

  /** Answers all that can be answered. */
  function settle(): void {
    for (let again = true; again;) {
      again = false;
      for (const each of waiting) {
        const answer = each.poll();
        if (answer === null) continue;
        waiting.delete(each);
        states.set(each.rank, "running");
        each.done(answer);
        again = true;
      }
    }
    const all = [...states.values()];
    if (!isClosed && !all.includes("running") && !all.includes("not_started")) stuck();
    plan.onChange();
  }

  /** Nobody runs: whoever waits will wait for ever, and calls that others did not make will never be over. */
  function stuck(): void {
    const open = isLoose ? [] : book.open();
    if (waiting.size === 0 && (open.length === 0 || isUndecided())) return;
    const isPartial = [...states.keys()].filter(isPresent).length < plan.worldSize;
    const lacksOthers = [...waiting].some(
      ({ missing }) => missing().some((rank) => !isPresent(rank)) || missing().length === 0,
    );
    if (isLoose || (isPartial && lacksOthers)) {
      if (isPartial && plan.othersAreEqual) return fail({ kind: "needs_all" });
      const [one] = waiting;
      if (one === undefined) return;
      waiting.delete(one);
      states.set(one.rank, "running");
      one.done(one.without());
      return;
    }
    const ended = [...states].filter(([, state]) => state === "ended").map(([rank]) => rank);
    fail({ kind: "deadlock", waits: waitsOf(open), ended });
  }

  /** What each rank waits for: a call before all that came after it. */
  function waitsOf(open: readonly OpenCall[]): RankWait[] {
    const found = new Map<number, RankWait>();
    const add = (wait: RankWait): void => {
      if (!found.has(wait.rank)) found.set(wait.rank, wait);
    };
    for (const { calls, missing } of open) for (const call of calls) add({ ...call, for: missing });
    for (const { rank, what, line, missing } of waiting) add({ rank, what, line, for: missing() });
    return [...found.values()].sort((a, b) => a.rank - b.rank);
  }

  function answerAlike(rank: number, { ranks, drawn: other }: RankQuestion & { kind: "alike" }): string {
    const { standsFor = [] } = plan;
    alike.set(rank, ranks.length > 0 ? ranks : standsFor);
    drawn.set(rank, other);
    if (ranks.length === 0) return standsFor.join(",");
    plan.onChange();
    return "";
  }

  function answerTo(rank: number, question: RankQuestion): string | Omit<Waiting, "done"> {
    switch (question.kind) {
      case "tell":
        return "";
      case "alike":
        return answerAlike(rank, question);
      case "meet":
        return meet(rank, question);
      case "take":
        return take(rank, question);
      case "post": {
        const key = `${rank}>${question.to} ${question.group}`;
        const box = letters.get(key);
        if (box === undefined) letters.set(key, [question.payload]);
        else box.push(question.payload);
        return "";
      }
      case "get": {
        const { key, line } = question;
        stoodIn ||= isUndecided();
        const rest = { what: `a store key (${key})`, line, missing: () => others(rank), without: () => NOBODY };
        return { rank, ...rest, poll: () => store.get(key) };
      }
      case "set":
        return store.answer(question);
      default:
        stoodIn ||= isUndecided();
        return store.answer(question);
    }
  }

  return {
    ask: (rank, question) => {
      if (isClosed) return error("the ranks were ended");
      if (!isRankQuestion(question)) return error("a rank asked for something unknown");
      kept += "payload" in question ? question.payload.length : "value" in question ? question.value.length : 0;
      if (kept > MOST_TEXT) return error("the ranks leave more for each other than there is room for");
      isLoose ||= question.leftLoop;
      for (const note of question.notes) book.add(rank, note);
      if (question.notes.length > 0) book.settle();
      const isReport = question.kind === "tell" || question.kind === "alike";
      exchanged ||= !isReport;
      const answer = answerTo(rank, question);
      if (isClosed) return error("the ranks were ended");
      if (typeof answer === "string") {
        if (!isReport) settle();
        return answer;
      }
      const now = answer.poll();
      if (now !== null) {
        settle();
        return now;
      }
      return new Promise((done) => {
        waiting.add({ ...answer, done });
        states.set(rank, "waiting");
        settle();
      });
    },
    started: (rank) => void states.set(rank, "running"),
    ended: (rank, alone) => {
      states.set(rank, alone ? "gone" : "ended");
      book.settle();
      settle();
    },
    alikeTo: (rank) => alike.get(rank) ?? null,
    drawnBeside: (rank) => drawn.get(rank) ?? [],
    expect: (rank) => void states.set(rank, "not_started"),
    get stoodIn() {
      return stoodIn;
    },
    letGo: () => {
      for (const [rank, state] of states) if (state === "in_reserve") states.set(rank, "gone");
      book.settle();
      settle();
    },
    get exchanged() {
      return exchanged;
    },
    get running() {
      return [...states.values()].filter((state) => state === "running").length;
    },
    close,
  };
}
