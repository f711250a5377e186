/** How the charts' words are asked for, and numbers in them. */

import type { ChartWord } from "./words-en.ts";

export type WordArgs = Readonly<Record<string, string | number>>;
/** Words a key in the reader's language; a number whose name ends in `Bytes` becomes GiB, MiB or KiB. */
export type Translate = (key: ChartWord, args?: WordArgs) => string;

/** `1,234,567`. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The same words with large counts in groups of three digits. */
export function withGroups(t: Translate): Translate {
  const isCount = (name: string, value: string | number): value is number =>
    typeof value === "number" && value >= 1000 && !/bytes$/i.test(name);
  return (key, args = {}) =>
    t(
      key,
      Object.fromEntries(
        Object.entries(args).map(([name, value]) => [name, isCount(name, value) ? grouped(value) : value]),
      ),
    );
}
