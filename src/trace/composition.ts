/** What allocated bytes consist of at an event: shares by category, module, line, op and dtype, and the largest blocks. */

import { type BlockRecord, type Trace } from "./model.ts";
import { allocatedBefore, remainderBytes, type Grouping, type Share } from "./queries.ts";

/** Shares of everything that is allocated after an event. Shares, remainders and what no block accounts for add up to the total. */
export interface Composition {
  readonly event: number;
  readonly allocatedBytes: number;
  readonly blocks: number;
  /** Blocks without their unsplit remainders, by what was asked for; largest first. */
  readonly shares: readonly Share[];
  /** Remainders that stayed with their blocks because they were too small to split off. */
  readonly remainderBytes: number;
  readonly remainderBlocks: number;
  /** Allocated before recording began, and known by its total only. */
  readonly unlistedBytes: number;
}

/** Calls `visit` for each block that is allocated after event `event`. */
export function forEachAlive(trace: Trace, event: number, visit: (block: BlockRecord, index: number) => void): void {
  const { blocks } = trace;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    if (block.allocEvent <= event && (block.freeEvent === -1 || block.freeEvent > event)) visit(block, index);
  }
}

/** A number or word that tells groups apart without building a name for each block. */
function groupOf(block: BlockRecord, by: Grouping): string | number | null {
  return by === "line" ? block.frame : block[by];
}

function nameOf(trace: Trace, group: string | number | null, by: Grouping): string | null {
  if (typeof group !== "number") return group;
  if (by === "op") return trace.ops[group] ?? null;
  if (by === "module") return trace.modules[group] ?? null;
  const frame = trace.frames[group];
  return frame === undefined ? null : `${frame.file}:${frame.line}`;
}

/** Allocated bytes after an event by one property of the blocks. */
export function compositionAt(trace: Trace, event: number, by: Grouping): Composition {
  const groups = new Map<string | number | null, { bytes: number; blocks: number }>();
  const totals = { bytes: 0, blocks: 0, remainderBytes: 0, remainderBlocks: 0 };
  forEachAlive(trace, event, (block) => {
    const remainder = remainderBytes(block);
    const key = groupOf(block, by);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { bytes: 0, blocks: 0 }));
    group.bytes += block.bytes - remainder;
    group.blocks += 1;
    totals.bytes += block.bytes;
    totals.blocks += 1;
    totals.remainderBytes += remainder;
    if (remainder > 0) totals.remainderBlocks += 1;
  });
  // lines that several call stacks share are one share
  const shares = new Map<string | null, { bytes: number; blocks: number }>();
  for (const [key, group] of groups) {
    const name = nameOf(trace, key, by);
    const share = shares.get(name);
    if (share === undefined) shares.set(name, group);
    else {
      share.bytes += group.bytes;
      share.blocks += group.blocks;
    }
  }
  const allocatedBytes = event < 0 ? allocatedBefore(trace, 0) : (trace.events.allocatedBytes[event] ?? 0);
  return {
    event,
    allocatedBytes,
    blocks: totals.blocks,
    shares: [...shares].map(([key, share]) => ({ key, ...share })).sort((a, b) => b.bytes - a.bytes),
    remainderBytes: totals.remainderBytes,
    remainderBlocks: totals.remainderBlocks,
    unlistedBytes: allocatedBytes - totals.bytes,
  };
}

/** Indexes of the largest blocks that are allocated after an event, largest first; of equal ones the oldest first. */
export function largestAt(trace: Trace, event: number, most: number): number[] {
  const alive: number[] = [];
  forEachAlive(trace, event, (_, index) => alive.push(index));
  const { blocks } = trace;
  return alive.sort((a, b) => blocks[b]!.bytes - blocks[a]!.bytes || a - b).slice(0, most);
}
