/** Reads JSON of any size through a window: what is not asked for is skipped without being kept. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { RangeReader } from "./range-reader.ts";

const WINDOW_BYTES = 1 << 20;
const DEEPEST = 256;
/** Longer texts are cut; names and paths are shorter. */
const LONGEST_TEXT = 4096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
/** Bytes of numbers and of true, false, null, NaN, Infinity. */
const isWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e;

export type JsonKind = "object" | "list" | "text" | "word";

/**
 * A place in a document. A caller looks at {@link kind} and then reads or skips the value; `code` is that of the error where the document
 * makes no sense, with its `offset`.
 */
export class JsonCursor {
  readonly #file: RangeReader;
  readonly #code: string;
  #window: Uint8Array = new Uint8Array(0);
  #start = 0;
  #at = 0;
  #depth = 0;

  constructor(file: RangeReader, code: string) {
    this.#file = file;
    this.#code = code;
    // a byte order mark
    if (this.#peek() === 0xef) this.#at += 3;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#start + this.#at;
  }

  fail(): never {
    throw new DiagnosticError(diagnostic(this.#code, { offset: this.offset }));
  }

  /** The next byte, or -1 at the end. */
  #peek(): number {
    if (this.#at < this.#window.length) return this.#window[this.#at]!;
    this.#start += this.#window.length;
    this.#at -= this.#window.length;
    this.#window = this.#file.read(this.#start, WINDOW_BYTES);
    return this.#at < this.#window.length ? this.#window[this.#at]! : -1;
  }

  #next(): number {
    let byte = this.#peek();
    while (isSpace(byte)) {
      this.#at++;
      byte = this.#peek();
    }
    return byte;
  }

  #expect(byte: number): void {
    if (this.#next() !== byte) this.fail();
    this.#at++;
  }

  /** What the next value is. */
  kind(): JsonKind {
    const byte = this.#next();
    if (byte === OPEN_OBJECT) return "object";
    if (byte === OPEN_LIST) return "list";
    if (byte === QUOTE) return "text";
    return isWord(byte) ? "word" : this.fail();
  }

  /** Whether nothing but space is left. */
  isAtEnd(): boolean {
    return this.#next() === -1;
  }

  /** Calls `entry` for each key of an object; it must read or skip the value. */
  object(entry: (key: string) => void): void {
    this.#expect(OPEN_OBJECT);
    if (++this.#depth > DEEPEST) this.fail();
    if (this.#next() === CLOSE_OBJECT) this.#at++;
    else {
      for (;;) {
        const key = this.text();
        this.#expect(COLON);
        entry(key);
        const byte = this.#next();
        this.#at++;
        if (byte === CLOSE_OBJECT) break;
        if (byte !== COMMA) this.fail();
      }
    }
    this.#depth--;
  }

  /** Calls `item` for each value of a list; it must read or skip it. */
  list(item: (index: number) => void): void {
    this.#expect(OPEN_LIST);
    if (++this.#depth > DEEPEST) this.fail();
    if (this.#next() === CLOSE_LIST) this.#at++;
    else {
      for (let index = 0; ; index++) {
        item(index);
        const byte = this.#next();
        this.#at++;
        if (byte === CLOSE_LIST) break;
        if (byte !== COMMA) this.fail();
      }
    }
    this.#depth--;
  }

  /** A text, cut after some thousand characters. */
  text(): string {
    this.#expect(QUOTE);
    let text = "";
    for (;;) {
      if (this.#peek() === -1) this.fail();
      const window = this.#window;
      const from = this.#at;
      let to = from;
      let isPlain = true;
      while (to < window.length && window[to] !== QUOTE && window[to] !== BACKSLASH) {
        if (window[to]! >= 0x80) isPlain = false;
        to++;
      }
      if (to > from && text.length < LONGEST_TEXT) text += this.#piece(from, to, isPlain);
      this.#at = to;
      if (to === window.length) continue;
      this.#at++;
      if (window[to] === QUOTE) return text;
      text += this.#escaped();
    }
  }

  #piece(from: number, to: number, isPlain: boolean): string {
    const bytes = this.#window.subarray(from, Math.min(to, from + LONGEST_TEXT));
    // A character that lies across two windows becomes U+FFFD; such texts are only shown.
    return isPlain ? String.fromCharCode(...bytes) : new TextDecoder().decode(bytes);
  }

  #escaped(): string {
    const byte = this.#peek();
    this.#at++;
    if (byte === -1) this.fail();
    const letter = String.fromCharCode(byte);
    const simple: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
    if (letter !== "u") return simple[letter] ?? letter;
    let digits = "";
    for (let count = 0; count < 4; count++) {
      const digit = this.#peek();
      this.#at++;
      digits += digit === -1 ? "" : String.fromCharCode(digit);
    }
    return /^[0-9a-fA-F]{4}$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : this.fail();
  }

  /** A number, or NaN where the value is something else; texts that hold a number count. */
  number(): number {
    const kind = this.kind();
    if (kind === "text") {
      const text = this.text();
      return text.trim() === "" ? Number.NaN : Number(text);
    }
    if (kind !== "word") {
      this.skip();
      return Number.NaN;
    }
    const word = this.word();
    return word === "null" ? Number.NaN : Number(word);
  }

  /** A number or a name such as `true`, as it stands. */
  word(): string {
    let word = "";
    for (let byte = this.#next(); isWord(byte); byte = this.#peek()) {
      if (word.length >= 64) this.fail();
      word += String.fromCharCode(byte);
      this.#at++;
    }
    return word === "" ? this.fail() : word;
  }

  /** Passes over the next value. */
  skip(): void {
    const kind = this.kind();
    if (kind === "text") this.#skipText();
    else if (kind === "word") this.word();
    else this.#skipNested();
  }

  #skipText(): void {
    this.#at++;
    for (;;) {
      if (this.#peek() === -1) this.fail();
      const window = this.#window;
      let at = this.#at;
      while (at < window.length && window[at] !== QUOTE && window[at] !== BACKSLASH) at++;
      this.#at = at;
      if (at === window.length) continue;
      this.#at++;
      if (window[at] === QUOTE) return;
      if (this.#peek() === -1) this.fail();
      this.#at++;
    }
  }

  /** Counts brackets only: what is inside is nobody's. */
  #skipNested(): void {
    let open = 0;
    do {
      const byte = this.#next();
      if (byte === -1) this.fail();
      if (byte === QUOTE) {
        this.#skipText();
        continue;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) open++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) open--;
      this.#at++;
    } while (open > 0);
  }
}
