/** Scratch memory of library sorts, as the host code of released builds asked for it (scripts/record/cardless, cards a100-80gb and h100). */

import { expect, test } from "vitest";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { mergeSortBytes, radixSortBytes } from "../../src/ops/radix-sort.ts";
import { rulesFor } from "../../src/torch/changes.ts";

const on = (id: string) => {
  const gpu = findGpu(id);
  if (!gpu.ok) throw new Error(id);
  return { gpu: gpu.value, rules: rulesFor("2.14") };
};

test.each([
  // card, items, bytes of key and value, whether keys are floating, what was asked for
  ["h100", 1_000_000, 4, 8, true, 12_200_191],
  ["h100", 1_000_000, 8, 8, false, 16_240_127],
  ["h100", 1_000_000, 2, 8, true, 10_187_007],
  ["h100", 1_000_000, 1, 8, false, 299_519],
  ["h100", 1_000_000, 4, 0, true, 4_157_183],
  ["h100", 1_000_000, 4, 0, false, 4_150_015],
  ["h100", 1_000_000, 8, 0, false, 8_195_071],
  ["h100", 1_000_000, 2, 0, true, 2_110_207],
  ["h100", 1_000_000, 1, 0, false, 108_031],
  ["a100", 3_000_000, 4, 0, true, 12_390_655],
  ["a100", 100_000, 4, 8, true, 1_242_623],
  ["a100", 100_000, 8, 8, false, 1_644_543],
])("%s sorts %i items of %i and %i bytes (floating: %s)", (card, items, keyBytes, valueBytes, floating, bytes) => {
  expect(radixSortBytes(items, keyBytes, valueBytes, on(card), 8 * keyBytes, floating)).toBe(bytes);
});

test("Few bits are sorted in one pass, without copies", () => {
  expect(radixSortBytes(524_288, 8, 0, on("h100"), 6)).toBe(96_767);
});

test("Merge sorts take a second copy and where the parts meet", () => {
  expect([5, 625, 12_500, 375_000].map((items) => mergeSortBytes(items, 8))).toEqual([767, 5631, 100_607, 3_001_087]);
});
