/** Files of an interpreter's memory: what was written comes back, zeros take no place, and one changed byte is found. */

import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clearFreeMemory } from "../../src/python/free-memory.ts";
import { CHECKSUM_ENDING, checksumOf, imageAt, packedImage, readImage } from "../../src/python/memory-image.ts";
import { folderWith, ROOT } from "../helpers.ts";

function written(memory: Uint8Array): { path: string; file: Uint8Array } {
  const path = join(folderWith({}), "snapshot");
  const file = packedImage(memory);
  writeFileSync(path, file);
  writeFileSync(path + CHECKSUM_ENDING, checksumOf(file));
  return { path, file };
}

/** Zeros with a few bytes here and there. */
function sparse(length: number, places: readonly number[]): Uint8Array {
  const memory = new Uint8Array(length);
  for (const place of places) memory[place] = (place % 255) + 1;
  return memory;
}

describe("an image of memory", () => {
  it.each([
    ["nothing", new Uint8Array(0)],
    ["zeros", new Uint8Array(10_000)],
    ["no zeros", Uint8Array.from({ length: 10_000 }, (_, i) => (i % 250) + 1)],
    ["both ends", sparse(40_960, [0, 40_959])],
    ["a last page that is not whole", sparse(40_961, [40_960])],
    ["neighbours", sparse(100_000, [4095, 4096, 12_288, 90_000])],
  ])("comes back: %s", (_, memory) => {
    expect(Buffer.compare(readImage(written(memory).path)!, memory)).toBe(0);
  });

  it("leaves out pages of zeros", () => {
    expect(written(sparse(2 ** 24, [5, 2 ** 23])).file.length).toBeLessThan(3 * 4096);
  });

  it("comes back into memory that was used, from any byte on", () => {
    const memory = sparse(100_000, [5, 4095, 4096, 12_288, 90_000]);
    const image = imageAt(written(memory).path)!;
    expect(image.bytes).toBe(memory.length);
    for (const [from, touched] of [
      [0, 100_000],
      [7, 20_000],
      [4096, 0],
      [4097, 50],
      [99_999, 1],
    ] as const) {
      const into = new Uint8Array(memory.length - from);
      into.fill(9, 0, touched);
      image.copyTo(into, from, touched);
      expect([from, Buffer.compare(into, memory.subarray(from))]).toEqual([from, 0]);
    }
    // no more than there is room for
    for (const length of [0, 5, 6, 4096, 12_290])
      expect(Buffer.compare(image.first(length), memory.subarray(0, length))).toBe(0);
  });

  it("is not read when anything of it changed", () => {
    // CRC-32 of "123456789" is the check value of every table of CRCs
    expect(checksumOf(new TextEncoder().encode("123456789"))).toBe(String(0xcbf43926));
    const { path, file } = written(Uint8Array.from({ length: 10_000 }, (_, i) => i % 251));
    for (const at of [0, 4, 9, 14, 5_000, file.length - 1]) {
      writeFileSync(
        path,
        file.map((byte, i) => (i === at ? byte ^ 1 : byte)),
      );
      expect([at, readImage(path)]).toEqual([at, null]);
    }
    for (const other of [file.subarray(1), file.subarray(0, -1), new Uint8Array(0)]) {
      writeFileSync(path, other);
      expect(readImage(path)).toBeNull();
    }
    rmSync(path);
    expect(readImage(path)).toBeNull();
  });

  it("is what an installation restores its interpreter from, in less than its size", () => {
    const path = join(ROOT, "dist", "python-files", "interpreter.snapshot");
    expect(readImage(path)!.length).toBeGreaterThan(1.3 * statSync(path).size);
    expect(checksumOf(readFileSync(path))).toBe(readFileSync(path + CHECKSUM_ENDING, "latin1"));
  });
});

it("clears free memory, and nothing that is held", () => {
  // an allocator that gives places of a list, as large as they are asked for
  const heap = new Uint8Array(2 ** 21).fill(7);
  const end = 2 ** 20;
  const free = new Set([64, 256, 96, 160, 4096]);
  const given = new Map<number, number>();
  let top = end;
  clearFreeMemory({
    HEAPU8: heap,
    _sbrk: () => end,
    _malloc: (bytes) => {
      const place = bytes <= 32 ? [...free].find((start) => !given.has(start)) : undefined;
      const start = place ?? (top += bytes);
      given.set(start, bytes);
      return start;
    },
    _free: (start) => void given.delete(start),
  });
  expect(given.size).toBe(0);
  for (const start of free) expect(heap.subarray(start, start + 32)).toEqual(new Uint8Array(32));
  expect(heap.subarray(0, end).filter((byte) => byte === 0).length).toBe(32 * free.size);
});
