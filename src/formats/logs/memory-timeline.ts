/** What torch.profiler's `export_memory_timeline` writes: sizes by category over time, or single actions; and its page, which is a picture. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { JsonCursor } from "../json-cursor.ts";
import { NOWHERE, ReadingsBuilder } from "./readings-builder.ts";

// torch/profiler/_memory_profiler.py: MemoryProfileTimeline. `.json` is [times in microseconds, rows of a zero and eight sizes];
// `.raw.json` is rows of [nanoseconds, action, bytes with sign, category]; categories by _CATEGORY_TO_INDEX.
const CATEGORIES: readonly (readonly [quantity: Quantity, label: string])[] = [
  ["weights", "parameters"],
  ["other", "optimizer state"],
  ["other", "inputs"],
  ["other", "temporaries"],
  ["activations", ""],
  ["other", "gradients"],
  ["other", "autograd detail"],
  ["other", "unknown"],
];
const MOST_ROWS = 4_000_000;
const CODE = "profile_bad_json";

const isSize = (value: number): boolean => Number.isSafeInteger(value);
const exact = (bytes: number) => ({ bytes, roundingBytes: 0 });

/** Adds rows of sizes by category; a category's series begins before its first byte. */
class CategoryRows {
  readonly out = new ReadingsBuilder();
  readonly #started = CATEGORIES.map(() => false);
  #rows = 0;
  #last: number | null = null;

  add(sizes: readonly number[], seconds: number | null): void {
    const total = CATEGORIES.reduce((sum, _, category) => sum + (sizes[category] ?? 0), 0);
    if (isSize(total)) this.out.sample("allocated", NOWHERE, "", exact(total), seconds, -1);
    CATEGORIES.forEach(([quantity, label], category) => {
      const bytes = sizes[category] ?? 0;
      if (bytes !== 0 && !this.#started[category]) {
        this.#started[category] = true;
        if (this.#rows > 0) this.out.sample(quantity, NOWHERE, label, exact(0), this.#last, -1);
      }
      if (this.#started[category]) this.out.sample(quantity, NOWHERE, label, exact(bytes), seconds, -1);
    });
    this.#rows++;
    this.#last = seconds;
  }
}

function numbers(cursor: JsonCursor, most: number): number[] {
  const found: number[] = [];
  cursor.list(() => {
    const value = cursor.kind() === "word" ? cursor.number() : cursor.fail();
    if (found.length >= most) throw new DiagnosticError(diagnostic("profile_too_many", { most }));
    found.push(value);
  });
  return found;
}

function finish(id: string, title: string, name: string, out: ReadingsBuilder) {
  if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title }));
  out.assume("timeline_no_device");
  return { format: id, trace: null, ...out.finish(id, name) };
}

export const memoryTimeline: ForeignFormat = {
  id: "torch-memory-timeline",
  title: "torch.profiler memory timeline",
  extensions: ["json"],
  // Times, then rows of sizes that begin with a zero; of a long file only times are seen.
  sniff: (_head, text) => {
    if (/^\s*\[\s*\[\s*-?\d{1,20}(?:\s*,\s*-?\d{1,20}){0,60000}\s*\]\s*,\s*\[\s*\[\s*0\s*,/.test(text)) return 0.7;
    return /^\s*\[\s*\[\s*(?:-?\d{7,20}\s*,\s*){50}/.test(text) && !text.includes("]") ? 0.5 : 0;
  },
  read: (file, { name }) => {
    const cursor = new JsonCursor(file, CODE);
    const rows = new CategoryRows();
    let times: readonly number[] = [];
    cursor.list((part) => {
      if (part === 0) times = numbers(cursor, MOST_ROWS);
      else if (part === 1) {
        cursor.list((row) => {
          const sizes = numbers(cursor, 64).slice(1);
          if (row >= times.length || !sizes.every(isSize)) cursor.fail();
          rows.add(sizes, times[row]! / 1e6);
        });
      } else cursor.fail();
    });
    return finish(memoryTimeline.id, memoryTimeline.title, name, rows.out);
  },
};

export const rawMemoryTimeline: ForeignFormat = {
  id: "torch-memory-timeline-raw",
  title: "torch.profiler raw memory timeline",
  extensions: ["raw.json", "json"],
  sniff: (_head, text) =>
    /^\s*\[(?:\s*\[\s*-?\d{1,20}\s*,\s*[0-3]\s*,\s*-?\d{1,16}\s*,\s*[0-7]\s*\]\s*,?){1,8}/.test(text.slice(0, 800))
      ? 0.8
      : 0,
  read: (file, { name }) => {
    const cursor = new JsonCursor(file, CODE);
    const rows = new CategoryRows();
    const sizes = CATEGORIES.map(() => 0);
    let last = Number.NaN;
    let waiting = false;
    const flush = (at: number) => {
      if (waiting) rows.add(sizes, at / 1e9);
      waiting = false;
    };
    cursor.list((row) => {
      if (row >= MOST_ROWS) throw new DiagnosticError(diagnostic("profile_too_many", { most: MOST_ROWS }));
      const [time = Number.NaN, , bytes = Number.NaN, category = Number.NaN] = numbers(cursor, 8);
      if (!Number.isFinite(time) || !isSize(bytes) || CATEGORIES[category] === undefined) cursor.fail();
      // What was there before has the time -1 and belongs to the first real one; a change of category is two rows of one time.
      if (time !== last && row > 0) flush(last < 0 ? time : last);
      last = time;
      sizes[category]! += bytes;
      if (!isSize(sizes[category]!)) cursor.fail();
      waiting = true;
    });
    flush(last);
    return finish(rawMemoryTimeline.id, rawMemoryTimeline.title, name, rows.out);
  },
};

export const memoryTimelinePage: ForeignFormat = {
  id: "torch-memory-timeline-page",
  title: "torch.profiler memory timeline (page)",
  extensions: ["html"],
  sniff: (_head, text) => (text.slice(0, 400).includes("<title>GPU Memory Timeline HTML</title>") ? 1 : 0),
  read: () => {
    throw new DiagnosticError(diagnostic("profile_is_page"));
  },
};
