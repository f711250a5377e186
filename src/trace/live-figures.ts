/** What a run that is going on has allocated up to now, read from the memory in which it is recorded. */

import { newRows, type SharedTrace } from "./recorder-memory.ts";

export interface LiveFigures {
  readonly events: number;
  readonly allocatedBytes: number;
  readonly peakAllocatedBytes: number;
  readonly peakReservedBytes: number;
}

/** A function that gives the figures of now; each call reads only what was recorded since the last one. */
export function liveFigures(shared: SharedTrace): () => LiveFigures {
  let now: LiveFigures = { events: 0, allocatedBytes: 0, peakAllocatedBytes: 0, peakReservedBytes: 0 };
  return () => {
    const { rows, columns } = newRows(shared, "events", now.events, ["allocatedBytes", "reservedBytes"]);
    const most = (column: Float64Array, before: number): number =>
      column.reduce((high, bytes) => Math.max(high, bytes), before);
    now = {
      events: rows,
      allocatedBytes: columns.allocatedBytes.at(-1) ?? now.allocatedBytes,
      peakAllocatedBytes: most(columns.allocatedBytes, now.peakAllocatedBytes),
      peakReservedBytes: most(columns.reservedBytes, now.peakReservedBytes),
    };
    return now;
  };
}
