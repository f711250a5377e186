/**
 * Files of an interpreter's memory: pages of zeros are left out, and a checksum lies beside it, so that what was damaged is found when
 * it is read, and not restored.
 *
 * Numbers of 32 bits, little-endian: a mark, the bytes of the memory, how many stretches, for each where it begins and its bytes; then the
 * stretches one after another.
 */

import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";

export const CHECKSUM_ENDING = ".crc32";

const PAGE_BYTES = 64;
/** "VSM1". */
const MARK = 0x314d5356;
const NUMBER_BYTES = 4;
const HEAD_NUMBERS = 3;
/** As much as WebAssembly has: a larger figure comes from no interpreter. */
const MOST_BYTES = 2 ** 32;

/** What belongs into the file `path + CHECKSUM_ENDING`. It finds damage; whoever may write both files is not kept from it. */
export const checksumOf = (bytes: Uint8Array): string => String(crc32(bytes));

/** What stands beside a file as its checksum; empty where nothing does. */
export function checksumAt(path: string): string {
  try {
    return readFileSync(path + CHECKSUM_ENDING, "latin1");
  } catch {
    return "";
  }
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Pages that hold anything, neighbours together. */
function stretchesOf(memory: Uint8Array): Stretch[] {
  const zeros = new Uint8Array(PAGE_BYTES);
  const stretches: { start: number; end: number }[] = [];
  for (let start = 0; start < memory.length; start += PAGE_BYTES) {
    const end = Math.min(start + PAGE_BYTES, memory.length);
    if (Buffer.compare(memory.subarray(start, end), zeros.subarray(0, end - start)) === 0) continue;
    const last = stretches.at(-1);
    if (last?.end === start) last.end = end;
    else stretches.push({ start, end });
  }
  return stretches;
}

/** The content of a file for this memory. */
export function packedImage(memory: Uint8Array): Uint8Array {
  const stretches = stretchesOf(memory);
  const head = Uint32Array.of(
    MARK,
    memory.length,
    stretches.length,
    ...stretches.flatMap((s) => [s.start, s.end - s.start]),
  );
  return Buffer.concat([new Uint8Array(head.buffer), ...stretches.map((s) => memory.subarray(s.start, s.end))]);
}

/** The memory of such a file; null where it or its checksum is not there, or they do not belong together. */
export function readImage(path: string): Uint8Array | null {
  try {
    const file = openSync(path, "r");
    try {
      return imageIn(file, checksumAt(path));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function imageIn(file: number, expected: string): Uint8Array | null {
  const { size } = fstatSync(file);
  let checksum = 0;
  const fill = (bytes: Uint8Array): boolean => {
    for (let at = 0; at < bytes.length;) {
      const got = readSync(file, bytes, at, bytes.length - at, null);
      if (got === 0) return false;
      at += got;
    }
    // of nothing, crc32 forgets what came before
    if (bytes.length > 0) checksum = crc32(bytes, checksum);
    return true;
  };
  const head = new Uint32Array(HEAD_NUMBERS);
  if (!fill(new Uint8Array(head.buffer))) return null;
  const [mark, totalBytes = 0, count = 0] = head;
  if (mark !== MARK || totalBytes > MOST_BYTES || count * 2 * NUMBER_BYTES > size) return null;
  const table = new Uint32Array(count * 2);
  if (!fill(new Uint8Array(table.buffer))) return null;
  // stretches are short and many: one read, and copies
  const body = Buffer.allocUnsafe(size - (HEAD_NUMBERS + table.length) * NUMBER_BYTES);
  if (!fill(body)) return null;
  const memory = new Uint8Array(totalBytes);
  let from = 0;
  for (let i = 0; i < table.length; i += 2) {
    const start = table[i]!;
    const bytes = table[i + 1]!;
    if (start + bytes > totalBytes || from + bytes > body.length) return null;
    memory.set(body.subarray(from, from + bytes), start);
    from += bytes;
  }
  return from === body.length && String(checksum) === expected ? memory : null;
}
