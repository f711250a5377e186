/** Builds a trace from events that a tool recorded: blocks may be older than the recording, and totals may say more than events do. */

import type { Phase, Trace, BlockRecord } from "../../trace/model.ts";
import { EVENT_KINDS, PHASES } from "../../trace/model.ts";
import { grown } from "../../trace/columns.ts";
import { FrameTable, NameTable } from "../../trace/intern.ts";
import { SavedColumns } from "../../trace/saved-columns.ts";
import type { TraceMeta } from "../../trace/recording.ts";

/** Where an event happened; indices into the trace's tables, or -1. */
export interface EventPlace {
  readonly frame: number;
  readonly op: number;
  readonly module: number;
  readonly phase: Phase;
}

export const NO_PLACE: EventPlace = { frame: -1, op: -1, module: -1, phase: "other" };

const KIND = Object.fromEntries(EVENT_KINDS.map((kind, index) => [kind, index])) as Record<
  (typeof EVENT_KINDS)[number],
  number
>;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export class RecordedTrace {
  readonly frames = new FrameTable();
  readonly ops = new NameTable();
  readonly modules = new NameTable();
  readonly #blocks: Writable<BlockRecord>[] = [];
  #length = 0;
  #kind = new Uint8Array(0);
  #block = new Int32Array(0);
  #address = new Float64Array(0);
  #bytes = new Float64Array(0);
  #allocated = new Float64Array(0);
  #reserved = new Float64Array(0);
  #frame = new Int32Array(0);
  #op = new Int32Array(0);
  #module = new Int32Array(0);
  #phase = new Uint8Array(0);
  /** Totals after the last event; before the first one what was there already. */
  allocatedBytes: number;
  reservedBytes: number;

  constructor(allocatedBytes: number, reservedBytes: number) {
    this.allocatedBytes = allocatedBytes;
    this.reservedBytes = reservedBytes;
  }

  /** A block that was there before the first event; its bytes are in the totals already. */
  before(address: number, bytes: number, note: string | null): number {
    return this.#newBlock(address, bytes, 0, -1, NO_PLACE, note);
  }

  alloc(address: number, bytes: number, place: EventPlace, stream = 0, note: string | null = null): number {
    const block = this.#newBlock(address, bytes, stream, this.#length, place, note);
    this.allocatedBytes += bytes;
    this.#event(KIND.alloc, block, address, bytes, place);
    return block;
  }

  free(block: number, place: EventPlace): void {
    const record = this.#blocks[block]!;
    record.freeEvent = this.#length;
    this.allocatedBytes -= record.bytes;
    this.#event(KIND.free_requested, block, record.address, record.bytes, place);
  }

  bytesOf(block: number): number {
    return this.#blocks[block]!.bytes;
  }

  /** The reserved bytes changed to `reservedBytes`. */
  reserve(reservedBytes: number, address: number, place: EventPlace): void {
    const change = reservedBytes - this.reservedBytes;
    if (change === 0) return;
    this.reservedBytes = reservedBytes;
    this.#event(change > 0 ? KIND.segment_alloc : KIND.segment_free, -1, address, Math.abs(change), place);
  }

  #newBlock(address: number, bytes: number, stream: number, event: number, place: EventPlace, note: string | null) {
    this.#blocks.push({
      requestedBytes: bytes,
      bytes,
      address,
      stream,
      allocEvent: event,
      freeEvent: -1,
      frame: place.frame,
      op: place.op,
      module: place.module,
      category: "unknown",
      phase: place.phase,
      dtype: null,
      shape: null,
      note,
    });
    return this.#blocks.length - 1;
  }

  #event(kind: number, block: number, address: number, bytes: number, place: EventPlace): void {
    const event = this.#length++;
    if (event >= this.#kind.length) this.#grow(event);
    this.#kind[event] = kind;
    this.#block[event] = block;
    this.#address[event] = address;
    this.#bytes[event] = bytes;
    this.#allocated[event] = this.allocatedBytes;
    this.#reserved[event] = this.reservedBytes;
    this.#frame[event] = place.frame;
    this.#op[event] = place.op;
    this.#module[event] = place.module;
    this.#phase[event] = PHASES.indexOf(place.phase);
  }

  #grow(length: number): void {
    this.#kind = grown(this.#kind, length);
    this.#block = grown(this.#block, length);
    this.#address = grown(this.#address, length);
    this.#bytes = grown(this.#bytes, length);
    this.#allocated = grown(this.#allocated, length);
    this.#reserved = grown(this.#reserved, length);
    this.#frame = grown(this.#frame, length);
    this.#op = grown(this.#op, length);
    this.#module = grown(this.#module, length);
    this.#phase = grown(this.#phase, length);
  }

  finish(meta: TraceMeta): Trace {
    const length = this.#length;
    return {
      schemaVersion: 1,
      ...meta,
      events: {
        kind: this.#kind.slice(0, length),
        block: this.#block.slice(0, length),
        address: this.#address.slice(0, length),
        bytes: this.#bytes.slice(0, length),
        allocatedBytes: this.#allocated.slice(0, length),
        reservedBytes: this.#reserved.slice(0, length),
        frame: this.#frame.slice(0, length),
        op: this.#op.slice(0, length),
        module: this.#module.slice(0, length),
        phase: this.#phase.slice(0, length),
      },
      blocks: this.#blocks,
      frames: [...this.frames.frames],
      ops: [...this.ops.names],
      modules: [...this.modules.names],
      marks: {},
      assumptions: [],
      saved: new SavedColumns().finish(),
      failures: [],
    };
  }
}
