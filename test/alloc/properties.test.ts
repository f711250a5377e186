/** What must hold for every program: random requests, frees, streams and settings. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CachingAllocator,
  OutOfMemoryError,
  parseAllocConf,
  roundRequest,
  type Block,
  type SegmentSnapshot,
} from "../../src/alloc/index.ts";

const MIB = 2 ** 20;

type Step =
  | { readonly kind: "malloc"; readonly bytes: number; readonly stream: number }
  | { readonly kind: "free" | "record"; readonly pick: number }
  | { readonly kind: "empty" };

const bytes = fc.oneof(
  fc.integer({ min: 1, max: 5000 }),
  fc.integer({ min: MIB - 1000, max: MIB + 1000 }),
  fc.integer({ min: 1, max: 12 }).map((mib) => mib * MIB),
  fc.integer({ min: 1, max: 40 * MIB }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("malloc" as const), bytes, stream: fc.constantFrom(0, 0, 0, 5) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("free" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("record" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("empty" as const) }) },
);
const conf = fc.constantFrom(
  "",
  "expandable_segments:True",
  "max_split_size_mb:25",
  "roundup_power2_divisions:4",
  "garbage_collection_threshold:0.3,max_split_size_mb:40",
  "expandable_segments:True,large_segment_size_mb:12",
);
const program = fc.record({
  conf,
  totalMib: fc.integer({ min: 60, max: 400 }),
  steps: fc.array(step, { minLength: 1, maxLength: 120 }),
});
type Program = typeof program extends fc.Arbitrary<infer T> ? T : never;

interface Run {
  readonly allocator: CachingAllocator;
  readonly live: Set<Block>;
  readonly log: string[];
}

/** Runs the steps; `check` looks at the state after each. */
function run({ conf: text, totalMib, steps }: Program, check: (run: Run) => void = () => {}): Run {
  const log: string[] = [];
  const allocator = new CachingAllocator({
    totalBytes: totalMib * MIB,
    config: parseAllocConf(text),
    onEvent: (event) =>
      log.push(`${event.kind} ${event.address} ${event.bytes} ${event.requestedBytes} ${event.stream}`),
  });
  if (text.includes("garbage")) allocator.setMemoryFraction(0.8);
  const live = new Set<Block>();
  const result = { allocator, live, log };
  const pickLive = (pick: number): Block | undefined => [...live][pick % Math.max(1, live.size)];
  for (const next of steps) {
    if (next.kind === "malloc") {
      try {
        live.add(allocator.malloc(next.bytes, next.stream)!);
      } catch (error) {
        if (!(error instanceof OutOfMemoryError)) throw error;
      }
    } else if (next.kind === "empty") {
      allocator.emptyCache();
    } else {
      const block = pickLive(next.pick);
      if (block !== undefined && next.kind === "free") {
        live.delete(block);
        allocator.free(block);
      } else if (block !== undefined) {
        allocator.recordStream(block, 9);
      }
    }
    check(result);
  }
  return result;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function blocksOf(segments: readonly SegmentSnapshot[]) {
  return segments.flatMap((segment) => segment.blocks.map((block) => ({ ...block, segment })));
}

function property(check: (run: Run) => void): void {
  fc.assert(
    fc.property(program, (value) => {
      run(value, check);
    }),
    { numRuns: 150 },
  );
}

describe("after every step of every program", () => {
  test("live blocks never overlap and hold their requests", () => {
    property(({ live, allocator }) => {
      const sorted = [...live].sort((a, b) => a.address - b.address);
      for (let i = 0; i < sorted.length; i++) {
        expect(sorted[i].bytes).toBeGreaterThanOrEqual(roundRequest(sorted[i].requestedBytes, allocator.config));
        expect(sorted[i].address % 512).toBe(0);
        if (i > 0) expect(sorted[i - 1].address + sorted[i - 1].bytes).toBeLessThanOrEqual(sorted[i].address);
      }
    });
  });

  test("segments are filled by their blocks, and idle neighbours are one block", () => {
    property(({ allocator }) => {
      for (const segment of allocator.snapshot()) {
        let end = segment.address;
        let before = "";
        for (const block of segment.blocks) {
          expect(block.address).toBe(end);
          expect(block.bytes).toBeGreaterThan(0);
          expect(block.state === "inactive" && before === "inactive").toBe(false);
          before = block.state;
          end += block.bytes;
        }
        expect(end).toBe(segment.address + segment.totalBytes);
      }
    });
  });

  test("counters are sums over blocks and segments", () => {
    property(({ allocator, live }) => {
      const stats = allocator.memoryStats();
      const segments = allocator.snapshot();
      const blocks = blocksOf(segments);
      const active = blocks.filter((block) => block.state !== "inactive");
      expect(stats["allocated_bytes.all.current"]).toBe(sum([...live].map((block) => block.bytes)));
      expect(stats["allocation.all.current"]).toBe(live.size);
      expect(stats["reserved_bytes.all.current"]).toBe(sum(segments.map((segment) => segment.totalBytes)));
      expect(stats["active.all.current"]).toBe(active.length);
      expect(stats["active_bytes.all.current"]).toBe(sum(active.map((block) => block.bytes)));
      expect(stats["requested_bytes.all.current"]).toBe(sum(active.map((block) => block.requestedBytes)));
      const split = blocks.filter(
        ({ state, segment }) => state === "inactive" && !segment.isExpandable && segment.blocks.length > 1,
      );
      expect(stats["inactive_split.all.current"]).toBe(split.length);
      expect(stats["inactive_split_bytes.all.current"]).toBe(sum(split.map((block) => block.bytes)));
      expect(allocator.unsplitRemainderBytes()).toBe(
        sum([...live].map((block) => block.bytes - roundRequest(block.requestedBytes, allocator.config))),
      );
      const { maxSplitBytes } = allocator.config;
      expect(stats["oversize_allocations.current"]).toBe(
        [...live].filter((block) => block.bytes >= maxSplitBytes).length,
      );
      for (const [key, current] of Object.entries(stats)) {
        if (!key.endsWith(".current")) continue;
        const name = key.slice(0, -".current".length);
        expect(current).toBeGreaterThanOrEqual(0);
        expect(stats[`${name}.peak`]).toBeGreaterThanOrEqual(current);
        expect(stats[`${name}.allocated`] - stats[`${name}.freed`]).toBe(current);
        if (name.endsWith(".all")) {
          const base = name.slice(0, -".all".length);
          expect(stats[`${base}.small_pool.current`] + stats[`${base}.large_pool.current`]).toBe(current);
        }
      }
    });
  });

  test("the device is never overdrawn", () => {
    property(({ allocator }) => {
      const { freeBytes, totalBytes } = allocator.memGetInfo();
      expect(freeBytes).toBe(totalBytes - allocator.memoryReserved());
      expect(freeBytes).toBeGreaterThanOrEqual(0);
    });
  });

  test("in the default mode no free block of the large pool is as small as 1 MiB", () => {
    // The reconstruction of a recorded start relies on it.
    fc.assert(
      fc.property(program, (value) => {
        run({ ...value, conf: "" }, ({ allocator }) => {
          for (const { state, segment, bytes: size } of blocksOf(allocator.snapshot())) {
            if (state === "inactive" && segment.type === "large") expect(size).toBeGreaterThan(MIB);
          }
        });
      }),
      { numRuns: 100 },
    );
  });
});

test("when all is freed, segments are whole again and can all be returned", () => {
  fc.assert(
    fc.property(program, (value) => {
      const { allocator, live } = run(value);
      for (const block of live) allocator.free(block);
      allocator.malloc(1); // sees the events
      allocator.emptyCache();
      const left = allocator.snapshot();
      expect(left).toHaveLength(1);
      expect(allocator.memoryReserved()).toBe(2 * MIB);
      const stats = allocator.memoryStats();
      expect(stats["active.all.current"]).toBe(1);
      expect(stats["active.large_pool.current"]).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test("the same program gives the same events and numbers", () => {
  fc.assert(
    fc.property(program, (value) => {
      const [first, second] = [run(value), run(value)];
      expect(second.log).toEqual(first.log);
      expect(second.allocator.memoryStats()).toEqual(first.allocator.memoryStats());
      expect(second.allocator.snapshot()).toEqual(first.allocator.snapshot());
    }),
    { numRuns: 60 },
  );
});

test("a restored state goes on exactly as the original", () => {
  fc.assert(
    fc.property(program, fc.array(bytes, { minLength: 1, maxLength: 30 }), (value, requests) => {
      // Unlimited memory: the restored allocator does not know the age of free blocks, only where they are.
      const { allocator } = run({
        ...value,
        conf: "",
        totalMib: 2 ** 20,
        steps: value.steps.filter((next) => next.kind !== "record"),
      });
      const copy = new CachingAllocator({ totalBytes: 2 ** 40 });
      copy.restore(allocator.snapshot());
      // The request of an idle block is its last holder's and means nothing.
      const layout = (segments: readonly SegmentSnapshot[]) =>
        segments.map((segment) => segment.blocks.map(({ address, bytes: size, state }) => [address, size, state]));
      expect(layout(copy.snapshot())).toEqual(layout(allocator.snapshot()));
      expect(copy.memoryAllocated()).toBe(allocator.memoryAllocated());
      expect(copy.unsplitRemainderBytes()).toBe(allocator.unsplitRemainderBytes());
      for (const request of requests) {
        const [ours, theirs] = [copy.malloc(request)!, allocator.malloc(request)!];
        expect(ours.bytes).toBe(theirs.bytes);
      }
      expect(copy.memoryReserved()).toBe(allocator.memoryReserved());
    }),
    { numRuns: 60 },
  );
});
