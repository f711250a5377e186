/** A bounded reader of a pickle's bytes through a window: every length is checked against what is left of the file. */

import { PickleError } from "./pickle-error.ts";
import type { RangeReader } from "./range-reader.ts";

/** Python's integers have no limit; ours end here, far beyond any size or address. */
const LONGEST_INTEGER_BYTES = 64;
const LONGEST_LINE_BYTES = 1 << 20;
/** No text that these readers want is longer; a longer one would fill memory. */
const LONGEST_TEXT_BYTES = 1 << 24;
const WINDOW_BYTES = 1 << 21;
const NEWLINE = 0x0a;

export type PickleInteger = number | bigint;

function plain(value: bigint): PickleInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export class PickleBytes {
  readonly sizeBytes: number;
  /** The part of the file that is in memory, and where the next byte stands in it. */
  window: Uint8Array;
  at = 0;
  private start = 0;
  private view: DataView;
  private readonly file: RangeReader;
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(file: RangeReader) {
    this.file = file;
    this.sizeBytes = file.sizeBytes;
    this.window = file.read(0, WINDOW_BYTES);
    this.view = new DataView(this.window.buffer, this.window.byteOffset, this.window.byteLength);
  }

  /** Position of the next byte in the file. */
  get offset(): number {
    return this.start + this.at;
  }

  /** How many bytes follow. */
  get left(): number {
    return this.sizeBytes - this.start - this.at;
  }

  /** Moves over `count` bytes and returns where they begin in the window. */
  take(count: number): number {
    if (count > this.window.length - this.at) this.load(count);
    const from = this.at;
    this.at = from + count;
    return from;
  }

  /** Moves over `count` bytes that nobody looks at. */
  skip(count: number): void {
    if (count <= this.window.length - this.at) {
      this.at += count;
      return;
    }
    if (count > this.left) throw new PickleError("pickle-truncated", { offset: this.offset, wanted: count });
    this.start += this.at + count;
    this.at = 0;
    this.window = new Uint8Array(0);
  }

  /** Brings `count` bytes from here on into the window, or all that are left. */
  want(count: number): void {
    const wanted = Math.min(count, this.left);
    if (wanted > this.window.length - this.at) this.load(wanted);
  }

  private load(count: number): void {
    const { offset } = this;
    if (count > this.left) throw new PickleError("pickle-truncated", { offset, wanted: count });
    const window = this.file.read(offset, Math.max(count, WINDOW_BYTES));
    if (window.length < count) throw new PickleError("pickle-truncated", { offset, wanted: count });
    this.window = window;
    this.view = new DataView(window.buffer, window.byteOffset, window.byteLength);
    this.start = offset;
    this.at = 0;
  }

  byte(): number {
    const from = this.take(1);
    return this.window[from];
  }

  uint16(): number {
    const from = this.take(2);
    return this.view.getUint16(from, true);
  }

  int32(): number {
    const from = this.take(4);
    return this.view.getInt32(from, true);
  }

  uint32(): number {
    const from = this.take(4);
    return this.view.getUint32(from, true);
  }

  /** An 8-byte length; those beyond the file are refused by whoever takes so many bytes. */
  uint64(): number {
    const from = this.take(8);
    return this.view.getUint32(from, true) + this.view.getUint32(from + 4, true) * 2 ** 32;
  }

  float64(): number {
    const from = this.take(8);
    return this.view.getFloat64(from, false);
  }

  text(length: number): string {
    const { offset } = this;
    if (length > LONGEST_TEXT_BYTES) throw new PickleError("pickle-too-long", { offset, length });
    const from = this.take(length);
    if (length < 24) {
      const short = this.shortAscii(from, length);
      if (short !== null) return short;
    }
    try {
      return this.decoder.decode(this.window.subarray(from, from + length));
    } catch {
      throw new PickleError("pickle-bad-text", { offset });
    }
  }

  /** A two's-complement little-endian integer. */
  integer(length: number): PickleInteger {
    if (length > LONGEST_INTEGER_BYTES) throw new PickleError("pickle-too-long", { offset: this.offset, length });
    const from = this.take(length);
    const { window } = this;
    if (length === 0) return 0;
    if (length <= 6) {
      let value = 0;
      for (let i = length - 1; i >= 0; i--) value = value * 256 + window[from + i];
      return window[from + length - 1] & 0x80 ? value - 256 ** length : value;
    }
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(window[from + i]);
    return plain(BigInt.asIntN(length * 8, value));
  }

  /** Moves over the rest of a line and its end; returns where the line begins in the window. */
  private takeLine(): number {
    this.want(LONGEST_LINE_BYTES + 1);
    const { offset, at: from } = this;
    const end = this.window.indexOf(NEWLINE, from);
    if (end < 0 && this.left <= LONGEST_LINE_BYTES) throw new PickleError("pickle-truncated", { offset, wanted: 1 });
    if (end < 0 || end - from > LONGEST_LINE_BYTES) {
      throw new PickleError("pickle-too-long", { offset, length: LONGEST_LINE_BYTES + 1 });
    }
    this.at = end + 1;
    return from;
  }

  /** The rest of a line, without its end. */
  line(): string {
    const from = this.takeLine();
    const length = this.at - 1 - from;
    this.at = from;
    const text = this.text(length);
    this.at += 1;
    return text;
  }

  /** A decimal integer on a line of its own; protocol 0 ends long ones with L. */
  integerLine(): PickleInteger {
    const { offset } = this;
    const text = this.line().replace(/L$/, "");
    if (!/^[+-]?\d{1,150}$/.test(text)) throw new PickleError("pickle-bad-number", { offset });
    return plain(BigInt(text));
  }

  floatLine(): number {
    const { offset } = this;
    const text = this.line();
    if (text === "nan") return Number.NaN;
    if (text === "inf" || text === "-inf") return text === "inf" ? Infinity : -Infinity;
    if (!/^[+-]?\d{1,400}(\.\d{0,400})?(e[+-]?\d{1,4})?$/i.test(text))
      throw new PickleError("pickle-bad-number", { offset });
    return Number(text);
  }

  /** Protocol 0 text: Latin-1 bytes with \u and \U escapes (4 and 8 hex digits). */
  escapedLine(): string {
    const { offset } = this;
    const from = this.takeLine();
    let raw = "";
    for (let i = from; i < this.at - 1; i++) raw += String.fromCharCode(this.window[i]);
    return raw.replaceAll(
      /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g,
      (_, short: string | undefined, long: string | undefined) => {
        const point = Number.parseInt(short ?? long!, 16);
        if (point > 0x10ffff) throw new PickleError("pickle-bad-text", { offset });
        return String.fromCodePoint(point);
      },
    );
  }

  /** Short keys are most of a pickle's texts; decoding them by hand is several times faster. */
  private shortAscii(from: number, length: number): string | null {
    const { window } = this;
    let text = "";
    for (let i = from; i < from + length; i++) {
      const code = window[i];
      if (code >= 0x80) return null;
      text += String.fromCharCode(code);
    }
    return text;
  }
}
