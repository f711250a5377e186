/** The lines of a notebook's cells under the names that a run gives them (`name_of` of python/vramscope_notebook.py). */

import { sourceText } from "../base/source-text.ts";
import { shownLines } from "../base/shown-text.ts";

interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
}

/** Lines of `train.ipynb#cell3`; undefined for another file, and where the notebook is none. */
export function cellLines(notebook: string, bytes: Uint8Array, file: string): readonly string[] | undefined {
  const number = file.startsWith(`${notebook}#cell`) ? Number(file.slice(notebook.length + "#cell".length)) : NaN;
  if (!Number.isInteger(number)) return undefined;
  try {
    const { cells } = JSON.parse(sourceText(bytes)) as { readonly cells: readonly Cell[] };
    const source = cells[number - 1]?.source;
    const text = Array.isArray(source) ? source.join("") : source;
    return typeof text === "string" ? shownLines(text) : undefined;
  } catch {
    return undefined;
  }
}
