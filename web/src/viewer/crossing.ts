/**
 * A trace on its way from the reader's thread to the page. A recording may have millions of blocks: what their events say
 * already is not sent, and the page makes records that look things up instead of copies.
 */

import { blockRecords, type BlockColumns } from "../../../src/trace/block-columns.ts";
import { CATEGORIES, PHASES, type BlockRecord, type Trace } from "../../../src/trace/model.ts";
import { packTrace, unpackTrace, type PackedTrace } from "../../../src/trace/packed.ts";

export type CrossingTrace =
  | { readonly kind: "packed"; readonly trace: PackedTrace }
  | { readonly kind: "columns"; readonly trace: Omit<Trace, "blocks">; readonly columns: BlockColumns };

const MOST_STREAMS = 65_535;

/** Whether the event of a block's birth says the same as the block. */
function agrees({ events }: Trace, block: BlockRecord): boolean {
  const event = block.allocEvent;
  if (event < 0) return block.op === -1 && block.module === -1 && block.phase === "other";
  return (
    events.bytes[event] === block.bytes &&
    events.address[event] === block.address &&
    events.frame[event] === block.frame &&
    events.op[event] === block.op &&
    events.module[event] === block.module &&
    PHASES[events.phase[event]!] === block.phase
  );
}

/** The blocks as columns, or null where they say something that columns cannot. */
function columnsOf(trace: Trace): BlockColumns | null {
  const { blocks } = trace;
  const count = blocks.length;
  let early = 0;
  while (early < count && blocks[early]!.allocEvent < 0) early += 1;
  const columns = {
    allocEvent: new Int32Array(count),
    freeEvent: new Int32Array(count),
    requestedBytes: new Float64Array(count),
    category: new Uint8Array(count),
    stream: new Uint16Array(count),
    streams: [] as number[],
    early: { bytes: new Float64Array(early), address: new Float64Array(early), frame: new Int32Array(early) },
    tensors: new Map<number, { dtype: string; shape: readonly number[] }>(),
    notes: new Map<number, string>(),
  };
  const indices = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const block = blocks[index]!;
    if (!agrees(trace, block) || (block.allocEvent < 0 && index >= early)) return null;
    if (index < early) {
      columns.early.bytes[index] = block.bytes;
      columns.early.address[index] = block.address;
      columns.early.frame[index] = block.frame;
    }
    let place = indices.get(block.stream);
    if (place === undefined) {
      place = columns.streams.push(block.stream) - 1;
      if (place > MOST_STREAMS) return null;
      indices.set(block.stream, place);
    }
    columns.allocEvent[index] = block.allocEvent;
    columns.freeEvent[index] = block.freeEvent;
    columns.requestedBytes[index] = block.requestedBytes;
    columns.category[index] = CATEGORIES.indexOf(block.category);
    columns.stream[index] = place;
    if (block.dtype !== null || block.shape !== null) {
      if (block.dtype === null || block.shape === null) return null;
      columns.tensors.set(index, { dtype: block.dtype, shape: block.shape });
    }
    if (block.note !== null) columns.notes.set(index, block.note);
  }
  return columns;
}

/** So many tensors in a map are slower than plain rows. */
const MOST_TENSORS = 200_000;

export function sendTrace(trace: Trace): CrossingTrace {
  const columns = columnsOf(trace);
  if (columns === null || columns.tensors.size > MOST_TENSORS) return { kind: "packed", trace: packTrace(trace) };
  const { blocks: _, ...rest } = trace;
  return { kind: "columns", trace: rest, columns };
}

export function receiveTrace(crossing: CrossingTrace): Trace {
  if (crossing.kind === "packed") return unpackTrace(crossing.trace);
  const { trace, columns } = crossing;
  return { ...trace, blocks: blockRecords(columns, trace.events) };
}

/** Every buffer below a value, to be handed over instead of copied. */
export function buffersBelow(value: unknown, found = new Set<ArrayBuffer>(), depth = 6): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === "object" && value !== null && depth > 0 && !(value instanceof Map)) {
    // long lists hold records, and no buffers
    const parts = Array.isArray(value) && value.length > 1000 ? [] : Object.values(value);
    for (const part of parts) buffersBelow(part, found, depth - 1);
  }
  return [...found];
}
