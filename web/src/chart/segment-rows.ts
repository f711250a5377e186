/** Where segments lie in the allocator's picture: line after line like words, as long as their bytes, all on one scale. */

import type { SegmentView } from "./segments-at.ts";

export interface PlacedSegment {
  readonly segment: SegmentView;
  readonly left: number;
  readonly row: number;
  readonly width: number;
}

export interface SegmentRows {
  readonly placed: readonly PlacedSegment[];
  readonly rows: number;
  readonly bytesPerPx: number;
}

const GAP = 4;
/** The smallest segment is this wide, to be seen and hit. */
const NARROWEST = 6;
/** No segment needs more than this, where all are small. */
const WIDEST = 160;
/** A picture of more lines is made denser. */
const MOST_ROWS = 16;

/** @param width in CSS pixels */
export function segmentRows(segments: readonly SegmentView[], width: number): SegmentRows {
  const longest = segments.reduce((most, { bytes }) => Math.max(most, bytes), 1);
  const total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const isFew = total / longest < (MOST_ROWS * width) / WIDEST;
  const scale = isFew ? longest / Math.min(width, WIDEST) : total / (MOST_ROWS * width * 0.9);
  // few segments may be longer, as long as they stay on one line
  const bytesPerPx = Math.max(longest / width, Math.min(scale, total / (width * 2)));
  const placed: PlacedSegment[] = [];
  let left = 0;
  let row = 0;
  for (const segment of segments) {
    const own = Math.min(width, Math.max(NARROWEST, Math.round(segment.bytes / bytesPerPx)));
    if (left > 0 && left + own > width) {
      left = 0;
      row += 1;
    }
    placed.push({ segment, left, row, width: own });
    left += own + GAP;
  }
  return { placed, rows: placed.length === 0 ? 0 : row + 1, bytesPerPx };
}

/** The segment at a place, or null. @param y in rows */
export function segmentAt({ placed }: SegmentRows, x: number, y: number): PlacedSegment | null {
  const row = Math.floor(y);
  return placed.find((one) => one.row === row && x >= one.left && x < one.left + one.width) ?? null;
}
