/**
 * Chrome's trace event format, which Perfetto and chrome://tracing open: counters of allocated and reserved bytes, an
 * instant for each event of the allocator, and slices for phases, modules and lines. There is no time in a trace: one
 * microsecond on the axis is one event.
 */

import { EVENT_KINDS, PHASES, type Trace } from "../trace/model.ts";
import { frameLabel, stackFromInside } from "./call-stack.ts";
import type { ExportFormat } from "./export-format.ts";
import { slices, type Slice } from "./slices.ts";

const PROCESS = 1;
const THREADS = { events: 1, phases: 2, modules: 3, lines: 4 } as const;
const TITLES: Readonly<Record<keyof typeof THREADS, string>> = {
  events: "allocator events",
  phases: "phases",
  modules: "modules",
  lines: "lines",
};

type Fields = Readonly<Record<string, unknown>>;

/** Remembers the last result: neighbouring events mostly ask for the same. */
function rememberLast<T>(make: (index: number) => T): (index: number) => T {
  let last = Number.NaN;
  let result: T;
  return (index) => {
    if (index !== last) result = make(index);
    last = index;
    return result;
  };
}

function sliceEvents(thread: number, spans: Iterable<Slice>): Iterable<Fields> {
  return (function* () {
    for (const { name, start, end } of spans) {
      yield { ph: "X", cat: "vramscope", name, pid: PROCESS, tid: thread, ts: start, dur: end - start };
    }
  })();
}

function metadata(trace: Trace): Fields[] {
  const name = (what: string, tid: number, text: string): Fields => ({
    ph: "M",
    name: what,
    pid: PROCESS,
    tid,
    args: { name: text },
  });
  return [
    name("process_name", 0, `${trace.program} (one microsecond is one event)`),
    ...(Object.keys(THREADS) as (keyof typeof THREADS)[]).map((key) => name("thread_name", THREADS[key], TITLES[key])),
  ];
}

function* counters(trace: Trace): Generator<Fields, void, undefined> {
  const { allocatedBytes, reservedBytes } = trace.events;
  for (let event = 0; event < allocatedBytes.length; event++) {
    const values = { allocated: allocatedBytes[event]!, reserved: reservedBytes[event]! };
    for (const [name, bytes] of Object.entries(values)) {
      const last = event === 0 ? -1 : (name === "allocated" ? allocatedBytes : reservedBytes)[event - 1];
      if (bytes !== last) yield { ph: "C", name, pid: PROCESS, tid: 0, ts: event, args: { bytes } };
    }
  }
}

function* instants(trace: Trace): Generator<Fields, void, undefined> {
  const { events, blocks, frames, ops, modules, marks } = trace;
  for (let event = 0; event < events.kind.length; event++) {
    const kind = EVENT_KINDS[events.kind[event]!]!;
    const block = blocks[events.block[event]!];
    const frame = frames[events.frame[event]!];
    yield {
      ph: "i",
      s: "t",
      cat: kind,
      name: kind === "mark" ? (marks[event] ?? "mark") : kind,
      pid: PROCESS,
      tid: THREADS.events,
      ts: event,
      args: {
        bytes: events.bytes[event],
        address: `0x${events.address[event]!.toString(16)}`,
        ...(frame === undefined ? {} : { line: frameLabel(frame) }),
        op: ops[events.op[event]!],
        module: modules[events.module[event]!],
        category: block?.category,
        requestedBytes: block?.requestedBytes,
        dtype: block?.dtype ?? undefined,
        shape: block?.shape ?? undefined,
        note: block?.note ?? undefined,
      },
    };
  }
}

/** `a.b.c` as `a`, `a.b`, `a.b.c`. */
function pathPrefixes(path: string): string[] {
  const parts = path.split(".");
  return parts.map((_, index) => parts.slice(0, index + 1).join("."));
}

function* traceEvents(trace: Trace): Generator<Fields, void, undefined> {
  const { events, frames, modules } = trace;
  const count = events.kind.length;
  const none: readonly never[] = [];
  const phasePath = rememberLast((phase) => [phase]);
  const modulePath = rememberLast((module) => (module < 0 ? none : pathPrefixes(modules[module]!)));
  const linePath = rememberLast((frame) => (frame < 0 ? none : stackFromInside(trace, frame).reverse()));
  yield* metadata(trace);
  yield* counters(trace);
  yield* instants(trace);
  yield* sliceEvents(
    THREADS.phases,
    slices(
      count,
      (event) => phasePath(events.phase[event]!),
      (phase) => PHASES[phase]!,
    ),
  );
  yield* sliceEvents(
    THREADS.modules,
    slices(
      count,
      (event) => modulePath(events.module[event]!),
      (path: string) => path,
    ),
  );
  yield* sliceEvents(
    THREADS.lines,
    slices(
      count,
      (event) => linePath(events.frame[event]!),
      (frame: number) => frameLabel(frames[frame]!),
    ),
  );
}

function* write(trace: Trace): Generator<string, void, undefined> {
  const about = {
    program: trace.program,
    gpu: trace.gpu,
    torch: trace.torch,
    axis: "One microsecond is one event of the allocator; a simulation of memory has no time.",
  };
  yield `{"displayTimeUnit":"ms","otherData":${JSON.stringify(about)},"traceEvents":[\n`;
  let separator = "";
  for (const event of traceEvents(trace)) {
    yield separator + JSON.stringify(event);
    separator = ",\n";
  }
  yield "\n]}\n";
}

export const chromeTrace: ExportFormat = { id: "chrome", extension: ".json", label: "export_chrome", write };
