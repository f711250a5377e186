/**
 * What formulas need of one run: its blocks with names that mean the same in every run of the program, and the highest point
 * between any two allocations of tensors. Much smaller than a trace, because dozens of runs are kept.
 */

import { KIND } from "../trace/codes.ts";
import type { Category, Frame, Trace } from "../trace/model.ts";
import { remainderBytes } from "../trace/queries.ts";

const ALLOC = KIND.alloc;

/** Where a block comes from, as far as it is the same at other sizes. */
export interface Origin {
  readonly file: string | null;
  readonly line: number;
  readonly op: string | null;
  /** Numbers in the path are `*`: how many layers there are may be a symbol. */
  readonly module: string | null;
  readonly dtype: string | null;
  readonly category: Category;
  /** Of scratch memory and workspaces: what it is. */
  readonly note: string | null;
}

/** Gives every origin one number, across runs. */
export class Origins {
  readonly list: Origin[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly paths = new Map<string, number>();

  of(stack: number, origin: Origin): number {
    const { op, module, dtype, category, note } = origin;
    const key = [stack, op, module, dtype, category, note].join("\n");
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.list.push(origin) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }

  /** A number for a call stack: the line and the number of its caller. */
  stack(caller: number, frame: Frame): number {
    const key = `${caller} ${frame.line} ${frame.file} ${frame.name}`;
    let number = this.paths.get(key);
    if (number === undefined) this.paths.set(key, (number = this.paths.size));
    return number;
  }
}

export interface Sample {
  /** Of each block: its {@link Origins} number. */
  readonly origin: Int32Array;
  readonly requestedBytes: Float64Array;
  /** What it counts beyond its request: rounding to 512 and a remainder that was not split off. */
  readonly roundingBytes: Float64Array;
  readonly remainderBytes: Float64Array;
  readonly allocEvent: Int32Array;
  /** Event that gave it back, or the number of events. */
  readonly freeEvent: Int32Array;
  /** Blocks that graph nodes held when they held most, parameters and all. */
  readonly saved: readonly number[];
  /** Of each event: allocated bytes after it, and its block where it is an allocation. */
  readonly allocatedBytes: Float64Array;
  readonly allocated: Int32Array;
  readonly peakEvent: number;
}

const numbersAway = (path: string | undefined): string | null => path?.replaceAll(/(^|\.)\d+(?=\.|$)/g, "$1*") ?? null;

export function sampleOf(trace: Trace, origins: Origins): Sample {
  const { blocks, events, frames } = trace;
  const stacks: number[] = [];
  frames.forEach((frame, index) => {
    const outer = sameLineOutside(frames, index);
    stacks.push(outer >= 0 ? stacks[outer]! : origins.stack(frame.parent < 0 ? -1 : stacks[frame.parent]!, frame));
  });
  const count = events.kind.length;
  let peakEvent = -1;
  const allocated = new Int32Array(count).fill(-1);
  for (let event = 0; event < count; event++) {
    if (events.kind[event] === ALLOC) allocated[event] = events.block[event]!;
    if (peakEvent < 0 || events.allocatedBytes[event]! > events.allocatedBytes[peakEvent]!) peakEvent = event;
  }
  return {
    origin: Int32Array.from(blocks, (block) => {
      const frame = frames[block.frame];
      return origins.of(frame === undefined ? -1 : stacks[block.frame]!, {
        file: frame?.file ?? null,
        line: frame?.line ?? 0,
        op: trace.ops[block.op] ?? null,
        module: numbersAway(trace.modules[block.module]),
        dtype: block.dtype,
        category: block.category,
        note: block.note,
      });
    }),
    requestedBytes: Float64Array.from(blocks, (block) => block.requestedBytes),
    remainderBytes: Float64Array.from(blocks, remainderBytes),
    roundingBytes: Float64Array.from(blocks, (block) => block.bytes - block.requestedBytes - remainderBytes(block)),
    allocEvent: Int32Array.from(blocks, (block) => block.allocEvent),
    freeEvent: Int32Array.from(blocks, (block) => (block.freeEvent < 0 ? count : block.freeEvent)),
    saved: mostSaved(trace),
    allocatedBytes: events.allocatedBytes,
    allocated,
    peakEvent,
  };
}

/** A caller at the same line, or -1: how deep a recursion goes may depend on a size. */
function sameLineOutside(frames: readonly Frame[], index: number): number {
  const { file, line, parent } = frames[index]!;
  let caller = parent;
  while (caller >= 0 && (frames[caller]!.line !== line || frames[caller]!.file !== file))
    caller = frames[caller]!.parent;
  return caller;
}

/** The blocks with a filled slot, at the first moment when they are most bytes together. */
function mostSaved({ saved, blocks }: Trace): number[] {
  const rows = [...saved.block.keys()];
  const starts = rows.toSorted((a, b) => saved.since[a]! - saved.since[b]!);
  const ends = rows.filter((row) => saved.until[row] !== -1).sort((a, b) => saved.until[a]! - saved.until[b]!);
  const slots = new Map<number, number>();
  let held = 0;
  let most = 0;
  let moment = -1;
  const change = (row: number, by: 1 | -1): void => {
    const block = saved.block[row]!;
    const before = slots.get(block) ?? 0;
    slots.set(block, before + by);
    if (before === 0 || before + by === 0) held += by * blocks[block]!.requestedBytes;
  };
  let nextEnd = 0;
  for (const row of starts) {
    const now = saved.since[row]!;
    while (nextEnd < ends.length && saved.until[ends[nextEnd]!]! <= now) change(ends[nextEnd++]!, -1);
    change(row, 1);
    if (held > most) [most, moment] = [held, now];
  }
  const isHeld = (row: number): boolean =>
    saved.since[row]! <= moment && (saved.until[row] === -1 || saved.until[row]! > moment);
  return [...new Set(rows.filter(isHeld).map((row) => saved.block[row]!))].sort((a, b) => a - b);
}
