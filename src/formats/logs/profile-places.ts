/** Finds where each memory event of a profile happened: the operator, the Python functions and the modules around it. */

import type { Phase } from "../../trace/model.ts";
import { SPAN_KINDS, type ProfileEvents } from "./chrome-trace-events.ts";
import { NO_PLACE, type EventPlace, type RecordedTrace } from "./recorded-trace.ts";

// torch/csrc/profiler/collection.cpp names Python spans `file.py(12): function`, `nn.Module: Linear_0` and `<built-in function len>`. The
// line is that at which the function begins.
const FUNCTION = /^(.{1,400})\((\d{1,7})\): (.{1,200})$/s;
const MODULE = "nn.Module: ";
const DEEPEST_STACK = 1024;

/** What a span of Python adds to a stack. */
interface PythonName {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The library's own frames are left out, as they are of a run's stacks. */
  readonly isLibrary: boolean;
  readonly module: string | null;
}

const LIBRARY = /(?:^|[\\/])torch[\\/]|^<|^(?:runpy|threading|contextlib)\.py$|[\\/]lib[\\/]python\d/;

function pythonName(text: string): PythonName | null {
  if (text.startsWith(MODULE)) {
    return { file: "", line: 0, name: "", isLibrary: true, module: text.slice(MODULE.length) };
  }
  const match = FUNCTION.exec(text);
  if (match === null) return null;
  const [, file, line, name] = match;
  return { file: file!, line: Number(line), name: name!, isLibrary: LIBRARY.test(file!), module: null };
}

/** An open span and what it means for events inside it. */
interface Open {
  readonly end: number;
  readonly kind: number;
  readonly name: number;
  /** Null until an event inside asks for it: most spans have none. */
  place: EventPlace | null;
}

const PYTHON = SPAN_KINDS.indexOf("python");
const OPERATOR = SPAN_KINDS.indexOf("operator");

/** Rows of one thread by time; spans that begin together with the longer one first. */
function ordered(rows: number[], start: Float64Array, duration: Float64Array | null): number[] {
  const before = (a: number, b: number): number =>
    start[a]! - start[b]! || (duration === null ? 0 : duration[b]! - duration[a]!) || a - b;
  for (let at = 1; at < rows.length; at++) if (before(rows[at - 1]!, rows[at]!) > 0) return rows.sort(before);
  return rows;
}

function byThread(thread: Int32Array, length: number, wanted: ReadonlySet<number>): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < length; row++) {
    if (!wanted.has(thread[row]!)) continue;
    const list = rows.get(thread[row]!);
    if (list === undefined) rows.set(thread[row]!, [row]);
    else list.push(row);
  }
  return rows;
}

class ThreadWalk {
  readonly #events: ProfileEvents;
  readonly #trace: RecordedTrace;
  readonly #python = new Map<number, PythonName | null>();
  #stack: Open[] = [];

  constructor(events: ProfileEvents, trace: RecordedTrace) {
    this.#events = events;
    this.#trace = trace;
  }

  /** Places of the memory events `memory` of one thread, whose spans are `spans`; both ordered. */
  walk(memory: readonly number[], spans: readonly number[], places: EventPlace[]): void {
    this.#stack = [];
    let next = 0;
    const { start } = this.#events.spans;
    for (const row of memory) {
      const time = this.#events.memory.time[row]!;
      for (; next < spans.length && start[spans[next]!]! <= time; next++) this.#open(spans[next]!);
      while (this.#stack.length > 0 && this.#stack.at(-1)!.end < time) this.#stack.pop();
      places[row] = this.#placeAt(this.#stack.length - 1);
    }
  }

  #placeAt(depth: number): EventPlace {
    const open = this.#stack[depth];
    if (open === undefined) return NO_PLACE;
    open.place ??= this.#inner(this.#placeAt(depth - 1), open.kind, open.name);
    return open.place;
  }

  #open(row: number): void {
    const { spans } = this.#events;
    const begin = spans.start[row]!;
    // Spans of one thread lie in each other or after each other.
    while (this.#stack.length > 0 && this.#stack.at(-1)!.end <= begin) this.#stack.pop();
    if (this.#stack.length >= DEEPEST_STACK) return;
    this.#stack.push({
      end: begin + spans.duration[row]!,
      kind: spans.kind[row]!,
      name: spans.name[row]!,
      place: null,
    });
  }

  /** What is known inside a span, from what is known outside it. */
  #inner(outer: EventPlace, kind: number, name: number): EventPlace {
    const text = this.#events.names[name]!;
    if (kind === PYTHON) {
      let python = this.#python.get(name);
      if (python === undefined) {
        python = pythonName(text);
        this.#python.set(name, python);
      }
      if (python === null) return outer;
      if (python.module !== null) {
        const path = outer.module === -1 ? "" : `${this.#trace.modules.names[outer.module]}.`;
        const phase: Phase = outer.phase === "other" ? "forward" : outer.phase;
        // Recursive modules would make a path of every depth.
        const module = path.length > 400 ? outer.module : this.#trace.modules.index(path + python.module);
        return { ...outer, module, phase };
      }
      if (python.isLibrary || python.line < 1) return outer;
      return { ...outer, frame: this.#trace.frames.index(outer.frame, python.file, python.line, python.name) };
    }
    if (kind === OPERATOR) {
      const isBackward = text.startsWith("autograd::engine::evaluate_function");
      return { ...outer, op: this.#trace.ops.index(text), phase: isBackward ? "backward" : outer.phase };
    }
    return text.startsWith("Optimizer.step") ? { ...outer, phase: "optimizer" } : outer;
  }
}

/** The place of each wanted memory event by its row; the others are missing. */
export function placesOf(events: ProfileEvents, wanted: readonly number[], trace: RecordedTrace): EventPlace[] {
  const { memory, spans } = events;
  const threads = new Set(wanted.map((row) => memory.thread[row]!));
  const spanRows = byThread(spans.thread, spans.length, threads);
  const memoryRows = new Map<number, number[]>();
  for (const row of wanted) {
    const list = memoryRows.get(memory.thread[row]!);
    if (list === undefined) memoryRows.set(memory.thread[row]!, [row]);
    else list.push(row);
  }
  const places: EventPlace[] = [];
  const walk = new ThreadWalk(events, trace);
  for (const [thread, rows] of memoryRows) {
    const around = spanRows.get(thread) ?? [];
    walk.walk(ordered(rows, memory.time, null), ordered(around, spans.start, spans.duration), places);
  }
  return places;
}
