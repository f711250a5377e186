/** Allocated bytes of another trace as a line over the stack: a record over a prediction, or the other way round. */

import type { Palette } from "../theme/palette.ts";
import { extremeIn, pyramidOf, type Pyramid } from "./pyramid.ts";
import { xOf, yOf, type Scale } from "./plot-geometry.ts";

export interface LaidOver {
  readonly name: string;
  readonly bytes: Float64Array;
  readonly highest: Pyramid;
  readonly peakBytes: number;
  /** Its rows `first` to `end - 1` lie over the events `from` to `to - 1` of the trace that is shown, evenly. */
  readonly first: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

export function laidOver(
  name: string,
  bytes: Float64Array,
  rows: { readonly first: number; readonly end: number },
  events: { readonly from: number; readonly to: number },
): LaidOver {
  const highest = pyramidOf(bytes, 1);
  const peak = extremeIn(highest, bytes, rows.first, rows.end);
  return { name, bytes, highest, peakBytes: peak === -1 ? 0 : bytes[peak]!, ...rows, ...events };
}

/** One step for each pixel, at the most that any of its events had. */
export function drawLaidOver(context: CanvasRenderingContext2D, line: LaidOver, scale: Scale, palette: Palette): void {
  const { bytes, highest, first, end, from, to } = line;
  const { plot, view } = scale;
  const rowsPerEvent = (end - first) / Math.max(1, to - from);
  const left = Math.max(0, Math.floor(xOf(scale, from) - plot.left));
  const right = Math.min(plot.width, Math.ceil(xOf(scale, to) - plot.left));
  const eventsPerPx = (view.to - view.from) / plot.width;
  const rowAt = (px: number): number =>
    Math.min(end, Math.max(first, Math.floor(first + (view.from + px * eventsPerPx - from) * rowsPerEvent)));
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top, plot.width, plot.height);
  context.clip();
  context.beginPath();
  for (let px = left; px < right; px++) {
    const row = rowAt(px);
    const most = extremeIn(highest, bytes, row, Math.max(row + 1, rowAt(px + 1)));
    if (most === -1) continue;
    const y = Math.round(yOf(scale, bytes[most]!)) + 0.5;
    if (px === left) context.moveTo(plot.left + px, y);
    context.lineTo(plot.left + px, y);
    context.lineTo(plot.left + px + 1, y);
  }
  // on the surface and on every colour of the stack
  context.lineJoin = "round";
  context.strokeStyle = palette.surface;
  context.lineWidth = 4.5;
  context.stroke();
  context.strokeStyle = palette.match;
  context.lineWidth = 2;
  context.stroke();
  context.restore();
}
