/** Memory that fused attention kernels take for themselves while they run, in bytes. */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";
import { isReducedFloat } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";

const roundUp = (n: number, step: number): number => Math.ceil(n / step) * step;

/** Head size of flash's float32 partial results (flash_api.cpp, head_size_rounded). */
export const partialHead = (d: number, rules: TorchRules): number =>
  roundUp(d, d <= 128 ? 32 : rules.flashPartialHeadRounding);

/**
 * Into how many parts flash splits the keys so that few queries fill the GPU (flash_api.cpp, num_splits_heuristic):
 * the smallest count whose last wave is at least 85 % as full as the best one's.
 */
export function flashSplits(batchHeads: number, queries: number, keys: number, d: number, gpu: GpuRow): number {
  const keyBlock = d <= 64 ? 256 : d <= 128 ? 128 : 64;
  const keyBlocks = Math.ceil(keys / keyBlock);
  const blocks = batchHeads * Math.ceil(queries / 64);
  const slots = gpu.smCount * 2;
  if (blocks >= 0.8 * slots) return 1;
  const most = Math.min(128, slots, keyBlocks);
  const changes = (n: number): boolean => n === 1 || Math.ceil(keyBlocks / n) !== Math.ceil(keyBlocks / (n - 1));
  const fullness = (n: number): number => {
    const waves = (blocks * n) / slots;
    return waves / Math.ceil(waves);
  };
  let best = 0;
  for (let n = 1; n <= most; n++) if (changes(n)) best = Math.max(best, fullness(n));
  for (let n = 1; n <= most; n++) if (changes(n) && fullness(n) >= 0.85 * best) return n;
  return 1;
}

/** Whether [batch, heads, length, head] lies in memory as [batch, length, heads, head] without gaps. */
export function isLengthMajor(t: Tensor): boolean {
  const [, heads, length, d] = t.sizes;
  const want = [length * heads * d, d, heads * d, 1];
  return t.sizes.every((size, i) => size === 1 || t.strides[i] === want[i]);
}

/** A value dimension that does not fit the kernel's registers is summed in float32 (attention.cu, out_accum). */
export function efficientAccumulatorBytes(query: Tensor, value: Tensor): number {
  const [batch, heads, length] = query.sizes;
  const d = value.size(-1);
  return isReducedFloat(query.dtype) && d > 128 ? batch * heads * length * d * 4 : 0;
}

/** The tiles of the backward kernel that fits the GPU (cutlassB.h: the largest ones whose shared memory suffices). */
function backwardTiles(
  half: boolean,
  d: number,
  gpu: GpuRow,
): { queries: number; keys: number; keepsKeyGradients: boolean } {
  const muchSharedMemory = gpu.sm === 80 || (gpu.sm >= 90 && gpu.sm < 120);
  const wide = d > 64 && muchSharedMemory;
  const queries = wide ? 128 : 64;
  const keepsKeyGradients = half && (d <= 64 ? true : wide && d <= 128);
  return { queries, keys: keepsKeyGradients && d > 64 ? 128 : 64, keepsKeyGradients };
}

/**
 * Workspace of the memory-efficient backward (kernel_backward.h, workspace_size): tiles of the query's gradient with a
 * lock each, and the key's and value's where registers do not hold them.
 */
export function efficientBackwardBytes(query: Tensor, key: Tensor, value: Tensor, gpu: GpuRow): number {
  const [batch, heads, queries, d] = query.sizes;
  const half = isReducedFloat(query.dtype);
  const tile = backwardTiles(half, Math.max(d, value.size(-1)), gpu);
  // the query's gradient is held in tiles of so many rows and 64 columns, or as many as rows in 16 bits
  const columns = half ? tile.queries : 64;
  let elements = Math.ceil(queries / tile.queries) * Math.ceil(d / columns) * (tile.queries * columns + 4);
  if (half && !tile.keepsKeyGradients) {
    const splits = Math.max(1, Math.min(Math.ceil(key.size(-2) / tile.keys), Math.trunc(200 / (batch * heads))));
    elements += splits * tile.keys * (roundUp(d, tile.queries) + roundUp(value.size(-1), tile.queries));
  }
  return batch * heads * roundUp(elements, 4) * 4;
}
