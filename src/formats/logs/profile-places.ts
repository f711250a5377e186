/** Finds where each memory event of a profile happened: the operator, the Python functions and the modules around it. */

import type { Phase } from "../../trace/model.ts";
import { SPAN_KINDS, type ProfileEvents } from "./chrome-trace-events.ts";
import { NO_PLACE, type EventPlace, type RecordedTrace } from "./recorded-trace.ts";

// torch/csrc/profiler/collection.cpp names Python spans `file.py(12): function`, `nn.Module: Linear_0` and `<built-in function len>`. The
// line is that at which the function begins; since 2.9 or so `CallFrom` says which line of the caller it is.
const FUNCTION = /^(.{1,400})\((\d{1,7})\): (.{1,200})$/s;
const MODULE = "nn.Module: ";
const DEEPEST_STACK = 1024;
const LAST_LINE = 10_000_000;

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
  /** Depth of the innermost function of the user's at or around it, or -1. */
  readonly inFunction: number;
  /** Line of the function that ran last, where the recording says it, else that at which the function begins. */
  line: number;
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
    open.place ??= this.#inner(this.#placeAt(depth - 1), open);
    return open.place;
  }

  #open(row: number): void {
    const { spans } = this.#events;
    const begin = spans.start[row]!;
    // Spans of one thread lie in each other or after each other.
    while (this.#stack.length > 0 && this.#stack.at(-1)!.end <= begin) this.#stack.pop();
    const depth = this.#stack.length;
    if (depth >= DEEPEST_STACK) return;
    const [kind, name] = [spans.kind[row]!, spans.name[row]!];
    const python = kind === PYTHON ? this.#pythonName(name) : null;
    const around = this.#stack.at(-1)?.inFunction ?? -1;
    if (kind === PYTHON && spans.callFrom[row]! >= 0) this.#reached(around, spans.callFrom[row]!);
    this.#stack.push({
      end: begin + spans.duration[row]!,
      kind,
      name,
      inFunction: python !== null && !python.isLibrary ? depth : around,
      line: python?.line ?? 0,
      place: null,
    });
  }

  /** The function at `depth` got to the line `callFrom`, if that is in its file. */
  #reached(depth: number, callFrom: number): void {
    const running = this.#stack[depth];
    if (running === undefined) return;
    const text = this.#events.names[callFrom]!;
    const colon = text.lastIndexOf(":");
    const line = Number(text.slice(colon + 1));
    if (this.#pythonName(running.name)?.file !== text.slice(0, colon)) return;
    if (!Number.isInteger(line) || line < 1 || line > LAST_LINE || line === running.line) return;
    running.line = line;
    running.place = null;
  }

  #pythonName(name: number): PythonName | null {
    let python = this.#python.get(name);
    if (python === undefined) {
      python = pythonName(this.#events.names[name]!);
      this.#python.set(name, python);
    }
    return python;
  }

  /** What is known inside a span, from what is known outside it. */
  #inner(outer: EventPlace, { kind, name, line }: Open): EventPlace {
    const text = this.#events.names[name]!;
    if (kind === PYTHON) {
      const python = this.#pythonName(name);
      if (python === null) return outer;
      if (python.module !== null) {
        const path = outer.module === -1 ? "" : `${this.#trace.modules.names[outer.module]}.`;
        const phase: Phase = outer.phase === "other" ? "forward" : outer.phase;
        // Recursive modules would make a path of every depth.
        const module = path.length > 400 ? outer.module : this.#trace.modules.index(path + python.module);
        return { ...outer, module, phase };
      }
      if (python.isLibrary || line < 1) return outer;
      return { ...outer, frame: this.#trace.frames.index(outer.frame, python.file, line, python.name) };
    }
    if (kind === OPERATOR) {
      const isBackward = text.startsWith("autograd::engine::evaluate_function");
      return { ...outer, op: this.#trace.ops.index(text), phase: isBackward ? "backward" : outer.phase };
    }
    return text.startsWith("Optimizer.step") ? { ...outer, phase: "optimizer" } : outer;
  }
}

/** The thread that runs the program: of those with Python functions the one with most of them, or -1. */
function pythonThread({ spans }: ProfileEvents): number {
  const counts = new Map<number, number>();
  for (let row = 0; row < spans.length; row++) {
    if (spans.kind[row] === PYTHON) counts.set(spans.thread[row]!, (counts.get(spans.thread[row]!) ?? 0) + 1);
  }
  let most = -1;
  for (const [thread, count] of counts) if (count > (counts.get(most) ?? 0)) most = thread;
  return most;
}

/** The place of each wanted memory event by its row; the others are missing. */
export function placesOf(events: ProfileEvents, wanted: readonly number[], trace: RecordedTrace): EventPlace[] {
  const { memory, spans } = events;
  const main = pythonThread(events);
  const spanRows = byThread(spans.thread, spans.length, new Set([main, ...wanted.map((row) => memory.thread[row]!)]));
  const around = new Map<number, readonly number[]>();
  for (const [thread, rows] of spanRows) around.set(thread, ordered(rows, spans.start, spans.duration));
  const memoryRows = new Map<number, number[]>();
  for (const row of wanted) {
    const list = memoryRows.get(memory.thread[row]!);
    if (list === undefined) memoryRows.set(memory.thread[row]!, [row]);
    else list.push(row);
  }
  const places: EventPlace[] = [];
  const walk = new ThreadWalk(events, trace);
  for (const [thread, rows] of memoryRows) {
    const inOrder = ordered(rows, memory.time, null);
    const own = around.get(thread) ?? [];
    walk.walk(inOrder, own, places);
    if (thread === main || main === -1 || own.some((row) => spans.kind[row] === PYTHON)) continue;
    // Backward has a thread of its own while the line that asked for it waits.
    const waiting: EventPlace[] = [];
    walk.walk(inOrder, around.get(main)!, waiting);
    for (const row of inOrder) places[row] = { ...places[row]!, frame: waiting[row]!.frame };
  }
  return places;
}
