/** Clears what an interpreter's memory holds of things that are gone, so that a file of it is small. */

export interface HeapModule {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  /** Emscripten's: the end of what was ever asked for, with 0. */
  _sbrk(bytes: number): number;
}

const LARGEST_BYTES = 2 ** 20;
const SMALLEST_BYTES = 32;

/**
 * Takes every free place of C's allocator below the end of what was ever asked for, the large ones first, fills it with zeros and gives it
 * back. Above that end the memory is still as it was made: zero.
 */
export function clearFreeMemory(module: HeapModule): void {
  const end = module._sbrk(0);
  const taken: number[] = [];
  for (let bytes = LARGEST_BYTES; bytes >= SMALLEST_BYTES; bytes /= 2) {
    for (;;) {
      const start = module._malloc(bytes);
      taken.push(start);
      if (start === 0 || start + bytes > end) break;
      module.HEAPU8.fill(0, start, start + bytes);
    }
  }
  for (const start of taken) module._free(start);
}
