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
  if (mode === "capacity" && capacityBytes > 0) return Math.max(capacityBytes, usedBytes) * 1.04;
  if (mode === "view") {
    const { allocatedBytes } = trace.events;
    const from = Math.max(0, Math.floor(view.from));
    const most = extremeIn(allocated, allocatedBytes, from, Math.min(data.events, Math.ceil(view.to)));
    return Math.max(most === -1 ? 0 : allocatedBytes[most]!, 1) * 1.08;
  }
  const isNear = capacityBytes >= usedBytes && capacityBytes <= usedBytes * NEAR_CAPACITY;
  return (isNear ? capacityBytes : usedBytes) * 1.06;
}
