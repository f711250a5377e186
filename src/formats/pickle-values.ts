/** What a pickle's containers become, and how a folder may replace them while they are read. */

import type { PickleBytes, PickleInteger } from "./pickle-bytes.ts";
import type { PickleMemo } from "./pickle-memo.ts";

export class PickleList {
  items: PickleValue[] = [];
  folded: PickleValue | undefined = undefined;
}

export class PickleTuple {
  readonly items: readonly PickleValue[];

  constructor(items: readonly PickleValue[]) {
    this.items = items;
  }
}

export class PickleDict {
  /** Keys and values by turns, in the order of writing. */
  items: PickleValue[] = [];
  folded: PickleValue | undefined = undefined;

  /** Value of a text key; the last one wins, as in Python. */
  get(key: string): PickleValue | undefined {
    for (let i = this.items.length - 2; i >= 0; i -= 2) if (this.items[i] === key) return this.items[i + 1];
    return undefined;
  }
}

/** What a folder puts in the place of a value. */
export abstract class PickleFold {
  readonly isFold = true;
}

export type PickleValue = null | boolean | PickleInteger | string | PickleList | PickleTuple | PickleDict | PickleFold;

export interface PickleFolder {
  /** A finished value that goes into a container now, and what shall stand there instead. Asked once per value. */
  fold(value: PickleList | PickleDict): PickleValue;
  /** `value` goes to the end of `list`; true when the folder has taken it there itself. */
  append?(list: PickleList, value: PickleValue): boolean;
  /** Reads a dictionary that was just begun straight from the bytes, if it is of a kind that the folder knows. */
  takeDict?(input: PickleBytes, memo: PickleMemo): boolean;
  /** What {@link takeDict} read last, as it shall stand on the stack; null when it goes with what is on top of the stack. */
  taken?(top: PickleValue | undefined): PickleValue | null;
  /** Whether a dictionary that was just filled is complete and may be folded before it is put anywhere. */
  isWhole?(dict: PickleDict): boolean;
  /** A list that {@link takeDict} read on the way, by what it told the memo. */
  listValue?(list: number): PickleValue;
}
