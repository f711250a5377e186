/** `rtx-4090@20GiB`: a card with another amount of memory than the catalogue's, for parts of a card and for boards that are not listed. */

import { formatBytes } from "../base/bytes.ts";
import { parseSize } from "../base/parse-size.ts";
import { metalBytes } from "./metal.ts";

/** What a program can be given at the least, and more than any card has. */
const LEAST_BYTES = 2 ** 20;
const MOST_BYTES = 2 ** 46;

/** The card's own name and its memory, null for an amount that makes no sense; null where the name has none. */
export function givenCapacity(name: string): { readonly card: string; readonly totalBytes: number | null } | null {
  const at = name.lastIndexOf("@");
  if (at === -1) return null;
  const bytes = parseSize(name.slice(at + 1).trim());
  const makesSense = bytes !== null && bytes >= LEAST_BYTES && bytes <= MOST_BYTES;
  return { card: name.slice(0, at).trim(), totalBytes: makesSense ? bytes : null };
}

interface Card {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly totalBytes: number;
}

/** The row with that memory, under a name that finds it again; of a Mac's memory the GPU gets a part. */
export function withCapacity<Row extends Card>(row: Row, memoryBytes: number): Row {
  const totalBytes = row.vendor === "Apple" ? metalBytes(memoryBytes) : memoryBytes;
  return { ...row, id: `${row.id}@${memoryBytes}`, name: `${row.name} @ ${formatBytes(memoryBytes)}`, totalBytes };
}
