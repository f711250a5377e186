/** Which blocks a search means: words or `/regex/` in names, lines, shapes and notes; `>100MiB` and `<1KiB` by size; `#12` by number. */

import { parseSize } from "../../../src/base/parse-size.ts";
import type { Trace } from "../../../src/trace/model.ts";

export interface Matches {
  /** 1 for each block that matches; null when nothing is searched. */
  readonly found: Uint8Array | null;
  readonly count: number;
  readonly bytes: number;
  /** Why the query cannot be read, or null. */
  readonly problem: string | null;
}

const NONE: Matches = { found: null, count: 0, bytes: 0, problem: null };

type Test = (text: string) => boolean;

/** Words are found in any case; a regular expression is as written, flags included. */
function testOf(query: string): Test | string {
  const pattern = /^\/(.+)\/([a-z]*)$/.exec(query);
  if (pattern === null) {
    const wanted = query.toLowerCase();
    return (text) => text.toLowerCase().includes(wanted);
  }
  try {
    // a search that remembers where it stopped would miss every other text
    const expression = new RegExp(pattern[1]!, pattern[2]!.replaceAll(/[gy]/g, ""));
    return (text) => expression.test(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sizeTest(query: string): ((bytes: number) => boolean) | null {
  const parts = /^([<>]=?)\s*(.+)$/.exec(query);
  if (parts === null) return null;
  const limitBytes = parseSize(parts[2]!);
  if (limitBytes === null) return null;
  return {
    "<": (bytes: number) => bytes < limitBytes,
    "<=": (bytes: number) => bytes <= limitBytes,
    ">": (bytes: number) => bytes > limitBytes,
    ">=": (bytes: number) => bytes >= limitBytes,
  }[parts[1]!]!;
}

/** @param categoryName what a category is called in the reader's language, searched beside its own name */
export function searchBlocks(trace: Trace, text: string, categoryName: (category: string) => string): Matches {
  const query = text.trim();
  if (query === "") return NONE;
  const { blocks } = trace;
  const bySize = sizeTest(query);
  const byNumber = /^#(\d+)$/.exec(query);
  if (bySize !== null) return collect(trace, (index) => bySize(blocks[index]!.bytes));
  if (byNumber !== null) return collect(trace, (index) => index === Number(byNumber[1]));
  const test = testOf(query);
  if (typeof test === "string") return { ...NONE, found: new Uint8Array(blocks.length), problem: test };
  // each name is tested once, not once for every block
  const ops = trace.ops.map(test);
  const modules = trace.modules.map(test);
  const frames = trace.frames.map(({ file, line, name }) => test(`${file}:${line} ${name}`));
  const known = new Map<string, boolean>();
  const once = (word: string, texts: () => string): boolean => {
    let result = known.get(word);
    if (result === undefined) known.set(word, (result = test(texts())));
    return result;
  };
  const shapes = new Map<readonly number[], boolean>();
  const ofShape = (shape: readonly number[], dtype: string): boolean => {
    let result = shapes.get(shape);
    if (result === undefined) {
      const list = shape.join(", ");
      shapes.set(shape, (result = once(`${dtype} [${list}]`, () => `${dtype} [${list}] ${shape.join("x")}`)));
    }
    return result;
  };
  return collect(trace, (index) => {
    const block = blocks[index]!;
    return (
      ops[block.op] === true ||
      modules[block.module] === true ||
      frames[block.frame] === true ||
      once(`=${block.category}`, () => `${block.category} ${categoryName(block.category)}`) ||
      (block.note !== null && once(`!${block.note}`, () => block.note!)) ||
      (block.dtype !== null && ofShape(block.shape ?? [], block.dtype))
    );
  });
}

function collect(trace: Trace, matches: (index: number) => boolean): Matches {
  const found = new Uint8Array(trace.blocks.length);
  let count = 0;
  let bytes = 0;
  for (let index = 0; index < found.length; index++) {
    if (!matches(index)) continue;
    found[index] = 1;
    count += 1;
    bytes += trace.blocks[index]!.bytes;
  }
  return { found, count, bytes, problem: null };
}

/** Blocks with a match, by event of allocation: the next after a block, or the one before; -1 when there is none. */
export function nextMatch(order: Int32Array, found: Uint8Array, rank: number, step: 1 | -1): number {
  const { length } = order;
  for (let tried = 1; tried <= length; tried++) {
    const at = (rank + step * tried + length * 2) % length;
    if (found[order[at]!] === 1) return order[at]!;
  }
  return -1;
}
