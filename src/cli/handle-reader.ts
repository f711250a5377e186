/** A file on disk as the readers of formats want it: any part by position, nothing kept in memory. */

import { fstatSync, readSync } from "node:fs";
import type { RangeReader } from "../formats/range-reader.ts";

/** The caller opens and closes the file. */
export function handleReader(handle: number): RangeReader {
  const sizeBytes = fstatSync(handle).size;
  return {
    sizeBytes,
    read: (offset, length) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, sizeBytes - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(handle, bytes, filled, bytes.length - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    },
  };
}
