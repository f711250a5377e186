/** Where the pieces of a bar lie: parts of the allocated memory, what the cache keeps beyond them, context, and the capacity. */

import type { Chain, PartId } from "../../../src/estimate/index.ts";

export type PieceId = PartId | "cached" | "context";

export interface Piece {
  readonly id: PieceId;
  readonly bytes: number;
  /** Shares of the bar's width. */
  readonly from: number;
  readonly width: number;
}

export interface Bar {
  readonly pieces: readonly Piece[];
  /** Where the card ends. */
  readonly capacity: number;
  /** Where the upper end of the interval is. */
  readonly high: number;
}

/** `scaleBytes`: bytes of the whole width. */
export function barOf(chain: Chain, scaleBytes: number): Bar {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (id: PieceId, bytes: number): void => {
    if (bytes <= 0) return;
    pieces.push({ id, bytes, from: at / scaleBytes, width: bytes / scaleBytes });
    at += bytes;
  };
  for (const { id, bytes } of chain.parts) add(id, bytes);
  add("cached", chain.reserved.bytes - at);
  add("context", chain.process.bytes - chain.reserved.bytes);
  return { pieces, capacity: chain.capacityBytes / scaleBytes, high: chain.process.highBytes / scaleBytes };
}

/** One scale for several bars, so that they can be compared: what is widest takes all of it, with a little room. */
export function scaleOf(chains: readonly Chain[]): number {
  return scaleOfBytes(chains.map(({ capacityBytes, process }) => Math.max(capacityBytes, process.highBytes)));
}

export const scaleOfBytes = (bytes: readonly number[]): number => 1.02 * Math.max(...bytes);

/** 1, 2 or 5 times a power of ten, so that `count` steps cover `most`. */
export function roundStep(most: number, count: number): number {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough)!;
}
