/** Tables that give equal things the same small index: names, and lines of call stacks. */

import { invariant } from "../base/invariant.ts";
import type { Frame } from "./model.ts";

/** Strings by index, each once. */
export class NameTable {
  readonly names: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #onNew: ((name: string) => void) | undefined;

  /** `onNew` hears of each name before it has an index. */
  constructor(onNew?: (name: string) => void) {
    this.#onNew = onNew;
  }

  index(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    this.#onNew?.(name);
    const index = this.names.push(name) - 1;
    this.#indexes.set(name, index);
    return index;
  }
}

// A line number takes the low bits of a numeric key, so that the hot path builds no string.
const LINE_LIMIT = 2 ** 26;

/** Call-stack lines by index, each (caller, file, line, function) once; callers come before their callees. */
export class FrameTable {
  readonly frames: Frame[] = [];
  readonly #files = new NameTable();
  readonly #functions = new NameTable();
  readonly #code = new Map<number, number>();
  /** Callees of frame i at i + 1; those without a caller at 0. */
  readonly #callees: (Map<number, number> | undefined)[] = [undefined];
  readonly #onNew: ((frame: Frame) => void) | undefined;

  /** `onNew` hears of each line before it has an index. */
  constructor(onNew?: (frame: Frame) => void) {
    this.#onNew = onNew;
  }

  index(parent: number, file: string, line: number, name: string): number {
    invariant(parent >= -1 && parent < this.frames.length, "a frame's caller must be recorded before it");
    invariant(line >= 0 && line < LINE_LIMIT, "line number out of range");
    const codeKey = this.#files.index(file) * LINE_LIMIT + this.#functions.index(name);
    let code = this.#code.get(codeKey);
    if (code === undefined) {
      code = this.#code.size;
      this.#code.set(codeKey, code);
    }
    const callees = (this.#callees[parent + 1] ??= new Map());
    const key = code * LINE_LIMIT + line;
    const known = callees.get(key);
    if (known !== undefined) return known;
    const frame = { parent, file, line, name };
    this.#onNew?.(frame);
    const index = this.frames.push(frame) - 1;
    this.#callees.push(undefined);
    callees.set(key, index);
    return index;
  }
}
