/** Texts that users compare letter by letter: the out-of-memory message and the memory summary. */

import { describe, expect, test } from "vitest";
import { CachingAllocator, formatSize, memorySummaryText, oomText, type OomFacts } from "../../src/alloc/index.ts";
import { rulesFor } from "../../src/torch/changes.ts";
import { releaseOf } from "../../src/torch/releases.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

function facts(values: Partial<OomFacts>): OomFacts {
  return {
    device: 0,
    requestedBytes: 0,
    segmentBytes: 0,
    totalBytes: 0,
    freeBytes: 0,
    allocatedBytes: 0,
    reservedBytes: 0,
    allowedBytes: null,
    privatePoolBytes: 0,
    processBytes: null,
    ...values,
  };
}

const gib = (value: number): number => Math.round(value * GIB);
const mib = (value: number): number => Math.round(value * MIB);

// Each text was posted publicly by somebody who ran out of memory; the source stands beside it.
describe("published out-of-memory texts", () => {
  test.each([
    [
      "1.12", // Strawberry-Eat-Mango/PCT_Pytorch issue 29
      facts({
        segmentBytes: mib(16),
        totalBytes: gib(3.94),
        allocatedBytes: gib(2.98),
        freeBytes: mib(14.25),
        reservedBytes: gib(3) + 1,
      }),
      "CUDA out of memory. Tried to allocate 16.00 MiB (GPU 0; 3.94 GiB total capacity; 2.98 GiB already allocated; 14.25 MiB free; 3.00 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF",
    ],
    [
      "2.1", // kerrj/lerf issue 73
      facts({
        segmentBytes: gib(3),
        totalBytes: gib(23.65),
        freeBytes: gib(1.66),
        processBytes: gib(20.81),
        allocatedBytes: gib(12.09),
        reservedBytes: gib(12.09) + gib(4.84),
      }),
      "CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacty of 23.65 GiB of which 1.66 GiB is free. Including non-PyTorch memory, this process has 20.81 GiB memory in use. Of the allocated memory 12.09 GiB is allocated by PyTorch, and 4.84 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF",
    ],
    [
      "2.2", // pytorch/pytorch issue 16417, comment of 2024-03-13
      facts({
        segmentBytes: mib(22),
        totalBytes: gib(23.65),
        freeBytes: mib(11.06),
        processBytes: gib(23.6),
        allocatedBytes: gib(22.9),
        reservedBytes: gib(22.9) + mib(194.87),
      }),
      "CUDA out of memory. Tried to allocate 22.00 MiB. GPU 0 has a total capacity of 23.65 GiB of which 11.06 MiB is free. Including non-PyTorch memory, this process has 23.60 GiB memory in use. Of the allocated memory 22.90 GiB is allocated by PyTorch, and 194.87 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)",
    ],
    [
      "2.5", // kaito-project/kaito issue 976, without its sentence on another process
      facts({
        segmentBytes: mib(546),
        totalBytes: gib(15.77),
        freeBytes: mib(514.19),
        allocatedBytes: gib(13.73) - mib(46),
        privatePoolBytes: mib(46),
        reservedBytes: gib(13.73) + mib(736.86),
      }),
      "CUDA out of memory. Tried to allocate 546.00 MiB. GPU 0 has a total capacity of 15.77 GiB of which 514.19 MiB is free. Of the allocated memory 13.73 GiB is allocated by PyTorch, with 46.00 MiB allocated in private pools (e.g., CUDA Graphs), and 736.86 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)",
    ],
    [
      "2.2", // derrian-distro/LoRA_Easy_Training_Scripts issue 178
      facts({
        segmentBytes: mib(90),
        totalBytes: gib(8) + 1,
        freeBytes: 0,
        allocatedBytes: gib(7.13),
        reservedBytes: gib(7.13) + mib(127.09),
      }),
      "CUDA out of memory. Tried to allocate 90.00 MiB. GPU 0 has a total capacity of 8.00 GiB of which 0 bytes is free. Of the allocated memory 7.13 GiB is allocated by PyTorch, and 127.09 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)",
    ],
  ])("PyTorch %s", (torch, values, text) => {
    expect(oomText(values, rulesFor(releaseOf(torch)))).toBe(text);
  });

  test("the variable and the link of newer releases", () => {
    const end = (torch: string): string => oomText(facts({}), rulesFor(releaseOf(torch))).slice(-200);
    expect(end("2.9")).toContain("try setting PYTORCH_ALLOC_CONF=expandable_segments:True");
    expect(end("2.10")).toContain("PYTORCH_ALLOC_CONF=");
    expect(oomText(facts({}), rulesFor(releaseOf("2.11")))).toMatch(
      /PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation\. {2}See documentation for Memory Management {2}\(https:\/\/docs\.pytorch\.org\/docs\/stable\/notes\/cuda\.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf\)$/,
    );
  });

  test("the name of the exception", () => {
    const name = (torch: string): string => rulesFor(releaseOf(torch)).oomException;
    expect([name("1.12"), name("1.13.1"), name("2.3"), name("2.6.0+cu124")]).toEqual([
      "RuntimeError",
      "torch.cuda.OutOfMemoryError",
      "torch.cuda.OutOfMemoryError",
      "torch.OutOfMemoryError",
    ]);
  });

  test("sizes change their unit above, not at, a power of 1024, and exact halves go to the even digit", () => {
    expect([1024, 1025, MIB, MIB + 1, GIB, GIB + 1].map(formatSize)).toEqual([
      "1024 bytes",
      "1.00 KiB",
      "1024.00 KiB",
      "1.00 MiB",
      "1024.00 MiB",
      "1.00 GiB",
    ]);
    // C's printf rounds 8.125 to 8.12 and 8.375 to 8.38.
    expect([8.125, 8.375, 8.625, 8.875].map((value) => formatSize(value * MIB))).toEqual([
      "8.12 MiB",
      "8.38 MiB",
      "8.62 MiB",
      "8.88 MiB",
    ]);
  });
});

// Printed by torch.cuda.memory.memory_summary of PyTorch 2.14.1 (and, letter for letter, 2.6.0) for these statistics.
const SUMMARY = `\
|===========================================================================|
|                  PyTorch CUDA memory summary, device ID 0                 |
|---------------------------------------------------------------------------|
|            CUDA OOMs: 0            |        cudaMalloc retries: 0         |
|===========================================================================|
|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
|---------------------------------------------------------------------------|
| Allocated memory      | 151650 KiB |   1172 MiB |   1177 MiB |   1029 MiB |
|       from large pool | 151552 KiB |   1172 MiB |   1177 MiB |   1029 MiB |
|       from small pool |     98 KiB |      0 MiB |      0 MiB |      0 MiB |
|---------------------------------------------------------------------------|
| Active memory         | 151650 KiB |   1172 MiB |   1177 MiB |   1029 MiB |
|       from large pool | 151552 KiB |   1172 MiB |   1177 MiB |   1029 MiB |
|       from small pool |     98 KiB |      0 MiB |      0 MiB |      0 MiB |
|---------------------------------------------------------------------------|
| Requested memory      | 150868 KiB |   1171 MiB |   1176 MiB |   1029 MiB |
|       from large pool | 150771 KiB |   1171 MiB |   1176 MiB |   1029 MiB |
|       from small pool |     97 KiB |      0 MiB |      0 MiB |      0 MiB |
|---------------------------------------------------------------------------|
| GPU reserved memory   |   1194 MiB |   1194 MiB |   1194 MiB |      0 B   |
|       from large pool |   1192 MiB |   1192 MiB |   1192 MiB |      0 B   |
|       from small pool |      2 MiB |      2 MiB |      2 MiB |      0 B   |
|---------------------------------------------------------------------------|
| Non-releasable memory |   1949 KiB |  17407 KiB |  17407 KiB |  15458 KiB |
|       from large pool |      0 KiB |  15360 KiB |  15360 KiB |  15360 KiB |
|       from small pool |   1949 KiB |   2047 KiB |   2047 KiB |     98 KiB |
|---------------------------------------------------------------------------|
| Allocations           |       3    |       4    |       5    |       2    |
|       from large pool |       1    |       2    |       3    |       2    |
|       from small pool |       2    |       2    |       2    |       0    |
|---------------------------------------------------------------------------|
| Active allocs         |       3    |       4    |       5    |       2    |
|       from large pool |       1    |       2    |       3    |       2    |
|       from small pool |       2    |       2    |       2    |       0    |
|---------------------------------------------------------------------------|
| GPU reserved segments |       4    |       4    |       4    |       0    |
|       from large pool |       3    |       3    |       3    |       0    |
|       from small pool |       1    |       1    |       1    |       0    |
|---------------------------------------------------------------------------|
| Non-releasable allocs |       1    |       2    |       2    |       1    |
|       from large pool |       0    |       1    |       1    |       1    |
|       from small pool |       1    |       1    |       1    |       0    |
|---------------------------------------------------------------------------|
| Oversize allocations  |       0    |       0    |       0    |       0    |
|---------------------------------------------------------------------------|
| Oversize GPU segments |       0    |       0    |       0    |       0    |
|===========================================================================|
`;

const SHORT_ROWS = SUMMARY.split("\n").filter((line) => !/from (large|small) pool/.test(line));

describe("memory_summary", () => {
  const scenario = (torch: string): CachingAllocator => {
    const allocator = new CachingAllocator({ totalBytes: 40 * GIB, torch });
    allocator.malloc(154_389_504);
    allocator.malloc(1);
    const small = allocator.malloc(5 * MIB)!;
    allocator.malloc(100_000);
    allocator.free(small);
    allocator.free(allocator.malloc(GIB)!);
    return allocator;
  };

  test.each(["2.6", "2.14"])("PyTorch %s", (torch) => {
    expect(scenario(torch).memorySummary()).toBe(SUMMARY);
  });

  test("abbreviated, for another device", () => {
    const text = scenario("2.14").memorySummary(3, true);
    expect(text.split("\n")).toEqual(SHORT_ROWS.map((line) => line.replace("device ID 0 ", "device ID 3 ")));
  });

  // A row of a summary posted in pytorch/pytorch issue 35901; before 2.0 units are B, KB, MB.
  test("the layout before 2.0", () => {
    const stats: Record<string, number> = { ...scenario("1.13").memoryStats() };
    stats["allocated_bytes.all.current"] = 1062 * MIB;
    stats["allocated_bytes.all.peak"] = 4877 * MIB;
    stats["allocated_bytes.all.allocated"] = 89_299 * MIB;
    stats["allocated_bytes.all.freed"] = 88_237 * MIB;
    stats["allocated_bytes.small_pool.current"] = 14 * MIB;
    const lines = memorySummaryText(stats, rulesFor(releaseOf("1.13")), 0, false).split("\n");
    expect(lines).toContain("| Allocated memory      |    1062 MB |    4877 MB |   89299 MB |   88237 MB |");
    expect(lines.some((line) => line.startsWith("|       from small pool |      14 MB |"))).toBe(true);
    expect(lines.some((line) => line.includes("Requested memory"))).toBe(false);
  });
});
