/** Nsight Systems' table of device allocations (`--cuda-memory-usage=true`): rows of its SQLite export as CSV or JSON. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { ForeignFormat, OpenedFile, OpenOptions } from "../foreign-format.ts";
import type { RangeReader } from "../range-reader.ts";
import { csvFields } from "./csv-row.ts";
import { figure } from "./figures.ts";
import { ReadingsBuilder } from "./readings-builder.ts";
import { NO_PLACE, RecordedTrace } from "./recorded-trace.ts";
import { eachLine } from "./text-lines.ts";

// "SQLite Export Schema Reference" of the exporter's documentation, CUDA_GPU_MEMORY_USAGE_EVENTS: start (ns), globalPid, deviceId,
// contextId, address, pc, bytes, memKind, memoryOperationType (0 allocates, 1 frees), name, correlationId.

/** ENUM_CUDA_MEM_KIND: kinds that lie on the device; the others are the host's or move between both. */
const DEVICE_KINDS = new Set([2, 3, 5]);
const MOST_EVENTS = 8_000_000;
const NEEDED = ["start", "address", "bytes", "memoryOperationType"] as const;

interface Row {
  readonly start: number;
  readonly device: number;
  readonly address: number;
  readonly bytes: number;
  readonly isFree: boolean;
}

const isHeader = (fields: readonly string[]): boolean => NEEDED.every((name) => fields.includes(name));

/** A value of the row by the column's name; addresses are written as integers. */
function rowOf(value: (name: string) => string | undefined): Row | "other" | null {
  const number = (name: string) => {
    const text = value(name);
    return text === undefined || !/^-?\d{1,20}$/.test(text.trim()) ? Number.NaN : Number(text);
  };
  const [start, address, operation] = [number("start"), number("address"), number("memoryOperationType")];
  const bytes = figure(value("bytes") ?? "", 1)?.bytes ?? -1;
  if (!Number.isFinite(start) || !(address >= 0) || bytes < 0) return null;
  if (operation !== 0 && operation !== 1) return null;
  const kind = number("memKind");
  if (Number.isFinite(kind) && !DEVICE_KINDS.has(kind)) return "other";
  const device = number("deviceId");
  // 64 bits of an address do not fit; GPUs use 49 of them.
  if (!Number.isSafeInteger(address)) return null;
  return { start, device: device >= 0 ? device : 0, address, bytes, isFree: operation === 1 };
}

const JSON_VALUE = /"(start|deviceId|address|bytes|memKind|memoryOperationType)"\s*:\s*"?(-?\d{1,20})"?/g;

/** The values of a row that stands on one line of JSON, as `sqlite3 -json` and JSON lines have it. */
function jsonRow(text: string): Row | "other" | null {
  if (!text.includes('"memoryOperationType"')) return null;
  const values = new Map<string, string>();
  for (const match of text.matchAll(JSON_VALUE)) values.set(match[1]!, match[2]!);
  return rowOf((name) => values.get(name));
}

class Rows {
  readonly all: Row[] = [];
  others = 0;
  unread = 0;
  #header: ReadonlyMap<string, number> | null = null;

  line(text: string): void {
    const plain = text.trim();
    if (plain === "" || plain === "[" || plain === "]") return;
    const isJson = plain.startsWith("{") || plain.startsWith("[{");
    const fields = isJson ? [] : csvFields(plain);
    if (!isJson && isHeader(fields)) {
      this.#header = new Map(fields.map((name, column) => [name, column]));
      return;
    }
    const header = this.#header;
    const row = isJson
      ? jsonRow(plain)
      : header === null
        ? null
        : rowOf((name) => (header.has(name) ? fields[header.get(name)!] : undefined));
    if (row === null) this.unread++;
    else if (row === "other") this.others++;
    else if (this.all.length >= MOST_EVENTS) {
      throw new DiagnosticError(diagnostic("profile_too_many", { most: MOST_EVENTS }));
    } else this.all.push(row);
  }
}

/** What the program took from the driver: each allocation is a segment of its own that is full. */
function build(rows: readonly Row[], program: string, out: ReadingsBuilder) {
  const seen = new Set<number>();
  const older = new Map<number, number>();
  for (const { address, bytes, isFree } of rows) {
    if (isFree && !seen.has(address)) older.set(address, bytes);
    seen.add(address);
  }
  let olderBytes = 0;
  for (const bytes of older.values()) olderBytes += bytes;
  const trace = new RecordedTrace(olderBytes, olderBytes);
  const live = new Map<number, number>();
  for (const [address, bytes] of older) live.set(address, trace.before(address, bytes, "allocated_before_recording"));
  const release = (address: number) => {
    const block = live.get(address);
    if (block === undefined) return;
    trace.free(block, NO_PLACE);
    trace.reserve(trace.reservedBytes - trace.bytesOf(block), address, NO_PLACE);
    live.delete(address);
  };
  for (const { address, bytes, isFree } of rows) {
    release(address);
    if (isFree || bytes === 0) continue;
    trace.reserve(trace.reservedBytes + bytes, address, NO_PLACE);
    live.set(address, trace.alloc(address, bytes, NO_PLACE));
  }
  if (older.size > 0) out.assume("profile_unmatched_frees", { count: older.size });
  return trace.finish({ source: nsysMemoryEvents.id, program, gpu: "", capacityBytes: 0, torch: "" });
}

function read(file: RangeReader, { name, device, onProgress }: OpenOptions): OpenedFile {
  const rows = new Rows();
  eachLine(file, (text) => rows.line(text), { onProgress });
  if (rows.all.length === 0) throw new DiagnosticError(diagnostic("nsys_no_device_memory"));
  const devices = [...new Set(rows.all.map((row) => row.device))].sort((a, b) => a - b);
  const wanted = device ?? devices[0]!;
  if (!devices.includes(wanted)) {
    throw new DiagnosticError(diagnostic("profile_no_device", { device: wanted, known: devices.join(", ") }));
  }
  const out = new ReadingsBuilder();
  const others = devices.filter((other) => other !== wanted);
  if (others.length > 0) out.assume("profile_other_devices", { device: wanted, others: others.join(", ") });
  if (rows.others > 0) out.note("events of host and managed memory", rows.others, -1);
  const own = rows.all.filter((row) => row.device === wanted).sort((a, b) => a.start - b.start);
  const trace = build(own, name, out);
  if (rows.unread > 0) out.assume("log_lines_skipped", { lines: rows.unread });
  return { format: nsysMemoryEvents.id, trace, ...out.finish(nsysMemoryEvents.id, name) };
}

export const nsysMemoryEvents: ForeignFormat = {
  id: "nsys-memory-events",
  title: "Nsight Systems memory events",
  extensions: ["csv", "json", "jsonl"],
  sniff: (_head, text) =>
    text.slice(0, 4096).includes("memoryOperationType") && /\baddress\b/.test(text) && /\bbytes\b/.test(text)
      ? 0.97
      : 0,
  read,
};
