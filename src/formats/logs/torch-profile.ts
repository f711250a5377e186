/** torch.profiler traces with memory events (`profile_memory=True`): every block of a device with its operator and Python stack. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import { findGpu } from "../../gpus/catalogue.ts";
import type { Trace } from "../../trace/model.ts";
import type { ForeignFormat, OpenedFile, OpenOptions } from "../foreign-format.ts";
import { readProfileEvents, type MemoryColumns, type ProfileEvents } from "./chrome-trace-events.ts";
import { placesOf } from "./profile-places.ts";
import { NOWHERE, ReadingsBuilder } from "./readings-builder.ts";
import { NO_PLACE, RecordedTrace } from "./recorded-trace.ts";

/** Blocks that were there before recording and never freed in it lie here, above any address. */
const BEFORE_ADDRESS = 2 ** 50;
const BEFORE_NOTE = "allocated_before_recording";

/** Rows of a device in order of time. */
function rowsOf({ device, time, length }: MemoryColumns, wanted: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) if (device[row] === wanted) rows.push(row);
  return rows.sort((a, b) => time[a]! - time[b]! || a - b);
}

function devicesIn({ device, length }: MemoryColumns): number[] {
  const found = new Set<number>();
  for (let row = 0; row < length; row++) if (device[row]! >= 0) found.add(device[row]!);
  return [...found].sort((a, b) => a - b);
}

/** Frees whose block was allocated before the first event: address to bytes. */
function olderBlocks({ address, bytes }: MemoryColumns, rows: readonly number[]): Map<number, number> {
  const seen = new Set<number>();
  const older = new Map<number, number>();
  for (const row of rows) {
    const at = address[row]!;
    if (bytes[row]! < 0 && !seen.has(at)) older.set(at, -bytes[row]!);
    seen.add(at);
  }
  return older;
}

interface Built {
  readonly trace: Trace;
  readonly out: ReadingsBuilder;
}

/** What the file's own totals say and its events do not: one block of the size of the difference, taken anew when that changes. */
class Unrecorded {
  readonly #trace: RecordedTrace;
  #block = -1;
  steps = 0;

  constructor(trace: RecordedTrace, bytes: number) {
    this.#trace = trace;
    if (bytes > 0) this.#block = trace.before(BEFORE_ADDRESS, bytes, BEFORE_NOTE);
  }

  change(bytes: number): void {
    const before = this.#block === -1 ? 0 : this.#trace.bytesOf(this.#block);
    const after = Math.max(0, before + bytes);
    if (after === before) return;
    this.steps++;
    if (this.#block !== -1) this.#trace.free(this.#block, NO_PLACE);
    this.#block = after === 0 ? -1 : this.#trace.alloc(BEFORE_ADDRESS, after, NO_PLACE, 0, "not_recorded");
  }
}

function build(events: ProfileEvents, device: number, meta: { source: string; program: string }): Built {
  const { memory } = events;
  const { address, bytes, allocated, reserved } = memory;
  const rows = rowsOf(memory, device);
  const first = rows[0]!;
  const total = allocated[first]!;
  const startBytes = total === -1 ? 0 : Math.max(0, total - bytes[first]!);
  const older = olderBlocks(memory, rows);
  let olderBytes = 0;
  for (const size of older.values()) olderBytes += size;
  const trace = new RecordedTrace(Math.max(startBytes, olderBytes), Math.max(0, reserved[first]!));
  const unrecordedBytes = Math.max(0, startBytes - olderBytes);
  const unrecorded = new Unrecorded(trace, unrecordedBytes);
  const live = new Map<number, number>();
  for (const [at, size] of older) live.set(at, trace.before(at, size, BEFORE_NOTE));
  const places = placesOf(events, rows, trace);

  for (const row of rows) {
    const at = address[row]!;
    const size = bytes[row]!;
    const place = places[row] ?? NO_PLACE;
    const known = live.get(at);
    // A free that is missing, so that totals stay those of the blocks.
    const lost = size > 0 && known !== undefined ? trace.bytesOf(known) : 0;
    const freed = size < 0 ? (known === undefined ? 0 : trace.bytesOf(known)) : 0;
    if (allocated[row]! !== -1) {
      unrecorded.change(allocated[row]! - (trace.allocatedBytes - lost - freed + Math.max(0, size)));
    }
    if (reserved[row]! !== -1 && reserved[row]! > trace.reservedBytes) trace.reserve(reserved[row]!, 0, place);
    if (known !== undefined) trace.free(known, size < 0 ? place : NO_PLACE);
    live.delete(at);
    if (size > 0) live.set(at, trace.alloc(at, size, place));
    if (reserved[row]! !== -1) trace.reserve(reserved[row]!, 0, place);
  }

  const properties = events.devices.find(({ id }) => id === device);
  const gpu = findGpu(properties?.name ?? "");
  const out = new ReadingsBuilder();
  if (properties !== undefined && properties.name !== "") out.note("GPU", properties.name, -1);
  if (properties !== undefined && properties.totalBytes > 0) {
    const total = { bytes: properties.totalBytes, roundingBytes: 0 };
    out.fact("device_total", { device, process: -1 }, "totalGlobalMem", total, false, -1);
  }
  if (unrecordedBytes > 0) out.assume("profile_allocated_before", { bytesBytes: unrecordedBytes });
  if (unrecorded.steps > 0) out.assume("profile_totals_jump", { count: unrecorded.steps });
  if (older.size > 0) out.assume("profile_unmatched_frees", { count: older.size });
  const others = devicesIn(memory).filter((other) => other !== device);
  if (others.length > 0) out.assume("profile_other_devices", { device, others: others.join(", ") });
  out.assume("profile_sizes_are_blocks");
  const finished = trace.finish({
    ...meta,
    gpu: gpu.ok ? gpu.value.id : (properties?.name ?? "").slice(0, 100),
    capacityBytes: properties?.totalBytes ?? 0,
    torch: "",
  });
  out.assume(linesRemark(events, finished));
  return { trace: finished, out };
}

/** What the lines of a profile are worth. */
function linesRemark({ spans }: ProfileEvents, { frames }: Trace): string {
  if (frames.length === 0) return "profile_without_stacks";
  for (let row = 0; row < spans.length; row++) if (spans.callFrom[row]! >= 0) return "profile_lines_are_calls";
  return "profile_lines_are_functions";
}

/** The host's memory events: their running total, which is all that they tell of a GPU's memory: nothing. */
function hostReadings({ memory }: ProfileEvents, name: string): OpenedFile {
  const out = new ReadingsBuilder();
  let total = 0;
  let highest = 0;
  const rows = rowsOf(memory, -1);
  const start = memory.time[rows[0]!]!;
  for (const row of rows) {
    total += memory.bytes[row]!;
    highest = Math.max(highest, total);
    const value = { bytes: total, roundingBytes: 0 };
    out.sample("host", NOWHERE, "change", value, (memory.time[row]! - start) / 1e6, -1);
  }
  out.fact("host", NOWHERE, "most above the start", { bytes: highest, roundingBytes: 0 }, true, -1);
  out.assume("profile_host_only");
  return { format: torchProfile.id, trace: null, ...out.finish(torchProfile.id, name) };
}

function read(events: ProfileEvents, { name, device }: OpenOptions): OpenedFile {
  const devices = devicesIn(events.memory);
  if (events.memory.length === 0) throw new DiagnosticError(diagnostic("profile_no_memory"));
  if (device !== undefined && !devices.includes(device)) {
    throw new DiagnosticError(diagnostic("profile_no_device", { device, known: devices.join(", ") || "-" }));
  }
  const wanted = device ?? devices[0];
  if (wanted === undefined) return hostReadings(events, name);
  const { trace, out } = build(events, wanted, { source: torchProfile.id, program: name });
  return { format: torchProfile.id, trace, ...out.finish(torchProfile.id, name) };
}

export const torchProfile: ForeignFormat = {
  id: "torch-profile",
  title: "torch.profiler trace",
  extensions: ["json", "pt.trace.json"],
  sniff: (_head, text) => {
    if (!/^\uFEFF?\s*[{[]/.test(text)) return 0;
    if (text.includes('"[memory]"') || /"cat":\s*"(?:cpu_op|python_function|cpu_instant_event)"/.test(text))
      return 0.95;
    // The header may be longer than what is looked at.
    return text.includes('"deviceProperties"') || /"traceEvents"\s*:/.test(text) ? 0.6 : 0;
  },
  read: (file, options) => read(readProfileEvents(file, options.onProgress), options),
};
