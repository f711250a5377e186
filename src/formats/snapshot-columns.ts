/** Trace entries and call stacks as columns: what keeps a snapshot of millions of entries small. */

import { TRACE_ACTIONS } from "../alloc/recorded.ts";
import { Chunked } from "./chunked.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** A line of a recorded call stack. */
export interface SnapshotFrame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** Call stacks, each stored once; innermost frame first, as PyTorch writes them. */
export interface FrameLists {
  readonly count: number;
  /** Indices into the frames of the list with this index; -1 gives an empty one. */
  frames(list: number): Int32Array;
}

/** A growing column of 32-bit integers. */
class IntColumn {
  values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
}

/** Frames and lists of frames, equal ones once. */
export class FrameTable implements FrameLists {
  readonly all: SnapshotFrame[] = [];
  private readonly ids = new Map<string, number>();
  private readonly offsets = new IntColumn();
  private readonly members = new IntColumn();
  /** Open addressing over lists: index of the list plus 1, 0 for a free slot. */
  private slots = new Int32Array(1024);

  constructor() {
    this.offsets.push(0);
  }

  get count(): number {
    return this.offsets.length - 1;
  }

  frames(list: number): Int32Array {
    if (list < 0) return new Int32Array(0);
    return this.members.values.subarray(this.offsets.values[list], this.offsets.values[list + 1]);
  }

  frame(name: string, file: string, line: number): number {
    const key = `${line}\n${file}\n${name}`;
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.all.length;
      this.ids.set(key, id);
      this.all.push({ name, file, line });
    }
    return id;
  }

  /** Index of the list of the first `count` ids. */
  list(frames: ArrayLike<number>, count = frames.length): number {
    const slot = this.slotOf(frames, count);
    if (this.slots[slot] !== 0) return this.slots[slot] - 1;
    const id = this.count;
    for (let at = 0; at < count; at++) this.members.push(frames[at]);
    this.offsets.push(this.members.length);
    this.slots[slot] = id + 1;
    if (this.count * 2 > this.slots.length) this.grow();
    return id;
  }

  private slotOf(frames: ArrayLike<number>, count: number): number {
    const mask = this.slots.length - 1;
    let hash = count;
    for (let at = 0; at < count; at++) hash = Math.imul(hash ^ frames[at], 0x0100_0193) + (hash >>> 15);
    let slot = (hash ^ (hash >>> 13)) & mask;
    while (this.slots[slot] !== 0 && !this.isList(this.slots[slot] - 1, frames, count)) slot = (slot + 1) & mask;
    return slot;
  }

  private isList(list: number, frames: ArrayLike<number>, count: number): boolean {
    const from = this.offsets.values[list];
    if (this.offsets.values[list + 1] - from !== count) return false;
    const { values } = this.members;
    for (let at = 0; at < count; at++) if (values[from + at] !== frames[at]) return false;
    return true;
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    for (let list = 0; list < this.count; list++) {
      const frames = this.frames(list);
      this.slots[this.slotOf(frames, frames.length)] = list + 1;
    }
  }
}

/** Code of an action that this reader does not know. */
export const UNKNOWN_ACTION = 255;

const ACTION_CODES = new Map<string, number>(TRACE_ACTIONS.map((name, code) => [name, code]));
// The name that releases before 2.14 give to annotations.
ACTION_CODES.set("user_defined", ACTION_CODES.get("annotate")!);

/** Index into TRACE_ACTIONS, or {@link UNKNOWN_ACTION}. */
export function actionCode(action: string): number {
  return ACTION_CODES.get(action) ?? UNKNOWN_ACTION;
}

/** Takes trace entries one by one, in the order of the file. */
export interface EntrySink {
  /** Rows so far. An entry that belongs to the one before it may add none. */
  readonly length: number;
  /** {@link push} with the four numbers of `entry` (address, bytes, stream, time): many calls make no objects of them. */
  pushNumbers(action: number, entry: Float64Array, frameList: number, metadata: string, category: string): void;
  /**
   * `action` as {@link actionCode} gives it; `address` of a failed request is what the driver had free. `metadata` and `category`
   * are texts that some releases and tools add, empty where there are none.
   */
  push(
    action: number,
    address: number,
    bytes: number,
    stream: number,
    timeUs: number,
    frameList: number,
    metadata: string,
    category: string,
  ): void;
}

const MOST_ROWS = 2 ** 31 - 1;

/** @throws {SnapshotError} where rows can no longer be numbered. */
export function checkRowCount(rows: number): void {
  if (rows >= MOST_ROWS) throw new SnapshotError("snapshot-bad-field", { field: "device_traces", value: "too many" });
}

/** Entries of all devices in the order of reading. */
export class EntryColumns implements EntrySink {
  readonly actions = new Chunked(Uint8Array);
  readonly addresses = new Chunked(Float64Array);
  readonly bytes = new Chunked(Float64Array);
  readonly streams = new Chunked(Float64Array);
  readonly times = new Chunked(Float64Array);
  readonly frameLists = new Chunked(Int32Array);

  get length(): number {
    return this.actions.length;
  }

  pushNumbers(action: number, [address, bytes, stream, timeUs]: Float64Array, frameList: number): void {
    this.push(action, address, bytes, stream, timeUs, frameList);
  }

  push(action: number, address: number, bytes: number, stream: number, timeUs: number, frameList: number): void {
    checkRowCount(this.length);
    this.actions.push(action);
    this.addresses.push(address);
    this.bytes.push(bytes);
    this.streams.push(stream);
    this.times.push(timeUs);
    this.frameLists.push(frameList);
  }
}
