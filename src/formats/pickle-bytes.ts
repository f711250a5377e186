/** A bounded reader of a pickle's bytes: every length is checked against what is left. */

import { PickleError } from "./pickle-error.ts";

/** Python's integers have no limit; ours end here, far beyond any size or address. */
const LONGEST_INTEGER_BYTES = 64;
const LONGEST_LINE_BYTES = 1 << 20;
const NEWLINE = 0x0a;

export type PickleInteger = number | bigint;

function plain(value: bigint): PickleInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export class PickleBytes {
  readonly bytes: Uint8Array;
  at = 0;
  private readonly view: DataView;
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves over `count` bytes and returns where they begin. */
  take(count: number): number {
    const from = this.at;
    if (count > this.bytes.length - from) throw new PickleError("pickle-truncated", { offset: from, wanted: count });
    this.at = from + count;
    return from;
  }

  byte(): number {
    return this.bytes[this.take(1)];
  }

  uint16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  int32(): number {
    return this.view.getInt32(this.take(4), true);
  }

  uint32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  /** An 8-byte length; those beyond the file are refused by whoever takes so many bytes. */
  uint64(): number {
    const from = this.take(8);
    return this.view.getUint32(from, true) + this.view.getUint32(from + 4, true) * 2 ** 32;
  }

  float64(): number {
    return this.view.getFloat64(this.take(8), false);
  }

  text(length: number): string {
    const from = this.take(length);
    if (length < 24) {
      const short = this.shortAscii(from, length);
      if (short !== null) return short;
    }
    try {
      return this.decoder.decode(this.bytes.subarray(from, from + length));
    } catch {
      throw new PickleError("pickle-bad-text", { offset: from });
    }
  }

  /** A two's-complement little-endian integer. */
  integer(length: number): PickleInteger {
    if (length > LONGEST_INTEGER_BYTES) throw new PickleError("pickle-too-long", { offset: this.at, length });
    const from = this.take(length);
    if (length === 0) return 0;
    if (length <= 6) {
      let value = 0;
      for (let i = length - 1; i >= 0; i--) value = value * 256 + this.bytes[from + i];
      return this.bytes[from + length - 1] & 0x80 ? value - 256 ** length : value;
    }
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(this.bytes[from + i]);
    return plain(BigInt.asIntN(length * 8, value));
  }

  /** The rest of a line, without its end. */
  line(): string {
    const from = this.at;
    const end = this.bytes.indexOf(NEWLINE, from);
    if (end < 0) throw new PickleError("pickle-truncated", { offset: from, wanted: 1 });
    if (end - from > LONGEST_LINE_BYTES) throw new PickleError("pickle-too-long", { offset: from, length: end - from });
    const text = this.text(end - from);
    this.at = end + 1;
    return text;
  }

  /** A decimal integer on a line of its own; protocol 0 ends long ones with L. */
  integerLine(): PickleInteger {
    const offset = this.at;
    const text = this.line().replace(/L$/, "");
    if (!/^[+-]?\d{1,150}$/.test(text)) throw new PickleError("pickle-bad-number", { offset });
    return plain(BigInt(text));
  }

  floatLine(): number {
    const offset = this.at;
    const text = this.line();
    if (text === "nan") return Number.NaN;
    if (text === "inf" || text === "-inf") return text === "inf" ? Infinity : -Infinity;
    if (!/^[+-]?\d{1,400}(\.\d{0,400})?(e[+-]?\d{1,4})?$/i.test(text))
      throw new PickleError("pickle-bad-number", { offset });
    return Number(text);
  }

  /** Protocol 0 text: Latin-1 bytes with \u and \U escapes (4 and 8 hex digits). */
  escapedLine(): string {
    const from = this.at;
    const end = this.bytes.indexOf(NEWLINE, from);
    if (end < 0) throw new PickleError("pickle-truncated", { offset: from, wanted: 1 });
    if (end - from > LONGEST_LINE_BYTES) throw new PickleError("pickle-too-long", { offset: from, length: end - from });
    this.at = end + 1;
    let raw = "";
    for (let i = from; i < end; i++) raw += String.fromCharCode(this.bytes[i]);
    return raw.replaceAll(
      /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g,
      (_, short: string | undefined, long: string | undefined) => {
        const point = Number.parseInt(short ?? long!, 16);
        if (point > 0x10ffff) throw new PickleError("pickle-bad-text", { offset: from });
        return String.fromCodePoint(point);
      },
    );
  }

  /** Short keys are most of a pickle's texts; decoding them by hand is several times faster. */
  private shortAscii(from: number, length: number): string | null {
    let text = "";
    for (let i = from; i < from + length; i++) {
      const code = this.bytes[i];
      if (code >= 0x80) return null;
      text += String.fromCharCode(code);
    }
    return text;
  }
}
