/** What Metal recommends that the GPU of a Mac uses at most (`recommendedMaxWorkingSetSize`), of memory that it shares with the processor. */

import { GIB, MIB } from "../base/bytes.ts";

/** Two thirds of the memory up to this size, and three quarters above it. */
const SMALL_GIB = 36;

export const metalBytes = (memoryBytes: number): number =>
  Math.round((memoryBytes * (memoryBytes <= SMALL_GIB * GIB ? 2 / 3 : 3 / 4)) / MIB) * MIB;
