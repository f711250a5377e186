/** A trace as PyTorch's allocator would have recorded it: entries of a memory history, with the sizes that were asked for. */

import { KIND } from "./codes.ts";
import { EVENT_KINDS, type BlockRecord, type EventColumns } from "./model.ts";

/** One entry of a memory history; marks of the trace have none. */
export interface HistoryEntry {
  readonly action: (typeof EVENT_KINDS)[number];
  /** The trace's event. A block that returns to its pool at once has one event and two entries. */
  readonly event: number;
  /** Index of the block, or -1. */
  readonly block: number;
  readonly address: number;
  /** Requested bytes of a block; bytes of a segment, a range or a failed request. */
  readonly bytes: number;
  readonly stream: number;
  /** Index of the line's frame, or -1. */
  readonly frame: number;
}

const MARK = KIND.mark;
const FREE_REQUESTED = KIND.free_requested;
const FREE_COMPLETED = KIND.free_completed;

/** Blocks whose return had to wait for other streams: they have a second event of their own. */
function waitingBlocks({ kind, block }: EventColumns): ReadonlySet<number> {
  const waiting = new Set<number>();
  for (let event = 0; event < kind.length; event++) if (kind[event] === FREE_COMPLETED) waiting.add(block[event]!);
  return waiting;
}

/** Entries in order, those of event `first` and later; one object at a time, so that a long trace costs no memory. */
export function* historyEntries(
  events: EventColumns,
  blocks: readonly BlockRecord[],
  first = 0,
): Generator<HistoryEntry, void, undefined> {
  const waiting = waitingBlocks(events);
  for (let event = first; event < events.kind.length; event++) {
    const kind = events.kind[event]!;
    if (kind === MARK) continue;
    const index = events.block[event]!;
    const block = blocks[index];
    const entry: HistoryEntry = {
      action: EVENT_KINDS[kind]!,
      event,
      block: index,
      address: events.address[event]!,
      bytes: block?.requestedBytes ?? events.bytes[event]!,
      stream: block?.stream ?? 0,
      frame: events.frame[event]!,
    };
    yield entry;
    if (kind === FREE_REQUESTED && !waiting.has(index)) yield { ...entry, action: "free_completed" };
  }
}
