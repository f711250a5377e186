/** What changed between two traces: peaks, and what they consist of by line, module, category and other groupings. */

import { compositionAt } from "../trace/composition.ts";
import type { Trace } from "../trace/model.ts";
import { peakEvent, peakReservedBytes, type Grouping } from "../trace/queries.ts";

export interface DifferenceRow {
  /** Null for what the trace does not say. */
  readonly key: string | null;
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

export interface Totals {
  readonly program: string;
  readonly peakAllocatedBytes: number;
  readonly peakReservedBytes: number;
  readonly endAllocatedBytes: number;
}

export interface Difference {
  readonly before: Totals;
  readonly after: Totals;
  /** At the two peaks, without unsplit remainders; largest change first, unchanged groups left out. */
  readonly groups: readonly { readonly by: Grouping; readonly rows: readonly DifferenceRow[] }[];
  /** Unsplit remainders at the peaks. */
  readonly remainders: DifferenceRow;
}

function totalsOf(trace: Trace): Totals {
  const { allocatedBytes } = trace.events;
  return {
    program: trace.program,
    peakAllocatedBytes: Math.max(0, allocatedBytes[peakEvent(trace)] ?? 0),
    peakReservedBytes: peakReservedBytes(trace),
    endAllocatedBytes: allocatedBytes.at(-1) ?? 0,
  };
}

export function compareTraces(before: Trace, after: Trace, groupings: readonly Grouping[]): Difference {
  const peaks = [peakEvent(before), peakEvent(after)] as const;
  const compositions = (by: Grouping) =>
    [compositionAt(before, peaks[0], by), compositionAt(after, peaks[1], by)] as const;
  const groups = groupings.map((by) => {
    const [old, now] = compositions(by);
    const rows = new Map<string | null, DifferenceRow>();
    for (const { key, bytes } of old.shares) rows.set(key, { key, beforeBytes: bytes, afterBytes: 0 });
    for (const { key, bytes } of now.shares) {
      rows.set(key, { key, beforeBytes: rows.get(key)?.beforeBytes ?? 0, afterBytes: bytes });
    }
    const change = (row: DifferenceRow) => Math.abs(row.afterBytes - row.beforeBytes);
    return { by, rows: [...rows.values()].filter((row) => change(row) > 0).sort((a, b) => change(b) - change(a)) };
  });
  const [old, now] = compositions("category");
  return {
    before: totalsOf(before),
    after: totalsOf(after),
    groups,
    remainders: { key: null, beforeBytes: old.remainderBytes, afterBytes: now.remainderBytes },
  };
}
