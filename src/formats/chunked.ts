/** Columns of unknown length in chunks: growing never copies, and the finished column is made once. */

type Numbers = Uint8Array | Uint16Array | Int32Array | Float64Array;

const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

export class Chunked<T extends Numbers> {
  readonly #make: new (length: number) => T;
  #chunks: T[] = [];
  #last: T;
  length = 0;

  constructor(make: new (length: number) => T) {
    this.#make = make;
    this.#last = new make(0);
  }

  push(value: number): void {
    const at = this.length & MASK;
    if (at === 0) {
      this.#last = new this.#make(CHUNK);
      this.#chunks.push(this.#last);
    }
    this.#last[at] = value;
    this.length += 1;
  }

  /** Adds a number that stands in another array. */
  pushFrom(values: Float64Array, index: number): void {
    const at = this.length & MASK;
    if (at === 0) {
      this.#last = new this.#make(CHUNK);
      this.#chunks.push(this.#last);
    }
    this.#last[at] = values[index]!;
    this.length += 1;
  }

  get(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]![index & MASK]!;
  }

  set(index: number, value: number): void {
    this.#chunks[index >>> CHUNK_BITS]![index & MASK] = value;
  }

  /** Rows `from` to `to` as one array. */
  slice(from: number, to: number): T {
    const whole = new this.#make(to - from);
    for (let at = from; at < to;) {
      const chunk = this.#chunks[at >>> CHUNK_BITS]!;
      const first = at & MASK;
      const count = Math.min(CHUNK - first, to - at);
      whole.set(chunk.subarray(first, first + count), at - from);
      at += count;
    }
    return whole;
  }

  /** The whole column, which is empty afterwards: no more than one chunk lies in memory twice. */
  take(): T {
    const whole = new this.#make(this.length);
    const chunks = this.#chunks;
    for (let index = 0; index < chunks.length; index++) {
      const rows = Math.min(CHUNK, this.length - index * CHUNK);
      whole.set(chunks[index]!.subarray(0, rows), index * CHUNK);
      chunks[index] = undefined as never;
    }
    this.clear();
    return whole;
  }

  clear(): void {
    this.#chunks = [];
    this.#last = new this.#make(0);
    this.length = 0;
  }
}
