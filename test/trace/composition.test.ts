/** Composition at a moment: the sample's sums, by hand, and on any trace: shares, remainders and the rest add up to allocated. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { compositionAt, largestAt } from "../../src/trace/composition.ts";
import { freeMemoryAt } from "../../src/trace/free-memory.ts";
import { CATEGORIES, type Trace } from "../../src/trace/model.ts";
import { eventOf, parsePoint } from "../../src/trace/points.ts";
import type { Grouping } from "../../src/trace/queries.ts";
import { block, META, sampleTrace } from "./sample.ts";

const trace = sampleTrace();
const GROUPINGS: readonly Grouping[] = ["category", "module", "line", "op", "dtype", "phase"];

const inMib = (of: Trace, event: number, by: Grouping) =>
  compositionAt(of, event, by).shares.map(({ key, bytes, blocks }) => [key, bytes / MIB, blocks]);

describe("composition", () => {
  it("at the peak of the sample: 4 + 12 + 4 + 1, and 1 of a remainder", () => {
    expect(inMib(trace, 5, "category")).toEqual([
      ["activation", 16, 2],
      ["parameter", 4, 1],
      ["workspace", 1, 1],
    ]);
    expect(inMib(trace, 5, "module")).toEqual([
      ["Net", 12, 1],
      ["Net.proj", 5, 2],
      [null, 4, 1],
    ]);
    expect(inMib(trace, 5, "line")).toEqual([
      ["net.py:11", 12, 1],
      ["net.py:12", 5, 2],
      ["net.py:1", 4, 1],
    ]);
    expect(inMib(trace, 5, "dtype")).toEqual([
      [null, 17, 3],
      ["float32", 4, 1],
    ]);
    expect(compositionAt(trace, 5, "op")).toMatchObject({
      allocatedBytes: 22 * MIB,
      blocks: 4,
      remainderBytes: MIB,
      remainderBlocks: 1,
      unlistedBytes: 0,
    });
  });

  it("adds up what several call stacks do at one line", () => {
    const t = new TraceBuilder();
    const calls = [1, 2].map((line) => t.frame(t.frame(-1, "net.py", line, "<module>"), "net.py", 9, "f"));
    calls.forEach((frame, index) =>
      t.alloc(block({ address: index * MIB, bytes: MIB, frame }), (index + 1) * MIB, 2 * MIB),
    );
    expect(inMib(t.finish(META), 1, "line")).toEqual([["net.py:9", 2, 2]]);
  });

  it("says what was there before recording", () => {
    const t = new TraceBuilder();
    t.alloc(block({ address: 0, bytes: MIB }), 5 * MIB, 20 * MIB);
    expect(compositionAt(t.finish(META), 0, "category")).toMatchObject({
      allocatedBytes: 5 * MIB,
      unlistedBytes: 4 * MIB,
    });
  });

  it("lists the largest blocks, the older of equal ones first", () => {
    expect(largestAt(trace, 5, 3)).toEqual([1, 0, 2]);
    expect(largestAt(trace, 10, 9)).toEqual([4, 0, 2, 5]);
  });

  it("sums to allocated at every event of any trace", () => {
    const step = fc.record({
      free: fc.boolean(),
      bytes: fc.integer({ min: 1, max: 4096 }),
      extra: fc.integer({ min: 0, max: 2048 }),
      category: fc.constantFrom(...CATEGORIES),
      where: fc.integer({ min: -1, max: 3 }),
      which: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const t = new TraceBuilder();
        const frames = [1, 2, 3, 4].map((line) => t.frame(-1, "net.py", line, "f"));
        for (let i = 0; i < 4; i++) t.module(t.op(`op${i}`) < 0 ? "" : `m${i}`);
        const alive: { block: number; bytes: number }[] = [];
        let allocated = 0;
        for (const { free, bytes, extra, category, where, which } of steps) {
          const index = free && alive.length > 0 ? which % alive.length : -1;
          if (index >= 0) {
            const [gone] = alive.splice(index, 1);
            allocated -= gone!.bytes;
            t.free(gone!.block, { frame: -1, op: -1, module: -1, phase: "other" }, allocated, 1 << 30);
            continue;
          }
          const charged = bytes + extra;
          allocated += charged;
          const dtype = where === 0 ? null : "float32";
          const fields = {
            address: 0,
            bytes: charged,
            requestedBytes: bytes,
            category,
            op: where,
            module: where,
            dtype,
          };
          alive.push({
            block: t.alloc(block({ ...fields, frame: frames[where] ?? -1 }), allocated, 1 << 30),
            bytes: charged,
          });
        }
        const made = t.finish(META);
        for (let event = 0; event < made.events.kind.length; event++)
          for (const by of GROUPINGS) {
            const { shares, remainderBytes, unlistedBytes } = compositionAt(made, event, by);
            const sum = shares.reduce((total, share) => total + share.bytes, remainderBytes);
            expect([sum, unlistedBytes]).toEqual([made.events.allocatedBytes[event], 0]);
          }
      }),
      { numRuns: 50 },
    );
  });
});

describe("points", () => {
  const at = (text: string) => {
    const point = parsePoint(text);
    return point === null ? "bad" : eventOf(trace, point);
  };
  it("have names", () => {
    expect(at("peak")).toBe(5);
    expect(at("end")).toBe(10);
    expect(at("7")).toBe(7);
    expect(at("11")).toBeNull();
  });
  it("may be a line at its highest, with all that it called", () => {
    expect(at("line:11")).toBe(2);
    expect(at("line:2")).toBe(5);
    expect(at("line:net.py:3")).toBe(9);
    expect(at("line:other.py:3")).toBeNull();
    expect(at("line:99")).toBeNull();
  });
  it.each(["", "pek", "-1", "1.5", "line:", "line:x"])("may not be %j", (text) => expect(at(text)).toBe("bad"));
});

describe("free memory", () => {
  it("is what segments have between blocks", () => {
    // segments of 20 MiB: 4 + 13 used of the first, 4 + 1 of the second
    expect(freeMemoryAt(trace, 5)).toEqual({ freeBytes: 18 * MIB, largestBytes: 15 * MIB, pieces: 2 });
    expect(freeMemoryAt(trace, 7)).toEqual({ freeBytes: 32 * MIB, largestBytes: 16 * MIB, pieces: 2 });
  });
  it("does not reach from one segment into the next, but from page to page", () => {
    const touching = (kind: "segment_alloc" | "segment_map") => {
      const t = new TraceBuilder();
      t.segment(kind, 0, 2 * MIB, { frame: -1, op: -1 }, 0, 2 * MIB);
      t.segment(kind, 2 * MIB, 2 * MIB, { frame: -1, op: -1 }, 0, 4 * MIB);
      t.segment(kind, 8 * MIB, 2 * MIB, { frame: -1, op: -1 }, 0, 6 * MIB);
      if (kind === "segment_map") t.segment("segment_unmap", 8 * MIB, MIB, { frame: -1, op: -1 }, 0, 5 * MIB);
      else t.segment("segment_free", 8 * MIB, 2 * MIB, { frame: -1, op: -1 }, 0, 4 * MIB);
      return freeMemoryAt(t.finish(META), 3);
    };
    expect(touching("segment_alloc")).toEqual({ freeBytes: 4 * MIB, largestBytes: 2 * MIB, pieces: 2 });
    expect(touching("segment_map")).toEqual({ freeBytes: 5 * MIB, largestBytes: 4 * MIB, pieces: 2 });
  });
});
