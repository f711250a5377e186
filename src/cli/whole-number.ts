/** Whole numbers of the command line: `4096`, `4k`, `128K`, `1M`; k is 1024. */

import { UsageError } from "./usage-error.ts";

const SCALES: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["k", 1024],
  ["m", 1024 ** 2],
]);

/**
 * A number from 1 to `most`; `name` is the option as one types it.
 *
 * @throws {UsageError} `bad_count` or `too_large`
 */
export function wholeNumber(name: string, typed: string, most: number): number {
  const [, digits, unit] = /^(\d+)([kKmM]?)$/.exec(typed) ?? [];
  const value = digits === undefined ? NaN : Number(digits) * SCALES.get(unit!.toLowerCase())!;
  if (value > most) throw new UsageError("too_large", { name, value: typed, most });
  if (!(value >= 1)) throw new UsageError("bad_count", { name, value: typed });
  return value;
}
