/** Our own Chrome traces, as `run --export chrome=FILE` writes them: instants are the events, slices the stacks, modules and phases. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { TraceBuilder, type SegmentKind } from "../trace/builder.ts";
import {
  CATEGORIES,
  EVENT_KINDS,
  PHASES,
  type Category,
  type EventKind,
  type Phase,
  type Trace,
} from "../trace/model.ts";
import { readText } from "./file-text.ts";
import type { ForeignFormat, OpenedFile } from "./foreign-format.ts";
import { field, isObject, type JsonObject } from "./json-text.ts";

/** Threads by their number in the file. */
const EVENTS_THREAD = 1;
const PHASES_THREAD = 2;
const LINES_THREAD = 4;
const MOST_EVENTS = 20_000_000;
const LONGEST_LINE = 2 ** 26 - 1;
const FRAME = /^(.*) \((.*):(\d{1,8})\)$/s;
/** A block whose dtype and shape are not in the file. */
const MOST_DIMENSIONS = 64;

interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Later ones of equal length are around earlier ones. */
  readonly order: number;
}

function bad(name: string): never {
  throw new DiagnosticError(diagnostic("chrome_bad_field", { field: name }));
}

function count(object: JsonObject, name: string): number {
  const value = field(object, name);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : bad(name);
}

function text(object: JsonObject, name: string): string | null {
  const value = field(object, name);
  return typeof value === "string" ? value : null;
}

function documentOf(content: string): { readonly about: JsonObject; readonly list: readonly unknown[] } {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new DiagnosticError(diagnostic("chrome_not_json", { reason }));
  }
  if (!isObject(document)) return bad("document");
  const about = field(document, "otherData");
  const list = field(document, "traceEvents");
  if (!isObject(about)) return bad("otherData");
  return Array.isArray(list) && list.length <= MOST_EVENTS ? { about, list } : bad("traceEvents");
}

/** Instants by event, spans by thread, and the counters as steps. */
function sorted(list: readonly unknown[]) {
  const instants: JsonObject[] = [];
  const spans = new Map<number, Span[]>([
    [PHASES_THREAD, []],
    [LINES_THREAD, []],
  ]);
  const steps = { allocated: new Map<number, number>(), reserved: new Map<number, number>() };
  list.forEach((entry, order) => {
    if (!isObject(entry)) return bad("traceEvents");
    const kind = field(entry, "ph");
    if (kind === "i" && field(entry, "tid") === EVENTS_THREAD) instants.push(entry);
    else if (kind === "X") {
      const start = count(entry, "ts");
      const span = { name: text(entry, "name") ?? bad("name"), start, end: start + count(entry, "dur"), order };
      spans.get(Number(field(entry, "tid")))?.push(span);
    } else if (kind === "C") {
      const name = text(entry, "name");
      const args = field(entry, "args");
      if ((name === "allocated" || name === "reserved") && isObject(args)) {
        steps[name].set(count(entry, "ts"), count(args, "bytes"));
      }
    }
  });
  for (const own of spans.values()) own.sort((a, b) => a.start - b.start || b.end - a.end || b.order - a.order);
  instants.sort((a, b) => count(a, "ts") - count(b, "ts"));
  return { instants, spans, steps };
}

/** Gives the spans around event after event, from the outside in. */
function follow(spans: readonly Span[]): (event: number) => readonly Span[] {
  let open: Span[] = [];
  let next = 0;
  return (event) => {
    if (open.some((span) => span.end <= event)) open = open.filter((span) => span.end > event);
    for (; next < spans.length && spans[next]!.start <= event; next++) {
      if (spans[next]!.end > event) open.push(spans[next]!);
    }
    return open;
  };
}

function frameOf(builder: TraceBuilder, spans: readonly Span[]): number {
  let frame = -1;
  for (const { name } of spans) {
    const match = FRAME.exec(name);
    if (match === null) return bad("line");
    frame = builder.frame(frame, match[2]!, Math.min(LONGEST_LINE, Number(match[3])), match[1]!);
  }
  return frame;
}

function shapeOf(args: JsonObject): readonly number[] | null {
  const shape = field(args, "shape");
  if (!Array.isArray(shape)) return null;
  const isShape = shape.length <= MOST_DIMENSIONS && shape.every((size) => Number.isSafeInteger(size));
  return isShape ? (shape as number[]) : bad("shape");
}

function read(content: string): Trace {
  const { about, list } = documentOf(content);
  const { instants, spans, steps } = sorted(list);
  const builder = new TraceBuilder();
  const lines = follow(spans.get(LINES_THREAD)!);
  const phases = follow(spans.get(PHASES_THREAD)!);
  const live = new Map<number, number>();
  const waiting = new Map<number, number>();
  let allocatedBytes = 0;
  let reservedBytes = 0;
  instants.forEach((entry, event) => {
    if (count(entry, "ts") !== event) bad("ts");
    const args = field(entry, "args");
    if (!isObject(args)) return bad("args");
    const kind = EVENT_KINDS.find((known) => known === field(entry, "cat")) ?? bad("cat");
    allocatedBytes = steps.allocated.get(event) ?? allocatedBytes;
    reservedBytes = steps.reserved.get(event) ?? reservedBytes;
    const frame = frameOf(builder, lines(event));
    const phase: Phase = PHASES.find((known) => known === phases(event).at(-1)?.name) ?? "other";
    const opName = text(args, "op");
    const op = opName === null ? -1 : builder.op(opName);
    const path = text(args, "module");
    const module = path === null ? -1 : builder.module(path);
    const origin = { frame, op, module, phase };
    const address = Number(text(args, "address") ?? bad("address"));
    if (!Number.isSafeInteger(address) || address < 0) bad("address");
    const bytes = count(args, "bytes");
    const add: Record<EventKind, () => void> = {
      alloc: () => {
        const category: Category = CATEGORIES.find((known) => known === field(args, "category")) ?? "unknown";
        const requestedBytes = count(args, "requestedBytes");
        const block = builder.alloc(
          {
            address,
            bytes,
            requestedBytes: Math.min(requestedBytes, bytes),
            stream: 0,
            ...origin,
            category,
            dtype: text(args, "dtype"),
            shape: shapeOf(args),
            note: text(args, "note"),
          },
          allocatedBytes,
          reservedBytes,
        );
        live.set(address, block);
      },
      free_requested: () => {
        const block = live.get(address) ?? bad("free_requested");
        live.delete(address);
        waiting.set(address, block);
        builder.free(block, origin, allocatedBytes, reservedBytes);
      },
      free_completed: () =>
        builder.freeCompleted(waiting.get(address) ?? bad("free_completed"), allocatedBytes, reservedBytes),
      segment_alloc: () => segment("segment_alloc"),
      segment_free: () => segment("segment_free"),
      segment_map: () => segment("segment_map"),
      segment_unmap: () => segment("segment_unmap"),
      oom: () => builder.oom(bytes, origin, allocatedBytes, reservedBytes),
      mark: () => builder.mark(text(entry, "name") ?? "mark", frame),
    };
    const segment = (what: SegmentKind): void =>
      builder.segment(what, address, bytes, origin, allocatedBytes, reservedBytes);
    add[kind]();
  });
  const source = "vramscope-chrome";
  const named = (name: string) => text(about, name) ?? bad(name);
  return builder.finish({
    source,
    program: named("program"),
    gpu: named("gpu"),
    capacityBytes: 0,
    torch: named("torch"),
  });
}

export const ownChromeTrace: ForeignFormat = {
  id: "vramscope-chrome",
  title: "VRAMScope trace for Chrome and Perfetto",
  extensions: ["json"],
  sniff: (_head, head) =>
    /^\s*\{\s*"displayTimeUnit"\s*:\s*"ms"\s*,\s*"otherData"\s*:\s*\{\s*"program"/.test(head) &&
    head.includes('"One microsecond is one event of the allocator')
      ? 1
      : 0,
  read: (file): OpenedFile => ({
    format: ownChromeTrace.id,
    trace: read(readText(file)),
    readings: null,
    notes: [{ code: "chrome_carries", args: {}, frame: -1, count: 1 }],
  }),
};
