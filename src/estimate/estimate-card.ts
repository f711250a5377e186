/** What stands beside an estimate's verdict: the largest part of what is allocated at the peak. */

import type { Chain } from "./chain.ts";

export interface EstimateCause {
  readonly part: Chain["parts"][number]["id"];
  readonly bytes: number;
  readonly ofBytes: number;
}

export function largestPart({ parts, allocated }: Chain): EstimateCause | null {
  const [largest] = parts.toSorted((a, b) => b.bytes - a.bytes);
  if (largest === undefined || largest.bytes <= 0) return null;
  return { part: largest.id, bytes: largest.bytes, ofBytes: allocated.bytes };
}
