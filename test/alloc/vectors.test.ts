/** The allocator against the worked numbers of the reference: single requests, sequences, and one training step. */

import { describe, expect, test } from "vitest";
import { CachingAllocator, type Block } from "../../src/alloc/index.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

function fresh(): CachingAllocator {
  return new CachingAllocator({ totalBytes: 40 * GIB });
}

describe("one request in an empty allocator", () => {
  test.each([
    [0, 0, 0],
    [1, 512, 2_097_152],
    [512, 512, 2_097_152],
    [513, 1024, 2_097_152],
    [1_048_576, 1_048_576, 2_097_152],
    [1_048_577, 1_049_088, 20_971_520],
    [5 * MIB, 5_242_880, 20_971_520],
    [10 * MIB - 512, 10_485_248, 20_971_520],
    [10 * MIB - 511, 10_485_760, 10_485_760],
    [11_010_048, 11_010_048, 12_582_912],
    [11 * MIB - 512, 11_533_824, 12_582_912],
    [11 * MIB, 12_582_912, 12_582_912],
    [12 * MIB, 12_582_912, 12_582_912],
    [154_389_504, 155_189_248, 155_189_248],
    [77_194_752, 77_594_624, 77_594_624],
    [8_519_680, 8_519_680, 20_971_520],
  ])("%i bytes", (request, allocated, reserved) => {
    const allocator = fresh();
    allocator.malloc(request);
    expect([allocator.memoryAllocated(), allocator.memoryReserved()]).toEqual([allocated, reserved]);
  });
});

describe("sequences", () => {
  test.each([
    ["4 x 5 MiB", [5, 5, 5, 5], 20, 20],
    ["3 x 9 MiB", [9, 9, 9], 27, 40],
    ["7 MiB, then 12 MiB takes the 13 MiB remainder whole", [7, 12], 20, 20],
    ["7 MiB, then 13 MiB", [7, 13], 20, 20],
  ])("%s", (_, requests, allocated, reserved) => {
    const allocator = fresh();
    for (const mib of requests) allocator.malloc(mib * MIB);
    expect([allocator.memoryAllocated(), allocator.memoryReserved()]).toEqual([allocated * MIB, reserved * MIB]);
  });

  test("what a block is charged beyond its rounded request", () => {
    const allocator = fresh();
    allocator.malloc(7 * MIB);
    const second = allocator.malloc(12 * MIB - 3)!;
    expect(second.bytes).toBe(13 * MIB);
    expect(allocator.unsplitRemainderBytes()).toBe(MIB);
    allocator.free(second);
    expect(allocator.unsplitRemainderBytes()).toBe(0);
  });
});

test("forward and backward of a linear layer on an A100 with PyTorch 2.6", () => {
  const allocator = new CachingAllocator({ totalBytes: 40 * GIB, torch: "2.6" });
  const held: Record<string, Block> = {};
  const malloc = (name: string, bytes: number): void => {
    held[name] = allocator.malloc(bytes)!;
  };
  const free = (name: string): void => allocator.free(held[name]);
  const state = (): number[] => {
    const result = [allocator.memoryAllocated(), allocator.maxMemoryAllocated(), allocator.memoryReserved()];
    allocator.resetPeakMemoryStats();
    return result;
  };
  malloc("weight", 4_194_304);
  malloc("bias", 4096);
  expect(state()).toEqual([4_198_400, 4_198_400, 23_068_672]);
  malloc("x", 16_777_216);
  expect(state()).toEqual([20_975_616, 20_975_616, 23_068_672]);
  malloc("g", 16_777_216);
  expect(state()).toEqual([37_752_832, 37_752_832, 39_845_888]);
  malloc("y", 16_777_216);
  malloc("lt workspace", 1_048_576);
  malloc("workspace", 8_519_680);
  free("lt workspace");
  expect(state()).toEqual([63_049_728, 64_098_304, 77_594_624]);
  malloc("weight gradient", 4_194_304);
  malloc("backward workspace", 8_519_680);
  malloc("bias gradient", 4096);
  malloc("reduction buffer", 33_554_432);
  malloc("semaphores", 32);
  free("semaphores");
  free("reduction buffer");
  expect(state()).toEqual([75_767_808, 109_322_752, 132_120_576]);
  for (const name of ["y", "g", "x"]) free(name);
  expect(state()).toEqual([25_436_160, 75_767_808, 132_120_576]);
  allocator.emptyCache();
  expect(state()).toEqual([25_436_160, 25_436_160, 65_011_712]);
});

// The cases of PyTorch's own test of graph memory (test/test_cuda.py): elements of the first tensor, segments that the
// capture takes, their bytes, and what is left of them when the graph is gone but one tensor lives.
describe("allocations of a capture come from a private pool", () => {
  const ROUNDED = 2 * MIB * Math.ceil((10 * MIB + 512) / (2 * MIB));
  test.each([
    [512, 1, 2 * MIB, 2 * MIB],
    [MIB, 2, 4 * MIB, 2 * MIB],
    [MIB + 512, 1, 20 * MIB, 20 * MIB],
    [10 * MIB - 512, 2, 40 * MIB, 20 * MIB],
    [10 * MIB + 512, 3, 3 * ROUNDED, ROUNDED],
  ])("%i bytes", (bytes, segments, reserved, left) => {
    const allocator = fresh();
    allocator.malloc(bytes);
    const before = allocator.memoryStats();
    const delta = (key: string): number => allocator.memoryStats()[key] - before[key];
    allocator.beginAllocateToPool([0, 1]);
    let b = allocator.malloc(bytes)!; // b = a.clone(); five times b = b.clone() + 1
    for (let i = 0; i < 5; i++) {
      const copy = allocator.malloc(bytes)!;
      const sum = allocator.malloc(bytes)!;
      allocator.free(copy);
      allocator.free(b);
      b = sum;
    }
    allocator.endAllocateToPool([0, 1]);
    expect([delta("segment.all.current"), delta("reserved_bytes.all.current")]).toEqual([segments, reserved]);
    allocator.emptyCache();
    expect(delta("reserved_bytes.all.current")).toBe(reserved);
    allocator.releasePool([0, 1]);
    allocator.emptyCache();
    expect(delta("reserved_bytes.all.current")).toBe(left);
    allocator.free(b);
    allocator.emptyCache();
    expect(delta("reserved_bytes.all.current")).toBe(0);
    expect(delta("allocated_bytes.all.current")).toBe(0);
  });
});
