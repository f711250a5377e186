/** Makes a `Trace` of what a recorder wrote: its columns, and the tables that they point into. */

import { CATEGORIES, PHASES, type BlockRecord, type Trace } from "./model.ts";
import { recordedIn, type Columns, type LeftTrace, type Recorded } from "./recorder-memory.ts";
import type { TraceMeta } from "./recording.ts";
import { readLog, type TraceTables } from "./trace-log.ts";

/**
 * The trace in a copy of a recorder's shared memory, which goes up to when the copy was made, or null where it is none. What was half
 * written then is left out.
 */
export function readRecorded(left: LeftTrace, meta: TraceMeta): Trace | null {
  const recorded = recordedIn(left);
  return recorded === null ? null : assembled(recorded, readLog(recorded.log.byte), meta);
}

export function assembled(recorded: Omit<Recorded, "log">, tables: TraceTables, meta: TraceMeta): Trace {
  const { events } = recorded;
  const count = events.kind.length;
  return {
    schemaVersion: 1,
    source: meta.source,
    program: meta.program,
    gpu: meta.gpu,
    capacityBytes: meta.capacityBytes,
    torch: meta.torch,
    events,
    blocks: blockRecords(recorded, tables),
    frames: tables.frames,
    ops: tables.ops,
    modules: tables.modules,
    marks: tables.marks,
    assumptions: tables.assumptions.map((entry, row) => ({ ...entry, count: recorded.assumed.count[row] ?? 1 })),
    saved: { ...savedUpTo(recorded.saved, count), names: tables.savedNames },
    failures: tables.failures.filter(({ event }) => event < count),
  };
}

function blockRecords({ events, blocks, sizes }: Omit<Recorded, "log">, tables: TraceTables): BlockRecord[] {
  const count = events.kind.length;
  const shapes = shapeReader(sizes.value);
  const records: BlockRecord[] = [];
  for (let block = 0; block < blocks.bytes.length; block++) {
    const event = blocks.allocEvent[block]!;
    // a block is there before its event
    if (event >= count) break;
    const freeEvent = blocks.freeEvent[block]!;
    records.push({
      requestedBytes: blocks.requestedBytes[block]!,
      bytes: blocks.bytes[block]!,
      address: blocks.address[block]!,
      stream: blocks.stream[block]!,
      allocEvent: event,
      freeEvent: freeEvent < count ? freeEvent : -1,
      frame: events.frame[event]!,
      op: events.op[event]!,
      module: events.module[event]!,
      category: CATEGORIES[blocks.category[block]!]!,
      phase: PHASES[events.phase[event]!]!,
      dtype: tables.dtypes[blocks.dtype[block]! - 1] ?? null,
      shape: shapes(blocks.shape[block]!),
      note: tables.notes[blocks.note[block]! - 1] ?? null,
    });
  }
  return records;
}

/** Shapes by row plus one; equal ones are one array. */
function shapeReader(sizes: Float64Array): (row: number) => readonly number[] | null {
  const known = new Map<string, readonly number[]>();
  return (row) => {
    if (row === 0) return null;
    const shape = [...sizes.subarray(row, row + sizes[row - 1]!)];
    const key = shape.join();
    const same = known.get(key);
    if (same !== undefined) return same;
    known.set(key, shape);
    return shape;
  };
}

/** Rows are in the order of their events; a row may be there before the event that it waits for. */
function savedUpTo(saved: Columns<"saved">, events: number): Columns<"saved"> {
  let rows = saved.since.length;
  while (rows > 0 && saved.since[rows - 1]! > events) rows--;
  const columns = Object.fromEntries(
    Object.entries<Int32Array | Uint8Array>(saved).map(([name, column]) => [
      name,
      rows === column.length ? column : column.slice(0, rows),
    ]),
  ) as unknown as Columns<"saved">;
  columns.until.forEach((until, row) => {
    if (until > events) columns.until[row] = -1;
  });
  return columns;
}
