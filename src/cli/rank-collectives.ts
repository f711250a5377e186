/** Calls of collectives, sends and receives by rank: whether all ranks of a group make the same ones, and which some never made. */

import { table } from "../base/table.ts";
import type { RankNote } from "../python/rank-questions.ts";
import type { RankCall } from "./rank-hub.ts";

/** A call that is not over: who made it, and who did not. */
export interface OpenCall {
  readonly calls: readonly RankCall[];
  readonly missing: readonly number[];
}

export interface CollectiveBook {
  add(rank: number, note: RankNote): void;
  /** Goes on as far as the ranks can; some may be gone, and calls that only waited for them are over. */
  settle(): void;
  /** Calls that are not over, in the order in which they began. */
  open(): OpenCall[];
}

/** Which way a tensor goes in a call of two ranks. */
const WAYS = table<"to" | "from">({ send: "to", isend: "to", recv: "from", irecv: "from" });

interface Call {
  readonly ranks: readonly number[];
  readonly made: Map<number, RankNote>;
}

/** float32:4x5 becomes float32*20: collectives move elements, whatever their shape is. */
function elements(tensors: string): string {
  return tensors
    .split(",")
    .map((each) => {
      const [dtype, shape = ""] = each.split(":");
      const count = shape === "" ? 1 : shape.split("x").reduce((product, size) => product * Number(size), 1);
      return `${dtype}*${count}`;
    })
    .join(",");
}

/** As a person reads it: all_reduce(float32[4, 5]). */
const shown = ({ op, tensors }: RankNote): string =>
  `${op}(${tensors
    .split(",")
    .filter((each) => each !== "")
    .map((each) => each.replace(/:(.*)/, (_, shape: string) => `[${shape.replaceAll("x", ", ")}]`))
    .join(", ")})`;

const callOf = (rank: number, note: RankNote): RankCall => ({ rank, what: shown(note), line: note.line });

/** @param isHere whether a rank runs here and has not gone */
export function collectiveBook(
  isHere: (rank: number) => boolean,
  onMismatch: (calls: readonly RankCall[]) => void,
): CollectiveBook {
  const calls = new Map<string, Call>();
  const counts = new Map<string, number>();
  /** Calls that a rank has not come to on its device, because one before them is not over. */
  const queues = new Map<number, RankNote[]>();
  /** The call in which a rank's device is, where nothing after it runs before it is over. */
  const blocked = new Map<number, string>();

  const next = (key: string): number => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  const isOver = ({ ranks, made }: Call): boolean => ranks.every((rank) => made.has(rank) || !isHere(rank));

  /** The rank's device comes to a call. */
  function reach(rank: number, note: RankNote): void {
    const { group, peer, op } = note;
    const way = WAYS[op];
    // what is received from anybody is not held against anything
    if (way !== undefined && peer === -1) return;
    const [from, to] = way === "to" ? [rank, peer] : [peer, rank];
    const ranks = way === undefined ? note.ranks : [from, to];
    const place = way === undefined ? group : `${group} ${from}>${to}`;
    const key = `${place} ${next(`${rank} ${place}`)}`;
    const call = calls.get(key) ?? { ranks, made: new Map<number, RankNote>() };
    calls.set(key, call);
    const [first] = call.made;
    call.made.set(rank, note);
    if (first !== undefined) {
      const [other, before] = first;
      const isSame = way !== undefined || before.op === op;
      if (!isSame || elements(before.tensors) !== elements(note.tensors))
        onMismatch([callOf(other, before), callOf(rank, note)]);
    }
    if (isOver(call)) calls.delete(key);
    else if (op === "send" || op === "recv") blocked.set(rank, key);
  }

  function settle(): void {
    for (const [key, call] of calls) if (isOver(call)) calls.delete(key);
    for (let again = true; again;) {
      again = false;
      for (const [rank, queue] of queues) {
        const inside = blocked.get(rank);
        if (inside !== undefined && !calls.has(inside)) blocked.delete(rank);
        while (queue.length > 0 && !blocked.has(rank)) {
          reach(rank, queue.shift()!);
          again = true;
        }
      }
    }
  }

  return {
    add: (rank, note) => {
      const queue = queues.get(rank);
      if (queue === undefined) queues.set(rank, [note]);
      else queue.push(note);
    },
    settle,
    open: () =>
      [...calls.values()].map(({ ranks, made }) => ({
        calls: [...made].map(([rank, note]) => callOf(rank, note)),
        missing: ranks.filter((rank) => isHere(rank) && !made.has(rank)),
      })),
  };
}
