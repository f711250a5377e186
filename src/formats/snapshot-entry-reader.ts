/**
 * Reads trace entries straight from a pickle's bytes: they are nearly all of a large snapshot, and always look alike. Whatever looks
 * otherwise is left to the general reader, from the beginning of the entry, so nothing is lost by guessing wrong.
 */

import { OP } from "./pickle-opcodes.ts";
import type { PickleBytes } from "./pickle-bytes.ts";
import type { PickleMemo } from "./pickle-memo.ts";
import type { PickleValue } from "./pickle-values.ts";
import { actionCode, type EntrySink, type FrameTable } from "./snapshot-columns.ts";
import { LARGEST } from "./snapshot-fields.ts";

/** An entry is far shorter; so much of it is looked at without asking for more of the file. */
const WINDOW_BYTES = 1 << 16;
const MOST_FRAMES = 1024;
const NOTHING = 0;

/** Which column a key is for, and 0 for keys that nobody wants. */
const FIELDS = [
  "",
  "action",
  "addr",
  "size",
  "stream",
  "time_us",
  "frames",
  "user_metadata",
  "category",
  "device_free",
];
const UNWANTED = FIELDS.length;
const UNKNOWN = -1;
const FIELD_CODES = new Map(FIELDS.map((name, code) => [name, code]));
const [, ACTION, ADDRESS, SIZE, STREAM, TIME, FRAMES, METADATA, CATEGORY, DEVICE_FREE] =
  FIELDS.keys() as Iterable<number> as [number, number, number, number, number, number, number, number, number, number];

/** Memo numbers that were asked for lately, with an answer: the same few keys and texts come again and again. */
const RECENT = 256;

/** Index of a list without frames. */
export const EMPTY_LIST = -2;

/** What a value of the memo is as a list of frames, or as a frame; the folder knows. */
export interface KnownFolds {
  /** Index of a list of frames, {@link EMPTY_LIST} for one without any, or -1. */
  listOf(value: PickleValue): number;
  /** Index of a frame, or -1. */
  frameOf(value: PickleValue): number;
}

/** Bytes of an instruction that gives the last value a number, or 0 for another instruction. */
function putLength(opcode: number): number {
  if (opcode === OP.MEMOIZE) return 1;
  if (opcode === OP.BINPUT) return 2;
  return opcode === OP.LONG_BINPUT ? 5 : 0;
}

/** The number that such an instruction gives; the short one counts on. */
function putNumber(bytes: Uint8Array, at: number, next: number): number {
  if (bytes[at] === OP.MEMOIZE) return next;
  if (bytes[at] === OP.BINPUT) return bytes[at + 1]!;
  return (bytes[at + 1]! | (bytes[at + 2]! << 8) | (bytes[at + 3]! << 16) | (bytes[at + 4]! << 24)) & 0x7fff_ffff;
}

export class EntryReader {
  readonly #entries: EntrySink;
  readonly #frames: FrameTable;
  readonly #folds: KnownFolds;
  readonly #keyNumbers = new Int32Array(RECENT).fill(-1);
  readonly #keyFields = new Int8Array(RECENT);
  readonly #frameNumbers = new Int32Array(RECENT).fill(-1);
  readonly #frameIds = new Int32Array(RECENT);
  readonly #textNumbers = new Int32Array(RECENT).fill(-1);
  readonly #texts: string[] = Array.from({ length: RECENT }, () => "");
  readonly #list = new Int32Array(MOST_FRAMES);
  readonly #entry = new Float64Array(4);
  #lastAction = "";
  #lastActionCode = UNKNOWN;

  constructor(entries: EntrySink, frames: FrameTable, folds: KnownFolds) {
    this.#entries = entries;
    this.#frames = frames;
    this.#folds = folds;
  }

  /** What the key with this memo number means. */
  #field(number: number, memo: PickleMemo): number {
    const at = number & (RECENT - 1);
    if (this.#keyNumbers[at] === number) return this.#keyFields[at]!;
    const key = memo.get(number);
    const field = typeof key === "string" && key !== "" ? (FIELD_CODES.get(key) ?? UNWANTED) : UNKNOWN;
    this.#keyNumbers[at] = number;
    this.#keyFields[at] = field;
    return field;
  }

  #frame(number: number, memo: PickleMemo): number {
    const at = number & (RECENT - 1);
    if (this.#frameNumbers[at] === number) return this.#frameIds[at]!;
    const value = memo.get(number);
    const id = value === undefined ? -1 : this.#folds.frameOf(value);
    if (id < 0) return -1;
    this.#frameNumbers[at] = number;
    this.#frameIds[at] = id;
    return id;
  }

  /** An entry whose dictionary was just begun; false, with nothing read, when it is something else. */
  take(input: PickleBytes, memo: PickleMemo): boolean {
    input.want(WINDOW_BYTES);
    const bytes = input.window;
    const end = bytes.length - 16;
    let at = input.at;
    let memoized = memo.count;
    let skipped = 0;
    let list = -1;
    let memoizedList = -1;
    const put = putLength(bytes[at]!);
    if (put > 0) {
      if (memo.wants(putNumber(bytes, at, memoized))) return false;
      at += put;
      memoized += 1;
      skipped += 1;
    }
    if (bytes[at] !== OP.MARK) return false;
    at += 1;
    let action = UNKNOWN;
    let address = -1;
    let deviceFree = -1;
    let size = NOTHING;
    let stream = Number.NaN;
    let timeUs = NOTHING;
    let metadata = "";
    let category = "";
    for (;;) {
      if (at > end) return false;
      let opcode = bytes[at++]!;
      if (opcode === OP.SETITEMS) break;
      let number = bytes[at]!;
      if (opcode === OP.BINGET) at += 1;
      else if (opcode === OP.LONG_BINGET) {
        number = (number | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
        at += 4;
      } else return false;
      const field = this.#field(number, memo);
      if (field === UNKNOWN) return false;
      opcode = bytes[at++]!;
      let value = 0;
      switch (opcode) {
        case OP.BININT1:
          value = bytes[at]!;
          at += 1;
          break;
        case OP.BININT2:
          value = bytes[at]! | (bytes[at + 1]! << 8);
          at += 2;
          break;
        case OP.BININT:
          value = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
          at += 4;
          break;
        case OP.LONG1: {
          const length = bytes[at++]!;
          // longer ones may be beyond exact numbers, negative ones are rare
          if (length > 7 || length === 0 || bytes[at + length - 1]! >= 0x80) return false;
          for (let byte = length - 1; byte >= 0; byte--) value = value * 256 + bytes[at + byte]!;
          if (!Number.isSafeInteger(value)) return false;
          at += length;
          break;
        }
        case OP.BINGET:
        case OP.LONG_BINGET: {
          let known = bytes[at]!;
          if (opcode === OP.BINGET) at += 1;
          else {
            known = (known | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
            at += 4;
          }
          if (field === FRAMES) {
            list = memo.listOf(known);
            if (list < 0) {
              const held = memo.get(known);
              list = held === undefined ? -1 : this.#folds.listOf(held);
              if (list >= 0) memo.isList(known, list);
              else if (list === EMPTY_LIST) list = -1;
              else return false;
            }
            continue;
          }
          const text = this.#text(known, memo);
          if (text === null) return false;
          if (field === ACTION) action = this.#action(text);
          else if (field === METADATA) metadata = text;
          else if (field === CATEGORY) category = text;
          else if (field !== UNWANTED) return false;
          continue;
        }
        case OP.EMPTY_LIST: {
          if (field !== FRAMES) return false;
          const length = putLength(bytes[at]!);
          memoizedList = -1;
          if (length > 0) {
            memoizedList = putNumber(bytes, at, memoized);
            at += length;
            memoized += 1;
          }
          const after = this.#takeFrames(bytes, at, end, memo);
          if (after < 0) return false;
          list = after === at ? -1 : this.#frames.list(this.#list, this.#count);
          if (list < 0 && memoizedList >= 0 && memo.wants(memoizedList)) return false;
          at = after;
          continue;
        }
        case OP.NONE:
        case OP.NEWTRUE:
        case OP.NEWFALSE:
          if (field !== UNWANTED) return false;
          continue;
        default:
          return false;
      }
      if (field === ADDRESS) address = value;
      else if (field === SIZE) size = value;
      else if (field === STREAM) stream = value;
      else if (field === TIME) timeUs = value;
      else if (field === DEVICE_FREE) deviceFree = value;
      else if (field !== UNWANTED) return false;
    }
    if (address < 0) address = Math.max(0, deviceFree);
    if (action === UNKNOWN || stream !== stream || size < 0 || size > LARGEST || address > LARGEST) return false;
    const entry = this.#entry;
    entry[0] = address;
    entry[1] = size;
    entry[2] = stream;
    entry[3] = timeUs;
    this.#entries.pushNumbers(action, entry, list, metadata, category);
    memo.skip(skipped, memoized, memoizedList, list);
    input.at = at;
    return true;
  }

  #count = 0;

  /** References to frames as a list's items; where they end, `at` for an empty list, -1 for anything else. */
  #takeFrames(bytes: Uint8Array, from: number, end: number, memo: PickleMemo): number {
    let at = from;
    const single = bytes[at] !== OP.MARK;
    if (single && bytes[at] !== OP.BINGET && bytes[at] !== OP.LONG_BINGET) return from;
    // an empty list is followed by the next key, which is a reference, too
    if (single) return this.#takeOneFrame(bytes, from, memo);
    at += 1;
    let count = 0;
    for (;;) {
      if (at > end) return -1;
      const opcode = bytes[at++]!;
      if (opcode === OP.APPENDS) break;
      let number = bytes[at]!;
      if (opcode === OP.BINGET) at += 1;
      else if (opcode === OP.LONG_BINGET) {
        number = (number | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
        at += 4;
      } else return -1;
      const id = this.#frame(number, memo);
      if (id < 0 || count === MOST_FRAMES) return -1;
      this.#list[count++] = id;
    }
    this.#count = count;
    return at;
  }

  #takeOneFrame(bytes: Uint8Array, from: number, memo: PickleMemo): number {
    const wide = bytes[from] === OP.LONG_BINGET;
    const at = from + (wide ? 5 : 2);
    if (bytes[at] !== OP.APPEND) return from;
    const low = bytes[from + 1]!;
    const number = wide
      ? (low | (bytes[from + 2]! << 8) | (bytes[from + 3]! << 16) | (bytes[from + 4]! << 24)) >>> 0
      : low;
    const id = this.#frame(number, memo);
    if (id < 0) return -1;
    this.#list[0] = id;
    this.#count = 1;
    return at + 1;
  }

  #text(number: number, memo: PickleMemo): string | null {
    const at = number & (RECENT - 1);
    if (this.#textNumbers[at] === number) return this.#texts[at]!;
    const text = memo.get(number);
    if (typeof text !== "string") return null;
    this.#textNumbers[at] = number;
    this.#texts[at] = text;
    return text;
  }

  #action(text: string): number {
    if (text === this.#lastAction) return this.#lastActionCode;
    this.#lastAction = text;
    this.#lastActionCode = actionCode(text);
    return this.#lastActionCode;
  }
}
