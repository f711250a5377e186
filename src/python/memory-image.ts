/**
 * Files of an interpreter's memory: pages of zeros are left out, and a checksum lies beside it, so that what was damaged is found when
 * it is read, and not restored.
 *
 * Numbers of 32 bits, little-endian: a mark, the bytes of the memory, how many stretches, for each where it begins and its bytes; then the
 * stretches one after another.
 */

import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { MemoryImage } from "./snapshot-memory.ts";

export const CHECKSUM_ENDING = ".crc32";

const PAGE_BYTES = 32;
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

/** The image in such a file; null where it or its checksum is not there, or they do not belong together. */
export function imageAt(path: string): MemoryImage | null {
  try {
    const file = readFileSync(path);
    return String(crc32(file)) === checksumAt(path) ? imageIn(file) : null;
  } catch {
    return null;
  }
}

/** The memory of such a file as one array; null where {@link imageAt} gives none. */
export function readImage(path: string): Uint8Array | null {
  const image = imageAt(path);
  if (image === null) return null;
  const memory = new Uint8Array(image.bytes);
  image.copyTo(memory, 0, 0);
  return memory;
}

function imageIn(file: Buffer): MemoryImage | null {
  const numbers = new Uint32Array(file.buffer, file.byteOffset, Math.floor(file.length / NUMBER_BYTES));
  const [mark, bytes = 0, count = 0] = numbers;
  const bodyStart = (HEAD_NUMBERS + count * 2) * NUMBER_BYTES;
  if (mark !== MARK || bytes > MOST_BYTES || bodyStart > file.length) return null;
  const table = numbers.subarray(HEAD_NUMBERS, HEAD_NUMBERS + count * 2);
  let held = 0;
  for (let i = 0; i < table.length; i += 2) {
    if (table[i]! + table[i + 1]! > bytes) return null;
    held += table[i + 1]!;
  }
  if (held !== file.length - bodyStart) return null;

  const copyTo = (memory: Uint8Array, from: number, touchedBytes: number): void => {
    let at = bodyStart;
    let written = 0;
    const clear = (end: number): void => {
      if (written < Math.min(end, touchedBytes)) memory.fill(0, written, Math.min(end, touchedBytes));
    };
    for (let i = 0; i < table.length; i += 2) {
      const [start, length] = [table[i]!, table[i + 1]!];
      if (start - from >= memory.length) break;
      const skipped = Math.min(Math.max(from - start, 0), length);
      const place = Math.max(start - from, 0);
      const stretch = file.subarray(at + skipped, at + Math.min(length, skipped + memory.length - place));
      at += length;
      clear(place);
      memory.set(stretch, place);
      written = Math.max(written, place + stretch.length);
    }
    clear(memory.length);
  };
  return {
    bytes,
    first: (length) => {
      const memory = new Uint8Array(Math.min(length, bytes));
      copyTo(memory, 0, 0);
      return memory;
    },
    copyTo,
  };
}
