/** From the bytes a program asks for to the bytes the allocator looks for, and the size of a new segment. */

import {
  DIVISION_SLOTS,
  MIN_BLOCK_BYTES,
  MIN_LARGE_BYTES,
  ROUND_LARGE_BYTES,
  SMALL_BYTES,
  SMALL_SEGMENT_BYTES,
} from "./constants.ts";

/** The part of the configuration that rounding reads. */
export interface RoundingConfig {
  /** Divisions between two powers of two, by slot: slot i is for sizes from 2^i MiB on. */
  readonly roundupDivisions: readonly number[];
  /** Larger requests skip the divisions (releases before 2.0). */
  readonly roundupBypassBytes: number;
  readonly largeSegmentBytes: number;
}

/** Index of the highest set bit of an integer below 2^53. */
export function floorLog2(value: number): number {
  return value < 2 ** 32 ? 31 - Math.clz32(value) : 63 - Math.clz32(Math.floor(value / 2 ** 32));
}

function isPowerOfTwo(value: number): boolean {
  return 2 ** floorLog2(value) === value;
}

/** Up to the next of `divisions` equal steps between two powers of two (roundup_power2_next_division). */
export function roundToDivision(bytes: number, divisions: number): number {
  if (isPowerOfTwo(bytes)) return bytes;
  const floor = 2 ** floorLog2(bytes);
  const step = Math.floor(floor / divisions);
  return step === 0 ? floor * 2 : Math.ceil(bytes / step) * step;
}

/** Slot of a size in `roundup_power2_divisions`. */
export function divisionSlot(bytes: number): number {
  return Math.min(Math.max(floorLog2(bytes) - 20, 0), DIVISION_SLOTS - 1);
}

/** Up to a multiple of the smallest block. */
export function roundToBlock(bytes: number): number {
  // Bit operations are exact below 2^31 only, and faster there.
  return bytes <= 0x7fff_0000
    ? (bytes + (MIN_BLOCK_BYTES - 1)) & ~(MIN_BLOCK_BYTES - 1)
    : Math.ceil(bytes / MIN_BLOCK_BYTES) * MIN_BLOCK_BYTES;
}

/** The rounded request (round_size); `bytes` is positive. */
export function roundRequest(bytes: number, config: RoundingConfig): number {
  if (bytes < MIN_BLOCK_BYTES) return MIN_BLOCK_BYTES;
  if (bytes <= config.roundupBypassBytes) {
    const divisions = config.roundupDivisions[divisionSlot(bytes)];
    if (divisions > 1 && bytes > MIN_BLOCK_BYTES * divisions) return roundToDivision(bytes, divisions);
  }
  return roundToBlock(bytes);
}

/** Bytes of the segment that a rounded request takes when no cached block fits (get_allocation_size). */
export function segmentBytesFor(roundedBytes: number, config: RoundingConfig): number {
  if (roundedBytes <= SMALL_BYTES) return SMALL_SEGMENT_BYTES;
  if (roundedBytes < MIN_LARGE_BYTES) return config.largeSegmentBytes;
  return Math.ceil(roundedBytes / ROUND_LARGE_BYTES) * ROUND_LARGE_BYTES;
}
