/** Checked reading of a snapshot's fields: kinds, ranges, and how much there may be. */

import { PickleDict, PickleList, PickleTuple, type PickleValue } from "./pickle-values.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** Larger numbers are no bytes or addresses of any device. */
export const LARGEST = 2 ** 48;

export function bad(field: string, value: PickleValue | undefined): never {
  const shown =
    value === undefined
      ? "missing"
      : value === null
        ? "None"
        : typeof value === "object"
          ? value.constructor.name
          : String(value);
  throw new SnapshotError("snapshot-bad-field", { field, value: shown.slice(0, 60) });
}

export function size(field: string, value: PickleValue | undefined): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LARGEST
    ? value
    : bad(field, value);
}

/** Streams are pointers, written signed or unsigned; times count microseconds. */
export function anyInteger(field: string, value: PickleValue | undefined): number {
  if (typeof value === "bigint") return Number(BigInt.asUintN(64, value));
  return typeof value === "number" && Number.isInteger(value) ? value : bad(field, value);
}

/** Counts visits, so that a small file that names the same part a million times cannot keep the reader busy. */
export class Budget {
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  visit(count = 1): void {
    this.left -= count;
    if (this.left < 0) throw new SnapshotError("snapshot-too-repetitive", {});
  }
}

export function listItems(field: string, value: PickleValue | undefined): readonly PickleValue[] {
  return value instanceof PickleList || value instanceof PickleTuple ? value.items : bad(field, value);
}

export function dictOf(field: string, value: PickleValue): PickleDict {
  return value instanceof PickleDict ? value : bad(field, value);
}
