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
  type Phase,
  type Trace,
} from "./model.ts";

/** What is known of a block when it is handed out; see {@link BlockRecord} for the fields. */
export interface NewBlock {
  readonly address: number;
  readonly bytes: number;
  readonly requestedBytes: number;
  readonly stream: number;
  readonly frame: number;
  readonly op: number;
  readonly module: number;
  readonly phase: Phase;
  readonly category: Category;
  readonly dtype: string | null;
  readonly shape: readonly number[] | null;
  readonly note: string | null;
}

export type SegmentKind = "segment_alloc" | "segment_free" | "segment_map" | "segment_unmap";

/** What a trace says about itself as a whole. */
export interface TraceMeta {
  readonly source: string;
  readonly program: string;
  readonly gpu: string;
  readonly capacityBytes: number;
  readonly torch: string;
}

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

  /** Says what a block is for, once that is known: a parameter is an ordinary tensor until a module owns it. */
  setCategory(block: number, category: Category): void {
    this.#category[block] = CATEGORY[category];
  }

  /** Gives a block the dtype and shape of the first tensor on it. */
  describe(block: number, dtype: string, shape: readonly number[]): void {
    this.#dtype[block] = dtype;
    this.#shape[block] = shape;
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

  /** A named point where no memory moved. */
  mark(name: string, frame: number): void {
    const last = this.#events - 1;
    const allocatedBytes = last < 0 ? 0 : this.#allocated[last]!;
    const reservedBytes = last < 0 ? 0 : this.#reserved[last]!;
    const event = this.#event(KIND.mark, -1, 0, 0, allocatedBytes, reservedBytes, frame, -1, -1, this.#lastPhase());
    this.#marks[event] = name;
  }

  /** Something was assumed or not modelled; the same at the same line is counted, not listed again. */
  assumption(code: string, args: Readonly<Record<string, string | number>>, frame: number): void {
    const key = `${frame} ${code} ${JSON.stringify(args)}`;
    const known = this.#assumptions.get(key);
    if (known !== undefined) known.count += 1;
    else this.#assumptions.set(key, { entry: { code, args, frame, count: 1 }, count: 1 });
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
