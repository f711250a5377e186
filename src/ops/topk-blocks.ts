/** topk with many blocks for each row, and what they share in memory (mbtopk in cuda/TensorTopK.cu). Recorded with PyTorch 2.0 to 2.14. */

import type { Tensor } from "../tensor/tensor.ts";
import { scanByKeyBytes } from "./device-scans.ts";
import type { Kernel } from "./row.ts";

/** From which length on rows are shared by blocks, by how many rows there are at most (should_use_multiblock). */
const SHARED_FROM = [
  { rows: 20, length: 20_000 },
  { rows: 40, length: 10_000 },
  { rows: 80, length: 8_000 },
  { rows: 199, length: 5_000 },
  { rows: 799, length: 3_000 },
  { rows: 4_000, length: 800 },
  { rows: Infinity, length: 400 },
];
const THREADS = 256;
const REGISTERS_PER_THREAD = 40;
const REGISTERS_PER_PROCESSOR = 65_536;
const FEWEST_ITEMS = 4;
const MOST_ITEMS = 64;
const DIGITS = 256;
const COUNT_BYTES = 2;
const NUMBER_BYTES = 4;

/** Blocks that take one row (get_items_per_thread). */
function blocksPerRow(k: Kernel, rows: number, length: number): number {
  const resident = Math.floor(REGISTERS_PER_PROCESSOR / (REGISTERS_PER_THREAD * THREADS));
  const wanted = Math.ceil((rows * length) / (k.gpu.smCount * resident * THREADS));
  const items = Math.max(FEWEST_ITEMS, Math.min(wanted, MOST_ITEMS));
  return Math.ceil(length / (items * THREADS));
}

/** @param length of one row, along the dimension of which the largest are taken */
export function topkTemporaries(k: Kernel, self: Tensor, length: number): void {
  if (self.numel === 0) return;
  const rows = self.numel / length;
  if (length < SHARED_FROM.find((row) => rows <= row.rows)!.length) return;
  const sumsDigits = k.rules.topkSumsDigits;
  const blocks = rows * blocksPerRow(k, rows, length);
  const sets = k.rules.topkKeepsTwo ? 2 : 1;
  k.scratch(rows * self.dtype.itemBytes, "topk_values");
  if (!sumsDigits) k.scratch(rows * NUMBER_BYTES, "topk_semaphores");
  k.scratch(rows * NUMBER_BYTES * sets, "topk_ranks");
  k.scratch(rows * Math.max(NUMBER_BYTES, self.dtype.itemBytes) * sets, "topk_digits");
  k.scratch(blocks * DIGITS * COUNT_BYTES, "topk_counts");
  if (sumsDigits) k.scratch(rows * DIGITS * NUMBER_BYTES, "topk_sums");
  for (const what of ["topk_blocks_within", "topk_blocks_at"]) k.scratch(blocks * NUMBER_BYTES, what);
  for (let i = 0; i < 2; i++) k.scratch(scanByKeyBytes(blocks, k), "library_scan")();
}
