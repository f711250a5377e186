/**
 * A trace as few large arrays, for crossing between threads: copying 100,000 block records one by one would take longer
 * than the program that made them.
 */

import { shownText } from "../base/shown-text.ts";
import { CATEGORIES, PHASES, type BlockRecord, type Trace } from "./model.ts";
import { shownTrace } from "./shown-names.ts";

/** Numbers of one block, in the order of its row. */
const FIELDS = [
  "requestedBytes",
  "bytes",
  "address",
  "stream",
  "allocEvent",
  "freeEvent",
  "frame",
  "op",
  "module",
] as const satisfies readonly (keyof BlockRecord)[];
/** After them: category, phase, dtype, shape and note, as indices of tables. */
const WIDTH = FIELDS.length + 5;

export interface PackedTrace extends Omit<Trace, "blocks"> {
  /** {@link WIDTH} numbers for each block. */
  readonly rows: Float64Array<ArrayBuffer>;
  readonly dtypes: readonly (string | null)[];
  readonly shapes: readonly (readonly number[] | null)[];
  readonly notes: readonly (string | null)[];
}

/** Distinct values in the order in which they came. */
class Table<T> {
  readonly values: T[] = [];
  readonly #indices = new Map<string | null, number>();

  place(key: string | null, value: T): number {
    let place = this.#indices.get(key);
    if (place === undefined) {
      place = this.values.push(value) - 1;
      this.#indices.set(key, place);
    }
    return place;
  }
}

export function packTrace({ blocks, ...rest }: Trace): PackedTrace {
  const rows = new Float64Array(blocks.length * WIDTH);
  const dtypes = new Table<string | null>();
  const shapes = new Table<readonly number[] | null>();
  const notes = new Table<string | null>();
  let at = 0;
  for (const block of blocks) {
    for (const field of FIELDS) rows[at++] = block[field];
    rows[at++] = CATEGORIES.indexOf(block.category);
    rows[at++] = PHASES.indexOf(block.phase);
    rows[at++] = dtypes.place(block.dtype, block.dtype);
    rows[at++] = shapes.place(block.shape && block.shape.join(), block.shape);
    rows[at++] = notes.place(block.note, block.note);
  }
  return { ...rest, rows, dtypes: dtypes.values, shapes: shapes.values, notes: notes.values };
}

/** The buffers that may be handed over instead of copied; the packed trace is gone afterwards. */
export function buffersOf(packed: PackedTrace): ArrayBuffer[] {
  const { names: _, ...saved } = packed.saved;
  return [packed.rows, ...Object.values(packed.events), ...Object.values(saved)].map(
    (column: { buffer: unknown }) => column.buffer as ArrayBuffer,
  );
}

/** The trace, its names as reports may show them: what made it ran a program of somebody else. */
export function unpackTrace({ rows, shapes, ...rest }: PackedTrace): Trace {
  const shown = (texts: readonly (string | null)[]) => texts.map((text) => (text === null ? null : shownText(text)));
  const [dtypes, notes] = [shown(rest.dtypes), shown(rest.notes)];
  const blocks: BlockRecord[] = [];
  for (let at = 0; at < rows.length; at += WIDTH) {
    const text = at + FIELDS.length;
    blocks.push({
      requestedBytes: rows[at],
      bytes: rows[at + 1],
      address: rows[at + 2],
      stream: rows[at + 3],
      allocEvent: rows[at + 4],
      freeEvent: rows[at + 5],
      frame: rows[at + 6],
      op: rows[at + 7],
      module: rows[at + 8],
      category: CATEGORIES[rows[text]],
      phase: PHASES[rows[text + 1]],
      dtype: dtypes[rows[text + 2]],
      shape: shapes[rows[text + 3]],
      note: notes[rows[text + 4]],
    });
  }
  const { dtypes: _, notes: __, ...others } = rest;
  return shownTrace({ ...others, blocks });
}
