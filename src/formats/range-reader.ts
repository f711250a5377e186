/** Bytes of a file by position: readers of headers ask for what they need, so that weights of any size are never loaded. */

import { ModelFileError } from "./model-file-error.ts";

export interface RangeReader {
  /** Bytes of the whole file. */
  readonly sizeBytes: number;
  /** Bytes from `offset`; fewer than `length` only where the file ends. */
  read(offset: number, length: number): Uint8Array;
}

/** A file that is in memory. */
export function bytesReader(bytes: Uint8Array): RangeReader {
  return {
    sizeBytes: bytes.length,
    read: (offset, length) => bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length)),
  };
}

const WINDOW_BYTES = 1 << 18;

/** Reads values one after another, little end first, through a window of bounded size. */
export class Cursor {
  private window: Uint8Array = new Uint8Array(0);
  private view = new DataView(this.window.buffer);
  private windowStart = 0;
  private readonly file: RangeReader;
  /** Position of the next byte. */
  position = 0;

  constructor(file: RangeReader) {
    this.file = file;
  }

  get remainingBytes(): number {
    return this.file.sizeBytes - this.position;
  }

  /** Index of the next byte in the window, with `length` bytes behind it. */
  private need(length: number): number {
    const at = this.position - this.windowStart;
    if (at >= 0 && at + length <= this.window.length) return at;
    if (length > this.remainingBytes) throw new ModelFileError("model-file-truncated", { offset: this.position });
    this.window = this.file.read(this.position, Math.min(Math.max(length, WINDOW_BYTES), this.remainingBytes));
    if (this.window.length < length) throw new ModelFileError("model-file-truncated", { offset: this.position });
    this.view = new DataView(this.window.buffer, this.window.byteOffset, this.window.length);
    this.windowStart = this.position;
    return 0;
  }

  u8(): number {
    const value = this.view.getUint8(this.need(1));
    this.position += 1;
    return value;
  }
  u16(): number {
    const at = this.need(2);
    this.position += 2;
    return this.view.getUint16(at, true);
  }
  u32(): number {
    const at = this.need(4);
    this.position += 4;
    return this.view.getUint32(at, true);
  }
  i8(): number {
    return (this.u8() << 24) >> 24;
  }
  i16(): number {
    return (this.u16() << 16) >> 16;
  }
  i32(): number {
    return this.u32() | 0;
  }
  f32(): number {
    const at = this.need(4);
    this.position += 4;
    return this.view.getFloat32(at, true);
  }
  f64(): number {
    const at = this.need(8);
    this.position += 8;
    return this.view.getFloat64(at, true);
  }
  u64(): bigint {
    const at = this.need(8);
    this.position += 8;
    return this.view.getBigUint64(at, true);
  }
  i64(): bigint {
    return BigInt.asIntN(64, this.u64());
  }
  /** An unsigned 64-bit length of `what`, at most `most`. */
  length(what: string, most: number): number {
    const value = this.u64();
    if (value > BigInt(most)) throw new ModelFileError("model-file-too-large", { what, value: String(value), most });
    return Number(value);
  }
  /** Bytes that stay valid until the next call. */
  bytes(length: number): Uint8Array {
    const at = this.need(length);
    this.position += length;
    return this.window.subarray(at, at + length);
  }
  skip(length: number): void {
    if (length > this.remainingBytes) throw new ModelFileError("model-file-truncated", { offset: this.position });
    this.position += length;
  }
}
