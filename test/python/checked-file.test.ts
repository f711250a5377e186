/** Files with a checksum beside them: one changed byte, and they are not read. */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECKSUM_ENDING, checksumOf, readChecked } from "../../src/python/checked-file.ts";
import { folderWith, ROOT } from "../helpers.ts";

describe("a file with a checksum", () => {
  it("is read as it was written, and not when anything of it changed", () => {
    const path = join(folderWith({}), "snapshot");
    const bytes = Uint8Array.from({ length: 10_000 }, (_, i) => i % 251);
    writeFileSync(path, bytes);
    expect(readChecked(path)).toBeNull();
    // CRC-32 of "123456789" is the check value of every table of CRCs
    expect(checksumOf(new TextEncoder().encode("123456789"))).toBe(String(0xcbf43926));
    writeFileSync(path + CHECKSUM_ENDING, checksumOf(bytes));
    expect(readChecked(path)).toEqual(Buffer.from(bytes));
    for (const at of [0, 5_000, 9_999]) {
      writeFileSync(
        path,
        bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)),
      );
      expect(readChecked(path)).toBeNull();
    }
    writeFileSync(path, bytes.subarray(1));
    expect(readChecked(path)).toBeNull();
    rmSync(path);
    expect(readChecked(path)).toBeNull();
  });

  it("is what an installation restores its interpreter from", () => {
    const path = join(ROOT, "dist", "python-files", "interpreter.snapshot");
    expect(readChecked(path)?.length).toBeGreaterThan(10_000_000);
  });
});
