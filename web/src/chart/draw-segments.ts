/** Draws segments with their blocks in the colours of the chart; what is free is hatched. */

import { PALETTES, type Theme } from "../theme/palette.ts";
import type { ChartData } from "./chart-data.ts";
import { groupColour } from "./colours.ts";
import { mixed } from "./paint.ts";
import { isInk } from "./patterns.ts";
import type { PlacedSegment, SegmentRows } from "./segment-rows.ts";

export interface SegmentLook {
  readonly data: ChartData;
  readonly theme: Theme;
  readonly patterns: boolean;
  /** Index of the selected block, or -1. */
  readonly chosen: number;
  /** The block under the pointer, or -1. */
  readonly over: number;
  /** What a search found, by block, or null. */
  readonly found: Uint8Array | null;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** Height of a line and of the segments in it, in CSS pixels. */
export const ROW = 26;
export const BAR = 20;

export function drawSegments(canvas: HTMLCanvasElement, rows: SegmentRows, look: SegmentLook): void {
  const context = canvas.getContext("2d")!;
  const { theme, ratio } = look;
  const palette = PALETTES[theme];
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const height = Math.round(BAR * ratio);
  const unit = Math.max(1, Math.round(ratio));
  for (const one of rows.placed) {
    const x = Math.round(one.left * ratio);
    const y = Math.round((one.row * ROW + 1) * ratio);
    const width = Math.max(2, Math.round(one.width * ratio));
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    hatch(context, x, y, width, height, ratio, palette.cached);
    const outlines = drawPieces(context, one, x, y, width, height, look);
    context.restore();
    context.strokeStyle = palette.soft;
    context.lineWidth = unit;
    context.strokeRect(x + unit / 2, y + unit / 2, width - unit, height - unit);
    for (const { from, to, colour } of outlines) {
      context.strokeStyle = palette.surface;
      context.lineWidth = 5 * unit;
      context.strokeRect(from, y, Math.max(unit, to - from), height);
      context.strokeStyle = colour;
      context.lineWidth = 2.5 * unit;
      context.strokeRect(from, y, Math.max(unit, to - from), height);
    }
  }
}

interface Outline {
  readonly from: number;
  readonly to: number;
  readonly colour: string;
}

function drawPieces(
  context: CanvasRenderingContext2D,
  { segment }: PlacedSegment,
  x: number,
  y: number,
  width: number,
  height: number,
  { data, theme, patterns, chosen, over, found, ratio }: SegmentLook,
): Outline[] {
  const palette = PALETTES[theme];
  const unit = Math.max(1, Math.round(ratio));
  const perPx = segment.bytes / width;
  const outlines: Outline[] = [];
  let drawnTo = -1;
  for (const piece of segment.pieces) {
    if (piece.block === -1) continue;
    const from = x + Math.round((piece.address - segment.address) / perPx);
    const to = Math.max(from + 1, x + Math.round((piece.address + piece.bytes - segment.address) / perPx));
    if (piece.block === chosen) outlines.push({ from, to, colour: palette.accent });
    else if (piece.block === over) outlines.push({ from, to, colour: palette.ink });
    // what ends in a column that is drawn already would only be painted over
    if (to <= drawnTo) continue;
    drawnTo = to;
    const own = groupColour(data.groups, data.groups.ofBlock[piece.block]!, theme);
    const colour = found !== null && found[piece.block] === 0 ? mixed(own, palette.surface, 0.78) : own;
    context.fillStyle = colour;
    if (piece.state === "pending") {
      context.fillStyle = palette.surface;
      context.fillRect(from, y, to - from, height);
      context.fillStyle = colour;
      for (let line = 0; line < height; line += 4 * unit) context.fillRect(from, y + line, to - from, 2 * unit);
    } else {
      context.fillRect(from, y, to - from, height);
      if (patterns) {
        const { colour: number } = data.groups.list[data.groups.ofBlock[piece.block]!]!;
        context.fillStyle = patternFill(context, number, mixed(colour, palette.surface, 0.45));
        context.fillRect(from, y, to - from, height);
      }
    }
    if (to - from >= 4 * unit) {
      context.fillStyle = palette.surface;
      context.fillRect(to - unit, y, unit, height);
    }
  }
  return outlines;
}

const tiles = new Map<string, OffscreenCanvas>();

/** The ink of a pattern, to be filled over its colour. */
function patternFill(context: CanvasRenderingContext2D, pattern: number, ink: string): CanvasPattern {
  const key = `${pattern} ${ink}`;
  let tile = tiles.get(key);
  if (tile === undefined) {
    tiles.set(key, (tile = new OffscreenCanvas(8, 8)));
    const pen = tile.getContext("2d")!;
    pen.fillStyle = ink;
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) if (isInk(pattern, x, y)) pen.fillRect(x, y, 1, 1);
    }
  }
  return context.createPattern(tile, "repeat")!;
}

function hatch(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  ratio: number,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = ratio;
  context.globalAlpha = 0.6;
  context.beginPath();
  for (let at = x - height; at < x + width; at += 5 * ratio) {
    context.moveTo(at, y + height);
    context.lineTo(at + height, y);
  }
  context.stroke();
  context.globalAlpha = 1;
}
