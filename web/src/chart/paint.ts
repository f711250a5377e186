/**
 * Cells as pixels. Painting goes into one array of pixels instead of thousands of canvas calls: its cost is the picture's area,
 * however many blocks there are.
 */

import type { Cells } from "./cells.ts";
import { isInk } from "./patterns.ts";

export interface PaintColours {
  /** Packed; by group. */
  readonly fill: readonly number[];
  /** Thin lines between the blocks of a group, and ink of its pattern; by group. */
  readonly edge: readonly number[];
  /** Fill and edge of what a search or a highlighted group leaves out. */
  readonly faintFill: readonly number[];
  readonly faintEdge: readonly number[];
  readonly surface: number;
  readonly grid: number;
}

export interface PaintRequest {
  readonly width: number;
  readonly height: number;
  /** Bytes at the lower edge, and of one pixel. */
  readonly lowBytes: number;
  readonly bytesPerPx: number;
  /** Heights of grid lines, in bytes. */
  readonly gridBytes: readonly number[];
  readonly colours: PaintColours;
  /** Pattern number by group, or null for plain colour. */
  readonly patterns: readonly number[] | null;
  /** Whether a block stands out, by block; null: all do. */
  readonly stands: Uint8Array | null;
  /** The only group that stands out, or -1. */
  readonly onlyGroup: number;
}

/** Blocks at least this tall get a line at their upper edge. */
const EDGE_PX = 4;

/** @param pixels `width * height` packed pixels, row after row from the top */
export function paintCells(pixels: Uint32Array, cells: Cells, request: PaintRequest): void {
  const { width, height, lowBytes, bytesPerPx, colours, patterns, stands, onlyGroup } = request;
  pixels.fill(colours.surface);
  for (const bytes of request.gridBytes) {
    const y = height - 1 - Math.round((bytes - lowBytes) / bytesPerPx);
    if (y >= 0 && y < height) pixels.fill(colours.grid, y * width, (y + 1) * width);
  }
  const { count, left, right, start, spanBlock, spanGroup, spanTop, spanStarts } = cells;
  for (let cell = 0; cell < count; cell++) {
    const x0 = left[cell]!;
    const x1 = right[cell]!;
    const end = start[cell + 1]!;
    let below = height + Math.round(lowBytes / bytesPerPx);
    for (let span = start[cell]!; span < end; span++) {
      const top = height - Math.round((spanTop[span]! - lowBytes) / bytesPerPx);
      const from = Math.max(0, top);
      const to = Math.min(height, below);
      const tall = below - top;
      below = top;
      if (from >= to) continue;
      const group = spanGroup[span]!;
      const block = spanBlock[span]!;
      const isFaint =
        (onlyGroup !== -1 && group !== onlyGroup) || (stands !== null && (block === -1 || stands[block] === 0));
      const fill = (isFaint ? colours.faintFill : colours.fill)[group]!;
      const edge = (isFaint ? colours.faintEdge : colours.edge)[group]!;
      const pattern = patterns === null ? 0 : patterns[group]!;
      const isGroupTop = span + 1 === end || spanGroup[span + 1] !== group;
      for (let y = from; y < to; y++) {
        const row = y * width;
        const isLine = y === top && tall >= (isGroupTop ? EDGE_PX - 1 : EDGE_PX);
        const colour = isLine ? (isGroupTop ? colours.surface : edge) : fill;
        if (pattern === 0 || isLine) {
          for (let x = x0; x < x1; x++) pixels[row + x] = colour;
        } else {
          for (let x = x0; x < x1; x++) pixels[row + x] = isInk(pattern, x, y) ? edge : colour;
        }
      }
      if (spanStarts[span] === 1 && tall >= EDGE_PX && x0 > 0) {
        for (let y = from; y < to; y++) pixels[y * width + x0] = edge;
      }
    }
  }
}

/** `#rrggbb` as a pixel of ImageData read as 32-bit numbers. */
export function packed(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16);
  return ((255 << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/** A colour between two others: 0 is the first, 1 the second. */
export function mixed(a: string, b: string, share: number): string {
  const channel = (at: number): string => {
    const [x, y] = [a, b].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round(x! + (y! - x!) * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
