/** Questions to a `Trace`: what was alive when, what it was for, and where the peaks are. */

import { KIND } from "./codes.ts";
import { CATEGORIES, PHASES, type BlockRecord, type Category, type Phase, type Trace } from "./model.ts";

/** PyTorch's allocator hands out multiples of this. */
const MIN_BLOCK_BYTES = 512;
const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;

/** Indexes of the blocks that are allocated after event `event`. */
export function aliveAt(trace: Trace, event: number): number[] {
  const alive: number[] = [];
  trace.blocks.forEach((block, index) => {
    if (block.allocEvent <= event && (block.freeEvent === -1 || block.freeEvent > event)) alive.push(index);
  });
  return alive;
}

/** The first event after which most bytes are allocated, or -1 in an empty trace. */
export function peakEvent(trace: Trace): number {
  const { allocatedBytes } = trace.events;
  let peak = -1;
  for (let event = 0; event < allocatedBytes.length; event++) {
    if (peak === -1 || allocatedBytes[event]! > allocatedBytes[peak]!) peak = event;
  }
  return peak;
}

/** Highest reserved bytes, 0 in an empty trace. */
export function peakReservedBytes(trace: Trace): number {
  let peakBytes = 0;
  for (const bytes of trace.events.reservedBytes) if (bytes > peakBytes) peakBytes = bytes;
  return peakBytes;
}

/** Allocated bytes before event `event`. */
export function allocatedBefore(trace: Trace, event: number): number {
  const { allocatedBytes, kind, bytes } = trace.events;
  if (event > 0) return allocatedBytes[event - 1]!;
  if (allocatedBytes.length === 0) return 0;
  const sign = kind[0] === ALLOC ? -1 : kind[0] === FREE_REQUESTED ? 1 : 0;
  return allocatedBytes[0]! + sign * bytes[0]!;
}

const RESERVES = new Set([KIND.segment_alloc, KIND.segment_map]);
const RETURNS = new Set([KIND.segment_free, KIND.segment_unmap]);

/** Reserved bytes before event `event`. */
export function reservedBefore(trace: Trace, event: number): number {
  const { reservedBytes, kind, bytes } = trace.events;
  if (event > 0) return reservedBytes[event - 1]!;
  if (reservedBytes.length === 0) return 0;
  const sign = RESERVES.has(kind[0]!) ? -1 : RETURNS.has(kind[0]!) ? 1 : 0;
  return reservedBytes[0]! + sign * bytes[0]!;
}

export type Grouping = "category" | "line" | "op" | "module" | "dtype" | "phase";

/** Bytes and number of blocks that belong together; `key` is null where the trace does not say. */
export interface Share {
  readonly key: string | null;
  readonly bytes: number;
  readonly blocks: number;
}

/** What a block belongs to, or null where the trace does not say. */
export function keyOf(trace: Trace, block: BlockRecord, by: Grouping): string | null {
  switch (by) {
    case "category":
      return block.category;
    case "phase":
      return block.phase;
    case "dtype":
      return block.dtype;
    case "op":
      return trace.ops[block.op] ?? null;
    case "module":
      return trace.modules[block.module] ?? null;
    case "line": {
      const frame = trace.frames[block.frame];
      return frame === undefined ? null : `${frame.file}:${frame.line}`;
    }
  }
}

/** What is allocated after an event, grouped, largest first. */
export function composition(trace: Trace, event: number, by: Grouping): Share[] {
  const groups = new Map<string | null, { bytes: number; blocks: number }>();
  for (const index of aliveAt(trace, event)) {
    const block = trace.blocks[index]!;
    const key = keyOf(trace, block, by);
    const group = groups.get(key) ?? { bytes: 0, blocks: 0 };
    group.bytes += block.bytes;
    group.blocks += 1;
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({ key, ...group })).sort((a, b) => b.bytes - a.bytes);
}

/** Bytes by category after an event, in the order in which reports list them; empty ones left out. */
export function categoriesAt(trace: Trace, event: number): { category: Category; bytes: number; blocks: number }[] {
  const shares = new Map(composition(trace, event, "category").map((share) => [share.key, share]));
  return CATEGORIES.flatMap((category) => {
    const share = shares.get(category);
    return share === undefined ? [] : [{ category, bytes: share.bytes, blocks: share.blocks }];
  });
}

export interface PhasePeak {
  readonly phase: Phase;
  readonly event: number;
  readonly allocatedBytes: number;
}

/** The highest point of each phase in which something was allocated. */
export function phasePeaks(trace: Trace): PhasePeak[] {
  const { allocatedBytes, phase, kind } = trace.events;
  const peaks = PHASES.map(() => -1);
  for (let event = 0; event < allocatedBytes.length; event++) {
    if (kind[event] !== ALLOC) continue;
    const index = phase[event]!;
    if (peaks[index] === -1 || allocatedBytes[event]! > allocatedBytes[peaks[index]!]!) peaks[index] = event;
  }
  return PHASES.flatMap((name, index) => {
    const event = peaks[index]!;
    return event === -1 ? [] : [{ phase: name, event, allocatedBytes: allocatedBytes[event]! }];
  });
}

/** Bytes that a block is charged beyond its request rounded to 512: a remainder that was not split off, or coarser rounding. */
export function remainderBytes(block: BlockRecord): number {
  const roundedBytes = Math.max(1, Math.ceil(block.requestedBytes / MIN_BLOCK_BYTES)) * MIN_BLOCK_BYTES;
  return Math.max(0, block.bytes - roundedBytes);
}

export interface ChargedTotals {
  readonly requestedBytes: number;
  /** Lost to rounding up to 512 bytes. */
  readonly roundingBytes: number;
  /** Remainders that stayed with their blocks. */
  readonly remainderBytes: number;
  readonly remainderBlocks: number;
}

/** How allocated bytes after an event split into what was asked for and what came with it. */
export function chargedTotals(trace: Trace, event: number): ChargedTotals {
  const totals = { requestedBytes: 0, roundingBytes: 0, remainderBytes: 0, remainderBlocks: 0 };
  for (const index of aliveAt(trace, event)) {
    const block = trace.blocks[index]!;
    const remainder = remainderBytes(block);
    totals.requestedBytes += block.requestedBytes;
    totals.remainderBytes += remainder;
    totals.roundingBytes += block.bytes - remainder - block.requestedBytes;
    if (remainder > 0) totals.remainderBlocks += 1;
  }
  return totals;
}
