/**
 * PyTorch memory snapshots (`torch.cuda.memory._dump_snapshot`, or a pickled `memory_snapshot()`), 1.13 to 2.14.
 * Nothing in the file is executed; every number is checked; a file that is not one gives a {@link SnapshotError}.
 */

import { TRACE_ACTIONS, type RecordedActions, type RecordedHistory } from "../alloc/recorded.ts";
import type { BlockSnapshot, BlockState, SegmentSnapshot } from "../alloc/snapshot.ts";
import { PickleError } from "./pickle-error.ts";
import { MemoMissed } from "./pickle-memo.ts";
import { readPickle, readPickleOnce } from "./pickle.ts";
import { PickleDict, PickleList, type PickleValue } from "./pickle-values.ts";
import { bytesReader, type RangeReader } from "./range-reader.ts";
import { EntryColumns, type EntrySink, type FrameLists, type SnapshotFrame } from "./snapshot-columns.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { anyInteger, bad, Budget, dictOf, listItems, size } from "./snapshot-fields.ts";
import { EntryRows, frameListOf, SnapshotFolder } from "./snapshot-folder.ts";

export interface SnapshotBlock extends BlockSnapshot {
  /** Call stack of the allocation, an index into {@link MemorySnapshot.frameLists}, or -1. */
  readonly frameList: number;
}

export interface SnapshotSegment extends SegmentSnapshot {
  readonly device: number;
  readonly blocks: readonly SnapshotBlock[];
  readonly frameList: number;
}

/** What one device did: row i of every column is entry i. `action` is an index into TRACE_ACTIONS, or 255. */
export interface DeviceTrace extends RecordedActions {
  readonly device: number;
  readonly length: number;
  /** Microseconds since 1970, or 0 when the release does not record time. */
  readonly timeUs: Float64Array;
  readonly frameList: Int32Array;
}

export interface SnapshotAnnotation {
  readonly device: number;
  readonly timeUs: number;
  readonly fields: Readonly<Record<string, string>>;
}

export interface MemorySnapshot {
  readonly segments: readonly SnapshotSegment[];
  readonly deviceTraces: readonly DeviceTrace[];
  readonly frames: readonly SnapshotFrame[];
  readonly frameLists: FrameLists;
  /** `allocator_settings` as written; lists and dictionaries inside it as `key:value` text. Empty before 2.0. */
  readonly allocatorSettings: Readonly<Record<string, string | number | boolean>>;
  readonly annotations: readonly SnapshotAnnotation[];
}

function blockState(value: PickleValue | undefined): BlockState {
  if (value === "active_allocated" || value === "inactive") return value;
  // Some releases' documentation and old dumps say awaiting.
  return value === "active_pending_free" || value === "active_awaiting_free"
    ? "active_pending_free"
    : bad("state", value);
}

function readBlock(dict: PickleDict, address: number): SnapshotBlock {
  const bytes = size("size", dict.get("size"));
  let requested = dict.get("requested_size");
  let frames = dict.get("frames");
  const history = dict.get("history"); // 1.13 and 2.0
  if (history instanceof PickleList && history.items[0] instanceof PickleDict) {
    requested ??= history.items[0].get("real_size");
    frames ??= history.items[0].get("frames");
  }
  return {
    address,
    bytes,
    requestedBytes: requested === undefined ? bytes : size("requested_size", requested),
    state: blockState(dict.get("state")),
    frameList: frameListOf(frames),
  };
}

function readPoolId(value: PickleValue | undefined): readonly [number, number] {
  if (value === undefined) return [0, 0];
  const items = listItems("segment_pool_id", value);
  return [size("segment_pool_id", items[0]), size("segment_pool_id", items[1])];
}

function readSegment(dict: PickleDict, budget: Budget): SnapshotSegment {
  const address = size("address", dict.get("address"));
  const totalBytes = size("total_size", dict.get("total_size"));
  const type = dict.get("segment_type");
  if (type !== "small" && type !== "large") bad("segment_type", type);
  const blocks: SnapshotBlock[] = [];
  let end = address;
  let allocatedBytes = 0;
  let activeBytes = 0;
  let requestedBytes = 0;
  for (const item of listItems("blocks", dict.get("blocks"))) {
    budget.visit();
    const block = readBlock(dictOf("blocks", item), end);
    blocks.push(block);
    end += block.bytes;
    if (block.bytes === 0) throw new SnapshotError("snapshot-inconsistent", { address: block.address });
    if (block.state === "inactive") continue;
    activeBytes += block.bytes;
    requestedBytes += block.requestedBytes;
    if (block.state === "active_allocated") allocatedBytes += block.bytes;
  }
  if (end !== address + totalBytes) throw new SnapshotError("snapshot-inconsistent", { address });
  return {
    device: size("device", dict.get("device") ?? 0),
    address,
    totalBytes,
    allocatedBytes,
    activeBytes,
    requestedBytes,
    stream: anyInteger("stream", dict.get("stream") ?? 0),
    type,
    poolId: readPoolId(dict.get("segment_pool_id")),
    isExpandable: dict.get("is_expandable") === true,
    blocks,
    frameList: frameListOf(dict.get("frames")),
  };
}

function readSegments(value: PickleValue | undefined, budget: Budget): SnapshotSegment[] {
  const segments: SnapshotSegment[] = [];
  for (const item of listItems("segments", value)) {
    budget.visit();
    segments.push(readSegment(dictOf("segments", item), budget));
  }
  segments.sort((a, b) => a.device - b.device || a.address - b.address);
  for (let i = 1; i < segments.length; i++) {
    const before = segments[i - 1];
    if (before.device === segments[i].device && before.address + before.totalBytes > segments[i].address) {
      throw new SnapshotError("snapshot-inconsistent", { address: segments[i].address });
    }
  }
  return segments;
}

/** Rows of one device's list of entries. */
function rowsOf(list: PickleValue, budget: Budget): EntryRows[] {
  const ranges: EntryRows[] = [];
  for (const item of listItems("device_traces", list)) {
    if (!(item instanceof EntryRows)) bad("device_traces", item);
    ranges.push(item);
    budget.visit(item.count);
  }
  return ranges;
}

function deviceTrace(device: number, ranges: readonly EntryRows[], entries: EntryColumns): DeviceTrace {
  const length = ranges.reduce((sum, range) => sum + range.count, 0);
  const trace = {
    device,
    length,
    action: new Uint8Array(length),
    address: new Float64Array(length),
    bytes: new Float64Array(length),
    stream: new Float64Array(length),
    timeUs: new Float64Array(length),
    frameList: new Int32Array(length),
  };
  let at = 0;
  for (const { first, count } of ranges) {
    const to = first + count;
    trace.action.set(entries.actions.slice(first, to), at);
    trace.address.set(entries.addresses.slice(first, to), at);
    trace.bytes.set(entries.bytes.slice(first, to), at);
    trace.stream.set(entries.streams.slice(first, to), at);
    trace.timeUs.set(entries.times.slice(first, to), at);
    trace.frameList.set(entries.frameLists.slice(first, to), at);
    at += count;
  }
  return trace;
}

function settingText(value: PickleValue): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return String(value);
  if (!(value instanceof PickleDict)) return value === null ? "None" : "";
  const pairs: string[] = [];
  for (let i = 0; i + 1 < value.items.length && i < 256; i += 2) {
    const [key, item] = [value.items[i], value.items[i + 1]];
    if (typeof key !== "object" && typeof item !== "object") pairs.push(`${String(key)}:${String(item)}`);
  }
  return pairs.join(",");
}

function readSettings(value: PickleValue | undefined): Record<string, string | number | boolean> {
  const settings: Record<string, string | number | boolean> = Object.create(null);
  if (!(value instanceof PickleDict)) return settings;
  for (let i = 0; i + 1 < value.items.length; i += 2) {
    const key = value.items[i];
    if (typeof key === "string") settings[key] = settingText(value.items[i + 1]);
  }
  return settings;
}

function readAnnotations(value: PickleValue | undefined, budget: Budget): SnapshotAnnotation[] {
  if (!(value instanceof PickleList)) return [];
  return value.items.flatMap((item) => {
    budget.visit();
    if (!(item instanceof PickleDict)) return [];
    const { device, time_us: timeUs, ...fields } = readSettings(item);
    const texts: Record<string, string> = Object.create(null);
    for (const [key, field] of Object.entries(fields)) {
      budget.visit();
      texts[key] = String(field);
    }
    return [{ device: Number(device ?? 0), timeUs: Number(timeUs ?? 0), fields: texts }];
  });
}

/** No machine has more; PyTorch numbers devices with 8 bits. */
const MOST_DEVICES = 256;

/** What a snapshot holds beside its entries, and which rows of entries are whose. */
export interface SnapshotParts extends Omit<MemorySnapshot, "deviceTraces"> {
  /** By device: ranges of rows of the sink. */
  readonly rows: readonly (readonly EntryRows[])[];
}

/** The top of the pickle and what became of its parts. One pass does for nearly all files; `entries` makes an empty sink for each. */
function readTop<Sink extends EntrySink>(file: RangeReader, makeEntries: () => Sink) {
  const attempt = (read: typeof readPickleOnce) => {
    const entries = makeEntries();
    const folder = new SnapshotFolder(entries);
    return { top: read(file, folder), folder, entries };
  };
  try {
    try {
      return attempt(readPickleOnce);
    } catch (error) {
      if (error instanceof MemoMissed) return attempt(readPickle);
      throw error;
    }
  } catch (error) {
    if (error instanceof PickleError) throw new SnapshotError(error.code, error.args);
    throw error;
  }
}

/** Reads a snapshot; trace entries go into a sink that `makeEntries` makes; throws {@link SnapshotError}. */
export function readSnapshotParts<Sink extends EntrySink>(
  file: RangeReader,
  makeEntries: () => Sink,
): { readonly parts: SnapshotParts; readonly entries: Sink } {
  const { top, folder, entries } = readTop(file, makeEntries);
  // An honest file needs several bytes for each part.
  const budget = new Budget(file.sizeBytes);
  // `torch.cuda.memory_snapshot()` alone is the list of segments.
  const isDict = top instanceof PickleDict;
  if (!isDict && !(top instanceof PickleList)) throw new SnapshotError("snapshot-not-a-snapshot", {});
  const part = (key: string): PickleValue | undefined => (isDict ? (top as PickleDict).get(key) : undefined);
  const segments = isDict ? part("segments") : top;
  if (segments === undefined) throw new SnapshotError("snapshot-not-a-snapshot", {});
  const traces = part("device_traces");
  const traceLists = traces === undefined ? [] : listItems("device_traces", traces);
  if (traceLists.length > MOST_DEVICES)
    throw new SnapshotError("snapshot-bad-field", { field: "device_traces", value: traceLists.length });
  const parts = {
    segments: readSegments(segments, budget),
    rows: traceLists.map((list) => rowsOf(list, budget)),
    frames: folder.frames.all,
    frameLists: folder.frames,
    allocatorSettings: readSettings(part("allocator_settings")),
    annotations: readAnnotations(part("external_annotations"), budget),
  };
  return { parts, entries };
}

/** Reads a snapshot file; throws {@link SnapshotError}. */
export function readSnapshot(bytes: Uint8Array): MemorySnapshot {
  const { parts, entries } = readSnapshotParts(bytesReader(bytes), () => new EntryColumns());
  const { rows, ...rest } = parts;
  return { ...rest, deviceTraces: rows.map((ranges, device) => deviceTrace(device, ranges, entries)) };
}

/** One device's part of a snapshot, as the allocator's replay takes it. */
export function deviceHistory(snapshot: MemorySnapshot, device: number): RecordedHistory {
  const trace = snapshot.deviceTraces[device];
  return {
    actions: trace ?? {
      action: new Uint8Array(0),
      address: new Float64Array(0),
      bytes: new Float64Array(0),
      stream: new Float64Array(0),
    },
    segments: snapshot.segments.filter((segment) => segment.device === device),
  };
}

/** Name of an entry's action, for print. */
export function actionName(action: number): string {
  return TRACE_ACTIONS[action] ?? "unknown";
}
