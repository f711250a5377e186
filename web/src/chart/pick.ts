/** What lies at a point of the picture, and where a block lies in it. */

import type { Cells } from "./cells.ts";

export interface Picked {
  readonly cell: number;
  /** The event after which the stack of this cell is shown. */
  readonly event: number;
  /** Index into the trace's blocks, or -1 for the band of a group's small blocks. */
  readonly block: number;
  readonly group: number;
  readonly bottomBytes: number;
  readonly topBytes: number;
}

/** The cell at a pixel, or -1. */
export function cellAt({ left, right, count }: Cells, x: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (right[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low < count && left[low]! <= x ? low : -1;
}

/** What lies at pixel `x` and at a height of `bytes` over zero; null above the stack and beside the cells. */
export function pickAt(cells: Cells, x: number, bytes: number): Picked | null {
  const cell = cellAt(cells, x);
  if (cell === -1 || bytes < 0) return null;
  const { start, spanTop } = cells;
  const begin = start[cell]!;
  const end = start[cell + 1]!;
  let low = begin;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spanTop[middle]! <= bytes) low = middle + 1;
    else high = middle;
  }
  if (low === end) return null;
  return {
    cell,
    event: cells.at[cell]!,
    block: cells.spanBlock[low]!,
    group: cells.spanGroup[low]!,
    bottomBytes: low === begin ? 0 : spanTop[low - 1]!,
    topBytes: spanTop[low]!,
  };
}

/** A stretch of cells in which a block lies still. */
export interface Stretch {
  readonly left: number;
  right: number;
  readonly bottomBytes: number;
  readonly topBytes: number;
}

/** Where a block lies, from left to right; empty where it is part of a band or out of the picture. */
export function placesOf(cells: Cells, block: number): Stretch[] {
  const stretches: Stretch[] = [];
  const { count, start, spanBlock, spanTop, left, right } = cells;
  for (let cell = 0; cell < count; cell++) {
    for (let span = start[cell]!; span < start[cell + 1]!; span++) {
      if (spanBlock[span] !== block) continue;
      const bottomBytes = span === start[cell] ? 0 : spanTop[span - 1]!;
      const last = stretches.at(-1);
      if (last !== undefined && last.right === left[cell] && last.bottomBytes === bottomBytes)
        last.right = right[cell]!;
      else stretches.push({ left: left[cell]!, right: right[cell]!, bottomBytes, topBytes: spanTop[span]! });
    }
  }
  return stretches;
}
