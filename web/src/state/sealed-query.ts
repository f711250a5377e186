/**
 * Queries of shared links, with their length and a checksum in front: `n=812&c=1k2j3h&gpu=t4&code=...`. Chats cut links off, and
 * what is left must not pass for the whole.
 */

export type Seal =
  /** No link of somebody, just an address. */
  | "none"
  | "whole"
  /** Shorter than it was made. */
  | "truncated"
  /** As long as it was made, or longer, but not the same. */
  | "altered";

/** CRC-32 as zlib has it: any single wrong character changes it. */
function checksum(text: string): string {
  let crc = -1;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ((crc ^ -1) >>> 0).toString(36);
}

export function seal(query: string): string {
  return query === "" ? "" : `n=${query.length}&c=${checksum(query)}&${query}`;
}

/** The query without its seal, and whether it is what was sealed. */
export function unseal(sealed: string): { readonly query: string; readonly seal: Seal } {
  if (!sealed.startsWith("n=")) return { query: sealed, seal: "none" };
  const [, length, expected, query] = /^n=(\d+)&c=([0-9a-z]+)&(.*)$/s.exec(sealed) ?? [];
  if (query === undefined || query.length < Number(length)) return { query: query ?? "", seal: "truncated" };
  return { query, seal: query.length === Number(length) && checksum(query) === expected ? "whole" : "altered" };
}
