/**
 * PyTorch's memory snapshot: the pickle that `torch.cuda.memory._dump_snapshot` writes and memory_viz draws. Structure as
 * in files of real GPUs; time is the number of the event, and each block says its category, by which the viewer colours.
 */

import { allocConfigFromEnvironment, AllocConfError } from "../alloc/index.ts";
import { historyEntries, type HistoryEntry } from "../trace/allocator-history.ts";
import type { Trace } from "../trace/model.ts";
import { segmentsAtEnd, type SegmentState } from "../trace/segments.ts";
import { stackFromInside } from "./call-stack.ts";
import type { ExportFormat, ExportOptions } from "./export-format.ts";
import { PICKLE_BATCH, PickleWriter, type Plain } from "./pickle-writer.ts";

/** PyTorch numbers devices; a trace has one. */
const DEVICE = 0;

class SnapshotWriter {
  readonly pickle = new PickleWriter();
  private readonly trace: Trace;
  /** Memo numbers of frames and of whole stacks, by the innermost frame. */
  private readonly frames = new Map<number, number>();
  private readonly stacks = new Map<number, number>();

  constructor(trace: Trace) {
    this.trace = trace;
  }

  field(name: string, value: Plain): void {
    this.pickle.text(name);
    this.pickle.value(value);
  }

  /** The list of a line's frames, innermost first; the same line again is a reference. */
  stack(frame: number): void {
    const { pickle } = this;
    const known = this.stacks.get(frame);
    if (known !== undefined) {
      pickle.recall(known);
      return;
    }
    pickle.startList();
    this.stacks.set(frame, pickle.remember());
    if (frame < 0) return;
    pickle.startBatch();
    for (const index of stackFromInside(this.trace, frame)) this.frame(index);
    pickle.endItems();
  }

  private frame(index: number): void {
    const { pickle } = this;
    const known = this.frames.get(index);
    if (known !== undefined) {
      pickle.recall(known);
      return;
    }
    const { name, file, line } = this.trace.frames[index]!;
    pickle.value({ name, filename: file, line });
    this.frames.set(index, pickle.remember());
  }

  segment(segment: SegmentState): void {
    const { pickle, trace } = this;
    const used = segment.blocks.flatMap(({ block }) => (block === -1 ? [] : [trace.blocks[block]!]));
    const usedBytes = used.reduce((sum, block) => sum + block.bytes, 0);
    pickle.startDict();
    pickle.startBatch();
    this.field("device", DEVICE);
    this.field("address", segment.address);
    this.field("total_size", segment.bytes);
    this.field("allocated_size", usedBytes);
    this.field("active_size", usedBytes);
    this.field(
      "requested_size",
      used.reduce((sum, block) => sum + block.requestedBytes, 0),
    );
    this.field("stream", segment.stream);
    this.field("segment_type", segment.isSmall ? "small" : "large");
    pickle.text("segment_pool_id");
    pickle.pair(0, 0);
    this.field("is_expandable", segment.isExpandable);
    pickle.text("frames");
    this.stack(segment.frame);
    pickle.text("blocks");
    pickle.startList();
    for (let from = 0; from < segment.blocks.length; from += PICKLE_BATCH) {
      pickle.startBatch();
      for (const { address, bytes, block } of segment.blocks.slice(from, from + PICKLE_BATCH)) {
        const record = trace.blocks[block];
        pickle.startDict();
        pickle.startBatch();
        this.field("address", address);
        this.field("size", bytes);
        this.field("requested_size", record?.requestedBytes ?? bytes);
        this.field("state", record === undefined ? "inactive" : "active_allocated");
        pickle.text("frames");
        this.stack(record?.frame ?? -1);
        pickle.endFields();
      }
      pickle.endItems();
    }
    pickle.endFields();
  }

  entry(entry: HistoryEntry, freeBytes: number): void {
    const { pickle } = this;
    const block = this.trace.blocks[entry.block];
    pickle.startDict();
    pickle.startBatch();
    this.field("action", entry.action);
    if (entry.action === "oom") this.field("device_free", freeBytes);
    else this.field("addr", entry.address);
    this.field("size", entry.bytes);
    this.field("stream", entry.stream);
    this.field("time_us", entry.event);
    this.field("compile_context", "N/A");
    this.field("user_metadata", block === undefined ? "" : metadata(this.trace, entry.block));
    if (block !== undefined && entry.action === "alloc") this.field("category", block.category);
    pickle.text("frames");
    this.stack(entry.frame);
    pickle.endFields();
  }
}

/** What the viewer shows beside a block: its operator, module, and tensor. */
function metadata(trace: Trace, index: number): string {
  const { op, module, dtype, shape, note } = trace.blocks[index]!;
  const words = [trace.ops[op], trace.modules[module], note?.split(":")[0]?.replaceAll("_", " ")];
  if (dtype !== null && shape !== null) words.push(`${dtype}[${shape.join(", ")}]`);
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}

/** `allocator_settings`: all of them when the environment is known, else what the events tell. */
function settingsOf(trace: Trace, options: ExportOptions): Plain {
  const expandable = { expandable_segments: segmentsAtEnd(trace).some((segment) => segment.isExpandable) };
  if (options.environment === undefined) return expandable;
  try {
    const config = allocConfigFromEnvironment(options.environment, trace.torch);
    const slots = config.roundupDivisions.map((divisions, slot) => [String(2 ** slot), divisions]);
    return {
      PYTORCH_CUDA_ALLOC_CONF: config.text,
      max_split_size: config.maxSplitBytes === Infinity ? -1 : config.maxSplitBytes,
      garbage_collection_threshold: config.garbageCollectionThreshold,
      expandable_segments: config.expandableSegments,
      roundup_power2_divisions: Object.fromEntries(slots) as Record<string, number>,
    };
  } catch (error) {
    if (error instanceof AllocConfError) return expandable;
    throw error;
  }
}

/** Named points of the program as annotations that begin and end there. */
function annotations(trace: Trace): Plain {
  return Object.entries(trace.marks).flatMap(([event, name]) =>
    ["START", "END"].map((stage) => ({ stage, name, device: DEVICE, time_us: Number(event) })),
  );
}

/** What the driver had left when a request failed. */
function driverFreeBytes(trace: Trace, event: number): number {
  const known = trace.failures.find((failure) => failure.event === event);
  return known?.freeBytes ?? Math.max(0, trace.capacityBytes - trace.events.reservedBytes[event]!);
}

function* write(trace: Trace, options: ExportOptions = {}): Generator<Uint8Array, void, undefined> {
  const writer = new SnapshotWriter(trace);
  const { pickle } = writer;
  pickle.startDict();
  pickle.startBatch();
  pickle.text("segments");
  pickle.startList();
  for (const segment of segmentsAtEnd(trace)) {
    pickle.startBatch();
    writer.segment(segment);
    pickle.endItems();
    yield* pickle.take();
  }
  pickle.text("device_traces");
  pickle.startList();
  pickle.startBatch();
  pickle.startList();
  let inBatch = 0;
  for (const entry of historyEntries(trace.events, trace.blocks)) {
    if (inBatch === 0) pickle.startBatch();
    writer.entry(entry, entry.action === "oom" ? driverFreeBytes(trace, entry.event) : 0);
    if (++inBatch < PICKLE_BATCH) continue;
    pickle.endItems();
    inBatch = 0;
    yield* pickle.take();
  }
  if (inBatch === 0) pickle.startBatch();
  // PyTorch ends with an entry for the snapshot itself; viewers expect "unknown" among the categories once there are any.
  pickle.value({
    action: "snapshot",
    addr: 0,
    size: 0,
    stream: 0,
    time_us: trace.events.kind.length,
    compile_context: "N/A",
    user_metadata: "",
    category: "unknown",
    frames: [],
  });
  pickle.endItems();
  pickle.endItems();
  writer.field("allocator_settings", settingsOf(trace, options));
  writer.field("external_annotations", annotations(trace));
  pickle.endFields();
  yield* pickle.take(true);
}

export const memorySnapshot: ExportFormat = {
  id: "snapshot",
  extension: ".pickle",
  label: "export_snapshot",
  write,
};
