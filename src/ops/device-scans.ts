/**
 * Scratch memory of CUB's device-wide scans, selections and sums, as released builds ask for it: recorded with the host code of PyTorch 2.0 to 2.14
 * for sm_80 (up to a million items). Each keeps a state per tile; the tiles of other cards are taken to be as large.
 */

import type { Tensor } from "../tensor/tensor.ts";
import type { TorchRules } from "../torch/changes.ts";
import type { Kernel } from "./row.ts";

const COUNT_BYTES = 4;
const ALIGNMENT = 256;
/** Tiles in front of the first one that every look-back may read (TILE_STATUS_PADDING). */
const PADDING_TILES = 32;
/** Items of one tile of a scan. */
const scanTile = (itemBytes: number): number => (itemBytes > 4 ? 896 : 1920);
/** A sum of so many four-byte items needs no second launch. */
const SINGLE_SUM = 4096;
/** Threads of one block of a sum, and waves of resident blocks (CUB_SUBSCRIPTION_FACTOR). */
const SUM_THREADS = 256;
const SUBSCRIPTION = 5;

const SCANNED_BY_KEY = 4096;
const TRUNCATING_TILE = 3840;
const RUN_TILE = 768;
const SLICE_TILE = 640;
/** Recorded for up to a million pairs, which leave 2,605 to 2,710 open. */
const PAIR_TILE = 2688;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function tileStates(items: number, tile: number, stateBytes: number, rules: TorchRules): number {
  const states = (PADDING_TILES + Math.ceil(items / tile)) * stateBytes;
  return ALIGNMENT - 1 + aligned(states) + rules.scanExtraBytes;
}

/**
 * What nonzero takes beside its result (nonzero_cuda_out_impl in cuda/Nonzero.cu): the count, which is read back, then `positions`, then the selection.
 * @param positions takes the memory of the positions
 */
export function nonzeroTemporaries<T>(k: Kernel, self: Tensor, positions: () => T): T {
  if (!self.isContiguous) k.scratch(self.numel * self.dtype.itemBytes, "nonzero_contiguous");
  k.scratch(COUNT_BYTES, "nonzero_count");
  k.scratch(sumBytes(self.numel, k), "library_scan")();
  const found = positions();
  if (self.rank > 0) k.scratch(selectBytes(self.numel, k.rules), "library_scan")();
  return found;
}

/** Prefix sums of `items` numbers of `itemBytes` each: their states are twice as wide. */
export const scanBytes = (items: number, itemBytes: number, rules: TorchRules): number =>
  tileStates(items, scanTile(itemBytes), 2 * itemBytes, rules);

/** Prefix sums of four-byte numbers into eight-byte ones (inclusive_sum_truncating in cuda/cub.cuh): their tiles are longer. */
export const truncatingScanBytes = (items: number, rules: TorchRules): number =>
  tileStates(items, TRUNCATING_TILE, 8, rules);

/** The first of each run of equal items. */
export const uniqueBytes = (items: number, itemBytes: number, rules: TorchRules): number =>
  tileStates(items, itemBytes > 4 ? rules.selectTileItems : 2 * rules.selectTileItems, 8, rules);

/** The first of each run of equal slices, by their positions (Thrust). */
export const uniqueSlicesBytes = (items: number): number => thrustUniqueBytes(items, SLICE_TILE);

/** The first of each run of equal numbers of eight bytes with the one beside it (Thrust). */
export const uniquePairsBytes = (items: number): number => thrustUniqueBytes(items, PAIR_TILE);

const thrustUniqueBytes = (items: number, tile: number): number =>
  3 * ALIGNMENT - 1 + aligned((PADDING_TILES + Math.ceil(items / tile)) * 16);

/** The first of each run of equal items, and how long the runs are. */
export const runLengthBytes = (items: number): number =>
  ALIGNMENT - 1 + aligned((PADDING_TILES + Math.ceil(items / RUN_TILE)) * 16);

/** Those of `items` elements that a flag selects. */
export const selectBytes = (items: number, rules: TorchRules): number =>
  tileStates(items, rules.selectTileItems, 8, rules);

/** The first of each run of equal keys, with its value. */
export const uniqueByKeyBytes = (items: number, rules: TorchRules): number =>
  tileStates(items, rules.uniqueTileItems, rules.uniqueStateBytes, rules);

/** Prefix sums of four-byte numbers within runs of equal keys, recorded for up to 4,096 of them. */
export function scanByKeyBytes(items: number, k: Kernel): number {
  if (items > SCANNED_BY_KEY) k.assume("library_scratch", { library: "CUB" });
  return k.rules.scanByKeyBytes;
}

/** One sum over `items`; blocks that one processor holds follow from its threads. */
export function sumBytes(items: number, k: Kernel): number {
  if (items <= SINGLE_SUM) return 1;
  const blocks = k.gpu.smCount * Math.floor(k.gpu.threadsPerSm / SUM_THREADS) * SUBSCRIPTION;
  return ALIGNMENT - 1 + aligned(blocks * 4);
}
