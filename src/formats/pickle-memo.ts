/** The memo of a pickle: what was remembered by number. Python's writer numbers everything, and hardly anything is asked for again. */

import type { PickleValue } from "./pickle-values.ts";

/** So many values may be kept without knowing whether they are ever fetched. */
const MOST_UNCERTAIN = 1 << 21;

/** Thrown when a value is fetched that was not kept: the pickle must be read again, knowing which ones are. */
export class MemoMissed extends Error {
  override readonly name = "MemoMissed";
}

/** Numbers of lists of frames, by memo number: two growing columns, since there may be millions. */
class Pairs {
  #keys = new Int32Array(2048).fill(-1);
  #values = new Int32Array(2048);
  #size = 0;

  get(key: number): number {
    const slot = this.#slot(key);
    return this.#keys[slot] === key ? this.#values[slot]! : -1;
  }

  set(key: number, value: number): void {
    if (this.#size * 2 >= this.#keys.length) this.#grow();
    const slot = this.#slot(key);
    if (this.#keys[slot] !== key) this.#size += 1;
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  /** Numbers come in order, so they are spread well as they are. */
  #slot(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = key & mask;
    while (this.#keys[slot] !== key && this.#keys[slot] !== -1) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Int32Array(keys.length * 2).fill(-1);
    this.#values = new Int32Array(keys.length * 2);
    for (let index = 0; index < keys.length; index++) {
      if (keys[index] === -1) continue;
      const slot = this.#slot(keys[index]!);
      this.#keys[slot] = keys[index]!;
      this.#values[slot] = values[index]!;
    }
  }
}

export class PickleMemo {
  /** Which numbers are fetched somewhere, as bits; null while that is not known. */
  readonly #fetched: Uint8Array | null;
  readonly #values = new Map<number, PickleValue>();
  readonly #lists = new Pairs();
  #anySkipped = false;
  /** How many values were numbered. */
  count = 0;

  constructor(fetched: Uint8Array | null) {
    this.#fetched = fetched;
  }

  set(index: number, value: PickleValue): void {
    this.count += 1;
    if (this.#fetched === null) {
      if (this.#values.size >= MOST_UNCERTAIN) throw new MemoMissed();
    } else if (!this.wants(index)) return;
    this.#values.set(index, value);
  }

  get(index: number): PickleValue | undefined {
    return this.#values.get(index);
  }

  /** Index of a list of frames that was read past the memo, or -1. */
  listOf(index: number): number {
    return this.#lists.get(index);
  }

  /** A value of the memo is known to be this list of frames: it is found faster the next time. */
  isList(index: number, list: number): void {
    this.#lists.set(index, list);
  }

  /** Whether a value that is missing may be one that was not kept. */
  get mayHaveSkipped(): boolean {
    return this.#anySkipped && this.#fetched === null;
  }

  /** Whether a value is known to be fetched later. */
  wants(index: number): boolean {
    return this.#fetched !== null && ((this.#fetched[index >>> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  /** An entry was read as a whole: it numbered some values, of which only its list of frames is kept. */
  skip(skipped: number, count: number, listNumber: number, list: number): void {
    if (skipped > 0) this.#anySkipped = true;
    this.count = count;
    if (listNumber >= 0 && list >= 0) this.#lists.set(listNumber, list);
    else if (listNumber >= 0) this.#anySkipped = true;
  }
}
