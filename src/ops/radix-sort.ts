/**
 * Scratch memory of CUB's device-wide sorts of key and value pairs, as released builds ask for it (recorded with the host code of PyTorch 2.13 for
 * sm_80, 2.6 and 2.14 for sm_90; the tiles of older cards are those of CUB's tuning for them, not recorded).
 */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";

/** 256 threads with 19 four-byte items each, fewer of wider ones, sort one tile without scratch. */
const SINGLE_TILE_THREADS = 256;
const SINGLE_TILE_ITEMS = 19;
const DIGITS = 256;
const ALIGNMENT = 256;
const COUNTER_BYTES = 4;
/** Launches of one pass are sized for so many waves of resident blocks (CUB_SUBSCRIPTION_FACTOR). */
const SUBSCRIPTION = 5;
/** Blocks of the pass over short keys that one processor holds; it follows from their registers, which only the machine code knows. */
const RESIDENT_BLOCKS = 2;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
/** Several parts behind each other, each aligned, wherever the block begins (AliasTemporaries). */
const together = (...parts: number[]): number => parts.reduce((sum, part) => sum + aligned(part), ALIGNMENT - 1);

/**
 * From Hopper on: keys from four bytes on have a rule, shorter ones a list by bytes of key and value (Policy900 and sm90_small_key_tuning in CUB), of
 * which these are recorded, with PyTorch 2.6 and 2.14.
 */
const HOPPER_SHORT_KEYS: Readonly<Record<string, number>> = { "1 0": 9728, "1 8": 3456, "2 0": 9728, "2 8": 5632 };

function hopperTile(keyBytes: number, valueBytes: number, floating: boolean): number {
  const short = HOPPER_SHORT_KEYS[`${keyBytes} ${valueBytes}`];
  if (short !== undefined) return short;
  const scaled = (items: number): number => 384 * Math.floor((items * 4) / Math.max(4, keyBytes, valueBytes));
  if (keyBytes >= 8) return scaled(valueBytes < 8 ? 30 : 24);
  if (valueBytes === 0) return scaled(floating ? 18 : 19);
  return scaled(valueBytes < 8 ? 17 : 29);
}

/** A card, and the release whose builds run on it. */
interface Released {
  readonly gpu: GpuRow;
  readonly rules: TorchRules;
}

/** Items that one block takes in a pass (DeviceRadixSortPolicy, onesweep). */
function tileItems(keyBytes: number, valueBytes: number, { gpu, rules }: Released, floating: boolean): number {
  if (gpu.sm >= 90) return hopperTile(keyBytes, valueBytes, floating);
  const widest = Math.max(4, keyBytes, valueBytes);
  const [threads, nominal] =
    gpu.sm >= 80 ? [384, keyBytes === 4 && valueBytes > 0 ? rules.sortPairsPerThread : 21] : [256, 23];
  return threads * Math.max(1, Math.floor((nominal * 4) / widest));
}

/** Whether the scratch of a sort follows from sizes alone: keys of four bytes and more, and from Hopper on all. */
export const radixScratchIsKnown = (keyBytes: number, gpu: GpuRow): boolean => keyBytes >= 4 || gpu.sm >= 90;

/** Bits in which every number up to `largest` can be written (get_num_bits). */
export const bitsOf = (largest: number): number => Math.floor(Math.log2(Math.max(1, largest))) + 1;

/** Bytes for one call that sorts `items` pairs by `keyBits` of their keys. */
export function radixSortBytes(
  items: number,
  keyBytes: number,
  valueBytes: number,
  released: Released,
  keyBits = 8 * keyBytes,
  floating = false,
): number {
  const { gpu, rules } = released;
  const single = Math.max(1, Math.floor((SINGLE_TILE_ITEMS * 4) / Math.max(4, keyBytes, valueBytes)));
  if (items <= SINGLE_TILE_THREADS * single) return 1;
  const passes = Math.ceil(keyBits / 8);
  const copies = passes > 1 ? [items * keyBytes, items * valueBytes] : [];
  if (!radixScratchIsKnown(keyBytes, gpu)) {
    const spine = gpu.smCount * RESIDENT_BLOCKS * SUBSCRIPTION * DIGITS * rules.sortOffsetBytes;
    return together(spine, ...copies);
  }
  const lookBack = Math.ceil(items / tileItems(keyBytes, valueBytes, released, floating)) * DIGITS * COUNTER_BYTES;
  return together(passes * DIGITS * rules.sortOffsetBytes, lookBack, ...copies, passes * COUNTER_BYTES);
}

/** Bytes for one call that sorts many segments of pairs: the second copy of both. */
export const segmentedSortBytes = (items: number, keyBytes: number, valueBytes: number): number =>
  together(items * keyBytes, items * valueBytes);

/** Items that one block of a merge sort takes. */
const MERGED_ITEMS = 4352;

/** Bytes for one call that merges: a second copy, and where the parts meet. */
export const mergeSortBytes = (items: number, itemBytes: number): number =>
  together(items * itemBytes, (Math.ceil(items / MERGED_ITEMS) + 1) * 8);

/** The same for items that carry another each. */
export const mergeSortPairsBytes = (items: number, itemBytes: number, carriedBytes: number): number =>
  together(items * itemBytes, items * carriedBytes, (Math.ceil(items / MERGED_ITEMS) + 1) * 8);
