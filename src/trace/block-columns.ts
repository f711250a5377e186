/**
 * Blocks of a recording with millions of them: what the events say already is not stored again, the rest lies in columns, and a
 * {@link BlockRecord} is two words that look things up. A simulated trace has plain records; readers cannot tell the difference,
 * except that copying one with `{...block}` needs {@link plainBlock}.
 */

import { CATEGORIES, PHASES, type BlockRecord, type Category, type EventColumns, type Phase } from "./model.ts";

/** Row i of every column is block i. */
export interface BlockColumns {
  /** -1 for blocks from before the recording. */
  readonly allocEvent: Int32Array;
  readonly freeEvent: Int32Array;
  readonly requestedBytes: Float64Array;
  /** Index into {@link CATEGORIES}. */
  readonly category: Uint8Array;
  /** Index into `streams`. */
  readonly stream: Uint16Array;
  readonly streams: readonly number[];
  /** Blocks without an event, which are the first ones: bytes, address and frame. */
  readonly early: { readonly bytes: Float64Array; readonly address: Float64Array; readonly frame: Int32Array };
  /** Dtypes, shapes and notes of those blocks that have any. */
  readonly tensors: ReadonlyMap<number, { readonly dtype: string; readonly shape: readonly number[] }>;
  readonly notes: ReadonlyMap<number, string>;
}

const OTHER: Phase = "other";

/** A record whose fields are read from columns. */
function recordClass(columns: BlockColumns, events: EventColumns): new (index: number) => BlockRecord {
  return class implements BlockRecord {
    readonly #index: number;
    constructor(index: number) {
      this.#index = index;
    }
    get requestedBytes(): number {
      return columns.requestedBytes[this.#index]!;
    }
    get bytes(): number {
      const event = columns.allocEvent[this.#index]!;
      return event < 0 ? columns.early.bytes[this.#index]! : events.bytes[event]!;
    }
    get address(): number {
      const event = columns.allocEvent[this.#index]!;
      return event < 0 ? columns.early.address[this.#index]! : events.address[event]!;
    }
    get stream(): number {
      return columns.streams[columns.stream[this.#index]!]!;
    }
    get allocEvent(): number {
      return columns.allocEvent[this.#index]!;
    }
    get freeEvent(): number {
      return columns.freeEvent[this.#index]!;
    }
    get frame(): number {
      const event = columns.allocEvent[this.#index]!;
      return event < 0 ? columns.early.frame[this.#index]! : events.frame[event]!;
    }
    get op(): number {
      const event = columns.allocEvent[this.#index]!;
      return event < 0 ? -1 : events.op[event]!;
    }
    get module(): number {
      const event = columns.allocEvent[this.#index]!;
      return event < 0 ? -1 : events.module[event]!;
    }
    get category(): Category {
      return CATEGORIES[columns.category[this.#index]!]!;
    }
    get phase(): Phase {
      const event = columns.allocEvent[this.#index]!;
      return event < 0 ? OTHER : PHASES[events.phase[event]!]!;
    }
    get dtype(): string | null {
      return columns.tensors.get(this.#index)?.dtype ?? null;
    }
    get shape(): readonly number[] | null {
      return columns.tensors.get(this.#index)?.shape ?? null;
    }
    get note(): string | null {
      return columns.notes.get(this.#index) ?? null;
    }
  };
}

/** The blocks as records, in order. */
export function blockRecords(columns: BlockColumns, events: EventColumns): BlockRecord[] {
  const Row = recordClass(columns, events);
  const count = columns.allocEvent.length;
  const records = new Array<BlockRecord>(count);
  for (let index = 0; index < count; index++) records[index] = new Row(index);
  return records;
}

/** A record as a plain object of its own. */
export function plainBlock(block: BlockRecord): BlockRecord {
  return {
    requestedBytes: block.requestedBytes,
    bytes: block.bytes,
    address: block.address,
    stream: block.stream,
    allocEvent: block.allocEvent,
    freeEvent: block.freeEvent,
    frame: block.frame,
    op: block.op,
    module: block.module,
    category: block.category,
    phase: block.phase,
    dtype: block.dtype,
    shape: block.shape,
    note: block.note,
  };
}
