/** What ranks of one program that run side by side ask of the hub between them, and how they tell it of their collectives. */

/** Who answers. */
export const RANK_SERVICE = "ranks";

/** A call of a collective or of send and recv: nothing is waited for, but all ranks must make the same ones. */
export interface RankNote {
  readonly group: string;
  readonly ranks: readonly number[];
  /** As PyTorch calls it, with what must be equal beside the tensors. */
  readonly op: string;
  /** dtype:4x5,dtype:3 */
  readonly tensors: string;
  /** The other rank of a send or recv; -1 for collectives, and for recv from any. */
  readonly peer: number;
  readonly line: string;
}

export type RankQuestion = {
  /** Calls since the last question. */
  readonly notes: readonly RankNote[];
  /** A loop was left before its end: other ranks may have left it elsewhere. */
  readonly leftLoop: boolean;
  readonly line: string;
} & (
  | { readonly kind: "tell" }
  /**
   * Which ranks it still stands for; without any, the question for which it does. `drawn`: those of them that get other samples or
   * random numbers.
   */
  | { readonly kind: "alike"; readonly ranks: readonly number[]; readonly drawn: readonly number[] }
  | {
      readonly kind: "meet";
      readonly what: string;
      readonly group: string;
      readonly ranks: readonly number[];
      readonly payload: string;
      /** The rank whose payload alone is read; -1: all are. */
      readonly of: number;
    }
  | { readonly kind: "post"; readonly group: string; readonly to: number; readonly payload: string }
  | { readonly kind: "take"; readonly group: string; readonly from: number; readonly what: string }
  | { readonly kind: "set" | "add" | "compare"; readonly key: string; readonly value: string; readonly before: string }
  | { readonly kind: "get" | "has" | "delete"; readonly key: string }
);

/** How an answer begins that is none: an error, or that nobody is there who could give it. */
export const ERROR_MARK = "!";
export const NOBODY = "?";

const isText = (value: unknown): value is string => typeof value === "string";
const isRank = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= -1;
const isRanks = (value: unknown): boolean => Array.isArray(value) && value.every(isRank);

/** What a program's thread sends is checked: a program may send anything. */
export function isRankQuestion(value: unknown): value is RankQuestion {
  if (typeof value !== "object" || value === null) return false;
  const q = value as Record<string, unknown>;
  if (!isText(q["line"]) || !Array.isArray(q["notes"]) || !q["notes"].every(isNote)) return false;
  switch (q["kind"]) {
    case "tell":
      return true;
    case "alike":
      return isRanks(q["ranks"]) && isRanks(q["drawn"]);
    case "meet":
      return isText(q["what"]) && isText(q["group"]) && isRanks(q["ranks"]) && isText(q["payload"]) && isRank(q["of"]);
    case "post":
      return isText(q["group"]) && isRank(q["to"]) && isText(q["payload"]);
    case "take":
      return isText(q["group"]) && isRank(q["from"]) && isText(q["what"]);
    case "set":
    case "add":
    case "compare":
      return isText(q["key"]) && isText(q["value"]) && isText(q["before"]);
    case "get":
    case "has":
    case "delete":
      return isText(q["key"]);
    default:
      return false;
  }
}

function isNote(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { group, ranks, op, tensors, peer, line } = value as Record<string, unknown>;
  return isText(group) && isRanks(ranks) && isText(op) && isText(tensors) && isRank(peer) && isText(line);
}
