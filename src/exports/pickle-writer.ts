/**
 * Writes pickles of plain data (protocol 4) piece by piece, so that a long one never lies in memory as a whole. Only
 * opcodes that both Python and the viewer of memory snapshots read; lists and dictionaries are filled in short batches.
 */

const CHUNK_BYTES = 1 << 16;
/** As Python's own pickler: readers put a batch on their stack. */
const BATCH = 1000;
const OP = {
  proto: 0x80,
  stop: 0x2e,
  none: 0x4e,
  true: 0x88,
  false: 0x89,
  int1: 0x4b,
  int2: 0x4d,
  int4: 0x4a,
  long1: 0x8a,
  float: 0x47,
  shortText: 0x8c,
  text: 0x58,
  emptyList: 0x5d,
  emptyDict: 0x7d,
  tuple2: 0x86,
  mark: 0x28,
  appends: 0x65,
  setItems: 0x75,
  memoize: 0x94,
  get1: 0x68,
  get4: 0x6a,
} as const;

/** A lone surrogate, which UTF-8 does not have, becomes U+FFFD. */
const encoder = new TextEncoder();

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

export class PickleWriter {
  #buffer = new Uint8Array(CHUNK_BYTES * 2);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;
  #memo = 0;
  readonly #texts = new Map<string, number>();

  constructor() {
    this.#byte(OP.proto);
    this.#byte(4);
  }

  /** What was written since the last time, once there is enough of it; with `end`, all that is left and the end mark. */
  *take(end = false): Generator<Uint8Array, void, undefined> {
    if (end) this.#byte(OP.stop);
    if (this.#length === 0 || (!end && this.#length < CHUNK_BYTES)) return;
    yield this.#buffer.slice(0, this.#length);
    this.#length = 0;
  }

  value(value: Plain): void {
    if (typeof value === "string") this.text(value);
    else if (typeof value === "number") this.number(value);
    else if (value === null) this.#byte(OP.none);
    else if (typeof value === "boolean") this.#byte(value ? OP.true : OP.false);
    else if (isList(value)) {
      this.startList();
      for (let from = 0; from < value.length; from += BATCH) {
        this.startBatch();
        for (const item of value.slice(from, from + BATCH)) this.value(item);
        this.endItems();
      }
    } else {
      this.startDict();
      this.startBatch();
      for (const [key, item] of Object.entries(value)) {
        this.text(key);
        this.value(item);
      }
      this.endFields();
    }
  }

  number(value: number): void {
    if (!Number.isInteger(value)) {
      this.#room(9);
      this.#byte(OP.float);
      this.#view.setFloat64(this.#length, value);
      this.#length += 8;
    } else if (value >= 0 && value < 0x100) {
      this.#byte(OP.int1);
      this.#byte(value);
    } else if (value >= 0 && value < 0x10000) {
      this.#byte(OP.int2);
      this.#little(value, 2);
    } else if (value >= -0x80000000 && value < 0x80000000) {
      this.#byte(OP.int4);
      this.#little(value, 4);
    } else this.#long(BigInt(value));
  }

  #long(value: bigint): void {
    this.#byte(OP.long1);
    const at = this.#length;
    this.#byte(0);
    let rest = value;
    let last = 0;
    do {
      last = Number(BigInt.asUintN(8, rest));
      this.#byte(last);
      rest >>= 8n;
    } while (rest !== 0n && rest !== -1n);
    // the highest bit is the sign
    if (rest === 0n && last >= 0x80) this.#byte(0);
    if (rest === -1n && last < 0x80) this.#byte(0xff);
    this.#buffer[at] = this.#length - at - 1;
  }

  /** A text; the second time and later it is a reference to the first. */
  text(text: string): void {
    const known = this.#texts.get(text);
    if (known !== undefined) {
      this.recall(known);
      return;
    }
    const bytes = encoder.encode(text);
    if (bytes.length < 0x100) {
      this.#byte(OP.shortText);
      this.#byte(bytes.length);
    } else {
      this.#byte(OP.text);
      this.#little(bytes.length, 4);
    }
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#texts.set(text, this.remember());
  }

  /** A tuple of two numbers, as PyTorch writes the ids of memory pools. */
  pair(first: number, second: number): void {
    this.number(first);
    this.number(second);
    this.#byte(OP.tuple2);
  }

  startList(): void {
    this.#byte(OP.emptyList);
  }
  startDict(): void {
    this.#byte(OP.emptyDict);
  }
  /** Items or fields follow, and then {@link endItems} or {@link endFields}; a container may get several batches. */
  startBatch(): void {
    this.#byte(OP.mark);
  }
  endItems(): void {
    this.#byte(OP.appends);
  }
  endFields(): void {
    this.#byte(OP.setItems);
  }

  /** Gives the value on top of the reader's stack a number under which it can be written again. */
  remember(): number {
    this.#byte(OP.memoize);
    return this.#memo++;
  }

  /** Writes a remembered value again. */
  recall(number: number): void {
    if (number < 0x100) {
      this.#byte(OP.get1);
      this.#byte(number);
    } else {
      this.#byte(OP.get4);
      this.#little(number, 4);
    }
  }

  #byte(value: number): void {
    this.#room(1);
    this.#buffer[this.#length++] = value;
  }

  #little(value: number, bytes: number): void {
    this.#room(bytes);
    for (let i = 0; i < bytes; i++) this.#buffer[this.#length++] = (value >> (8 * i)) & 0xff;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = new Uint8Array((this.#length + bytes) * 2);
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}

const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value);
/** How many items a batch holds at most. */
export const PICKLE_BATCH = BATCH;
