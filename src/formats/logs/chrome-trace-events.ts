/** Reads what matters of a torch.profiler trace into columns: memory events, and the spans of operators and Python functions. */

import { table } from "../../base/table.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import { grown } from "../../trace/columns.ts";
import { NameTable } from "../../trace/intern.ts";
import { JsonCursor } from "../json-cursor.ts";
import type { RangeReader } from "../range-reader.ts";

// Kineto's Chrome trace (torch/csrc/autograd/profiler_kineto.cpp and libkineto's output_json.cpp): `[memory]` instants carry Addr, Bytes
// (negative for a free), the allocator's totals after them, and the device; times are microseconds.

const MOST_SPANS = 12_000_000;
const MOST_MEMORY_EVENTS = 8_000_000;
const MOST_NAMES = 2_000_000;

/** Which spans say where memory was allocated. */
export const SPAN_KINDS = ["operator", "python", "annotation"] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];
const KIND_OF = table<number>({
  cpu_op: 0,
  Operator: 0, // to PyTorch 1.11
  python_function: 1,
  user_annotation: 2,
});

/** Spans of all threads, in the order of the file. */
export interface SpanColumns {
  length: number;
  start: Float64Array;
  duration: Float64Array;
  name: Int32Array;
  thread: Int32Array;
  kind: Uint8Array;
  /** `file.py:12` from where a Python function was called, an index into the names, or -1: recorded by newer releases. */
  callFrom: Int32Array;
}

/** Memory events of all devices, in the order of the file. */
export interface MemoryColumns {
  length: number;
  time: Float64Array;
  address: Float64Array;
  /** Negative for a free. */
  bytes: Float64Array;
  /** The allocator's totals after the event. */
  allocated: Float64Array;
  reserved: Float64Array;
  /** Number of the device; -1 for the host. */
  device: Int32Array;
  thread: Int32Array;
}

export interface ProfiledDevice {
  readonly id: number;
  readonly name: string;
  readonly totalBytes: number;
}

export interface ProfileEvents {
  readonly spans: SpanColumns;
  readonly memory: MemoryColumns;
  readonly names: readonly string[];
  readonly devices: readonly ProfiledDevice[];
  /** How many events the file has in all. */
  readonly events: number;
}

/** Fields of one event; reused, since there are millions. */
interface EventFields {
  phase: string;
  category: string;
  name: string;
  time: number;
  duration: number;
  process: string;
  thread: string;
  address: number;
  bytes: number;
  allocated: number;
  reserved: number;
  deviceType: number;
  device: number;
  callFrom: string;
}

const MEMORY = "[memory]";
const PYTHON_CATEGORY = "python_function";

function isSize(value: number): boolean {
  return Number.isSafeInteger(value);
}

class EventReader {
  readonly spans: SpanColumns = {
    length: 0,
    start: new Float64Array(0),
    duration: new Float64Array(0),
    name: new Int32Array(0),
    thread: new Int32Array(0),
    kind: new Uint8Array(0),
    callFrom: new Int32Array(0),
  };
  readonly memory: MemoryColumns = {
    length: 0,
    time: new Float64Array(0),
    address: new Float64Array(0),
    bytes: new Float64Array(0),
    allocated: new Float64Array(0),
    reserved: new Float64Array(0),
    device: new Int32Array(0),
    thread: new Int32Array(0),
  };
  readonly names = new NameTable();
  readonly #threads = new NameTable();
  readonly #cursor: JsonCursor;
  readonly #fields: EventFields = {
    phase: "",
    category: "",
    name: "",
    time: 0,
    duration: 0,
    process: "",
    thread: "",
    address: 0,
    bytes: 0,
    allocated: 0,
    reserved: 0,
    deviceType: 0,
    device: 0,
    callFrom: "",
  };
  events = 0;

  constructor(cursor: JsonCursor) {
    this.#cursor = cursor;
  }

  event(): void {
    const cursor = this.#cursor;
    this.events++;
    if (cursor.kind() !== "object") {
      cursor.skip();
      return;
    }
    const fields = this.#fields;
    fields.phase = fields.category = fields.name = fields.process = fields.thread = fields.callFrom = "";
    fields.time = fields.duration = fields.address = fields.bytes = Number.NaN;
    fields.allocated = fields.reserved = fields.deviceType = fields.device = Number.NaN;
    cursor.object((key) => this.#field(key, fields));
    if (fields.name === MEMORY) this.#addMemory(fields);
    else if (fields.phase === "X" && Object.hasOwn(KIND_OF, fields.category)) this.#addSpan(fields);
  }

  #field(key: string, fields: EventFields): void {
    const cursor = this.#cursor;
    switch (key) {
      case "ph":
        fields.phase = this.#shortText();
        break;
      case "cat":
        fields.category = this.#shortText();
        break;
      case "name":
        fields.name = this.#shortText();
        break;
      case "ts":
        fields.time = cursor.number();
        break;
      case "dur":
        fields.duration = cursor.number();
        break;
      case "pid":
        fields.process = this.#shortText();
        break;
      case "tid":
        fields.thread = this.#shortText();
        break;
      case "args":
        // They come last; only those of memory events and of Python functions are wanted.
        if (cursor.kind() === "object" && (fields.name === MEMORY || fields.category === PYTHON_CATEGORY)) {
          cursor.object((name) => this.#argument(name, fields));
        } else cursor.skip();
        break;
      default:
        cursor.skip();
    }
  }

  #argument(key: string, fields: EventFields): void {
    const cursor = this.#cursor;
    if (key === "Addr") fields.address = cursor.number();
    else if (key === "Bytes") fields.bytes = cursor.number();
    else if (key === "Total Allocated") fields.allocated = cursor.number();
    else if (key === "Total Reserved") fields.reserved = cursor.number();
    else if (key === "Device Type") fields.deviceType = cursor.number();
    else if (key === "Device Id") fields.device = cursor.number();
    else if (key === "CallFrom" && cursor.kind() === "text") fields.callFrom = cursor.text();
    else cursor.skip();
  }

  #shortText(): string {
    const cursor = this.#cursor;
    const kind = cursor.kind();
    if (kind === "text") return cursor.text();
    if (kind === "word") return cursor.word();
    cursor.skip();
    return "";
  }

  #addMemory(fields: EventFields): void {
    const { memory } = this;
    // c10::DeviceType: 0 is the host, whose id is -1.
    const device = fields.deviceType > 0 ? fields.device : -1;
    if (!Number.isFinite(fields.time) || !isSize(fields.bytes) || !isSize(fields.address) || fields.address < 0) return;
    if (!Number.isInteger(device) || device < -1 || device > 255 || fields.bytes === 0) return;
    const row = memory.length++;
    if (row >= MOST_MEMORY_EVENTS) throw tooMany(MOST_MEMORY_EVENTS);
    if (row >= memory.time.length) {
      memory.time = grown(memory.time, row);
      memory.address = grown(memory.address, row);
      memory.bytes = grown(memory.bytes, row);
      memory.allocated = grown(memory.allocated, row);
      memory.reserved = grown(memory.reserved, row);
      memory.device = grown(memory.device, row);
      memory.thread = grown(memory.thread, row);
    }
    const total = (value: number) => (isSize(value) && value >= 0 ? value : -1);
    memory.time[row] = fields.time;
    memory.address[row] = fields.address;
    memory.bytes[row] = fields.bytes;
    memory.allocated[row] = total(fields.allocated);
    memory.reserved[row] = total(fields.reserved);
    memory.device[row] = device;
    memory.thread[row] = this.#thread(fields);
  }

  #addSpan(fields: EventFields): void {
    const { spans } = this;
    if (!Number.isFinite(fields.time) || !(fields.duration >= 0)) return;
    const row = spans.length++;
    if (row >= MOST_SPANS || this.names.names.length >= MOST_NAMES) throw tooMany(MOST_SPANS);
    if (row >= spans.start.length) {
      spans.start = grown(spans.start, row);
      spans.duration = grown(spans.duration, row);
      spans.name = grown(spans.name, row);
      spans.thread = grown(spans.thread, row);
      spans.kind = grown(spans.kind, row);
      spans.callFrom = grown(spans.callFrom, row);
    }
    spans.start[row] = fields.time;
    spans.duration[row] = fields.duration;
    spans.name[row] = this.names.index(fields.name);
    spans.thread[row] = this.#thread(fields);
    spans.kind[row] = KIND_OF[fields.category]!;
    spans.callFrom[row] = fields.callFrom === "" ? -1 : this.names.index(fields.callFrom);
  }

  #thread({ process, thread }: EventFields): number {
    return this.#threads.index(`${process} ${thread}`);
  }
}

function tooMany(most: number): DiagnosticError {
  return new DiagnosticError(diagnostic("profile_too_many", { most }));
}

/** `deviceProperties`: a list of objects with id, name and totalGlobalMem. */
function readDevices(cursor: JsonCursor, devices: ProfiledDevice[]): void {
  if (cursor.kind() !== "list") {
    cursor.skip();
    return;
  }
  cursor.list(() => {
    if (cursor.kind() !== "object") {
      cursor.skip();
      return;
    }
    let [id, name, totalBytes] = [-1, "", 0];
    cursor.object((key) => {
      if (key === "id") id = cursor.number();
      else if (key === "totalGlobalMem") totalBytes = cursor.number();
      else if (key === "name" && cursor.kind() === "text") name = cursor.text();
      else cursor.skip();
    });
    if (Number.isInteger(id) && devices.length < 256) {
      devices.push({ id, name, totalBytes: isSize(totalBytes) && totalBytes > 0 ? totalBytes : 0 });
    }
  });
}

/** @throws {DiagnosticError} `profile_bad_json`, `profile_too_many`. */
export function readProfileEvents(file: RangeReader, onProgress?: (share: number) => void): ProfileEvents {
  const cursor = new JsonCursor(file, "profile_bad_json");
  const reader = new EventReader(cursor);
  const devices: ProfiledDevice[] = [];
  const events = () =>
    cursor.list((index) => {
      reader.event();
      if (index % 65_536 === 65_535) onProgress?.(cursor.offset / file.sizeBytes);
    });
  if (cursor.kind() === "list") events();
  else {
    cursor.object((key) => {
      if (key === "traceEvents" && cursor.kind() === "list") events();
      else if (key === "deviceProperties") readDevices(cursor, devices);
      else cursor.skip();
    });
  }
  return { spans: reader.spans, memory: reader.memory, names: reader.names.names, devices, events: reader.events };
}
