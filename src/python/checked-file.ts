/** Files with a checksum beside them: what was damaged is found when it is read, and not restored as an interpreter. */

import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";

export const CHECKSUM_ENDING = ".crc32";

/** What belongs into the file `path + CHECKSUM_ENDING`. It finds damage; whoever may write both files is not kept from it. */
export const checksumOf = (bytes: Uint8Array): string => String(crc32(bytes));

/** The bytes of a file; null where it or its checksum is not there, or they do not belong together. */
export function readChecked(path: string): Uint8Array | null {
  try {
    const expected = readFileSync(path + CHECKSUM_ENDING, "latin1");
    const bytes = readFileSync(path);
    return checksumOf(bytes) === expected ? bytes : null;
  } catch {
    return null;
  }
}
