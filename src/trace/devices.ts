/** Which GPU an event belongs to: with unified addressing an address says it. A run's trace is divided by that into one for each GPU. */

import { KIND } from "./codes.ts";
import type { BlockRecord, EventColumns, SavedTensors, Trace } from "./model.ts";

/** Far more than a GPU has. The GPU that a process uses first lies below. */
const ADDRESSES_EACH = 2 ** 44;

export const firstAddressOf = (gpu: number): number => (gpu + 1) * ADDRESSES_EACH;

/** 0 for the GPU that was used first, else the GPU's number and one. */
const placeOf = (address: number): number => Math.floor(address / ADDRESSES_EACH);

export interface GpuTrace {
  /** The GPU's number as the program knows it. */
  readonly gpu: number;
  readonly trace: Trace;
}

/**
 * What happened on each GPU that the process used, the one used first in front.
 *
 * @param firstGpu its number
 */
export function tracesOfGpus(trace: Trace, firstGpu: number): readonly GpuTrace[] {
  const { address } = trace.events;
  const ordinals = new Set([0]);
  for (let event = 0; event < address.length; event++) {
    if (address[event]! >= ADDRESSES_EACH) ordinals.add(placeOf(address[event]!));
  }
  if (ordinals.size === 1) return [{ gpu: firstGpu, trace }];
  return [...ordinals]
    .sort((a, b) => a - b)
    .map((place) => {
      return { gpu: place === 0 ? firstGpu : place - 1, trace: partOf(trace, place) };
    });
}

/** The events of one GPU; names, lines and what was assumed stay common. */
function partOf(trace: Trace, place: number): Trace {
  const { events } = trace;
  const count = events.kind.length;
  const kept: number[] = [];
  /** How many of the events before each belong here. */
  const before = new Int32Array(count + 1);
  for (let event = 0; event < count; event++) {
    const isOurs = events.kind[event] === KIND.mark || placeOf(events.address[event]!) === place;
    if (isOurs) kept.push(event);
    before[event + 1] = kept.length;
  }
  const blockOf = new Map<number, number>();
  for (const event of kept) {
    const block = events.block[event]!;
    if (block >= 0 && !blockOf.has(block)) blockOf.set(block, blockOf.size);
  }
  const at = (event: number): number => (event < 0 ? -1 : before[event]!);
  const blocks = [...blockOf.keys()].map((block): BlockRecord => {
    const known = trace.blocks[block]!;
    return { ...known, allocEvent: at(known.allocEvent), freeEvent: at(known.freeEvent) };
  });
  const marks = Object.entries(trace.marks).map(([event, name]) => [at(Number(event)), name] as const);
  const failures = trace.failures
    .filter(({ event }) => placeOf(events.address[event]!) === place)
    .map((failure) => ({ ...failure, event: at(failure.event) }));
  return {
    ...trace,
    events: eventsOf(events, kept, blockOf),
    blocks,
    marks: Object.fromEntries(marks),
    // what is outside of the allocator was taken on the GPU that is used first
    assumptions: trace.assumptions.filter(({ args }) => place === 0 || !("outsideHighBytes" in args)),
    saved: savedOf(trace.saved, blockOf, at),
    failures,
  };
}

function eventsOf(events: EventColumns, kept: readonly number[], blockOf: ReadonlyMap<number, number>): EventColumns {
  const pick = <C extends Uint8Array | Int32Array | Float64Array>(column: C): C => {
    const picked = new (column.constructor as new (length: number) => C)(kept.length);
    kept.forEach((event, i) => (picked[i] = column[event]!));
    return picked;
  };
  const picked = {
    kind: pick(events.kind),
    block: pick(events.block).map((block) => blockOf.get(block) ?? -1),
    address: pick(events.address),
    bytes: pick(events.bytes),
    allocatedBytes: pick(events.allocatedBytes),
    reservedBytes: pick(events.reservedBytes),
    frame: pick(events.frame),
    op: pick(events.op),
    module: pick(events.module),
    phase: pick(events.phase),
  };
  for (let i = 0; i < kept.length; i++) {
    if (picked.kind[i] === KIND.oom) picked.address[i] = 0;
    if (picked.kind[i] !== KIND.mark) continue;
    // a mark repeats the totals of the event before it, which may have been another GPU's
    picked.allocatedBytes[i] = picked.allocatedBytes[i - 1] ?? 0;
    picked.reservedBytes[i] = picked.reservedBytes[i - 1] ?? 0;
  }
  return picked;
}

function savedOf(
  saved: SavedTensors,
  blockOf: ReadonlyMap<number, number>,
  at: (event: number) => number,
): SavedTensors {
  const rows = [...saved.block.keys()].filter((row) => blockOf.has(saved.block[row]!));
  const ints = (column: Int32Array, change = (value: number): number => value): Int32Array =>
    Int32Array.from(rows, (row) => change(column[row]!));
  return {
    block: ints(saved.block, (block) => blockOf.get(block)!),
    node: ints(saved.node),
    slot: ints(saved.slot),
    form: ints(saved.form),
    frame: ints(saved.frame),
    module: ints(saved.module),
    since: ints(saved.since, at),
    until: ints(saved.until, at),
    endFrame: ints(saved.endFrame),
    end: Uint8Array.from(rows, (row) => saved.end[row]!),
    names: saved.names,
  };
}
