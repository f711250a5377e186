/** What the allocator's counters imply: memory in pieces, a cache far above what is used, retries that cost time. */

import { MIB } from "../../base/bytes.ts";
import type { ReadingsBuilder } from "./readings-builder.ts";

export type StatFigures = Map<string, number>;

export interface StatTotals {
  readonly allocated?: number | undefined;
  readonly peakAllocated?: number | undefined;
  readonly reserved?: number | undefined;
  readonly peakReserved?: number | undefined;
  /** Free pieces of segments that are partly in use: they cannot be given back. */
  readonly split?: number | undefined;
  readonly ooms?: number | undefined;
  readonly retries?: number | undefined;
}

/** Below both, what lies unused is of no account. */
const MUCH_SHARE = 0.15;
const MUCH_BYTES = 256 * MIB;

export function explainStats(totals: StatTotals, out: ReadingsBuilder): void {
  const { allocated, peakAllocated, reserved, peakReserved, split, ooms = 0, retries = 0 } = totals;
  const isMuch = (bytes: number, of: number) => bytes >= MUCH_BYTES && bytes >= of * MUCH_SHARE;
  if (split !== undefined && reserved !== undefined && isMuch(split, reserved))
    out.assume("stats_say_split", { splitBytes: split });
  if (allocated !== undefined && reserved !== undefined && split !== undefined) {
    const cached = reserved - allocated - split;
    if (isMuch(cached, reserved)) out.assume("stats_say_cached", { cachedBytes: cached });
  }
  if (peakAllocated !== undefined && peakReserved !== undefined && isMuch(peakReserved - peakAllocated, peakReserved)) {
    out.assume("stats_say_ahead", { peakReservedBytes: peakReserved, peakAllocatedBytes: peakAllocated });
  }
  if (retries > 0) out.assume("stats_say_retries", { count: retries });
  if (ooms > 0) out.assume("stats_say_ooms", { count: ooms });
}
