/** The recorder of saved tensors: rows are added while a graph is built and closed when its nodes let go. */

import { NameTable } from "./intern.ts";
import { SAVED_ENDS, type SavedEnd, type SavedTensors } from "./model.ts";
import { RecorderMemory, rowsOf, type Columns, type Table } from "./recorder-memory.ts";

/** What is known when a node keeps a tensor; see {@link SavedTensors} for the fields. */
export interface NewSaved {
  readonly block: number;
  readonly node: string;
  readonly slot: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly frame: number;
  readonly module: number;
}

const FORM = /^(?:(\d+(?:x\d+)*)|scalar) (\S+)$/;

/** Shape and dtype as one name: `64x512 float32`, `scalar int64`. */
export function formName(shape: readonly number[], dtype: string): string {
  return `${shape.length === 0 ? "scalar" : shape.join("x")} ${dtype}`;
}

/** Shape and dtype from their name, or null for another text. */
export function formOf(name: string): { readonly shape: readonly number[]; readonly dtype: string } | null {
  const match = FORM.exec(name);
  return match === null ? null : { shape: match[1]?.split("x").map(Number) ?? [], dtype: match[2]! };
}

export class SavedColumns {
  readonly #names: NameTable;
  readonly #table: Table<"saved">;
  #count = 0;

  constructor(memory: RecorderMemory = new RecorderMemory(null), onName?: (name: string) => void) {
    this.#table = memory.table("saved");
    this.#names = new NameTable(onName);
  }

  /** A row for a tensor that is kept from event `since` on; returns its number. */
  add(saved: NewSaved, since: number): number {
    const row = this.#count++;
    if (row >= this.#table.room) this.#table.makeRoom(row);
    const c = this.#table.at;
    c.block[row] = saved.block;
    c.node[row] = this.#names.index(saved.node);
    c.slot[row] = this.#names.index(saved.slot);
    c.form[row] = this.#names.index(formName(saved.shape, saved.dtype));
    c.frame[row] = saved.frame;
    c.module[row] = saved.module;
    c.since[row] = since;
    c.until[row] = -1;
    c.endFrame[row] = -1;
    this.#table.publish(row + 1);
    return row;
  }

  /** The node let go of row `row`; events from `until` on do not see it. */
  close(row: number, end: SavedEnd, until: number, frame: number): void {
    const c = this.#table.at;
    c.end[row] = SAVED_ENDS.indexOf(end);
    c.endFrame[row] = frame;
    c.until[row] = until;
  }

  get names(): readonly string[] {
    return this.#names.names;
  }

  columns(): Columns<"saved"> {
    return rowsOf(this.#table, this.#count);
  }

  finish(): SavedTensors {
    return { ...this.columns(), names: [...this.names] };
  }
}

/** The table of a trace that knows nothing of a graph. */
export const NOTHING_SAVED: SavedTensors = new SavedColumns().finish();
