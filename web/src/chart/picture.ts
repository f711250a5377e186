/** The frame of the picture: which events and which heights are shown, and how they change when one zooms and pans. */

import type { ChartData } from "./chart-data.ts";
import { extremeIn } from "./pyramid.ts";

/** Events, perhaps fractions of one; `to` excluded. */
export interface View {
  readonly from: number;
  readonly to: number;
}

/** `used`: up to the most that was reserved. `view`: up to the most allocated in what is shown. `capacity`: the whole GPU. */
export const HEIGHTS = ["used", "view", "capacity"] as const;
export type HeightMode = (typeof HEIGHTS)[number];

/** So few events fill the width at most. */
const FEWEST_EVENTS = 6;
/** A capacity that is this little above what is used is shown with it. */
const NEAR_CAPACITY = 1.5;

/** Room over the line of the capacity, for its name. */
const NAME_ROOM = 1.1;

export const whole = (events: number): View => ({ from: 0, to: Math.max(1, events) });

/** A view inside the trace: as wide as asked where possible, moved in where it stuck out. */
export function within(view: View, events: number): View {
  const all = Math.max(1, events);
  const size = Math.min(all, Math.max(Math.min(FEWEST_EVENTS, all), view.to - view.from));
  const middle = (view.from + view.to) / 2;
  const from = Math.min(all - size, Math.max(0, view.to - view.from === size ? view.from : middle - size / 2));
  return { from, to: from + size };
}

/** @param share place that stays where it is: 0 is the left edge, 1 the right one */
export function zoomed(view: View, factor: number, share: number, events: number): View {
  const size = view.to - view.from;
  const next = Math.min(Math.max(1, events), Math.max(Math.min(FEWEST_EVENTS, events), size * factor));
  const fixed = view.from + size * share;
  return within({ from: fixed - next * share, to: fixed + next * (1 - share) }, events);
}

/** @param widths how far, in widths of the view */
export function panned(view: View, widths: number, events: number): View {
  const by = (view.to - view.from) * widths;
  return within({ from: view.from + by, to: view.to + by }, events);
}

/** A view that holds the range with some room around it. */
export function around(range: View, events: number): View {
  const room = Math.max(1, (range.to - range.from) * 0.08);
  return within({ from: range.from - room, to: range.to + room }, events);
}

/** The view itself when it holds the event, otherwise one of the same size with the event in its middle. */
export function revealing(view: View, event: number, events: number): View {
  if (event >= view.from && event + 1 <= view.to) return view;
  const half = (view.to - view.from) / 2;
  return within({ from: event + 0.5 - half, to: event + 0.5 + half }, events);
}

/** A view whose columns of pixels start at multiples of their width, so that panning does not change what a column covers. */
export function snapped(view: View, widthPx: number): View {
  const perPx = (view.to - view.from) / widthPx;
  if (perPx < 1) return view;
  const from = Math.round(view.from / perPx) * perPx;
  return { from, to: from + perPx * widthPx };
}

/** Bytes at the upper edge. */
export function topBytes(data: ChartData, mode: HeightMode, view: View): number {
  const { trace, allocated } = data;
  const usedBytes = Math.max(data.peakReservedBytes, data.peakAllocatedBytes, 1);
  const { capacityBytes } = trace;
  if (mode === "capacity" && capacityBytes > 0) return Math.max(capacityBytes, usedBytes) * NAME_ROOM;
  if (mode === "view") {
    const { allocatedBytes } = trace.events;
    const from = Math.max(0, Math.floor(view.from));
    const most = extremeIn(allocated, allocatedBytes, from, Math.min(data.events, Math.ceil(view.to)));
    return Math.max(most === -1 ? 0 : allocatedBytes[most]!, 1) * 1.08;
  }
  const isNear = capacityBytes >= usedBytes && capacityBytes <= usedBytes * NEAR_CAPACITY;
  return isNear ? capacityBytes * NAME_ROOM : usedBytes * 1.06;
}

/** Heights that are shown, in bytes over zero. */
export interface Heights {
  readonly low: number;
  readonly high: number;
}

/** So much can heights be stretched. */
const MOST_STRETCH = 64;

/** Heights inside 0 to `fullBytes`, or null when they are all of them. */
function heightsWithin(low: number, size: number, fullBytes: number): Heights | null {
  if (size >= fullBytes * 0.999) return null;
  const from = Math.min(fullBytes - size, Math.max(0, low));
  return { low: from, high: from + size };
}

/** @param share height that stays where it is: 0 is the lower edge, 1 the upper one */
export function stretched(heights: Heights | null, factor: number, share: number, fullBytes: number): Heights | null {
  const { low, high } = heights ?? { low: 0, high: fullBytes };
  const size = Math.min(fullBytes, Math.max(fullBytes / MOST_STRETCH, (high - low) * factor));
  return heightsWithin(low + (high - low) * share - size * share, size, fullBytes);
}

/** @param share how far up, in heights of the picture */
export function lifted(heights: Heights | null, share: number, fullBytes: number): Heights | null {
  if (heights === null) return null;
  const size = heights.high - heights.low;
  return heightsWithin(heights.low + size * share, size, fullBytes);
}

/** Heights that hold a part of the stack with some room around it. */
export function heightsAround(lowBytes: number, highBytes: number, fullBytes: number): Heights | null {
  const size = Math.max(fullBytes / MOST_STRETCH, (highBytes - lowBytes) * 1.15);
  return heightsWithin((lowBytes + highBytes - size) / 2, size, fullBytes);
}
