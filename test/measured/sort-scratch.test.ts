/**
 * What `torch.sort` of long rows takes besides its results, by the branches of aten/src/ATen/native/cuda/SortStable.cu and Sort.cpp,
 * counted by hand: `n` elements of four bytes, positions of eight.
 */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const MIB = 2 ** 20;

async function extraBytes(rows: number, length: number, dim: number): Promise<number> {
  const program = `
import torch
x = torch.randn(${rows}, ${length}, device="cuda")
before = torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
y = torch.sort(x, dim=${dim})
print(torch.cuda.max_memory_allocated() - torch.cuda.memory_allocated())
`;
  const script = join(folderWith({ "program.py": program }), "program.py");
  const result = await vramscope.run({ script, gpu: "a100-80gb" });
  expect(result.errorText ?? "").toBe("");
  return Number(result.stdout);
}

describe("scratch of sort", () => {
  it.each([
    // sorted in their results; the positions of one row, as the host code of 2.13 and 2.14 asks for them
    ["short rows", 1024, 4096, 1, 4096 * 8],
    // positions; CUB's segmented sort takes keys and positions once more
    ["many rows", 256, 8192, 1, 256 * 8192 * (8 + 4 + 8)],
    // pairs of row and place twice, keys, and CUB's copy of keys and pairs
    ["few rows", 64, 16_384, 1, 64 * 16_384 * (8 + 8 + 4 + 4 + 8)],
    // the input, values and positions in rows that lie together, then as above
    ["columns", 8192, 256, 0, 8192 * 256 * (4 + 4 + 8 + 8 + 4 + 8)],
  ] as const)("%s", async (_, rows, length, dim, bytes) => {
    const extra = await extraBytes(rows, length, dim);
    // counters and tables of the library
    expect(extra).toBeGreaterThanOrEqual(bytes);
    expect(extra - bytes).toBeLessThan(dim === 1 && length <= 4096 ? 1 : MIB);
  });
});
