/**
 * The recorder of a `Trace`: whoever simulates or reads allocator events calls it once per event, in order.
 * It is on the hot path of every simulated operator, so fields go into columns and objects are made only at the end.
 */

import { invariant } from "../base/invariant.ts";
import { grown } from "./columns.ts";
import { FrameTable, NameTable } from "./intern.ts";
import {
  CATEGORIES,
  EVENT_KINDS,
  PHASES,
  type Assumption,
  type BlockRecord,
  type Category,
  type EventKind,
  type FailedRequest,
  type Phase,
  type SavedEnd,
  type Trace,
} from "./model.ts";
import type { NewBlock, SegmentKind, TraceMeta } from "./recording.ts";
import { SavedColumns, type NewSaved } from "./saved-columns.ts";

export type { NewBlock, SegmentKind, TraceMeta } from "./recording.ts";

function indexOf<T extends string>(names: readonly T[]): Readonly<Record<T, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<T, number>;
}
const KIND = indexOf<EventKind>(EVENT_KINDS);
const CATEGORY = indexOf<Category>(CATEGORIES);
const PHASE = indexOf<Phase>(PHASES);

export class TraceBuilder {
  readonly #frames = new FrameTable();
  readonly #ops = new NameTable();
  readonly #modules = new NameTable();
  readonly #marks: Record<number, string> = {};
  readonly #assumptions = new Map<string, { entry: Assumption; count: number }>();

  #events = 0;
  #kind = new Uint8Array(0);
  #eventBlock = new Int32Array(0);
  #eventAddress = new Float64Array(0);
  #eventBytes = new Float64Array(0);
  #allocated = new Float64Array(0);
  #reserved = new Float64Array(0);
  #eventFrame = new Int32Array(0);
  #eventOp = new Int32Array(0);
  #eventModule = new Int32Array(0);
  #eventPhase = new Uint8Array(0);

  #blocks = 0;
  #address = new Float64Array(0);
  #bytes = new Float64Array(0);
  #requested = new Float64Array(0);
  #stream = new Int32Array(0);
  #allocEvent = new Int32Array(0);
  #freeEvent = new Int32Array(0);
  #category = new Uint8Array(0);
  readonly #dtype: (string | null)[] = [];
  readonly #shape: (readonly number[] | null)[] = [];
  readonly #notes = new Map<number, string>();
  readonly #saved = new SavedColumns();
  readonly #failures: FailedRequest[] = [];
  #watched = -1;
  #onWatched: () => void = () => {};

  /** Calls `look` as soon as event `event` is recorded. */
  watch(event: number, look: () => void): void {
    this.#watched = event;
    this.#onWatched = look;
  }

  /** How many events were recorded so far; the next one gets this index. */
  get eventCount(): number {
    return this.#events;
  }

  /** Index of a line of a call stack whose caller is frame `parent` (-1: none). */
  frame(parent: number, file: string, line: number, name: string): number {
    return this.#frames.index(parent, file, line, name);
  }

  op(name: string): number {
    return this.#ops.index(name);
  }

  module(path: string): number {
    return this.#modules.index(path);
  }

  /** A block was handed out; the totals are those after it. Returns the block's index. */
  alloc(b: NewBlock, allocatedBytes: number, reservedBytes: number): number {
    const block = this.#blocks++;
    if (block >= this.#bytes.length) this.#growBlocks(block);
    this.#address[block] = b.address;
    this.#bytes[block] = b.bytes;
    this.#requested[block] = b.requestedBytes;
    this.#stream[block] = b.stream;
    this.#category[block] = CATEGORY[b.category];
    this.#freeEvent[block] = -1;
    this.#dtype.push(b.dtype);
    this.#shape.push(b.shape);
    if (b.note !== null) this.#notes.set(block, b.note);
    this.#allocEvent[block] = this.#event(
      KIND.alloc,
      block,
      b.address,
      b.bytes,
      allocatedBytes,
      reservedBytes,
      b.frame,
      b.op,
      b.module,
      PHASE[b.phase],
    );
    return block;
  }

  /** A graph node keeps a tensor for backward; returns the number to close it with. */
  saved(saved: NewSaved): number {
    return this.#saved.add(saved, this.#events);
  }

  /** The node let go of the tensor that {@link saved} gave this number, while `frame` ran. */
  savedEnded(saved: number, end: SavedEnd, frame: number): void {
    this.#saved.close(saved, end, this.#events, frame);
  }

  /** Blocks that are allocated now, in the order of their making. */
  aliveBlocks(): number[] {
    const alive: number[] = [];
    for (let block = 0; block < this.#blocks; block++) if (this.#freeEvent[block] === -1) alive.push(block);
    return alive;
  }

  /** The name of an operator by its index, or null. */
  opName(op: number): string | null {
    return this.#ops.names[op] ?? null;
  }

  /** Index of the event that made a block. */
  madeAt(block: number): number {
    return this.#allocEvent[block]!;
  }

  /** Index of the module in whose forward a block was made, or -1. */
  madeIn(block: number): number {
    return this.#eventModule[this.#allocEvent[block]!]!;
  }

  /** Whether one module is another or lies within it; both as indices. */
  within(module: number, outer: number): boolean {
    if (module < 0 || outer < 0) return false;
    const path = this.#modules.names[module]!;
    const prefix = this.#modules.names[outer]!;
    return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === ".");
  }

  /** Says what a block is for, once that is known: a parameter is an ordinary tensor until a module owns it. */
  setCategory(block: number, category: Category): void {
    this.#category[block] = CATEGORY[category];
  }

  /** Gives a block the dtype and shape of the first tensor on it. */
  describe(block: number, dtype: string, shape: readonly number[]): void {
    this.#dtype[block] = dtype;
    this.#shape[block] = shape;
  }

  /** Says more about a block whose origin needs words. */
  remark(block: number, note: string): void {
    this.#notes.set(block, note);
  }

  /**
   * The owner gave the block back (`free_requested`). Where it returns to its pool in the same moment, which is the rule, no
   * second event is recorded; {@link freeCompleted} is for blocks that other streams still used.
   */
  free(
    block: number,
    frame: number,
    op: number,
    module: number,
    phase: Phase,
    allocatedBytes: number,
    reservedBytes: number,
  ): void {
    invariant(this.#freeEvent[block] === -1, "a block is freed once");
    this.#freeEvent[block] = this.#event(
      KIND.free_requested,
      block,
      this.#address[block]!,
      this.#bytes[block]!,
      allocatedBytes,
      reservedBytes,
      frame,
      op,
      module,
      PHASE[phase],
    );
  }

  /** A block whose return had to wait for other streams is back in its pool. */
  freeCompleted(block: number, allocatedBytes: number, reservedBytes: number): void {
    this.#event(
      KIND.free_completed,
      block,
      this.#address[block]!,
      this.#bytes[block]!,
      allocatedBytes,
      reservedBytes,
      -1,
      -1,
      -1,
      this.#lastPhase(),
    );
  }

  /** The allocator took memory from the driver or gave it back. */
  segment(
    kind: SegmentKind,
    address: number,
    bytes: number,
    allocatedBytes: number,
    reservedBytes: number,
    frame: number,
    op: number,
    phase?: Phase,
  ): void {
    const phaseIndex = phase === undefined ? this.#lastPhase() : PHASE[phase];
    this.#event(KIND[kind], -1, address, bytes, allocatedBytes, reservedBytes, frame, op, -1, phaseIndex);
  }

  /** A request of `bytes` failed. */
  oom(
    bytes: number,
    allocatedBytes: number,
    reservedBytes: number,
    frame: number,
    op: number,
    module: number,
    phase: Phase,
  ): void {
    this.#event(KIND.oom, -1, 0, bytes, allocatedBytes, reservedBytes, frame, op, module, PHASE[phase]);
  }

  /** More about the request of the last `oom` event. */
  failure(request: Omit<FailedRequest, "event">): void {
    this.#failures.push({ event: this.#events - 1, ...request });
  }

  /** Dtype and shape of the tensor that the last failed request was for. */
  describeFailure(dtype: string, shape: readonly number[]): void {
    const last = this.#failures.pop();
    if (last !== undefined) this.#failures.push({ ...last, dtype, shape: [...shape] });
  }

  /** A named point where no memory moved. */
  mark(name: string, frame: number): void {
    const last = this.#events - 1;
    const allocatedBytes = last < 0 ? 0 : this.#allocated[last]!;
    const reservedBytes = last < 0 ? 0 : this.#reserved[last]!;
    const event = this.#event(KIND.mark, -1, 0, 0, allocatedBytes, reservedBytes, frame, -1, -1, this.#lastPhase());
    this.#marks[event] = name;
  }

  /**
   * Something was assumed or not modelled; the same at the same line is counted, not listed again. Of an interval the widest
   * stays: `highBytes` is its upper end.
   */
  assumption(code: string, args: Readonly<Record<string, string | number>>, frame: number): void {
    const { highBytes, ...rest } = args;
    const key = `${frame} ${code} ${JSON.stringify(rest)}`;
    const known = this.#assumptions.get(key);
    if (known === undefined) {
      this.#assumptions.set(key, { entry: { code, args, frame, count: 1 }, count: 1 });
      return;
    }
    known.count += 1;
    if (Number(highBytes) > Number(known.entry.args["highBytes"])) known.entry = { ...known.entry, args };
  }

  /** The finished trace. The builder can record on; a later call gives a longer trace. */
  finish(meta: TraceMeta): Trace {
    const events = this.#events;
    return {
      schemaVersion: 1,
      source: meta.source,
      program: meta.program,
      gpu: meta.gpu,
      capacityBytes: meta.capacityBytes,
      torch: meta.torch,
      events: {
        kind: this.#kind.slice(0, events),
        block: this.#eventBlock.slice(0, events),
        address: this.#eventAddress.slice(0, events),
        bytes: this.#eventBytes.slice(0, events),
        allocatedBytes: this.#allocated.slice(0, events),
        reservedBytes: this.#reserved.slice(0, events),
        frame: this.#eventFrame.slice(0, events),
        op: this.#eventOp.slice(0, events),
        module: this.#eventModule.slice(0, events),
        phase: this.#eventPhase.slice(0, events),
      },
      blocks: this.#blockRecords(),
      frames: [...this.#frames.frames],
      ops: [...this.#ops.names],
      modules: [...this.#modules.names],
      marks: { ...this.#marks },
      assumptions: [...this.#assumptions.values()].map(({ entry, count }) => ({ ...entry, count })),
      saved: this.#saved.finish(),
      failures: [...this.#failures],
    };
  }

  #blockRecords(): BlockRecord[] {
    const records: BlockRecord[] = [];
    for (let block = 0; block < this.#blocks; block++) {
      const event = this.#allocEvent[block]!;
      records.push({
        requestedBytes: this.#requested[block]!,
        bytes: this.#bytes[block]!,
        address: this.#address[block]!,
        stream: this.#stream[block]!,
        allocEvent: event,
        freeEvent: this.#freeEvent[block]!,
        frame: this.#eventFrame[event]!,
        op: this.#eventOp[event]!,
        module: this.#eventModule[event]!,
        category: CATEGORIES[this.#category[block]!]!,
        phase: PHASES[this.#eventPhase[event]!]!,
        dtype: this.#dtype[block]!,
        shape: this.#shape[block]!,
        note: this.#notes.get(block) ?? null,
      });
    }
    return records;
  }

  #lastPhase(): number {
    return this.#events === 0 ? PHASE.other : this.#eventPhase[this.#events - 1]!;
  }

  #event(
    kind: number,
    block: number,
    address: number,
    bytes: number,
    allocatedBytes: number,
    reservedBytes: number,
    frame: number,
    op: number,
    module: number,
    phase: number,
  ): number {
    const event = this.#events++;
    if (event >= this.#kind.length) this.#growEvents(event);
    this.#kind[event] = kind;
    this.#eventBlock[event] = block;
    this.#eventAddress[event] = address;
    this.#eventBytes[event] = bytes;
    this.#allocated[event] = allocatedBytes;
    this.#reserved[event] = reservedBytes;
    this.#eventFrame[event] = frame;
    this.#eventOp[event] = op;
    this.#eventModule[event] = module;
    this.#eventPhase[event] = phase;
    if (event === this.#watched) this.#onWatched();
    return event;
  }

  #growEvents(length: number): void {
    this.#kind = grown(this.#kind, length);
    this.#eventBlock = grown(this.#eventBlock, length);
    this.#eventAddress = grown(this.#eventAddress, length);
    this.#eventBytes = grown(this.#eventBytes, length);
    this.#allocated = grown(this.#allocated, length);
    this.#reserved = grown(this.#reserved, length);
    this.#eventFrame = grown(this.#eventFrame, length);
    this.#eventOp = grown(this.#eventOp, length);
    this.#eventModule = grown(this.#eventModule, length);
    this.#eventPhase = grown(this.#eventPhase, length);
  }

  #growBlocks(length: number): void {
    this.#address = grown(this.#address, length);
    this.#bytes = grown(this.#bytes, length);
    this.#requested = grown(this.#requested, length);
    this.#stream = grown(this.#stream, length);
    this.#allocEvent = grown(this.#allocEvent, length);
    this.#freeEvent = grown(this.#freeEvent, length);
    this.#category = grown(this.#category, length);
  }
}
