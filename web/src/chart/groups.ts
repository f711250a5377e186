/** Blocks by what they are coloured by, and the bytes of each group after any event. */

import { KIND } from "../../../src/trace/codes.ts";
import { CATEGORIES, PHASES, type Trace } from "../../../src/trace/model.ts";
import type { Grouping } from "../../../src/trace/queries.ts";
import type { Lives } from "./lives.ts";

const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;
/** Totals are kept once in so many events and followed from there. */
const EVERY = 32;
/** Groups with a colour of their own; the smaller rest shares one. */
const MOST_GROUPS = 8;

export interface Group {
  /** As in {@link Grouping}: a category, `aten::mm`, `train.py:21`; null where the trace does not say. */
  readonly key: string | null;
  /** `rest` stands for `keys` smaller groups together. */
  readonly kind: "one" | "rest" | "unnamed";
  readonly keys: number;
  /** Index into the palette's sequence. */
  readonly colour: number;
  readonly blocks: number;
  /** The most that it ever had. */
  readonly mostBytes: number;
}

export interface Groups {
  readonly by: Grouping;
  /** From the bottom of the stack. */
  readonly list: readonly Group[];
  /** Place in {@link list}, by block. */
  readonly ofBlock: Uint8Array;
  /** Place in {@link list} of bytes that no block record accounts for. */
  readonly unnamed: number;
  /** Totals before event `i * EVERY`, group after group. */
  readonly sums: Float64Array;
}

interface Keys {
  readonly names: (string | null)[];
  readonly ofBlock: Int32Array;
}

/** Key 0 is "the trace does not say". */
function keysOf(trace: Trace, by: Grouping): Keys {
  const names: (string | null)[] = [null];
  const indices = new Map<string | null, number>([[null, 0]]);
  const place = (name: string | null): number => {
    let known = indices.get(name);
    if (known === undefined) indices.set(name, (known = names.push(name) - 1));
    return known;
  };
  const { blocks } = trace;
  const ofBlock = new Int32Array(blocks.length);
  const fill = (tables: Int32Array | null, at: (index: number) => number | string | null): void => {
    for (let index = 0; index < blocks.length; index++) {
      const value = at(index);
      ofBlock[index] = typeof value === "number" ? (tables![value] ?? 0) : place(value);
    }
  };
  const table = (texts: readonly string[]): Int32Array => Int32Array.from(texts, place);
  switch (by) {
    case "category":
      for (const category of CATEGORIES) place(category);
      fill(null, (index) => blocks[index]!.category);
      break;
    case "phase":
      for (const phase of PHASES) place(phase);
      fill(null, (index) => blocks[index]!.phase);
      break;
    case "dtype":
      fill(null, (index) => blocks[index]!.dtype);
      break;
    case "op":
      fill(table(trace.ops), (index) => blocks[index]!.op);
      break;
    case "module":
      fill(table(trace.modules), (index) => blocks[index]!.module);
      break;
    case "line":
      fill(table(trace.frames.map(({ file, line }) => `${file}:${line}`)), (index) => blocks[index]!.frame);
      break;
  }
  return { names, ofBlock };
}

/** Bytes of each key before the first event. */
function startBytes(trace: Trace, lives: Lives, keys: Keys): Float64Array {
  const start = new Float64Array(keys.names.length);
  let known = 0;
  for (let rank = 0; rank < lives.from.length && lives.from[rank] === -1; rank++) {
    start[keys.ofBlock[lives.block[rank]!]!]! += lives.bytes[rank]!;
    known += lives.bytes[rank]!;
  }
  const { kind, bytes, allocatedBytes } = trace.events;
  if (kind.length > 0) {
    const change = kind[0] === ALLOC ? bytes[0]! : kind[0] === FREE_REQUESTED ? -bytes[0]! : 0;
    // a recording that began late may count memory of which it has no block
    start[0]! += Math.max(0, allocatedBytes[0]! - change - known);
  }
  return start;
}

export function groupsOf(trace: Trace, lives: Lives, by: Grouping): Groups {
  const keys = keysOf(trace, by);
  const { kind, block, bytes } = trace.events;
  const current = startBytes(trace, lives, keys);
  const start = current.slice();
  const most = current.slice();
  for (let event = 0; event < kind.length; event++) {
    if (kind[event] !== ALLOC && kind[event] !== FREE_REQUESTED) continue;
    const key = block[event] === -1 ? 0 : keys.ofBlock[block[event]!]!;
    if (kind[event] === ALLOC) {
      current[key]! += bytes[event]!;
      if (current[key]! > most[key]!) most[key] = current[key]!;
    } else current[key]! -= bytes[event]!;
  }
  const counts = new Int32Array(keys.names.length);
  for (const key of keys.ofBlock) counts[key]! += 1;

  const { list, groupOfKey, unnamed } = arrange(keys.names, most, counts, by);
  const ofBlock = new Uint8Array(trace.blocks.length);
  for (let index = 0; index < ofBlock.length; index++) ofBlock[index] = groupOfKey[keys.ofBlock[index]!]!;

  const width = list.length;
  const sums = new Float64Array((Math.floor(kind.length / EVERY) + 1) * width);
  const totals = new Float64Array(width);
  start.forEach((startBytes, key) => (totals[groupOfKey[key]!]! += startBytes));
  for (let event = 0; event <= kind.length; event++) {
    if (event % EVERY === 0) sums.set(totals, (event / EVERY) * width);
    if (event < kind.length) step(trace, ofBlock, unnamed, event, totals);
  }
  return { by, list, ofBlock, unnamed, sums };
}

function arrange(names: readonly (string | null)[], most: Float64Array, counts: Int32Array, by: Grouping) {
  const used = names.flatMap((_, key) => (key > 0 && counts[key]! > 0 ? [key] : []));
  const isFixed = by === "category" || by === "phase";
  // in a fixed order place tells what something is; otherwise the largest lie at the bottom
  if (!isFixed) used.sort((a, b) => most[b]! - most[a]! || a - b);
  const own = isFixed ? used : used.slice(0, MOST_GROUPS);
  const rest = used.slice(own.length);
  const groupOfKey = new Uint8Array(names.length);
  const list: Group[] = own.map((key, place) => {
    groupOfKey[key] = place;
    const colour = isFixed ? key - 1 : place;
    return { key: names[key]!, kind: "one", keys: 1, colour, blocks: counts[key]!, mostBytes: most[key]! };
  });
  const sum = (values: Float64Array | Int32Array) => rest.reduce((total, key) => total + values[key]!, 0);
  if (rest.length > 0) {
    for (const key of rest) groupOfKey[key] = list.length;
    list.push({ key: null, kind: "rest", keys: rest.length, colour: 8, blocks: sum(counts), mostBytes: sum(most) });
  }
  const unnamed = list.length;
  list.push({ key: null, kind: "unnamed", keys: 1, colour: 9, blocks: counts[0]!, mostBytes: most[0]! });
  groupOfKey[0] = unnamed;
  return { list, groupOfKey, unnamed };
}

function step(trace: Trace, ofBlock: Uint8Array, unnamed: number, event: number, totals: Float64Array): void {
  const { kind, block, bytes } = trace.events;
  const sign = kind[event] === ALLOC ? 1 : kind[event] === FREE_REQUESTED ? -1 : 0;
  if (sign === 0) return;
  totals[block[event] === -1 ? unnamed : ofBlock[block[event]!]!]! += sign * bytes[event]!;
}

/** Bytes of each group after event `event` (-1: before the first), into `totals`. */
export function totalsAfter(trace: Trace, groups: Groups, event: number, totals: Float64Array): void {
  const width = groups.list.length;
  const first = Math.floor((event + 1) / EVERY);
  for (let group = 0; group < width; group++) totals[group] = groups.sums[first * width + group]!;
  for (let at = first * EVERY; at <= event; at++) step(trace, groups.ofBlock, groups.unnamed, at, totals);
}
