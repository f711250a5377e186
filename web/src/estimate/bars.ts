/** The pieces of a bar: parts of the allocated memory, what the cache keeps beyond them, and the context. */

import type { Chain, PartId } from "../../../src/estimate/index.ts";

export type PieceId = PartId | "cached" | "context";

export interface Piece {
  readonly id: PieceId;
  readonly bytes: number;
}

/** In the order of the bar; what is nothing is left out. */
export function pieceBytes(chain: Chain): readonly Piece[] {
  const parts = chain.parts.map(({ id, bytes }): Piece => ({ id, bytes }));
  const kept = parts.filter(({ bytes }) => bytes > 0).reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...parts,
    { id: "cached" as const, bytes: chain.reserved.bytes - kept },
    { id: "context" as const, bytes: chain.process.bytes - chain.reserved.bytes },
  ].filter(({ bytes }) => bytes > 0);
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
