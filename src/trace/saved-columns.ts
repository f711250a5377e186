/** The recorder of saved tensors: rows are added while a graph is built and closed when its nodes let go. */

import { grown } from "./columns.ts";
import { NameTable } from "./intern.ts";
import { SAVED_ENDS, type SavedEnd, type SavedTensors } from "./model.ts";

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

const NUMBERS = ["block", "node", "slot", "form", "frame", "module", "since", "until", "endFrame"] as const;
type NumberColumn = (typeof NUMBERS)[number];

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
  readonly #names = new NameTable();
  readonly #columns = Object.fromEntries(NUMBERS.map((name) => [name, new Int32Array(0)])) as Record<
    NumberColumn,
    Int32Array
  >;
  #end = new Uint8Array(0);
  #count = 0;

  /** A row for a tensor that is kept from event `since` on; returns its number. */
  add(saved: NewSaved, since: number): number {
    const row = this.#count++;
    if (row >= this.#end.length) {
      for (const name of NUMBERS) this.#columns[name] = grown(this.#columns[name], row);
      this.#end = grown(this.#end, row);
    }
    const c = this.#columns;
    c.block[row] = saved.block;
    c.node[row] = this.#names.index(saved.node);
    c.slot[row] = this.#names.index(saved.slot);
    c.form[row] = this.#names.index(formName(saved.shape, saved.dtype));
    c.frame[row] = saved.frame;
    c.module[row] = saved.module;
    c.since[row] = since;
    c.until[row] = -1;
    c.endFrame[row] = -1;
    return row;
  }

  /** The node let go of row `row`; events from `until` on do not see it. */
  close(row: number, end: SavedEnd, until: number, frame: number): void {
    this.#columns.until[row] = until;
    this.#columns.endFrame[row] = frame;
    this.#end[row] = SAVED_ENDS.indexOf(end);
  }

  finish(): SavedTensors {
    const columns = Object.fromEntries(NUMBERS.map((name) => [name, this.#columns[name].slice(0, this.#count)]));
    return {
      ...(columns as Record<NumberColumn, Int32Array>),
      end: this.#end.slice(0, this.#count),
      names: [...this.#names.names],
    };
  }
}

/** The table of a trace that knows nothing of a graph. */
export const NOTHING_SAVED: SavedTensors = new SavedColumns().finish();
