/** Gzip is unpacked within a limit, whatever it claims to be. */

import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { gunzip, gunzipHead } from "../../src/cli/gunzip.ts";

const LIMIT = 1 << 22;
const text = (bytes: number): Buffer => Buffer.alloc(bytes, "ab cd\n");
const withClaim = (packed: Buffer, bytes: number): Buffer => {
  const changed = Buffer.from(packed);
  changed.writeUInt32LE(bytes, changed.length - 4);
  return changed;
};

it.each([1, 1000, 1 << 20, LIMIT])("gives back %i bytes", (bytes) => {
  expect(Buffer.from(gunzip(gzipSync(text(bytes)), LIMIT)).equals(text(bytes))).toBe(true);
});

it("joins several parts", () => {
  const packed = Buffer.concat([gzipSync(text(300_000)), gzipSync(text(600_000)), gzipSync(text(6))]);
  expect(gunzip(packed, LIMIT).length).toBe(900_006);
});

it("refuses what is too large, and what is not what it claims", () => {
  const codeOf = (packed: Uint8Array): unknown => {
    try {
      gunzip(packed, LIMIT);
    } catch (error) {
      return (error as { diagnostic?: { code: string } }).diagnostic?.code;
    }
    return "read";
  };
  expect(codeOf(gzipSync(text(LIMIT + 1)))).toBe("open_unpacked_too_large");
  expect(codeOf(withClaim(gzipSync(text(LIMIT * 8)), 5))).toBe("open_unpacked_too_large");
  expect(codeOf(withClaim(gzipSync(text(1000)), 2 ** 32 - 1))).toBe("open_bad_gzip");
  expect(codeOf(gzipSync(text(1000)).subarray(0, 30))).toBe("open_bad_gzip");
});

it("takes the beginning without unpacking the rest", () => {
  const packed = gzipSync(Buffer.alloc(1 << 28));
  const before = process.memoryUsage().rss;
  expect(
    gunzipHead(packed)
      .subarray(0, 4096)
      .every((byte) => byte === 0),
  ).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * (1 << 20));
});
