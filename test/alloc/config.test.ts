/** Allocator configuration: what real PyTorch accepts and refuses, rounding by divisions, and the one error. */

import { describe, expect, test } from "vitest";
import {
  AllocConfError,
  allocConfigFromEnvironment,
  CachingAllocator,
  parseAllocConf,
  roundRequest,
} from "../../src/alloc/index.ts";

const MIB = 2 ** 20;

// Answers of PyTorch 2.14.1's own parser (torch._C._accelerator_setAllocatorSettings), one text at a time.
describe("texts that PyTorch 2.14.1 accepts", () => {
  test.each([
    "",
    "  ",
    "max_split_size_mb:20",
    "max_split_size_mb:21",
    "max_split_size_mb:30,",
    "max_split_size_mb:30,,expandable_segments:True",
    ",max_split_size_mb:30",
    " expandable_segments : True , max_split_size_mb : 64 ",
    "large_segment_size_mb:11",
    "large_segment_size_mb:12,max_split_size_mb:15",
    "max_split_size_mb:15,large_segment_size_mb:12",
    "large_segment_size_mb:12,max_non_split_rounding_mb:15",
    "max_non_split_rounding_mb:20",
    "garbage_collection_threshold:0.99",
    "roundup_power2_divisions:1",
    "roundup_power2_divisions:[256:1,512:2,>:4]",
    "roundup_power2_divisions:[256:0,>:4]",
    "roundup_power2_divisions:[>:4]",
    "roundup_power2_divisions:[]",
    "expandable_segments:True",
    "expandable_segments: False",
    "pinned_max_round_threshold_mb:3",
    "backend:native",
  ])("%s", (text) => {
    expect(parseAllocConf(text, "2.14").text).toBe(text);
  });
});

describe("texts that PyTorch 2.14.1 refuses", () => {
  test.each([
    "max_split_size_mb:19",
    "large_segment_size_mb:2",
    "large_segment_size_mb:10",
    "large_segment_size_mb:40,max_split_size_mb:30",
    "max_split_size_mb:30,large_segment_size_mb:40",
    "max_non_split_rounding_mb:19",
    "large_segment_size_mb:40,max_non_split_rounding_mb:30",
    "garbage_collection_threshold:1.0",
    "garbage_collection_threshold:0",
    "roundup_power2_divisions:3",
    "roundup_power2_divisions:0",
    "roundup_power2_divisions:[3:2]",
    "roundup_power2_divisions:[256:2",
    "expandable_segments:true",
    "expandable_segments:1",
    "max_split_size_mb",
    "max_split_size_mb:",
    "max_split_size_mb:abc",
    "max_split_size_mb:30;expandable_segments:True",
    "max_split_size_mb=30",
    "max_split_size_mb:30 expandable_segments:True",
    "[max_split_size_mb:20]",
    "garbage_collection_threshold:",
    // The option names that the CUDA build adds are checked there; foreign ones are refused.
    "foo:123,bar:456",
    "max_split_size:1",
  ])("%s", (text) => {
    expect(() => parseAllocConf(text, "2.14")).toThrow(AllocConfError);
  });
});

describe("the error says which option, and what was meant", () => {
  const failure = (text: string, torch?: string): AllocConfError => {
    try {
      parseAllocConf(text, torch);
    } catch (error) {
      if (error instanceof AllocConfError) return error;
    }
    throw new Error("no error");
  };

  test("a mistyped name", () => {
    const error = failure("expandable_segment:True", "2.6");
    expect(error.code).toBe("alloc-conf-unknown-option");
    expect(error.args).toEqual({ option: "expandable_segment", nearest: "expandable_segments", torch: "2.6" });
    expect(failure("max_split_size:128").args.nearest).toBe("max_split_size_mb");
  });
  test("an option of another release", () => {
    expect(failure("expandable_segments:True", "2.0")).toMatchObject({
      code: "alloc-conf-option-too-new",
      args: { option: "expandable_segments", since: "2.1", torch: "2.0" },
    });
    expect(failure("roundup_bypass_threshold_mb:64", "2.1")).toMatchObject({
      code: "alloc-conf-option-removed",
      args: { option: "roundup_bypass_threshold_mb", until: "2.0" },
    });
  });
  test("a bad value", () => {
    expect(failure("max_split_size_mb:20", "2.6")).toMatchObject({
      code: "alloc-conf-bad-value",
      args: { option: "max_split_size_mb", value: "20" },
    });
    expect(failure("roundup_power2_divisions:[1:2]", "1.13").args.option).toBe("roundup_power2_divisions");
  });
  test("the environment names the variable by release", () => {
    const environment = { PYTORCH_ALLOC_CONF: "max_split_size_mb:64" };
    expect(allocConfigFromEnvironment(environment, "2.9").maxSplitBytes).toBe(64 * MIB);
    expect(allocConfigFromEnvironment(environment, "2.8").maxSplitBytes).toBe(Infinity);
    const both = { ...environment, PYTORCH_CUDA_ALLOC_CONF: "max_split_size_mb:128" };
    expect(allocConfigFromEnvironment(both, "2.9").maxSplitBytes).toBe(128 * MIB);
    expect(allocConfigFromEnvironment({ PYTORCH_NO_CUDA_MEMORY_CACHING: "0" }, "2.9").caching).toBe(false);
  });
});

// Slots as PyTorch's own test expects them (c10/test/core/AllocatorConfig_test.cpp).
describe("roundup_power2_divisions by size", () => {
  test.each([
    [
      "[64:8,128:2,256:4,512:2,1024:4,>:1]",
      { 32: 8, 64: 8, 128: 2, 256: 4, 512: 2, 1024: 4, 2048: 1, 4096: 1, 8192: 1 },
    ],
    ["[128:8,256:16,512:1,2048:8,>:2]", { 64: 8, 128: 8, 256: 16, 512: 1, 1024: 0, 2048: 8, 4096: 2 }],
    ["4", { 64: 4, 256: 4, 2048: 4 }],
  ])("%s", (value, expected) => {
    const { roundupDivisions } = parseAllocConf(`roundup_power2_divisions:${value}`);
    for (const [mib, divisions] of Object.entries(expected))
      expect(roundupDivisions[Math.log2(Number(mib))]).toBe(divisions);
  });

  test("the documented example: 1200 with four divisions is 1280", () => {
    // Divisions apply above 512 x divisions, so the example is scaled to MiB.
    const config = parseAllocConf("roundup_power2_divisions:4");
    expect(roundRequest(1200 * MIB, config)).toBe(1280 * MIB);
    expect(roundRequest(1024 * MIB, config)).toBe(1024 * MIB);
    expect(roundRequest(2048, config)).toBe(2048);
    expect(roundRequest(2049, config)).toBe(2560);
    expect(roundRequest(1100, config)).toBe(1536);
  });

  test("before 2.0 larger requests could skip it", () => {
    const config = parseAllocConf("roundup_power2_divisions:4,roundup_bypass_threshold_mb:1280", "1.13");
    expect(roundRequest(1100 * MIB, config)).toBe(1280 * MIB);
    expect(roundRequest(1300 * MIB, config)).toBe(1300 * MIB);
  });

  test("requests beyond 4 GiB stay exact", () => {
    const config = parseAllocConf("");
    expect(roundRequest(5 * 2 ** 30 + 1, config)).toBe(5 * 2 ** 30 + 512);
    expect(roundRequest(2 ** 31 - 1, config)).toBe(2 ** 31);
    expect(roundRequest(3 * 2 ** 40 + 513, config)).toBe(3 * 2 ** 40 + 1024);
  });
});

test("large_segment_size_mb sets the segment of requests from 1 to 10 MiB", () => {
  const allocator = new CachingAllocator({ totalBytes: 2 ** 33, config: parseAllocConf("large_segment_size_mb:40") });
  allocator.malloc(2 * MIB);
  expect([allocator.memoryAllocated(), allocator.memoryReserved()]).toEqual([2 * MIB, 40 * MIB]);
});
