/** Draws the plot: the stack as pixels, over it the lines, flags, phases and axes. */

import { PALETTES, type Theme } from "../theme/palette.ts";
import { byteTicks, eventTicks, shortBytes } from "./axis.ts";
import { layoutCells, SpanRoom, type Cells } from "./cells.ts";
import { phaseRuns, type ChartData } from "./chart-data.ts";
import { paintColours } from "./colours.ts";
import { drawLaidOver, type LaidOver } from "./laid-over.ts";
import { paintCells } from "./paint.ts";
import { snapped, topBytes, type Heights, type HeightMode, type View } from "./picture.ts";
import { xOf, yOf, type Box, type PlotGeometry, type Scale } from "./plot-geometry.ts";
import type { Translate } from "./words.ts";

export const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif';

export interface PlotInput {
  readonly data: ChartData;
  readonly view: View;
  readonly heightMode: HeightMode;
  /** Null: from zero up to what the mode says. */
  readonly heights: Heights | null;
  readonly geometry: PlotGeometry;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  readonly theme: Theme;
  readonly patterns: boolean;
  readonly found: Uint8Array | null;
  readonly onlyGroup: number;
  readonly laidOver?: LaidOver | null;
  readonly t: Translate;
}

export interface Drawn {
  readonly scale: Scale;
  readonly ratio: number;
  readonly cells: Cells;
}

/** Memory that pictures are made in, used again for the next. */
export class PlotRoom {
  readonly spans = new SpanRoom();
  #image: ImageData | null = null;

  image(width: number, height: number): ImageData {
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = new ImageData(width, height);
    return this.#image;
  }
}

/** Up to what the mode says, and, where that is the whole trace, to the peak of what is laid over. */
function highestShown({ data, heightMode, laidOver = null }: PlotInput, view: View): number {
  const ownBytes = topBytes(data, heightMode, view);
  return laidOver === null || heightMode === "view" ? ownBytes : Math.max(ownBytes, laidOver.peakBytes * 1.06);
}

export function drawPlot(context: CanvasRenderingContext2D, input: PlotInput, room: PlotRoom): Drawn {
  const { data, geometry, ratio, theme, t } = input;
  const { plot } = geometry;
  const palette = PALETTES[theme];
  const width = Math.max(1, Math.round(plot.width * ratio));
  const height = Math.max(1, Math.round(plot.height * ratio));
  const view = snapped(input.view, width);
  const { low: lowBytes, high: highBytes } = input.heights ?? { low: 0, high: highestShown(input, view) };
  const bytesPerPx = (highBytes - lowBytes) / height;
  // thinner than a CSS pixel: part of its group's band
  const request = { ...view, widthPx: width, leastBytes: bytesPerPx * ratio, lowBytes, highBytes };
  const cells = layoutCells(data, request, room.spans);
  const ticks = byteTicks(lowBytes, highBytes, plot.height / 56);
  const image = room.image(width, height);
  paintCells(new Uint32Array(image.data.buffer), cells, {
    width,
    height,
    lowBytes,
    bytesPerPx,
    gridBytes: ticks.map(({ at }) => at),
    colours: paintColours(data.groups, theme),
    patterns: input.patterns ? data.groups.list.map(({ colour }) => colour) : null,
    stands: input.found,
    onlyGroup: input.onlyGroup,
  });
  const { canvas } = context;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.putImageData(image, Math.round(plot.left * ratio), Math.round(plot.top * ratio));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);

  const scale: Scale = { view, plot, lowBytes, highBytes };
  const pen: Pen = { context, palette, scale, geometry, t };
  drawReserved(pen, cells, ratio);
  if (input.laidOver != null) drawLaidOver(context, input.laidOver, scale, palette);
  drawCapacity(pen, data);
  drawByteAxis(pen, ticks);
  drawPhases(pen, data);
  drawEventAxis(pen, data);
  drawFlags(pen, data);
  return { scale, ratio, cells };
}

interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly palette: (typeof PALETTES)[Theme];
  readonly scale: Scale;
  readonly geometry: PlotGeometry;
  readonly t: Translate;
}

const crisp = (value: number): number => Math.round(value) + 0.5;

/** Text that stays legible over the stack. */
function haloText({ context, palette }: Pen, text: string, x: number, y: number, colour: string): void {
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = palette.surface;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

function clipOf({ left, top, width, height }: Box): Path2D {
  const path = new Path2D();
  path.rect(left, top, width, height);
  return path;
}

function drawReserved({ context, palette, scale }: Pen, cells: Cells, ratio: number): void {
  const { plot } = scale;
  context.beginPath();
  let last = NaN;
  for (let cell = 0; cell < cells.count; cell++) {
    const y = crisp(yOf(scale, cells.reservedBytes[cell]!));
    const x = plot.left + cells.left[cell]! / ratio;
    if (y !== last) {
      if (cell === 0) context.moveTo(x, y);
      else {
        context.lineTo(x, last);
        context.lineTo(x, y);
      }
      last = y;
    }
    if (cell === cells.count - 1) context.lineTo(plot.left + cells.right[cell]! / ratio, y);
  }
  context.save();
  context.clip(clipOf(plot));
  // two strokes instead of one: the line is seen on the surface and on any colour of the stack
  context.lineJoin = "miter";
  context.strokeStyle = palette.surface;
  context.lineWidth = 3;
  context.stroke();
  context.strokeStyle = palette.reserved;
  context.lineWidth = 1.25;
  context.setLineDash([5, 3]);
  context.stroke();
  context.restore();
}

function drawCapacity(pen: Pen, { trace }: ChartData): void {
  const { context, palette, scale, t } = pen;
  const { capacityBytes } = trace;
  if (capacityBytes <= 0) return;
  const { plot } = scale;
  context.font = `11px ${FONT}`;
  context.textAlign = "right";
  context.textBaseline = "alphabetic";
  const right = plot.left + plot.width - 4;
  if (capacityBytes > scale.highBytes) return;
  if (capacityBytes < scale.lowBytes) return;
  const y = crisp(yOf(scale, capacityBytes));
  context.strokeStyle = palette.capacity;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(plot.left, y);
  context.lineTo(plot.left + plot.width, y);
  context.stroke();
  const above = y - plot.top > 16;
  haloText(pen, `${t("capacity")} ${shortBytes(capacityBytes)}`, right, above ? y - 5 : y + 13, palette.capacity);
}

function drawByteAxis(pen: Pen, ticks: readonly { at: number; label: string }[]): void {
  const { context, palette, scale, geometry } = pen;
  const { plot } = scale;
  context.font = `11px ${FONT}`;
  context.textBaseline = geometry.isNarrow ? "alphabetic" : "middle";
  context.textAlign = geometry.isNarrow ? "left" : "right";
  for (const { at, label } of ticks) {
    const y = yOf(scale, at);
    if (geometry.isNarrow) {
      if (at > 0) haloText(pen, label, plot.left + 4, y - 3, palette.soft);
    } else {
      context.fillStyle = palette.soft;
      context.fillText(label, plot.left - 8, Math.min(y, plot.top + plot.height - 4));
    }
  }
}

/** Runs narrower than this are drawn as the phase that most of the place has. */
const NARROW_RUN = 1;

function drawPhases(pen: Pen, data: ChartData): void {
  const { context, palette, scale, geometry, t } = pen;
  const { plot, view } = scale;
  const { phaseTop: top, phaseHeight: height } = geometry;
  const right = plot.left + plot.width;
  context.font = `10px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const perPx = (view.to - view.from) / plot.width;
  const isCrowded = perPx > 4 && phaseRuns(data, view.from, view.to).length > plot.width / 3;
  if (isCrowded) {
    for (let x = 0; x < plot.width; x++) {
      const run = phaseRuns(data, view.from + x * perPx, view.from + x * perPx + 1)[0];
      if (run === undefined) continue;
      context.fillStyle = palette.phase[run.phase];
      context.fillRect(plot.left + x, top, 1, height);
    }
    return;
  }
  for (const { phase, from, to } of phaseRuns(data, view.from, view.to)) {
    const x0 = Math.max(plot.left, xOf(scale, from));
    const x1 = Math.min(right, xOf(scale, to));
    if (x1 - x0 < NARROW_RUN) continue;
    context.fillStyle = palette.phase[phase];
    context.fillRect(x0, top, x1 - x0 - (x1 - x0 > 3 ? 0.5 : 0), height);
    const name = t(`phase_${phase}`);
    if (x1 - x0 > 24 && context.measureText(name).width + 8 < x1 - x0) {
      context.fillStyle = palette.ink;
      context.fillText(name, (x0 + x1) / 2, top + height / 2 + 0.5);
    }
  }
}

function drawEventAxis({ context, palette, scale, geometry, t }: Pen, { events }: ChartData): void {
  const { plot, view } = scale;
  context.font = `11px ${FONT}`;
  context.textBaseline = "middle";
  const y = geometry.axisTop + 12;
  // on a phone the numbers need the room
  const title = t(geometry.isNarrow ? "axis_events_short" : "axis_events");
  const titleWidth = context.measureText(title).width;
  const limit = plot.left + plot.width - titleWidth - 14;
  context.textAlign = "right";
  context.fillStyle = palette.soft;
  context.fillText(title, plot.left + plot.width - (geometry.isNarrow ? 4 : 0), y);
  for (const { at, label } of eventTicks(view.from, Math.min(view.to, events), plot.width / 110)) {
    const x = xOf(scale, at);
    const half = context.measureText(label).width / 2;
    const isAtEdge = x - half < plot.left;
    if ((isAtEdge ? x + 2 * half : x + half) > limit) continue;
    context.textAlign = isAtEdge ? "left" : "center";
    context.fillText(label, isAtEdge ? x + (geometry.isNarrow ? 4 : 0) : x, y);
    context.fillRect(Math.round(x), geometry.axisTop, 1, 3);
  }
}

/** Flags over the plot: the peak, failed requests, named points; labels only where they have room. */
function drawFlags(pen: Pen, data: ChartData): void {
  const { context, palette, scale, t } = pen;
  const { plot, view } = scale;
  const right = plot.left + plot.width;
  const taken: [number, number][] = [];
  context.font = `600 11px ${FONT}`;
  context.textBaseline = "middle";
  const flag = (event: number, label: string, colour: string, isLine: boolean): void => {
    if (event < view.from - 1 || event >= view.to) return;
    const x = Math.min(right - 1, Math.max(plot.left, xOf(scale, event + 0.5)));
    if (isLine) {
      // between two lines of the surface, so that no colour of the stack swallows it
      context.fillStyle = palette.surface;
      context.fillRect(Math.round(x) - 2, plot.top - 8, 4, plot.height + 8);
      context.fillStyle = colour;
      context.fillRect(Math.round(x) - 0.75, plot.top - 8, 1.5, plot.height + 8);
    }
    context.fillStyle = colour;
    const tip = Math.min(right - 4, Math.max(plot.left + 4, x));
    context.beginPath();
    context.moveTo(tip - 4, plot.top - 8);
    context.lineTo(tip + 4, plot.top - 8);
    context.lineTo(tip, plot.top - 2);
    context.fill();
    write(label, [x + 8, x - 8 - context.measureText(label).width]);
  };
  /** At the first of the places that is free. */
  const write = (label: string, places: readonly number[]): void => {
    const width = context.measureText(label).width;
    const isFree = (start: number): boolean =>
      start >= plot.left && start + width <= right && !taken.some(([a, b]) => start < b + 8 && a < start + width + 8);
    const start = places.find(isFree);
    if (start === undefined) return;
    taken.push([start, start + width]);
    context.textAlign = "left";
    context.fillText(label, start, plot.top - 14);
  };
  for (const event of data.ooms) flag(event, t("oom_flag"), palette.oom, true);
  if (data.peak !== -1) flag(data.peak, t("peak_flag", { peakBytes: data.peakAllocatedBytes }), palette.peak, true);
  context.font = `11px ${FONT}`;
  for (const { event, name } of data.marks) flag(event, name, palette.soft, false);
  const { capacityBytes } = data.trace;
  if (capacityBytes > scale.highBytes) {
    const label = t("capacity_above", { capacityBytes });
    context.fillStyle = palette.soft;
    write(label, [right - context.measureText(label).width, plot.left]);
  }
}
