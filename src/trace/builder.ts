/**
 * The recorder of a `Trace`: whoever simulates or reads allocator events calls it once per event, in order.
 * It is on the hot path of every simulated operator, so fields go into columns and objects are made only at the end.
 */

import { invariant } from "../base/invariant.ts";
import { assembled } from "./assemble.ts";
import { CATEGORY, KIND, PHASE } from "./codes.ts";
import type { RecordedColumns } from "./fold.ts";
import { FrameTable, NameTable } from "./intern.ts";
import { type Assumption, type Category, type FailedRequest, type SavedEnd, type Trace } from "./model.ts";
import { RecorderMemory, rowsOf, type SharedTrace, type Table } from "./recorder-memory.ts";
import type { NewBlock, Origin, SegmentKind, TraceMeta } from "./recording.ts";
import { SavedColumns, type NewSaved } from "./saved-columns.ts";
import { TraceLog, type NameTableName } from "./trace-log.ts";

export type { NewBlock, Origin, SegmentKind, TraceMeta } from "./recording.ts";

export class TraceBuilder {
  readonly #memory: RecorderMemory;
  readonly #log: TraceLog;
  readonly #frames: FrameTable;
  readonly #ops: NameTable;
  readonly #modules: NameTable;
  readonly #dtypes: NameTable;
  readonly #notes: NameTable;
  readonly #marks: Record<number, string> = {};
  readonly #assumptions: Omit<Assumption, "count">[] = [];
  readonly #assumptionRows = new Map<string, number>();

  #events = 0;
  readonly #event: Table<"events">;
  #blocks = 0;
  readonly #block: Table<"blocks">;
  #sizes = 0;
  readonly #size: Table<"sizes">;
  readonly #assumed: Table<"assumed">;
  readonly #saved: SavedColumns;
  readonly #failures: FailedRequest[] = [];
  #watched = -1;
  #onWatched: () => void = () => {};

  /** @param shared where to record, for a reader in another thread; by default in memory of its own */
  constructor(shared: SharedTrace | null = null) {
    const memory = new RecorderMemory(shared);
    const log = new TraceLog(memory);
    const names = (table: NameTableName): NameTable => new NameTable((name) => log.write("name", table, name));
    this.#memory = memory;
    this.#log = log;
    this.#frames = new FrameTable(({ parent, file, line, name }) => log.write("frame", parent, file, line, name));
    this.#ops = names("ops");
    this.#modules = names("modules");
    this.#dtypes = names("dtypes");
    this.#notes = names("notes");
    this.#event = memory.table("events");
    this.#block = memory.table("blocks");
    this.#size = memory.table("sizes");
    this.#assumed = memory.table("assumed");
    this.#saved = new SavedColumns(memory, (name) => log.write("name", "savedNames", name));
  }

  /** Calls `look` as soon as event `event` is recorded. */
  watch(event: number, look: () => void): void {
    this.#watched = event;
    this.#onWatched = look;
  }

  /** How many events were recorded so far; the next one gets this index. */
  get eventCount(): number {
    return this.#events;
  }

  /** Whether a request for memory failed. */
  get ranOut(): boolean {
    return this.#failures.length > 0;
  }

  /** Index of a line of a call stack whose caller is frame `parent` (-1: none). */
  frame(parent: number, file: string, line: number, name: string): number {
    return this.#frames.index(parent, file, line, name);
  }

  /** A line by its index; null for -1. */
  placeOf(frame: number): { readonly file: string; readonly line: number } | null {
    return this.#frames.frames[frame] ?? null;
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
    if (block >= this.#block.room) this.#block.makeRoom(block);
    const { at } = this.#block;
    at.address[block] = b.address;
    at.bytes[block] = b.bytes;
    at.requestedBytes[block] = b.requestedBytes;
    at.stream[block] = b.stream;
    at.category[block] = CATEGORY[b.category];
    at.freeEvent[block] = -1;
    at.allocEvent[block] = this.#events;
    if (b.dtype !== null) at.dtype[block] = this.#dtypes.index(b.dtype) + 1;
    if (b.shape !== null) at.shape[block] = this.#shape(b.shape);
    if (b.note !== null) at.note[block] = this.#notes.index(b.note) + 1;
    this.#block.publish(block + 1);
    this.#record(
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
    for (let block = 0; block < this.#blocks; block++) if (this.#block.at.freeEvent[block] === -1) alive.push(block);
    return alive;
  }

  /** The name of an operator by its index, or null. */
  opName(op: number): string | null {
    return this.#ops.names[op] ?? null;
  }

  /** Index of the event that made a block. */
  madeAt(block: number): number {
    return this.#block.at.allocEvent[block]!;
  }

  /** Index of the module in whose forward a block was made, or -1. */
  madeIn(block: number): number {
    return this.#event.at.module[this.#block.at.allocEvent[block]!]!;
  }

  /** Whether one module is another or lies within it; both as indices. */
  within(module: number, outer: number): boolean {
    if (module < 0 || outer < 0) return false;
    const path = this.#modules.names[module]!;
    const prefix = this.#modules.names[outer]!;
    return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === ".");
  }

  /** What was recorded so far, as it is kept: columns are longer than there are events, and replaced when they grow. */
  get columns(): RecordedColumns {
    const { stream, requestedBytes } = this.#block.at;
    return { ...this.#event.at, stream, requestedBytes };
  }

  /** Says what a block is for, once that is known: a parameter is an ordinary tensor until a module owns it. */
  setCategory(block: number, category: Category): void {
    this.#block.at.category[block] = CATEGORY[category];
  }

  /** Gives a block the dtype and shape of the first tensor on it. */
  describe(block: number, dtype: string, shape: readonly number[]): void {
    this.#block.at.dtype[block] = this.#dtypes.index(dtype) + 1;
    this.#block.at.shape[block] = this.#shape(shape);
  }

  /** Says more about a block whose origin needs words. */
  remark(block: number, note: string): void {
    this.#block.at.note[block] = this.#notes.index(note) + 1;
  }

  /**
   * The owner gave the block back (`free_requested`). Where it returns to its pool in the same moment, which is the rule, no
   * second event is recorded; {@link freeCompleted} is for blocks that other streams still used.
   */
  free(block: number, { frame, op, module, phase }: Origin, allocatedBytes: number, reservedBytes: number): void {
    const { at } = this.#block;
    invariant(at.freeEvent[block] === -1, "a block is freed once");
    at.freeEvent[block] = this.#events;
    this.#record(
      KIND.free_requested,
      block,
      at.address[block]!,
      at.bytes[block]!,
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
    this.#record(
      KIND.free_completed,
      block,
      this.#block.at.address[block]!,
      this.#block.at.bytes[block]!,
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
    { frame, op, phase }: Pick<Origin, "frame" | "op"> & Partial<Origin>,
    allocatedBytes: number,
    reservedBytes: number,
  ): void {
    const phaseIndex = phase === undefined ? this.#lastPhase() : PHASE[phase];
    this.#record(KIND[kind], -1, address, bytes, allocatedBytes, reservedBytes, frame, op, -1, phaseIndex);
  }

  /** A request of `bytes` failed. */
  oom(
    bytes: number,
    { frame, op, module, phase }: Origin,
    allocatedBytes: number,
    reservedBytes: number,
    address = 0,
  ): void {
    this.#record(KIND.oom, -1, address, bytes, allocatedBytes, reservedBytes, frame, op, module, PHASE[phase]);
  }

  /** More about the request of the last `oom` event. */
  failure(request: Omit<FailedRequest, "event">): void {
    const failure = { event: this.#events - 1, ...request };
    this.#log.write("failure", failure);
    this.#failures.push(failure);
  }

  /** Dtype and shape of the tensor that the last failed request was for. */
  describeFailure(dtype: string, shape: readonly number[]): void {
    const last = this.#failures.pop();
    this.#log.write("failure_tensor", dtype, shape);
    if (last !== undefined) this.#failures.push({ ...last, dtype, shape: [...shape] });
  }

  /** A named point where no memory moved. */
  mark(name: string, frame: number): void {
    const last = this.#events - 1;
    const allocatedBytes = last < 0 ? 0 : this.#event.at.allocatedBytes[last]!;
    const reservedBytes = last < 0 ? 0 : this.#event.at.reservedBytes[last]!;
    this.#log.write("mark", this.#events, name);
    const event = this.#record(KIND.mark, -1, 0, 0, allocatedBytes, reservedBytes, frame, -1, -1, this.#lastPhase());
    this.#marks[event] = name;
  }

  /**
   * Something was assumed or not modelled; the same at the same line is counted, not listed again. Of an interval the widest
   * stays: `highBytes` is its upper end, `workspaceBytes` what was taken of it. Of a sum that grows (`outsideHighBytes`: bytes outside of the allocator) the last stays.
   */
  /** Whether something was assumed whose code begins so. */
  hasAssumed(beginning: string): boolean {
    return this.#assumptions.some(({ code }) => code.startsWith(beginning));
  }

  assumption(code: string, args: Readonly<Record<string, string | number>>, frame: number): void {
    const { highBytes, workspaceBytes, ...rest } = args;
    const grows = "outsideHighBytes" in args;
    const key = grows ? code : `${frame} ${code} ${JSON.stringify(rest)}`;
    const known = this.#assumptionRows.get(key);
    if (known !== undefined && grows) {
      this.#assume(known, code, args, frame);
      return;
    }
    if (known !== undefined) {
      this.#assumed.at.count[known]! += 1;
      const most = this.#assumptions[known]!.args;
      const beyond = Number(highBytes) - Number(workspaceBytes ?? 0);
      if (beyond > Number(most["highBytes"]) - Number(most["workspaceBytes"] ?? 0))
        this.#assume(known, code, args, frame);
      return;
    }
    const row = this.#assumptions.length;
    if (row >= this.#assumed.room) this.#assumed.makeRoom(row);
    this.#assumed.at.count[row] = 1;
    this.#assumed.publish(row + 1);
    this.#assume(row, code, args, frame);
    this.#assumptionRows.set(key, row);
  }

  #assume(row: number, code: string, args: Assumption["args"], frame: number): void {
    this.#assumptions[row] = { code, args, frame };
    this.#log.write("assumption", row, { code, args, frame });
  }

  /** The program is at a line; `isStop`: it was asked to stop there, otherwise it came there for the first time. */
  reached(frame: number, isStop: boolean): void {
    if (isStop) this.#memory.setPlace("stopFrame", frame + 1);
    else {
      this.#memory.setPlace("lineFrame", frame + 1);
      this.#memory.setPlace("lineEvents", this.#events);
    }
  }

  /** The finished trace. The builder can record on; a later call gives a longer trace. */
  finish(meta: TraceMeta): Trace {
    const recorded = {
      events: rowsOf(this.#event, this.#events),
      blocks: rowsOf(this.#block, this.#blocks),
      saved: this.#saved.columns(),
      sizes: rowsOf(this.#size, this.#sizes),
      assumed: rowsOf(this.#assumed, this.#assumptions.length),
    };
    const tables = {
      frames: [...this.#frames.frames],
      ops: [...this.#ops.names],
      modules: [...this.#modules.names],
      dtypes: this.#dtypes.names,
      notes: this.#notes.names,
      savedNames: [...this.#saved.names],
      marks: { ...this.#marks },
      // their counts go on
      assumptions: this.#assumptions.map((assumption) => ({ ...assumption })),
      failures: [...this.#failures],
    };
    return assembled(recorded, tables, meta);
  }

  /** Where a shape stands in the table of sizes, plus one. */
  #shape(shape: readonly number[]): number {
    const row = this.#sizes;
    const rank = shape.length;
    if (row + rank >= this.#size.room) this.#size.makeRoom(row + rank);
    const { value } = this.#size.at;
    value[row] = rank;
    for (let i = 0; i < rank; i++) value[row + 1 + i] = shape[i]!;
    this.#sizes = row + rank + 1;
    this.#size.publish(this.#sizes);
    return row + 1;
  }

  #lastPhase(): number {
    return this.#events === 0 ? PHASE.other : this.#event.at.phase[this.#events - 1]!;
  }

  #record(
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
    if (event >= this.#event.room) this.#event.makeRoom(event);
    const { at } = this.#event;
    at.kind[event] = kind;
    at.block[event] = block;
    at.address[event] = address;
    at.bytes[event] = bytes;
    at.allocatedBytes[event] = allocatedBytes;
    at.reservedBytes[event] = reservedBytes;
    at.frame[event] = frame;
    at.op[event] = op;
    at.module[event] = module;
    at.phase[event] = phase;
    this.#event.publish(event + 1);
    if (event === this.#watched) this.#onWatched();
    return event;
  }
}
