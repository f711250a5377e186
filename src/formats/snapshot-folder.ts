/** Turns a snapshot's frames, call stacks and trace entries into rows while the pickle is read. */

import type { PickleBytes } from "./pickle-bytes.ts";
import type { PickleMemo } from "./pickle-memo.ts";
import { PickleDict, PickleFold, PickleList, type PickleFolder, type PickleValue } from "./pickle-values.ts";
import { actionCode, FrameTable, type EntrySink } from "./snapshot-columns.ts";
import { EMPTY_LIST, EntryReader } from "./snapshot-entry-reader.ts";
import { anyInteger, size } from "./snapshot-fields.ts";

class FrameFold extends PickleFold {
  readonly id: number;
  constructor(id: number) {
    super();
    this.id = id;
  }
}

class FrameListFold extends PickleFold {
  readonly id: number;
  constructor(id: number) {
    super();
    this.id = id;
  }
}

/** Rows of {@link EntryColumns} that stand in a list one after the other. */
export class EntryRows extends PickleFold {
  readonly first: number;
  count: number;
  constructor(first: number, count: number) {
    super();
    this.first = first;
    this.count = count;
  }
}

export function frameListOf(value: PickleValue | undefined): number {
  return value instanceof FrameListFold ? value.id : -1;
}

const textOf = (value: PickleValue | undefined): string => (typeof value === "string" ? value : "");

/** Replaces frames, lists of frames and trace entries by row numbers as soon as they are complete. */
export class SnapshotFolder implements PickleFolder {
  readonly frames = new FrameTable();
  readonly entries: EntrySink;
  private readonly frameFolds: FrameFold[] = [];
  private readonly listFolds: FrameListFold[] = [];

  private readonly reader: EntryReader;
  private before = 0;

  constructor(entries: EntrySink) {
    this.entries = entries;
    const frameOf = (value: PickleValue): number =>
      value instanceof FrameFold
        ? value.id
        : value instanceof PickleDict && value.folded instanceof FrameFold
          ? value.folded.id
          : -1;
    const listOf = (value: PickleValue): number => {
      if (!(value instanceof PickleList)) return frameListOf(value);
      const isOwn = value.folded === undefined || value.folded === value;
      return isOwn ? (value.items.length === 0 ? EMPTY_LIST : -1) : frameListOf(value.folded);
    };
    this.reader = new EntryReader(entries, this.frames, { frameOf, listOf });
  }

  takeDict(input: PickleBytes, memo: PickleMemo): boolean {
    this.before = this.entries.length;
    return this.reader.take(input, memo);
  }

  /** Entries that follow one another stand on the stack as one range, however many a list has. */
  taken(top: PickleValue | undefined): PickleValue | null {
    const count = this.entries.length - this.before;
    if (!(top instanceof EntryRows) || top.first + top.count !== this.before) return new EntryRows(this.before, count);
    top.count += count;
    return null;
  }

  isWhole(dict: PickleDict): boolean {
    return typeof dict.get("action") === "string" && dict.get("stream") !== undefined && dict.folded === undefined;
  }

  listValue(list: number): PickleValue {
    return (this.listFolds[list] ??= new FrameListFold(list));
  }

  fold(value: PickleList | PickleDict): PickleValue {
    return value instanceof PickleDict ? this.foldDict(value) : this.foldList(value);
  }

  append(list: PickleList, value: PickleValue): boolean {
    if (!(value instanceof EntryRows)) return false;
    const last = list.items[list.items.length - 1];
    if (last instanceof EntryRows && last.first + last.count === value.first) last.count += value.count;
    else list.items.push(new EntryRows(value.first, value.count));
    return true;
  }

  private foldDict(dict: PickleDict): PickleValue {
    const file = dict.get("filename");
    const name = dict.get("name");
    const line = dict.get("line");
    if (typeof file === "string" && typeof name === "string" && Number.isInteger(line)) {
      const id = this.frames.frame(name, file, line as number);
      return (this.frameFolds[id] ??= new FrameFold(id));
    }
    const action = dict.get("action");
    if (typeof action === "string" && dict.get("stream") !== undefined) return this.foldEntry(action, dict);
    return dict;
  }

  private foldEntry(action: string, entry: PickleDict): PickleValue {
    // An out-of-memory entry says in the place of the address how much the driver had left.
    const address = size("addr", entry.get("addr") ?? entry.get("device_free") ?? 0);
    const bytes = size("size", entry.get("size") ?? 0);
    const stream = anyInteger("stream", entry.get("stream"));
    const timeUs = anyInteger("time_us", entry.get("time_us") ?? 0);
    const { entries } = this;
    const first = entries.length;
    const frameList = frameListOf(entry.get("frames"));
    const [metadata, category] = [textOf(entry.get("user_metadata")), textOf(entry.get("category"))];
    entries.push(actionCode(action), address, bytes, stream, timeUs, frameList, metadata, category);
    return new EntryRows(first, entries.length - first);
  }

  private foldList(list: PickleList): PickleValue {
    if (list.items.length === 0) return list;
    const frames: number[] = [];
    for (const item of list.items) {
      if (!(item instanceof FrameFold)) return list;
      frames.push(item.id);
    }
    const id = this.frames.list(frames);
    return (this.listFolds[id] ??= new FrameListFold(id));
  }
}
