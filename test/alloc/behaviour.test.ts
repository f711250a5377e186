/** Streams, limits, expandable segments, garbage collection, private counters: expected values follow from the reference's rules. */

import { describe, expect, test } from "vitest";
import {
  CachingAllocator,
  OutOfMemoryError,
  parseAllocConf,
  type AllocatorConfig,
  type AllocatorEvent,
  type Block,
} from "../../src/alloc/index.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

function make(totalBytes: number, conf = "", torch?: string): CachingAllocator {
  return new CachingAllocator({ totalBytes, config: parseAllocConf(conf, torch), torch });
}

function stat(allocator: CachingAllocator, key: string): number {
  const value = allocator.memoryStats()[key];
  expect(value, key).toBeTypeOf("number");
  return value;
}

describe("streams", () => {
  test("a cached block is reused only by its own stream", () => {
    const allocator = make(GIB);
    const first = allocator.malloc(5 * MIB, 1)!;
    const { address } = first;
    allocator.free(first);
    expect(allocator.malloc(5 * MIB, 2)!.address).not.toBe(address);
    expect(allocator.malloc(5 * MIB, 1)!.address).toBe(address);
    expect(allocator.memoryReserved()).toBe(40 * MIB);
  });

  test("a block used on another stream stays active until the next allocation", () => {
    const events: string[] = [];
    const allocator = new CachingAllocator({ totalBytes: GIB, onEvent: (event) => events.push(event.kind) });
    const block = allocator.malloc(5 * MIB)!;
    allocator.recordStream(block, 7);
    allocator.free(block);
    expect(stat(allocator, "allocated_bytes.all.current")).toBe(0);
    expect(stat(allocator, "active_bytes.all.current")).toBe(5 * MIB);
    expect(stat(allocator, "requested_bytes.all.current")).toBe(5 * MIB);
    expect(allocator.snapshot()[0].blocks[0].state).toBe("active_pending_free");
    allocator.malloc(512);
    expect(stat(allocator, "active_bytes.all.current")).toBe(512);
    expect(events).toEqual(["segment_alloc", "alloc", "free_requested", "free_completed", "segment_alloc", "alloc"]);
  });

  test("recording the stream of the allocation changes nothing", () => {
    const allocator = make(GIB);
    const block = allocator.malloc(512, 3)!;
    allocator.recordStream(block, 3);
    allocator.free(block);
    expect(stat(allocator, "active.all.current")).toBe(0);
  });

  test("two foreign streams are two events, and freeing is final only after both", () => {
    const allocator = make(GIB);
    const block = allocator.malloc(512)!;
    allocator.recordStream(block, 1);
    allocator.recordStream(block, 2);
    allocator.free(block);
    allocator.emptyCache();
    expect(stat(allocator, "active.all.current")).toBe(0);
    expect(allocator.memoryReserved()).toBe(0);
    expect(stat(allocator, "num_sync_all_streams")).toBe(1);
  });
});

describe("running out", () => {
  test("cached segments go back to the driver before a request fails", () => {
    const allocator = make(64 * MIB);
    allocator.free(allocator.malloc(40 * MIB)!);
    allocator.malloc(50 * MIB);
    expect(allocator.memoryReserved()).toBe(50 * MIB);
    expect(stat(allocator, "num_alloc_retries")).toBe(1);
    expect(stat(allocator, "num_ooms")).toBe(0);
  });

  test("a segment with one live block stays", () => {
    const events: AllocatorEvent[] = [];
    const allocator = new CachingAllocator({ totalBytes: 64 * MIB, onEvent: (event) => events.push(event) });
    allocator.malloc(2 * MIB);
    allocator.free(allocator.malloc(15 * MIB)!);
    let error: unknown;
    try {
      allocator.malloc(50 * MIB);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(OutOfMemoryError);
    expect(error).toMatchObject({
      requestedBytes: 50 * MIB,
      segmentBytes: 50 * MIB,
      allocatedBytes: 2 * MIB,
      reservedBytes: 20 * MIB,
      freeBytes: 44 * MIB,
      exceptionName: "torch.OutOfMemoryError",
    });
    expect(stat(allocator, "num_ooms")).toBe(1);
    expect(events.at(-1)).toMatchObject({ kind: "oom", requestedBytes: 50 * MIB });
    // Catch and go on, as programs do.
    expect(allocator.malloc(18 * MIB)!.bytes).toBe(18 * MIB);
  });

  test("the text names the segment, not the tensor", () => {
    const allocator = make(10 * MIB, "", "2.6");
    expect(() => allocator.malloc(2 * MIB)).toThrow(
      /^CUDA out of memory\. Tried to allocate 20\.00 MiB\. GPU 0 has a total capacity of 10\.00 MiB/,
    );
  });

  test("the context is not available", () => {
    const allocator = new CachingAllocator({ totalBytes: 64 * MIB, contextBytes: 30 * MIB });
    expect(allocator.memGetInfo()).toEqual({ freeBytes: 34 * MIB, totalBytes: 64 * MIB });
    expect(() => allocator.malloc(36 * MIB)).toThrow(OutOfMemoryError);
    allocator.malloc(34 * MIB);
    expect(allocator.memGetInfo().freeBytes).toBe(0);
  });

  test("a memory fraction refuses without asking the driver", () => {
    const allocator = make(100 * MIB, "", "2.6");
    allocator.setMemoryFraction(0.5);
    allocator.malloc(40 * MIB);
    expect(() => allocator.malloc(12 * MIB)).toThrow(/50\.00 MiB allowed; Of the allocated memory 40\.00 MiB/);
    allocator.malloc(10 * MIB);
    expect(allocator.memoryReserved()).toBe(50 * MIB);
  });

  test("one exbibyte", () => {
    expect(() => make(GIB).malloc(2 ** 60)).toThrow("CUDA out of memory. Tried to allocate more than 1EB memory.");
  });

  test("without caching every tensor is a cudaMalloc and the counters stay 0", () => {
    const config: AllocatorConfig = { ...parseAllocConf(""), caching: false };
    const allocator = new CachingAllocator({ totalBytes: 8 * MIB, config });
    const block = allocator.malloc(5 * MIB)!;
    expect([allocator.memoryAllocated(), allocator.memoryReserved()]).toEqual([0, 0]);
    expect(() => allocator.malloc(5 * MIB)).toThrow("CUDA error: out of memory");
    allocator.free(block);
    expect(allocator.malloc(5 * MIB)!.bytes).toBe(5 * MIB);
    expect(allocator.memGetInfo().freeBytes).toBe(2 * MIB);
  });
});

describe("max_split_size_mb", () => {
  test("an oversize block is not split, and not given to a small request", () => {
    const allocator = make(GIB, "max_split_size_mb:64");
    const big = allocator.malloc(100 * MIB)!;
    expect(stat(allocator, "oversize_allocations.current")).toBe(1);
    expect(stat(allocator, "oversize_segments.current")).toBe(1);
    expect(stat(allocator, "max_split_size")).toBe(64 * MIB);
    const { address } = big;
    allocator.free(big);
    expect(allocator.malloc(30 * MIB)!.address).not.toBe(address);
    // Within 20 MiB of its size it serves oversize requests, whole.
    const again = allocator.malloc(81 * MIB)!;
    expect([again.address, again.bytes]).toEqual([address, 100 * MIB]);
    allocator.free(again);
    expect(allocator.malloc(80 * MIB)!.address).not.toBe(address);
  });

  test("max_non_split_rounding_mb widens that", () => {
    const allocator = make(GIB, "max_split_size_mb:64,max_non_split_rounding_mb:30");
    allocator.free(allocator.malloc(100 * MIB)!);
    expect(allocator.malloc(71 * MIB)!.bytes).toBe(100 * MIB);
  });

  test("under pressure one sufficient oversize block is released, not the whole cache", () => {
    const allocator = make(300 * MIB, "max_split_size_mb:64");
    const [a, b, c] = [100, 90, 40].map((mib) => allocator.malloc(mib * MIB)!);
    for (const block of [a, b, c]) allocator.free(block);
    allocator.malloc(120 * MIB); // too much for any: the two oversize blocks go, from the largest down
    expect(allocator.memoryReserved()).toBe(160 * MIB);
    expect(stat(allocator, "num_alloc_retries")).toBe(0);
  });
});

describe("expandable segments", () => {
  const conf = "expandable_segments:True";

  test("memory is mapped page by page and there is no slack", () => {
    const allocator = make(GIB, conf);
    allocator.malloc(11 * MIB);
    expect([allocator.memoryAllocated(), allocator.memoryReserved()]).toEqual([11 * MIB, 20 * MIB]);
    allocator.malloc(11 * MIB);
    expect([allocator.memoryAllocated(), allocator.memoryReserved()]).toEqual([22 * MIB, 40 * MIB]);
    allocator.malloc(1);
    expect([allocator.memoryAllocated(), allocator.memoryReserved()]).toEqual([22 * MIB + 512, 42 * MIB]);
    expect(stat(allocator, "segment.all.current")).toBe(0);
    expect(stat(allocator, "num_device_alloc")).toBe(3);
    expect(stat(allocator, "inactive_split.all.current")).toBe(0);
  });

  test("blocks follow each other and grow into the unmapped space", () => {
    const allocator = make(GIB, conf);
    const a = allocator.malloc(15 * MIB)!;
    const b = allocator.malloc(30 * MIB)!;
    expect(b.address).toBe(a.address + 15 * MIB);
    expect(allocator.memoryReserved()).toBe(60 * MIB);
    const [range] = allocator.snapshot();
    expect(range).toMatchObject({ isExpandable: true, totalBytes: 60 * MIB, type: "large" });
  });

  test("empty_cache unmaps whole free pages beside live blocks", () => {
    const events: AllocatorEvent[] = [];
    const allocator = new CachingAllocator({
      totalBytes: GIB,
      config: parseAllocConf(conf),
      onEvent: (event) => events.push(event),
    });
    const a = allocator.malloc(30 * MIB)!;
    const b = allocator.malloc(40 * MIB)!;
    const c = allocator.malloc(2 * MIB)!;
    const start = a.address;
    allocator.free(b); // 30..70 is free: pages 40..60 inside it can go, and the unused end 72..80 cannot
    allocator.emptyCache();
    expect(events.at(-1)).toMatchObject({ kind: "segment_unmap", address: start + 40 * MIB, bytes: 20 * MIB });
    expect(allocator.memoryReserved()).toBe(60 * MIB);
    expect(allocator.snapshot().map((range) => [range.address - start, range.totalBytes])).toEqual([
      [0, 40 * MIB],
      [60 * MIB, 20 * MIB],
    ]);
    // The gap is filled first: the lowest address that works.
    expect(allocator.malloc(35 * MIB)!.address).toBe(start + 30 * MIB);
    expect(allocator.memoryReserved()).toBe(80 * MIB);
    expect(c.address).toBe(start + 70 * MIB);
  });

  test("the address range is given back when all of it is free", () => {
    const allocator = make(GIB, conf);
    allocator.free(allocator.malloc(100 * MIB)!);
    allocator.emptyCache();
    expect(allocator.memoryReserved()).toBe(0);
    expect(allocator.snapshot()).toEqual([]);
    expect(allocator.memGetInfo().freeBytes).toBe(GIB);
  });

  test("fragments of the default mode fit here", () => {
    const total = 100 * MIB;
    const run = (text: string): CachingAllocator => {
      const allocator = make(total, text);
      const blocks = [20, 20, 20, 20].map((mib) => allocator.malloc(mib * MIB)!);
      for (const block of blocks) allocator.free(block);
      allocator.malloc(1); // pins one small page
      allocator.malloc(90 * MIB);
      return allocator;
    };
    expect(run("").memoryReserved()).toBe(92 * MIB);
    expect(() => run(conf)).toThrow(OutOfMemoryError); // 90 MiB are five pages of 20 MiB
    expect(() => make(130 * MIB, conf).malloc(100 * MIB)).not.toThrow();
  });

  // Scenarios of PyTorch's own tests (test_max_split_expandable, test_garbage_collect_expandable).
  test("both kinds of memory live side by side when the setting changes", () => {
    const allocator = make(GIB, "", "2.6");
    const set = (text: string): void => allocator.configure(parseAllocConf(text, "2.6"));
    allocator.setMemoryFraction(120 / 1024);
    set("expandable_segments:False,max_split_size_mb:40");
    const a = allocator.malloc(40 * MIB)!;
    set("expandable_segments:True,max_split_size_mb:40");
    const b = allocator.malloc(40 * MIB)!;
    set("expandable_segments:False,max_split_size_mb:40");
    const c = allocator.malloc(40 * MIB)!;
    expect(() => allocator.malloc(40 * MIB)).toThrow(OutOfMemoryError);
    for (const block of [a, b, c]) allocator.free(block);
    expect(allocator.malloc(120 * MIB)!.bytes).toBe(120 * MIB);
  });

  test("garbage collection passes expandable blocks over", () => {
    const allocator = make(GIB, "", "2.6");
    allocator.setMemoryFraction(120 / 1024);
    allocator.configure(parseAllocConf("expandable_segments:False,garbage_collection_threshold:0.5", "2.6"));
    const a = allocator.malloc(40 * MIB)!;
    allocator.configure(parseAllocConf("expandable_segments:True,garbage_collection_threshold:0.5", "2.6"));
    const b = allocator.malloc(40 * MIB)!;
    allocator.free(a);
    allocator.free(b);
    expect(allocator.malloc(80 * MIB)!.bytes).toBe(80 * MIB);
  });
});

describe("garbage collection", () => {
  test("needs a memory fraction, starts above the threshold, and takes the oldest", () => {
    const freed: number[] = [];
    const allocator = new CachingAllocator({
      totalBytes: 1000 * MIB,
      config: parseAllocConf("garbage_collection_threshold:0.5"),
      onEvent: (event) => event.kind === "segment_free" && freed.push(event.bytes / MIB),
    });
    allocator.setMemoryFraction(0.4); // 400 MiB allowed, collection above 200 MiB
    const blocks = [30, 50, 70, 90].map((mib) => allocator.malloc(mib * MIB)!);
    // Freed one after the other with a search between them: the first has waited longest.
    for (const block of blocks) {
      allocator.free(block);
      allocator.free(allocator.malloc(12 * MIB)!);
    }
    expect(freed).toEqual([]);
    allocator.malloc(110 * MIB);
    // 240 MiB were reserved, 40 too many; a round frees all that are at least as old as the average.
    expect(freed).toEqual([50, 70]);
    expect(allocator.memoryReserved()).toBe((30 + 90 + 110) * MIB);
  });
});

describe("counters", () => {
  test("inactive_split follows the table of the reference", () => {
    const allocator = make(GIB);
    const inactive = (): number[] => [
      stat(allocator, "inactive_split.all.current"),
      stat(allocator, "inactive_split_bytes.all.current"),
    ];
    const a = allocator.malloc(4 * MIB)!; // an unsplit segment gets split
    expect(inactive()).toEqual([1, 16 * MIB]);
    const b = allocator.malloc(6 * MIB)!; // the split rest is shrunk
    expect(inactive()).toEqual([1, 10 * MIB]);
    const c = allocator.malloc(10 * MIB)!; // the rest taken whole
    expect(inactive()).toEqual([0, 0]);
    allocator.free(a); // no free neighbour
    expect(inactive()).toEqual([1, 4 * MIB]);
    allocator.free(c);
    expect(inactive()).toEqual([2, 14 * MIB]);
    allocator.free(b); // merges both: the segment is whole again
    expect(inactive()).toEqual([0, 0]);
    expect(stat(allocator, "inactive_split_bytes.all.peak")).toBe(16 * MIB);
    expect(stat(allocator, "inactive_split_bytes.all.freed")).toBe(6 * MIB + 10 * MIB + 14 * MIB);
  });

  test("peaks move only up, resets set them to now, totals run on", () => {
    const allocator = make(GIB);
    const a = allocator.malloc(5 * MIB)!;
    allocator.free(a);
    expect([allocator.memoryAllocated(), allocator.maxMemoryAllocated()]).toEqual([0, 5 * MIB]);
    allocator.resetPeakMemoryStats();
    expect([allocator.maxMemoryAllocated(), allocator.maxMemoryReserved()]).toEqual([0, 20 * MIB]);
    expect(stat(allocator, "allocated_bytes.large_pool.allocated")).toBe(5 * MIB);
    allocator.resetAccumulatedMemoryStats();
    expect(stat(allocator, "allocated_bytes.large_pool.allocated")).toBe(0);
    expect(stat(allocator, "num_device_alloc")).toBe(0);
  });

  test("the keys are those of the release", () => {
    const keys = (torch: string): string[] =>
      Object.keys(new CachingAllocator({ totalBytes: GIB, torch }).memoryStats());
    // nine statistics of three pools with four fields, two without pools, and the scalars
    expect(keys("2.6")).toHaveLength(9 * 12 + 2 * 4 + 6);
    expect(keys("1.13")).toHaveLength(8 * 12 + 2 * 4 + 3);
    expect(keys("2.12")).toContain("num_oom_rejections");
    expect(keys("2.11")).not.toContain("num_oom_rejections");
    expect(keys("2.6")).toEqual([...keys("2.6")].sort());
    expect(keys("1.13").some((key) => key.startsWith("requested_bytes"))).toBe(false);
  });

  test("an unlimited split size reads -1", () => {
    expect(stat(make(GIB), "max_split_size")).toBe(-1);
  });

  test("private pools have counters of their own since 2.14", () => {
    const allocator = make(GIB, "", "2.14");
    allocator.beginAllocateToPool([0, 1]);
    const block = allocator.malloc(5 * MIB)!;
    allocator.endAllocateToPool([0, 1]);
    expect(stat(allocator, "reserved_bytes_by_private_pools.0_1.large_pool.current")).toBe(20 * MIB);
    allocator.free(block);
    allocator.releasePool([0, 1]);
    allocator.emptyCache();
    expect(stat(allocator, "reserved_bytes_by_private_pools.0_1.all.current")).toBe(0);
    expect(stat(allocator, "reserved_bytes_by_private_pools.0_1.all.peak")).toBe(20 * MIB);
  });
});

describe("mistakes of ours are caught", () => {
  test("freeing twice", () => {
    const allocator = make(GIB);
    const block: Block = allocator.malloc(512)!;
    allocator.free(block);
    expect(() => allocator.free(block)).toThrow(/freed before/);
  });
  test("half bytes", () => {
    expect(() => make(GIB).malloc(0.5)).toThrow(/whole number/);
  });
});
