/**
 * Scratch memory of CUB's radix sort of key and value pairs, by its published policies: one tile needs none (it asks for one
 * byte), more take a second copy of keys and values, counters and the look-back table.
 */

/** 256 threads with 19 four-byte items each, fewer of wider ones. */
const THREADS = 256;
const ITEMS_OF_FOUR_BYTES = 19;
const DIGITS = 256;
const ALIGNMENT = 256;
/** Items that one block of the many-tile kernel takes; by architecture 3,000 to 8,000, which moves the sum by a few KiB. */
const TILE = 4096;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Bytes for one call. The one-tile case is what real traces show; the other is arithmetic. */
export function radixSortBytes(items: number, keyBytes: number, valueBytes: number, keyBits = 8 * keyBytes): number {
  const perThread = Math.max(1, Math.floor((ITEMS_OF_FOUR_BYTES * 4) / Math.max(4, keyBytes, valueBytes)));
  if (items <= THREADS * perThread) return 1;
  const passes = Math.ceil(keyBits / 8);
  const copies = passes > 1 ? aligned(items * keyBytes) + aligned(items * valueBytes) : 0;
  return aligned(passes * DIGITS * 4) + aligned(Math.ceil(items / TILE) * DIGITS * 4) + copies + aligned(passes * 4);
}
