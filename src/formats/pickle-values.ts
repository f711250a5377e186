/** What a pickle's containers become, and how a folder may replace them while they are read. */

import type { PickleInteger } from "./pickle-bytes.ts";

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
}
