/**
 * What a forward keeps for backward, at the moment when most is kept: each tensor with the slots that hold it, and what was made
 * on the way and not kept. Memory that two slots share counts once.
 */

import { deathOf, savedByBlock, type Death } from "../trace/lifetime.ts";
import { PHASE } from "../trace/codes.ts";
import { SAVED_ENDS, type BlockRecord, type SavedEnd, type Trace } from "../trace/model.ts";

const BACKWARD = PHASE.backward;

/** A slot of a graph node that holds a tensor. */
export interface SavedOwner {
  /** `SoftmaxBackward0`. */
  readonly node: string;
  /** What the node's formula calls the tensor: `result`. */
  readonly slot: string;
  /** Shape and dtype of the tensor in the slot, which may be a view: `64x8x32x32 float32`. */
  readonly form: string;
  /** Index into the trace's frames of the line that recorded the node, or -1. */
  readonly frame: number;
  /** Path of the module, or null. */
  readonly module: string | null;
  /** How the slot let go in this run; `kept`: it never did. */
  readonly end: SavedEnd;
  /** Index into the trace's frames of the line at which it did, or -1. */
  readonly endFrame: number;
}

export interface SavedRow {
  /** Index into the trace's blocks. */
  readonly index: number;
  readonly block: BlockRecord;
  readonly owners: readonly SavedOwner[];
}

/** Something made during the forward that no slot holds. */
export interface ReleasedRow {
  readonly index: number;
  readonly block: BlockRecord;
  /** How many of the same line, operator and size. */
  readonly count: number;
  /** How it went; `end` for what is still alive at the moment of the table. */
  readonly death: Death;
}

export interface SavedTable {
  /** The event after which most is saved. */
  readonly event: number;
  /** Blocks that live for backward only, in the order of their making. */
  readonly kept: readonly SavedRow[];
  readonly keptBytes: number;
  /** Saved too, but there anyway: parameters, inputs, buffers. */
  readonly there: readonly SavedRow[];
  readonly thereBytes: number;
  /** Made since the first of these slots was filled, and alive without a slot: results, mostly. */
  readonly unsaved: readonly ReleasedRow[];
  /** Made since then and given back before the moment of the table. */
  readonly released: readonly ReleasedRow[];
}

/** The table, or null when nothing was saved for backward. */
export function savedTable(trace: Trace): SavedTable | null {
  const event = fullestEvent(trace);
  if (event === -1) return null;
  const { saved, blocks } = trace;
  const rowsOf = savedByBlock(trace);
  const holds = (row: number) =>
    saved.since[row]! <= event + 1 && (saved.until[row] === -1 || saved.until[row]! > event);
  const rows: SavedRow[] = [];
  let first = event;
  for (const [index, all] of rowsOf) {
    const block = blocks[index]!;
    if (block.freeEvent !== -1 && block.freeEvent <= event) continue;
    const held = all.filter(holds);
    if (held.length === 0) continue;
    for (const row of held) first = Math.min(first, saved.since[row]!);
    rows.push({ index, block, owners: held.map((row) => ownerOf(trace, row)) });
  }
  rows.sort((a, b) => a.index - b.index);
  const isKept = ({ block }: SavedRow) => block.category === "activation";
  const bytesOf = (some: readonly SavedRow[]) => some.reduce((sum, { block }) => sum + block.bytes, 0);
  const kept = rows.filter(isKept);
  const there = rows.filter((row) => !isKept(row));
  const start = startOfOp(trace, first);
  const others = new Set(rows.map(({ index }) => index));
  const made = blocks.flatMap((block, index) =>
    block.allocEvent >= start && block.allocEvent <= event && !others.has(index) ? [index] : [],
  );
  const isAlive = (index: number) => blocks[index]!.freeEvent === -1 || blocks[index]!.freeEvent > event;
  const grouped = (some: readonly number[]) => group(trace, some, rowsOf);
  return {
    event,
    kept,
    keptBytes: bytesOf(kept),
    there,
    thereBytes: bytesOf(there),
    unsaved: grouped(made.filter(isAlive)),
    released: grouped(made.filter((index) => !isAlive(index))),
  };
}

/**
 * The last event at which the blocks with a filled slot hold most bytes, before backward begins to let go, or -1. Parameters and
 * inputs count as well as others.
 */
function fullestEvent(trace: Trace): number {
  const { saved, blocks, events } = trace;
  const count = saved.block.length;
  if (count === 0) return -1;
  const ends = Array.from({ length: count }, (_, row) => row)
    .filter((row) => saved.until[row] !== -1)
    .sort((a, b) => saved.until[a]! - saved.until[b]!);
  const starts = Array.from({ length: count }, (_, row) => row).sort((a, b) => saved.since[a]! - saved.since[b]!);
  const slots = new Map<number, number>();
  let bytes = 0;
  let best = 0;
  let fullest = -1;
  const change = (row: number, by: 1 | -1): void => {
    const block = saved.block[row]!;
    const before = slots.get(block) ?? 0;
    slots.set(block, before + by);
    if (before === 0 || before + by === 0) bytes += by * blocks[block]!.bytes;
  };
  let nextEnd = 0;
  for (let at = 0; at < count;) {
    const since = saved.since[starts[at]!]!;
    while (nextEnd < ends.length && saved.until[ends[nextEnd]!]! <= since) change(ends[nextEnd++]!, -1);
    while (at < count && saved.since[starts[at]!] === since) change(starts[at++]!, 1);
    if (bytes > best) {
      best = bytes;
      fullest = since;
    }
  }
  if (fullest === -1) return -1;
  let last = events.kind.length;
  for (const row of ends) {
    if (saved.since[row]! <= fullest && saved.until[row]! > fullest) last = Math.min(last, saved.until[row]!);
  }
  last -= 1;
  while (last >= fullest && last > 0 && events.phase[last] === BACKWARD) last -= 1;
  return Math.max(last, fullest - 1, 0);
}

function ownerOf(trace: Trace, row: number): SavedOwner {
  const { saved } = trace;
  return {
    node: saved.names[saved.node[row]!]!,
    slot: saved.names[saved.slot[row]!]!,
    form: saved.names[saved.form[row]!]!,
    frame: saved.frame[row]!,
    module: trace.modules[saved.module[row]!] ?? null,
    end: SAVED_ENDS[saved.end[row]!]!,
    endFrame: saved.endFrame[row]!,
  };
}

/** The first event of the operator call that filled a slot at event `since`. */
function startOfOp(trace: Trace, since: number): number {
  const { op, frame } = trace.events;
  let start = Math.max(since - 1, 0);
  while (start > 0 && op[start - 1] === op[start] && frame[start - 1] === frame[start]) start -= 1;
  return start;
}

/** Blocks of the same line, operator, size and fate as one row, in the order of the first. */
function group(
  trace: Trace,
  indexes: readonly number[],
  rowsOf: ReadonlyMap<number, readonly number[]>,
): ReleasedRow[] {
  const groups = new Map<string, { index: number; block: BlockRecord; count: number; death: Death }>();
  for (const index of indexes) {
    const block = trace.blocks[index]!;
    const death = deathOf(trace, index, rowsOf.get(index));
    const key = [block.frame, block.op, block.bytes, block.note, death.kind, death.frame].join(" ");
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { index, block, count: 1, death });
    else known.count += 1;
  }
  return [...groups.values()];
}
