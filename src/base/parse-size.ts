/** Sizes as people write them: `76GiB`, `512M`, `1.5 GiB`, `80GB`, plain bytes. */

import { table } from "./table.ts";

const UNITS = table<number>({
  "": 1,
  b: 1,
  k: 2 ** 10,
  kib: 2 ** 10,
  kb: 1e3,
  m: 2 ** 20,
  mib: 2 ** 20,
  mb: 1e6,
  g: 2 ** 30,
  gib: 2 ** 30,
  gb: 1e9,
  t: 2 ** 40,
  tib: 2 ** 40,
  tb: 1e12,
});

/** The bytes, or null when the text is no size. `GB` is decimal, `G` and `GiB` are binary. */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match === null ? undefined : UNITS[match[2]!.toLowerCase()];
  if (match === null || unit === undefined) return null;
  const bytes = Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
