/** Where the parts of the plot lie, in CSS pixels, and how events and bytes become places. */

import type { View } from "./picture.ts";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlotGeometry {
  /** The stack. */
  readonly plot: Box;
  /** Whether labels of heights stand inside the plot, for want of room beside it. */
  readonly isNarrow: boolean;
  readonly phaseTop: number;
  readonly phaseHeight: number;
  readonly axisTop: number;
}

const NARROW = 560;
const FLAGS = 26;
const PHASES = 16;
const AXIS = 24;

export function plotGeometry(width: number, height: number): PlotGeometry {
  const isNarrow = width < NARROW;
  const left = isNarrow ? 0 : 68;
  const right = isNarrow ? 0 : 10;
  const plot: Box = {
    left,
    top: FLAGS,
    width: Math.max(1, Math.floor(width - left - right)),
    height: Math.max(1, Math.floor(height - FLAGS - PHASES - AXIS)),
  };
  const phaseTop = plot.top + plot.height + 3;
  return { plot, isNarrow, phaseTop, phaseHeight: PHASES - 3, axisTop: plot.top + plot.height + PHASES };
}

export interface Scale {
  readonly view: View;
  readonly plot: Box;
  /** Bytes at the lower and the upper edge. */
  readonly lowBytes: number;
  readonly highBytes: number;
}

export const xOf = ({ view, plot }: Scale, event: number): number =>
  plot.left + ((event - view.from) / (view.to - view.from)) * plot.width;

export const yOf = ({ plot, lowBytes, highBytes }: Scale, bytes: number): number =>
  plot.top + plot.height * (1 - (bytes - lowBytes) / (highBytes - lowBytes));

export const eventAt = ({ view, plot }: Scale, x: number): number =>
  view.from + ((x - plot.left) / plot.width) * (view.to - view.from);

export const bytesAt = ({ plot, lowBytes, highBytes }: Scale, y: number): number =>
  lowBytes + ((plot.top + plot.height - y) / plot.height) * (highBytes - lowBytes);
