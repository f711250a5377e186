/**
 * The trace file: one JSON document with everything that a `Trace` holds, in columns.
 * A file is somebody else's input: every length, index and number in it is checked before it is believed.
 */

import { failure, success, type Diagnostic, type Outcome } from "../base/diagnostic.ts";
import {
  CATEGORIES,
  PHASES,
  type Assumption,
  type BlockRecord,
  type EarlySegment,
  type FailedRequest,
  type Frame,
  type SavedTensors,
  type Trace,
} from "./model.ts";
import { NOTHING_SAVED } from "./saved-columns.ts";
import { shownTrace } from "./shown-names.ts";
import { verifyTrace, type TraceProblemCode } from "./verify.ts";

export const TRACE_FORMAT = "vramscope-trace";
export const TRACE_SCHEMA_VERSION = 1;

export type TraceFileErrorCode =
  | TraceProblemCode
  | "trace_not_json"
  | "trace_not_a_trace"
  | "trace_newer_schema"
  | "trace_bad_field"
  | "trace_too_large";

export interface ReadLimits {
  /** Characters of the document. */
  readonly characters: number;
  readonly events: number;
  readonly blocks: number;
  readonly frames: number;
}

export const DEFAULT_LIMITS: ReadLimits = {
  characters: 512 * 1024 * 1024,
  events: 20_000_000,
  blocks: 10_000_000,
  frames: 5_000_000,
};

const BLOCK_NUMBERS = [
  "requestedBytes",
  "bytes",
  "address",
  "stream",
  "allocEvent",
  "freeEvent",
  "frame",
  "op",
  "module",
] as const;
const BLOCK_COLUMNS = [...BLOCK_NUMBERS, "category", "phase", "dtype", "shape", "note"] as const;
/** More dimensions than any tensor has. */
const MOST_DIMENSIONS = 64;
const EVENT_COLUMNS = [
  ["kind", Uint8Array],
  ["block", Int32Array],
  ["address", Float64Array],
  ["bytes", Float64Array],
  ["allocatedBytes", Float64Array],
  ["reservedBytes", Float64Array],
  ["frame", Int32Array],
  ["op", Int32Array],
  ["module", Int32Array],
  ["phase", Uint8Array],
] as const;

const SAVED_COLUMNS = [
  ["block", Int32Array],
  ["node", Int32Array],
  ["slot", Int32Array],
  ["form", Int32Array],
  ["frame", Int32Array],
  ["module", Int32Array],
  ["since", Int32Array],
  ["until", Int32Array],
  ["endFrame", Int32Array],
  ["end", Uint8Array],
] as const;

/** The document as text. */
export function writeTrace(trace: Trace): string {
  const { blocks, frames, events, saved, failures, earlySegments = [] } = trace;
  const column = (values: { join(separator: string): string }) => `[${values.join(",")}]`;
  const parts = [
    `"format":${JSON.stringify(TRACE_FORMAT)}`,
    `"schemaVersion":${TRACE_SCHEMA_VERSION}`,
    ...(["source", "program", "gpu", "capacityBytes", "torch", "ops", "modules", "marks", "assumptions"] as const).map(
      (name) => `"${name}":${JSON.stringify(trace[name])}`,
    ),
    `"frames":${JSON.stringify(frames.map((frame) => [frame.parent, frame.file, frame.line, frame.name]))}`,
    `"blocks":{${[
      ...BLOCK_NUMBERS.map((name) => `"${name}":${column(blocks.map((block) => block[name]))}`),
      `"category":${column(blocks.map((block) => CATEGORIES.indexOf(block.category)))}`,
      `"phase":${column(blocks.map((block) => PHASES.indexOf(block.phase)))}`,
      ...(["dtype", "shape", "note"] as const).map(
        (name) => `"${name}":${JSON.stringify(blocks.map((block) => block[name]))}`,
      ),
    ].join(",")}}`,
    `"events":{${EVENT_COLUMNS.map(([name]) => `"${name}":${column(events[name])}`).join(",")}}`,
    // Tables that came later: a trace without them is as good.
    ...(saved.block.length === 0
      ? []
      : [
          `"saved":{${SAVED_COLUMNS.map(([name]) => `"${name}":${column(saved[name])}`).join(",")},"names":${JSON.stringify(saved.names)}}`,
        ]),
    ...(failures.length === 0 ? [] : [`"failures":${JSON.stringify(failures)}`]),
    ...(earlySegments.length === 0
      ? []
      : [
          `"earlySegments":${JSON.stringify(earlySegments.map(({ address, bytes, isExpandable }) => [address, bytes, isExpandable ? 1 : 0]))}`,
        ]),
  ];
  return `{${parts.join(",\n")}}\n`;
}

class FieldError extends Error {
  readonly problem: Diagnostic<TraceFileErrorCode>;
  constructor(code: TraceFileErrorCode, args: Record<string, string | number>) {
    super(code);
    this.problem = { code, args };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function bad(field: string): never {
  throw new FieldError("trace_bad_field", { field });
}
function asFields(value: unknown, field: string): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : bad(field);
}
function asText(value: unknown, field: string): string {
  return typeof value === "string" ? value : bad(field);
}
function asNumber(value: unknown, field: string): number {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : bad(field);
}
function asList(value: unknown, field: string, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) return bad(field);
  if (value.length > limit) throw new FieldError("trace_too_large", { field, length: value.length, limit });
  return value;
}

/** Reads a document written by {@link writeTrace}. */
export function readTrace(text: string, limits: ReadLimits = DEFAULT_LIMITS): Outcome<Trace, TraceFileErrorCode> {
  if (text.length > limits.characters) {
    return failure("trace_too_large", { field: "document", length: text.length, limit: limits.characters });
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return failure("trace_not_json", { reason: error instanceof Error ? error.message.slice(0, 200) : "" });
  }
  try {
    const trace = shownTrace(decode(document, limits));
    const [problem] = verifyTrace(trace, { limit: 1 });
    return problem === undefined ? success(trace) : { ok: false, error: problem };
  } catch (error) {
    if (error instanceof FieldError) return { ok: false, error: error.problem };
    throw error;
  }
}

function decode(document: unknown, limits: ReadLimits): Trace {
  const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
  if (!isObject || (document as Fields)["format"] !== TRACE_FORMAT) throw new FieldError("trace_not_a_trace", {});
  const fields = document as Fields;
  const version = asNumber(fields["schemaVersion"], "schemaVersion");
  if (version > TRACE_SCHEMA_VERSION)
    throw new FieldError("trace_newer_schema", { version, known: TRACE_SCHEMA_VERSION });
  const texts = (name: string) =>
    asList(fields[name], name, limits.frames).map((value, index) => asText(value, `${name}[${index}]`));
  return {
    schemaVersion: 1,
    source: asText(fields["source"], "source"),
    program: asText(fields["program"], "program"),
    gpu: asText(fields["gpu"], "gpu"),
    capacityBytes: asNumber(fields["capacityBytes"], "capacityBytes"),
    torch: asText(fields["torch"], "torch"),
    events: decodeEvents(asFields(fields["events"], "events"), limits),
    blocks: decodeBlocks(asFields(fields["blocks"], "blocks"), limits),
    frames: decodeFrames(fields["frames"], limits),
    ops: texts("ops"),
    modules: texts("modules"),
    marks: decodeMarks(asFields(fields["marks"], "marks")),
    assumptions: decodeAssumptions(fields["assumptions"], limits),
    saved: fields["saved"] === undefined ? NOTHING_SAVED : decodeSaved(asFields(fields["saved"], "saved"), limits),
    failures: fields["failures"] === undefined ? [] : decodeFailures(fields["failures"], limits),
    ...(fields["earlySegments"] === undefined
      ? {}
      : { earlySegments: decodeEarlySegments(fields["earlySegments"], limits) }),
  };
}

// Columns have millions of entries: the name of an entry is only made when it is bad.
function numberAt(list: readonly unknown[], index: number, column: string): number {
  const value = list[index];
  return typeof value === "number" && Number.isSafeInteger(value) ? value : bad(`${column}[${index}]`);
}
function textOrNullAt(list: readonly unknown[], index: number, column: string): string | null {
  const value = list[index];
  return value === null || typeof value === "string" ? value : bad(`${column}[${index}]`);
}
function shapeAt(list: readonly unknown[], index: number): readonly number[] | null {
  const value = list[index];
  if (value === null) return null;
  if (!Array.isArray(value) || value.length > MOST_DIMENSIONS) return bad(`blocks.shape[${index}]`);
  return value.map((_, dimension) => numberAt(value, dimension, `blocks.shape[${index}]`));
}

type Column = Uint8Array | Int32Array | Float64Array;

function decodeColumns(
  fields: Fields,
  table: string,
  columns: readonly (readonly [string, new (length: number) => Column])[],
  limits: ReadLimits,
): Record<string, Column> {
  return Object.fromEntries(
    columns.map(([name, Column]) => {
      const path = `${table}.${name}`;
      const values = asList(fields[name], path, limits.events);
      const column = new Column(values.length);
      for (let index = 0; index < values.length; index++) {
        column[index] = numberAt(values, index, path);
        // A typed array keeps what fits; what does not must not pass as something else.
        if (column[index] !== values[index]) bad(`${path}[${index}]`);
      }
      return [name, column] as const;
    }),
  );
}

function decodeEvents(fields: Fields, limits: ReadLimits): Trace["events"] {
  return decodeColumns(fields, "events", EVENT_COLUMNS, limits) as unknown as Trace["events"];
}

function decodeSaved(fields: Fields, limits: ReadLimits): SavedTensors {
  const names = asList(fields["names"], "saved.names", limits.frames).map((name) => asText(name, "saved.names"));
  const columns = decodeColumns(fields, "saved", SAVED_COLUMNS, limits) as unknown as Omit<SavedTensors, "names">;
  return { ...columns, names };
}

function decodeFailures(value: unknown, limits: ReadLimits): FailedRequest[] {
  return asList(value, "failures", limits.frames).map((entry, index) => {
    const where = `failures[${index}]`;
    const fields = asFields(entry, where);
    const text = (name: string) => (fields[name] === null ? null : asText(fields[name], where));
    return {
      event: asNumber(fields["event"], where),
      dtype: text("dtype"),
      shape: shapeAt([fields["shape"]], 0),
      note: text("note"),
      segmentBytes: asNumber(fields["segmentBytes"], where),
      freeBytes: asNumber(fields["freeBytes"], where),
      allowedBytes: fields["allowedBytes"] === null ? null : asNumber(fields["allowedBytes"], where),
    };
  });
}

function decodeEarlySegments(value: unknown, limits: ReadLimits): EarlySegment[] {
  return asList(value, "earlySegments", limits.frames).map((entry, index) => {
    const where = `earlySegments[${index}]`;
    const [address, bytes, isExpandable] = asList(entry, where, 3);
    return { address: asNumber(address, where), bytes: asNumber(bytes, where), isExpandable: isExpandable === 1 };
  });
}

function decodeBlocks(fields: Fields, limits: ReadLimits): BlockRecord[] {
  const list = (name: string) => asList(fields[name], `blocks.${name}`, limits.blocks);
  const lists = Object.fromEntries(BLOCK_COLUMNS.map((name) => [name, list(name)])) as Record<
    (typeof BLOCK_COLUMNS)[number],
    readonly unknown[]
  >;
  const count = lists.bytes.length;
  for (const name of BLOCK_COLUMNS) if (lists[name].length !== count) bad(`blocks.${name}`);
  return Array.from({ length: count }, (_, index) => ({
    requestedBytes: numberAt(lists.requestedBytes, index, "blocks.requestedBytes"),
    bytes: numberAt(lists.bytes, index, "blocks.bytes"),
    address: numberAt(lists.address, index, "blocks.address"),
    stream: numberAt(lists.stream, index, "blocks.stream"),
    allocEvent: numberAt(lists.allocEvent, index, "blocks.allocEvent"),
    freeEvent: numberAt(lists.freeEvent, index, "blocks.freeEvent"),
    frame: numberAt(lists.frame, index, "blocks.frame"),
    op: numberAt(lists.op, index, "blocks.op"),
    module: numberAt(lists.module, index, "blocks.module"),
    category: CATEGORIES[numberAt(lists.category, index, "blocks.category")] ?? bad(`blocks.category[${index}]`),
    phase: PHASES[numberAt(lists.phase, index, "blocks.phase")] ?? bad(`blocks.phase[${index}]`),
    dtype: textOrNullAt(lists.dtype, index, "blocks.dtype"),
    shape: shapeAt(lists.shape, index),
    note: textOrNullAt(lists.note, index, "blocks.note"),
  }));
}

function decodeFrames(value: unknown, limits: ReadLimits): Frame[] {
  return asList(value, "frames", limits.frames).map((entry, index) => {
    const [parent, file, line, name] = asList(entry, `frames[${index}]`, 4);
    const where = `frames[${index}]`;
    return {
      parent: asNumber(parent, where),
      file: asText(file, where),
      line: asNumber(line, where),
      name: asText(name, where),
    };
  });
}

function decodeMarks(fields: Fields): Record<number, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([event, name]) => {
      if (!/^\d{1,10}$/.test(event)) bad("marks");
      return [Number(event), asText(name, `marks.${event}`)];
    }),
  );
}

function decodeAssumptions(value: unknown, limits: ReadLimits): Assumption[] {
  return asList(value, "assumptions", limits.frames).map((entry, index) => {
    const where = `assumptions[${index}]`;
    const fields = asFields(entry, where);
    const args = Object.entries(asFields(fields["args"], where)).map(([name, arg]) =>
      typeof arg === "string" || typeof arg === "number" ? ([name, arg] as const) : bad(where),
    );
    return {
      code: asText(fields["code"], where),
      args: Object.fromEntries(args),
      frame: asNumber(fields["frame"], where),
      count: asNumber(fields["count"], where),
    };
  });
}
