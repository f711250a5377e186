/** Rows of the block table: which blocks, in which order, under which headings. */

import type { BlockRecord, Trace } from "../../../src/trace/model.ts";
import { keyOf, type Grouping } from "../../../src/trace/queries.ts";
import { placeOf } from "./block-facts.ts";
import type { ChartData } from "./chart-data.ts";
import { countUpTo, forEachLiving, livingBlocks } from "./lives.ts";
import type { EventRange } from "./selection.ts";

export const COLUMNS = ["bytes", "tensor", "category", "line", "op", "module", "from", "until"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Sorting {
  readonly column: Column;
  readonly descending: boolean;
}

export interface BlockRow {
  readonly kind: "block";
  readonly block: number;
}

export interface HeadingRow {
  readonly kind: "heading";
  readonly key: string | null;
  readonly bytes: number;
  readonly blocks: number;
  readonly isOpen: boolean;
}

export type TableRow = BlockRow | HeadingRow;

/** Blocks alive after the event, or at some time in the range. */
export function blocksIn({ lives }: ChartData, event: number, range: EventRange | null): number[] {
  if (range === null) return event < 0 ? [] : livingBlocks(lives, event);
  const found: number[] = [];
  // those that outlive the event before the range, and those born in it
  forEachLiving(lives, 0, countUpTo(lives.from, range.to - 1), range.from - 1, 0, (rank) =>
    found.push(lives.block[rank]!),
  );
  return found;
}

function valueOf(trace: Trace, block: BlockRecord, column: Column): number | string {
  switch (column) {
    case "bytes":
      return block.bytes;
    case "tensor":
      return `${block.dtype ?? ""} ${(block.shape ?? []).join(", ")} ${block.note ?? ""}`;
    case "category":
      return block.category;
    case "line":
      return placeOf(trace, block.frame);
    case "op":
      return trace.ops[block.op] ?? "";
    case "module":
      return trace.modules[block.module] ?? "";
    case "from":
      return block.allocEvent;
    case "until":
      return block.freeEvent === -1 ? Infinity : block.freeEvent;
  }
}

/** Natural order of texts with numbers in them: line 9 before line 21. */
const collator = new Intl.Collator("en", { numeric: true });

/** Sorted copies; blocks that are equal keep the order of their numbers. */
export function sortBlocks(trace: Trace, blocks: readonly number[], { column, descending }: Sorting): number[] {
  const sign = descending ? -1 : 1;
  const values = blocks.map((index) => valueOf(trace, trace.blocks[index]!, column));
  const order = blocks.map((_, place) => place);
  const isText = typeof values[0] === "string";
  if (isText) {
    const ranks = textRanks(values as string[]);
    order.sort((a, b) => sign * (ranks[a]! - ranks[b]!) || blocks[a]! - blocks[b]!);
  } else {
    const numbers = values as number[];
    const compare = (a: number, b: number): number =>
      numbers[a]! < numbers[b]! ? -1 : numbers[a]! > numbers[b]! ? 1 : 0;
    order.sort((a, b) => sign * compare(a, b) || blocks[a]! - blocks[b]!);
  }
  return order.map((place) => blocks[place]!);
}

/** The place of each text among the distinct ones: few texts are compared, not all pairs of rows. */
function textRanks(values: readonly string[]): number[] {
  const distinct = [...new Set(values)].sort(collator.compare);
  const ranks = new Map(distinct.map((value, rank) => [value, rank]));
  return values.map((value) => ranks.get(value)!);
}

/** Headings by bytes, the largest first, each with its blocks below it where it is open. */
export function tableRows(
  trace: Trace,
  sorted: readonly number[],
  by: Grouping | null,
  open: ReadonlySet<string | null>,
): TableRow[] {
  if (by === null) return sorted.map((block) => ({ kind: "block", block }));
  const groups = new Map<string | null, { bytes: number; members: number[] }>();
  for (const index of sorted) {
    const block = trace.blocks[index]!;
    const key = keyOf(trace, block, by);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { bytes: 0, members: [] }));
    group.bytes += block.bytes;
    group.members.push(index);
  }
  return [...groups]
    .sort(([, a], [, b]) => b.bytes - a.bytes)
    .flatMap(([key, { bytes, members }]): TableRow[] => {
      const isOpen = open.has(key);
      const heading: TableRow = { kind: "heading", key, bytes, blocks: members.length, isOpen };
      return isOpen ? [heading, ...members.map((block): TableRow => ({ kind: "block", block }))] : [heading];
    });
}
