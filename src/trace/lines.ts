/** The memory of each source line: what a line, with everything that it called, did to the allocated bytes. */

import { KIND } from "./codes.ts";
import type { Trace } from "./model.ts";
import { allocatedBefore } from "./queries.ts";

const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;
const MARK = KIND.mark;

export interface LineRow {
  readonly file: string;
  readonly line: number;
  /** The function that the line is in. */
  readonly function: string;
  /** Allocated bytes when the line, with what it called, last did something. */
  readonly allocatedAfterBytes: number;
  /** Allocated minus freed bytes, over all times that the line ran. */
  readonly changeBytes: number;
  /** How often the line was come to: from elsewhere, with something that moved memory. */
  readonly visits: number;
  /** Highest allocated bytes while the line was at work. */
  readonly peakBytes: number;
  readonly allocations: number;
  /** Bytes of all its allocations together. */
  readonly allocationBytes: number;
  readonly frees: number;
  /** Index of its first event. */
  readonly firstEvent: number;
  /** Paths of the modules that were at work. */
  readonly modules: readonly string[];
  /** Operators that allocated. */
  readonly ops: readonly string[];
}

interface Totals {
  changeBytes: number;
  peakBytes: number;
  allocations: number;
  allocationBytes: number;
  frees: number;
  firstEvent: number;
  lastEvent: number;
  modules: Set<number>;
  ops: Set<number>;
}

function emptyTotals(): Totals {
  return {
    changeBytes: 0,
    peakBytes: 0,
    allocations: 0,
    allocationBytes: 0,
    frees: 0,
    firstEvent: -1,
    lastEvent: -1,
    modules: new Set(),
    ops: new Set(),
  };
}

function addAll<T>(into: Set<T>, from: Iterable<T>): void {
  for (const item of from) into.add(item);
}

/** What each frame did itself, without its callees; undefined where it did nothing. */
function ownTotals(trace: Trace): (Totals | undefined)[] {
  const { kind, allocatedBytes, frame, op, module } = trace.events;
  const totals = Array.from({ length: trace.frames.length }, (): Totals | undefined => undefined);
  let before = allocatedBefore(trace, 0);
  for (let event = 0; event < kind.length; event++) {
    const after = allocatedBytes[event]!;
    const changeBytes = after - before;
    before = after;
    const index = frame[event]!;
    if (index < 0 || kind[event] === MARK) continue;
    const own = (totals[index] ??= emptyTotals());
    own.changeBytes += changeBytes;
    own.peakBytes = Math.max(own.peakBytes, after);
    if (own.firstEvent === -1) own.firstEvent = event;
    own.lastEvent = event;
    if (module[event]! >= 0) own.modules.add(module[event]!);
    if (kind[event] === ALLOC) {
      own.allocations += 1;
      own.allocationBytes += changeBytes;
      if (op[event]! >= 0) own.ops.add(op[event]!);
    } else if (kind[event] === FREE_REQUESTED) own.frees += 1;
  }
  return totals;
}

function merge(into: Totals, from: Totals): void {
  into.changeBytes += from.changeBytes;
  into.peakBytes = Math.max(into.peakBytes, from.peakBytes);
  into.allocations += from.allocations;
  into.allocationBytes += from.allocationBytes;
  into.frees += from.frees;
  into.firstEvent = into.firstEvent === -1 ? from.firstEvent : Math.min(into.firstEvent, from.firstEvent);
  into.lastEvent = Math.max(into.lastEvent, from.lastEvent);
  addAll(into.modules, from.modules);
  addAll(into.ops, from.ops);
}

/** How often each line (`line file`) got onto the stack, as far as memory moved meanwhile. */
function visitsOfLines(trace: Trace): ReadonlyMap<string, number> {
  const { kind, frame } = trace.events;
  const numbers = new Map<string, number>();
  const lineOf = trace.frames.map(({ file, line }) => {
    const key = `${line} ${file}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
  const counts = new Float64Array(numbers.size);
  /** By line: the last time, in changes of the stack, at which it was on it. */
  const seen = new Float64Array(numbers.size).fill(-1);
  let before = -1;
  let time = 0;
  for (let event = 0; event < kind.length; event++) {
    const now = frame[event]!;
    if (now === before || now < 0 || kind[event] === MARK) continue;
    before = now;
    time += 1;
    for (let at = now; at >= 0; at = trace.frames[at]!.parent) {
      const line = lineOf[at]!;
      if (seen[line] !== time && seen[line] !== time - 1) counts[line]! += 1;
      seen[line] = time;
    }
  }
  return new Map([...numbers].map(([key, index]) => [key, counts[index]!]));
}

/** One row per source line at which, or below which, memory moved; in order of first appearance. */
export function lineTable(trace: Trace): LineRow[] {
  const totals = ownTotals(trace);
  const visits = visitsOfLines(trace);
  const { frames } = trace;
  // Callers come before callees, so one pass from the end carries everything up.
  for (let index = frames.length - 1; index >= 0; index--) {
    const own = totals[index];
    const parent = frames[index]!.parent;
    if (own !== undefined && parent >= 0) merge((totals[parent] ??= emptyTotals()), own);
  }
  const rows = new Map<string, { name: string; file: string; line: number; totals: Totals }>();
  frames.forEach((frame, index) => {
    const own = totals[index];
    if (own === undefined || insideItself(trace, index)) return;
    const key = `${frame.line} ${frame.file}`;
    const row = rows.get(key);
    if (row === undefined) {
      const copy = emptyTotals();
      merge(copy, own);
      rows.set(key, { name: frame.name, file: frame.file, line: frame.line, totals: copy });
    } else merge(row.totals, own);
  });
  return [...rows.values()]
    .sort((a, b) => a.totals.firstEvent - b.totals.firstEvent || a.line - b.line)
    .map(({ name, file, line, totals: sum }) => ({
      file,
      line,
      function: name,
      allocatedAfterBytes: trace.events.allocatedBytes[sum.lastEvent]!,
      changeBytes: sum.changeBytes,
      visits: visits.get(`${line} ${file}`) ?? 1,
      peakBytes: sum.peakBytes,
      allocations: sum.allocations,
      allocationBytes: sum.allocationBytes,
      frees: sum.frees,
      firstEvent: sum.firstEvent,
      modules: byIndex(sum.modules).map((module) => trace.modules[module]!),
      ops: byIndex(sum.ops).map((op) => trace.ops[op]!),
    }));
}

/** Names get their indexes when they first appear, so this is the order of appearance in the trace. */
function byIndex(indexes: ReadonlySet<number>): number[] {
  return [...indexes].sort((a, b) => a - b);
}

/** True when a caller of the frame is at the same line, as in recursion: the caller's totals already contain it. */
function insideItself(trace: Trace, index: number): boolean {
  const { file, line, parent } = trace.frames[index]!;
  for (let caller = parent; caller >= 0; caller = trace.frames[caller]!.parent) {
    const frame = trace.frames[caller]!;
    if (frame.line === line && frame.file === file) return true;
  }
  return false;
}

/** The events from `first` to `last` during which frame `frame` was on the stack without a break. */
export interface Visit {
  readonly frame: number;
  readonly first: number;
  readonly last: number;
}

/** The run of neighbouring events around `event` during which `frame` was on the stack; `event` must be one of them. */
export function visitAround(trace: Trace, frame: number, event: number): Visit {
  const inside = framesUnder(trace, frame);
  const { frame: frames } = trace.events;
  let first = event;
  while (first > 0 && inside.has(frames[first - 1]!)) first -= 1;
  let last = event;
  while (last + 1 < frames.length && inside.has(frames[last + 1]!)) last += 1;
  return { frame, first, last };
}

/** A frame and all its callees. */
function framesUnder(trace: Trace, frame: number): Set<number> {
  const inside = new Set([frame]);
  for (let index = frame + 1; index < trace.frames.length; index++) {
    if (inside.has(trace.frames[index]!.parent)) inside.add(index);
  }
  return inside;
}
