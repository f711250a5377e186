/** Memory over events, thinned out for a picture: in each column the event with most allocated bytes, by category. */

import { KIND } from "../trace/codes.ts";
import { CATEGORIES, type Category, type Trace } from "../trace/model.ts";

export interface TimelineColumn {
  readonly event: number;
  readonly allocatedBytes: number;
  /** The highest in the column. */
  readonly reservedBytes: number;
  /** In the order of {@link CATEGORIES}; what the trace has no block for is unknown. */
  readonly bytes: readonly number[];
}

const ALLOC = KIND.alloc;
const FREE = KIND.free_requested;

export function timelineColumns(trace: Trace, columns: number): TimelineColumn[] {
  const { kind, block, allocatedBytes, reservedBytes } = trace.events;
  const count = kind.length;
  const rank = new Map<Category, number>(CATEGORIES.map((category, index) => [category, index]));
  const running = CATEGORIES.map(() => 0);
  // blocks from before the recording
  for (const record of trace.blocks) if (record.allocEvent === -1) running[rank.get(record.category)!]! += record.bytes;
  const result: TimelineColumn[] = [];
  let highest: TimelineColumn | null = null;
  let reserved = 0;
  for (let event = 0; event < count; event++) {
    const record = trace.blocks[block[event]!];
    if (record !== undefined) {
      const sign = kind[event] === ALLOC ? 1 : kind[event] === FREE ? -1 : 0;
      running[rank.get(record.category)!]! += sign * record.bytes;
    }
    reserved = Math.max(reserved, reservedBytes[event]!);
    if (highest === null || allocatedBytes[event]! > highest.allocatedBytes) {
      highest = { event, allocatedBytes: allocatedBytes[event]!, reservedBytes: 0, bytes: [...running] };
    }
    const column = Math.floor((event * columns) / count);
    if (event + 1 < count && Math.floor(((event + 1) * columns) / count) === column) continue;
    result.push({ ...highest, reservedBytes: reserved });
    highest = null;
    reserved = 0;
  }
  return result;
}
