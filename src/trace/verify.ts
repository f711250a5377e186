/** Checks that a `Trace` is consistent: that its totals follow from its events and every index points at something. */

import { diagnostic, type Diagnostic } from "../base/diagnostic.ts";
import { KIND } from "./codes.ts";
import { CATEGORIES, EVENT_KINDS, PHASES, SAVED_ENDS, type EventKind, type Trace } from "./model.ts";

export type TraceProblemCode =
  | "trace_column_length"
  | "trace_bad_index"
  | "trace_bad_number"
  | "trace_frame_order"
  | "trace_allocated_total"
  | "trace_reserved_total"
  | "trace_block_events"
  | "trace_overlap"
  | "trace_over_reserved";

export interface VerifyOptions {
  /** Stop after this many problems; default 20. */
  readonly limit?: number;
}

/** What each kind of event does to the two totals, times its bytes. */
const EFFECT: Readonly<Record<EventKind, { readonly allocated: number; readonly reserved: number }>> = {
  alloc: { allocated: 1, reserved: 0 },
  free_requested: { allocated: -1, reserved: 0 },
  free_completed: { allocated: 0, reserved: 0 },
  segment_alloc: { allocated: 0, reserved: 1 },
  segment_free: { allocated: 0, reserved: -1 },
  segment_map: { allocated: 0, reserved: 1 },
  segment_unmap: { allocated: 0, reserved: -1 },
  oom: { allocated: 0, reserved: 0 },
  mark: { allocated: 0, reserved: 0 },
};

/** Every inconsistency found, none for a good trace. */
export function verifyTrace(trace: Trace, options: VerifyOptions = {}): Diagnostic<TraceProblemCode>[] {
  const limit = options.limit ?? 20;
  const problems: Diagnostic<TraceProblemCode>[] = [];
  const report = (code: TraceProblemCode, args: Record<string, string | number>) => {
    if (problems.length < limit) problems.push(diagnostic(code, args));
  };
  checkColumns(trace, report);
  if (problems.length > 0) return problems;
  checkFrames(trace, report);
  checkBlocks(trace, report);
  checkSaved(trace, report);
  if (problems.length > 0) return problems;
  checkTotals(trace, report);
  checkOverlap(trace, report);
  return problems;
}

type Report = (code: TraceProblemCode, args: Record<string, string | number>) => void;

function checkColumns(trace: Trace, report: Report): void {
  const { events } = trace;
  const length = events.kind.length;
  for (const [name, column] of Object.entries(events)) {
    if (column.length !== length)
      report("trace_column_length", { column: name, length: column.length, expected: length });
  }
  const within = (column: ArrayLike<number>, name: string, low: number, high: number) => {
    for (let event = 0; event < length; event++) {
      const value = column[event]!;
      if (!(value >= low && value < high)) report("trace_bad_index", { column: name, event, value });
    }
  };
  within(events.kind, "kind", 0, EVENT_KINDS.length);
  within(events.block, "block", -1, trace.blocks.length);
  within(events.frame, "frame", -1, trace.frames.length);
  within(events.op, "op", -1, trace.ops.length);
  within(events.module, "module", -1, trace.modules.length);
  within(events.phase, "phase", 0, PHASES.length);
  for (const name of ["address", "bytes", "allocatedBytes", "reservedBytes"] as const) {
    const column = events[name];
    for (let event = 0; event < length; event++) {
      if (!(Number.isSafeInteger(column[event]) && column[event]! >= 0)) {
        report("trace_bad_number", { column: name, event, value: column[event]! });
      }
    }
  }
}

function checkFrames(trace: Trace, report: Report): void {
  trace.frames.forEach((frame, index) => {
    if (!(frame.parent >= -1 && frame.parent < index))
      report("trace_frame_order", { frame: index, parent: frame.parent });
  });
}

function checkBlocks(trace: Trace, report: Report): void {
  const { events } = trace;
  const alloc = KIND.alloc;
  const free = KIND.free_requested;
  trace.blocks.forEach((block, index) => {
    const points = (event: number, kind: number) =>
      event === -1 ||
      (events.kind[event] === kind && events.block[event] === index && events.bytes[event] === block.bytes);
    const inOrder = block.freeEvent === -1 || block.freeEvent > block.allocEvent;
    if (!points(block.allocEvent, alloc) || !points(block.freeEvent, free) || !inOrder) {
      report("trace_block_events", { block: index });
    }
    const known = (value: number, length: number) => value >= -1 && value < length;
    if (
      !known(block.frame, trace.frames.length) ||
      !known(block.op, trace.ops.length) ||
      !known(block.module, trace.modules.length)
    ) {
      report("trace_bad_index", { column: "blocks", event: index, value: block.frame });
    }
    if (!(block.bytes >= block.requestedBytes && block.requestedBytes >= 0) || !CATEGORIES.includes(block.category)) {
      report("trace_bad_number", { column: "blocks", event: index, value: block.bytes });
    }
  });
  for (let event = 0; event < events.kind.length; event++) {
    const kind = events.kind[event];
    if (kind !== alloc && kind !== free) continue;
    const block = trace.blocks[events.block[event]!];
    if (block === undefined || (kind === alloc ? block.allocEvent : block.freeEvent) !== event) {
      report("trace_block_events", { block: events.block[event]! });
    }
  }
}

function checkSaved(trace: Trace, report: Report): void {
  const { names, ...columns } = trace.saved;
  const length = columns.block.length;
  const bounds: Readonly<Record<keyof typeof columns, readonly [low: number, high: number]>> = {
    block: [0, trace.blocks.length],
    node: [0, names.length],
    slot: [0, names.length],
    form: [0, names.length],
    frame: [-1, trace.frames.length],
    module: [-1, trace.modules.length],
    since: [0, trace.events.kind.length + 1],
    until: [-1, trace.events.kind.length + 1],
    endFrame: [-1, trace.frames.length],
    end: [0, SAVED_ENDS.length],
  };
  for (const [name, [low, high]] of Object.entries(bounds) as [keyof typeof columns, readonly [number, number]][]) {
    const column = columns[name];
    if (column.length !== length) {
      report("trace_column_length", { column: `saved.${name}`, length: column.length, expected: length });
      return;
    }
    for (let row = 0; row < length; row++) {
      const value = column[row]!;
      if (!(value >= low && value < high)) report("trace_bad_index", { column: `saved.${name}`, event: row, value });
    }
  }
  for (const { event } of trace.failures) {
    if (EVENT_KINDS[trace.events.kind[event] ?? -1] !== "oom")
      report("trace_bad_index", { column: "failures", event, value: event });
  }
}

function checkTotals(trace: Trace, report: Report): void {
  const { kind, bytes, allocatedBytes, reservedBytes } = trace.events;
  for (let event = 0; event < kind.length; event++) {
    const effect = EFFECT[EVENT_KINDS[kind[event]!]!];
    if (event > 0) {
      const allocated = allocatedBytes[event - 1]! + effect.allocated * bytes[event]!;
      const reserved = reservedBytes[event - 1]! + effect.reserved * bytes[event]!;
      if (allocated !== allocatedBytes[event])
        report("trace_allocated_total", { event, value: allocatedBytes[event]!, expected: allocated });
      if (reserved !== reservedBytes[event])
        report("trace_reserved_total", { event, value: reservedBytes[event]!, expected: reserved });
    }
    // What others recorded may leave segments out; a simulation may not.
    if (trace.source === "simulated" && allocatedBytes[event]! > reservedBytes[event]!)
      report("trace_over_reserved", { event });
  }
}

/** Live blocks must not share an address: they are kept sorted, and a new one is held against its neighbours. */
function checkOverlap(trace: Trace, report: Report): void {
  const { kind, block } = trace.events;
  const alloc = KIND.alloc;
  const free = KIND.free_requested;
  const live: number[] = trace.blocks.flatMap((record, index) => (record.allocEvent === -1 ? [index] : []));
  live.sort((a, b) => trace.blocks[a]!.address - trace.blocks[b]!.address);
  const end = (index: number) => trace.blocks[index]!.address + trace.blocks[index]!.bytes;
  const place = (address: number) => {
    let low = 0;
    let high = live.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (trace.blocks[live[middle]!]!.address < address) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  for (let event = 0; event < kind.length; event++) {
    const index = block[event]!;
    if (kind[event] === alloc) {
      const { address } = trace.blocks[index]!;
      const at = place(address);
      const before = live[at - 1];
      const after = live[at];
      if (before !== undefined && end(before) > address) report("trace_overlap", { block: index, other: before });
      else if (after !== undefined && end(index) > trace.blocks[after]!.address)
        report("trace_overlap", { block: index, other: after });
      live.splice(at, 0, index);
    } else if (kind[event] === free) {
      const at = live.indexOf(index, place(trace.blocks[index]!.address));
      if (at >= 0) live.splice(at, 1);
    }
  }
}
