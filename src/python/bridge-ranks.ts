/** What a rank tells of its groups and asks of the ranks that run beside it; a rank that runs alone is told so. */

import { type Communicator, ncclBytes, type OutsideBytes } from "../gpus/nccl.ts";
import type { Session } from "../session/session.ts";
import { ERROR_MARK, type RankNote, type RankQuestion } from "./rank-questions.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;

/** The way to the other ranks. */
export interface RankLine {
  readonly ask: (question: RankQuestion) => unknown;
  /** A path as the person knows it. */
  readonly shown: (path: string) => string;
}

const positive = (value: unknown): number | null => (Number(value) > 0 ? Number(value) : null);
const numbers = (text: unknown): number[] => (text === "" ? [] : String(text).split(",").map(Number));

/** So many calls are sent at once. */
const MOST_NOTES = 64;

/** Functions of which the engine's side calls some, too. */
type RankFunctions = Functions & { readonly rankLeftLoop: () => void; readonly ranksTold: () => void };

export function rankFunctions(session: Session, line: RankLine | null): RankFunctions {
  return { ...communicatorFunctions(session), ...(line === null ? aloneFunctions : togetherFunctions(session, line)) };
}

const aloneFunctions: RankFunctions = {
  ranksTogether: () => false,
  ranksAlike: () => "",
  rankLeftLoop: () => {},
  ranksTold: () => {},
};

function togetherFunctions(session: Session, { ask, shown }: RankLine): RankFunctions {
  let notes: RankNote[] = [];
  let leftLoop = false;
  type Part<T> = T extends unknown ? Omit<T, "notes" | "leftLoop" | "line"> : never;
  const question = (frame: unknown, part: Part<RankQuestion>): string => {
    const sent = notes;
    notes = [];
    const answer = ask({ ...part, notes: sent, leftLoop, line: lineOf(Number(frame)) } as RankQuestion);
    return typeof answer === "string" ? answer : `${ERROR_MARK}RuntimeError\nthe other ranks are gone`;
  };
  const lineOf = (frame: number): string => {
    const place = session.trace.placeOf(frame);
    return place === null ? "" : `${shown(place.file)}:${place.line}`;
  };
  const tell = (): string => (notes.length > 0 ? question(-1, { kind: "tell" }) : "");
  return {
    ranksTogether: () => true,
    /** Tells which ranks this one still stands for, and which of them draw something else; with none, asks for which it does. */
    ranksAlike: (ranks: string, drawn: string) =>
      ask({ kind: "alike", ranks: numbers(ranks), drawn: numbers(drawn), notes: [], leftLoop: false, line: "" }),
    rankLeftLoop: () => {
      leftLoop = true;
    },
    /** Tells what has not been sent. */
    ranksTold: () => void tell(),
    collective: (op: string, group: string, ranks: string, tensors: string, peer: number, frame: number) => {
      const note = { op: String(op), group: String(group), ranks: numbers(ranks), tensors: String(tensors) };
      notes.push({ ...note, peer: Number(peer), line: lineOf(Number(frame)) });
      return notes.length < MOST_NOTES ? "" : tell();
    },
    meet: (what: string, group: string, ranks: string, payload: string, of: number, frame: number) => {
      const where = { group: String(group), ranks: numbers(ranks), of: Number(of) };
      return question(frame, { kind: "meet", what: String(what), ...where, payload: String(payload) });
    },
    post: (group: string, to: number, payload: string) =>
      question(-1, { kind: "post", group: String(group), to: Number(to), payload: String(payload) }),
    take: (group: string, from: number, what: string, frame: number) =>
      question(frame, { kind: "take", group: String(group), from: Number(from), what: String(what) }),
    /** `kind`: set, add, compare, get, has or delete; values in hexadecimal, amounts in decimal digits. */
    store: (kind: "set" | "get", key: string, value: string, before: string, frame: number) =>
      question(frame, { kind, key: String(key), value: String(value), before: String(before) }),
  };
}

function communicatorFunctions(session: Session): Functions {
  const groups = new Map<string, OutsideBytes>();
  return {
    /** A group's communicator is there, or has connections to more peers: what NCCL takes for all of them is assumed anew. */
    communicator: (
      name: string,
      ranks: number,
      nodes: number,
      kind: string,
      buffer: number,
      most: number,
      nvls: number,
    ) => {
      const peers = kind === "collective" ? 0 : Number(kind);
      const of: Communicator = { ranks, nodes, collective: kind === "collective", peers };
      const settings = { bufferBytes: positive(buffer), mostChannels: positive(most), nvls: nvls !== 0 };
      // what a group of one takes is NCCL's own, whichever group it was
      const key = ranks < 2 ? "" : String(name);
      groups.set(`${key} ${of.collective}`, ncclBytes(of, session.gpu, settings));
      const sum = (key: keyof OutsideBytes): number => [...groups.values()].reduce((n, bytes) => n + bytes[key], 0);
      const args = {
        groups: new Set([...groups.keys()].map((key) => key.slice(0, key.lastIndexOf(" ")))).size,
        outsideLowBytes: sum("lowBytes"),
        outsideExpectedBytes: sum("expectedBytes"),
        outsideHighBytes: sum("highBytes"),
      };
      session.trace.assumption("nccl_buffers", args, -1);
    },
  };
}
