/**
 * Trace entries of a snapshot on their way to a trace: columns in chunks, and `free_completed` folded into the `free_requested`
 * before it where it follows at once, as it nearly always does.
 */

import { TRACE_ACTIONS } from "../alloc/recorded.ts";
import { NameTable } from "../trace/intern.ts";
import { KIND } from "../trace/codes.ts";
import { CATEGORIES, EVENT_KINDS, type Category } from "../trace/model.ts";
import { Chunked } from "./chunked.ts";
import { checkRowCount, type EntrySink } from "./snapshot-columns.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** A free whose completion has not been seen; ordinary rows have an index into EVENT_KINDS. */
export const FREE_WAITING = 200;
export const NO_CATEGORY = 255;

const FREE_REQUESTED = KIND.free_requested;
const FREE_COMPLETED = KIND.free_completed;
const MARK = KIND.mark;
const NO_EVENT = 254;
const SNAPSHOT = TRACE_ACTIONS.indexOf("snapshot");
const ANNOTATE = TRACE_ACTIONS.indexOf("annotate");

/** What an action becomes, by its code. */
const KIND_OF_ACTION = Uint8Array.from({ length: 256 }, (_, action) => {
  const name = TRACE_ACTIONS[action];
  if (action === SNAPSHOT) return NO_EVENT;
  if (name === undefined || action === ANNOTATE) return MARK;
  return name === "free_requested" ? FREE_WAITING : EVENT_KINDS.indexOf(name as never);
});

const MOST_STREAMS = 0xffff;
const CATEGORY_CODES = new Map<string, number>(CATEGORIES.map((name, code) => [name, code]));

export class SnapshotRows implements EntrySink {
  readonly kinds = new Chunked(Uint8Array);
  readonly addresses = new Chunked(Float64Array);
  readonly bytes = new Chunked(Float64Array);
  readonly streams = new Chunked(Uint16Array);
  readonly times = new Chunked(Float64Array);
  readonly frameLists = new Chunked(Int32Array);
  /** Index into `metadata`. */
  readonly metadataIds = new Chunked(Int32Array);
  /** Index into CATEGORIES, or {@link NO_CATEGORY}. */
  readonly categories = new Chunked(Uint8Array);
  readonly metadata = new NameTable();
  readonly streamNames: number[] = [];
  /** Entries with an action that no known release writes. */
  unknownActions = 0;
  readonly #streamIds = new Map<number, number>();
  #lastStream = Number.NaN;
  #lastStreamId = 0;
  #lastText = "";
  #lastTextId: number;

  constructor() {
    this.#lastTextId = this.metadata.index("");
  }

  get length(): number {
    return this.kinds.length;
  }

  readonly #entry = new Float64Array(4);

  push(
    action: number,
    address: number,
    bytes: number,
    stream: number,
    timeUs: number,
    frameList: number,
    metadata: string,
    category: string,
  ): void {
    this.#entry.set([address, bytes, stream, timeUs]);
    this.pushNumbers(action, this.#entry, frameList, metadata, category);
  }

  pushNumbers(action: number, entry: Float64Array, frameList: number, metadata: string, category: string): void {
    const kind = KIND_OF_ACTION[action]!;
    if (kind === NO_EVENT) return;
    const row = this.length;
    if (kind === FREE_COMPLETED && row > 0) {
      const before = row - 1;
      if (this.kinds.get(before) === FREE_WAITING && this.addresses.get(before) === entry[0]) {
        this.kinds.set(before, FREE_REQUESTED);
        return;
      }
    }
    checkRowCount(row);
    if (kind === MARK && action !== ANNOTATE) this.unknownActions += 1;
    this.kinds.push(kind);
    this.addresses.pushFrom(entry, 0);
    this.bytes.pushFrom(entry, 1);
    this.streams.push(entry[2] === this.#lastStream ? this.#lastStreamId : this.#streamId(entry[2]!));
    this.times.pushFrom(entry, 3);
    this.frameLists.push(frameList);
    this.metadataIds.push(metadata === this.#lastText ? this.#lastTextId : this.#textId(metadata));
    this.categories.push(category === "" ? NO_CATEGORY : (CATEGORY_CODES.get(category as Category) ?? NO_CATEGORY));
  }

  #streamId(stream: number): number {
    let id = this.#streamIds.get(stream);
    if (id === undefined) {
      id = this.#streamIds.size;
      if (id === MOST_STREAMS) throw new SnapshotError("snapshot-bad-field", { field: "stream", value: "too many" });
      this.#streamIds.set(stream, id);
      // pointers that JavaScript cannot count with are told by their order
      this.streamNames.push(Number.isSafeInteger(stream) ? stream : id);
    }
    this.#lastStream = stream;
    this.#lastStreamId = id;
    return id;
  }

  #textId(text: string): number {
    this.#lastText = text;
    this.#lastTextId = this.metadata.index(text);
    return this.#lastTextId;
  }
}
