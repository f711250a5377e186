/**
 * What to draw for a range of events at a width: cells from left to right, each with the stack at one moment.
 *
 * Where a column of pixels covers many events, its cell shows the moment at which most is allocated, so no peak is lost; where an
 * event is wider than a pixel, its cell is. Within a group, blocks lie on each other in the order of allocation and sink when one
 * below is freed; those below {@link CellsRequest.leastBytes} are one band on top of their group. The heights of a cell add up to
 * the allocated bytes of its moment.
 */

import type { ChartData } from "./chart-data.ts";
import { totalsAfter } from "./groups.ts";
import { aliveCount, countUpTo, forEachLiving } from "./lives.ts";
import { extremeIn } from "./pyramid.ts";

export interface CellsRequest {
  /** Events, perhaps fractions of one; within 0 and the number of events. */
  readonly from: number;
  readonly to: number;
  /** Whole pixels. */
  readonly widthPx: number;
  /** Smaller blocks are drawn together. `Infinity`: groups only. */
  readonly leastBytes: number;
  /** Heights that are in sight; blocks below and above are drawn together. Default all. */
  readonly lowBytes?: number;
  readonly highBytes?: number;
}

/** Columns by cell, and by span: cell `i` has the spans `start[i]` to `start[i + 1] - 1`, from the bottom up. */
export interface Cells {
  readonly request: CellsRequest;
  readonly count: number;
  /** Pixels, the right one excluded. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Events that the cell covers, the last one excluded. */
  readonly first: Int32Array;
  readonly end: Int32Array;
  /** The event after which the stack is shown. */
  readonly at: Int32Array;
  /** The most that was reserved in it. */
  readonly reservedBytes: Float64Array;
  readonly start: Int32Array;
  /** Index into the trace's blocks, or -1 for the band of a group's small blocks. */
  readonly spanBlock: Int32Array;
  readonly spanGroup: Uint8Array;
  /** Height of the upper edge over zero, in bytes. */
  readonly spanTop: Float64Array;
  /** 1 where a block's first cell begins with its birth, so that a line may stand there. */
  readonly spanStarts: Uint8Array;
  /** Blocks that are large enough for a span of their own. */
  readonly drawnBlocks: number;
  /** Blocks that lived in the range and are part of a band, or lived between two moments. */
  readonly mergedBlocks: number;
}

/** Room for spans that grows and is used again for the next picture. */
export class SpanRoom {
  block = new Int32Array(4096);
  group = new Uint8Array(4096);
  top = new Float64Array(4096);
  starts = new Uint8Array(4096);

  /** Makes room for at least `length` spans, keeping what is there. */
  ensure(length: number): void {
    if (length <= this.block.length) return;
    const grown = Math.max(length, this.block.length * 2);
    const { block, group, top, starts } = this;
    this.block = new Int32Array(grown);
    this.group = new Uint8Array(grown);
    this.top = new Float64Array(grown);
    this.starts = new Uint8Array(grown);
    this.block.set(block);
    this.group.set(group);
    this.top.set(top);
    this.starts.set(starts);
  }
}

const NONE: readonly number[] = [];

function push(room: SpanRoom, at: number, block: number, group: number, top: number, starts: number): number {
  room.block[at] = block;
  room.group[at] = group;
  room.top[at] = top;
  room.starts[at] = starts;
  return at + 1;
}

interface Edges {
  readonly count: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly first: Int32Array;
  readonly end: Int32Array;
}

/** Cells' edges: a column of pixels each, or an event each where events are wider. */
function edgesOf({ from, to, widthPx }: CellsRequest, events: number): Edges {
  const perPx = (to - from) / widthPx;
  const wide = perPx < 1;
  const firstEvent = Math.max(0, Math.floor(from));
  const lastEvent = Math.min(events, Math.ceil(to));
  const room = wide ? Math.max(0, lastEvent - firstEvent) : widthPx;
  const left = new Int32Array(room);
  const right = new Int32Array(room);
  const first = new Int32Array(room);
  const end = new Int32Array(room);
  let count = 0;
  if (wide) {
    for (let event = firstEvent; event < lastEvent; event++) {
      const x0 = Math.max(0, Math.round((event - from) / perPx));
      const x1 = Math.min(widthPx, Math.round((event + 1 - from) / perPx));
      if (x1 <= x0) continue;
      left[count] = x0;
      right[count] = x1;
      first[count] = event;
      end[count++] = event + 1;
    }
    return { count, left, right, first, end };
  }
  // columns start at multiples of their width, so that panning by whole pixels shows the same moments again
  const column = Math.round(from / perPx);
  for (let x = 0, next = Math.floor(column * perPx); x < widthPx; x++) {
    const a = next;
    // a product that is rounded down must not leave a column empty
    next = Math.max(a + 1, Math.floor((column + x + 1) * perPx));
    if (a >= events) break;
    left[count] = x;
    right[count] = x + 1;
    first[count] = a;
    end[count++] = Math.min(events, next);
  }
  return { count, left, right, first, end };
}

export function layoutCells(data: ChartData, request: CellsRequest, room = new SpanRoom()): Cells {
  const { trace, lives, groups, allocated, reserved } = data;
  const { lowBytes = 0, highBytes = Infinity } = request;
  const { allocatedBytes, reservedBytes: reservedColumn } = trace.events;
  const edges = edgesOf(request, data.events);
  const { count, first, end } = edges;
  const at = new Int32Array(count);
  const reservedBytes = new Float64Array(count);
  const start = new Int32Array(count + 1);
  const width = groups.list.length;
  const totals = new Float64Array(width);
  /** Ranks of the large living blocks of each group, in order of birth. */
  const large: number[][] = Array.from({ length: width }, () => []);
  const { until, bytes, block, from: born } = lives;
  // a line at a block's birth costs a pixel: only blocks that are some pixels wide get one
  const wideEvents = Math.max(1, (4 * (request.to - request.from)) / request.widthPx);
  const visit = (rank: number): void => {
    large[groups.ofBlock[block[rank]!]!]!.push(rank);
  };
  let spans = 0;
  let seenRanks = 0;
  let drawnBlocks = 0;
  for (let cell = 0; cell < count; cell++) {
    const moment = extremeIn(allocated, allocatedBytes, first[cell]!, end[cell]!);
    at[cell] = moment;
    reservedBytes[cell] = reservedColumn[extremeIn(reserved, reservedColumn, first[cell]!, end[cell]!)]!;
    start[cell] = spans;
    totalsAfter(trace, groups, moment, totals);
    const newRanks = seenRanks;
    let living = 0;
    for (const list of large) {
      let kept = 0;
      for (const rank of list) if (until[rank]! > moment) list[kept++] = rank;
      list.length = kept;
      living += kept;
    }
    if (request.leastBytes < Infinity) {
      seenRanks = countUpTo(born, moment);
      forEachLiving(lives, newRanks, seenRanks, moment, request.leastBytes, visit);
    }
    let bigs = 0;
    for (const list of large) bigs += list.length;
    drawnBlocks += bigs - living;
    room.ensure(spans + bigs + 2 * width);
    let top = 0;
    for (let group = 0; group < width; group++) {
      const list = large[group]!;
      let bandBytes = totals[group]!;
      const isInSight = top < highBytes && top + bandBytes > lowBytes;
      let hiddenBytes = 0;
      for (const rank of isInSight ? list : NONE) {
        if (top >= highBytes) break;
        top += bytes[rank]!;
        if (top <= lowBytes) {
          hiddenBytes += bytes[rank]!;
          continue;
        }
        if (hiddenBytes > 0) {
          spans = push(room, spans, -1, group, top - bytes[rank]!, 0);
          bandBytes -= hiddenBytes;
          hiddenBytes = 0;
        }
        bandBytes -= bytes[rank]!;
        const isNew = rank >= newRanks && born[rank]! >= first[cell]!;
        const starts = isNew && until[rank]! - born[rank]! >= wideEvents ? 1 : 0;
        spans = push(room, spans, block[rank]!, group, top, starts);
      }
      if (bandBytes > 0) {
        top += bandBytes - hiddenBytes;
        spans = push(room, spans, -1, group, top, 0);
      }
    }
  }
  start[count] = spans;
  return {
    request,
    ...edges,
    at,
    reservedBytes,
    start,
    spanBlock: room.block,
    spanGroup: room.group,
    spanTop: room.top,
    spanStarts: room.starts,
    drawnBlocks,
    mergedBlocks: Math.max(0, livedIn(data, edges) - drawnBlocks),
  };
}

/** Blocks that lived in some event of the cells. */
function livedIn({ lives }: ChartData, { count, first, end }: Edges): number {
  if (count === 0) return 0;
  const last = end[count - 1]! - 1;
  return aliveCount(lives, first[0]!) + countUpTo(lives.from, last) - countUpTo(lives.from, first[0]!);
}
