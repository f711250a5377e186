/** Questions to a trace, with answers computed by hand from the sample's comments. */

import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { lineTable, visitAround } from "../../src/trace/lines.ts";
import {
  aliveAt,
  allocatedBefore,
  categoriesAt,
  chargedTotals,
  composition,
  peakEvent,
  peakReservedBytes,
  phasePeaks,
  remainderBytes,
} from "../../src/trace/queries.ts";
import { block, META, sampleTrace } from "./sample.ts";

const trace = sampleTrace();
const empty = new TraceBuilder().finish(META);

describe("state at an event", () => {
  it("knows what is alive", () => {
    expect(aliveAt(trace, 0)).toEqual([]);
    expect(aliveAt(trace, 5)).toEqual([0, 1, 2, 3]);
    expect(aliveAt(trace, 10)).toEqual([0, 2, 4, 5]);
  });

  it("finds the peak: 4 + 13 + 4 + 1 MiB", () => {
    expect(peakEvent(trace)).toBe(5);
    expect(peakReservedBytes(trace)).toBe(40 * MIB);
    expect(peakEvent(empty)).toBe(-1);
    expect(peakReservedBytes(empty)).toBe(0);
  });

  it("says what it consists of", () => {
    expect(categoriesAt(trace, 5)).toEqual([
      { category: "parameter", bytes: 4 * MIB, blocks: 1 },
      { category: "activation", bytes: 17 * MIB, blocks: 2 },
      { category: "workspace", bytes: MIB, blocks: 1 },
    ]);
    expect(composition(trace, 5, "line")).toEqual([
      { key: "net.py:11", bytes: 13 * MIB, blocks: 1 },
      { key: "net.py:12", bytes: 5 * MIB, blocks: 2 },
      { key: "net.py:1", bytes: 4 * MIB, blocks: 1 },
    ]);
    expect(composition(trace, 5, "op").map(({ key, bytes }) => [key, bytes / MIB])).toEqual([
      ["aten::mm", 13],
      ["aten::addmm", 5],
      ["aten::empty", 4],
    ]);
    expect(composition(trace, 5, "module").map(({ key, bytes }) => [key, bytes / MIB])).toEqual([
      ["Net", 13],
      ["Net.proj", 5],
      [null, 4],
    ]);
    expect(composition(trace, 1, "dtype")).toEqual([{ key: "float32", bytes: 4 * MIB, blocks: 1 }]);
    expect(composition(trace, 10, "phase").map(({ key, bytes }) => [key, bytes / MIB])).toEqual([
      ["backward", 12.125],
      ["forward", 8],
    ]);
  });

  it("tells requests from remainders", () => {
    expect(remainderBytes(trace.blocks[1]!)).toBe(MIB);
    expect(remainderBytes({ ...trace.blocks[1]!, requestedBytes: 13 * MIB - 511 })).toBe(0);
    expect(remainderBytes({ ...trace.blocks[1]!, requestedBytes: 1, bytes: 512 })).toBe(0);
    expect(chargedTotals(trace, 5)).toEqual({
      requestedBytes: 21 * MIB,
      roundingBytes: 0,
      remainderBytes: MIB,
      remainderBlocks: 1,
    });
  });

  it("knows the totals before an event", () => {
    expect(allocatedBefore(trace, 0)).toBe(0);
    expect(allocatedBefore(trace, 8)).toBe(8 * MIB);
    const started = new TraceBuilder();
    started.alloc(block({ address: 0, bytes: 512 }), 5 * MIB + 512, 20 * MIB);
    expect(allocatedBefore(started.finish(META), 0)).toBe(5 * MIB);
  });

  it("has a peak for each phase", () => {
    expect(phasePeaks(trace)).toEqual([
      { phase: "forward", event: 5, allocatedBytes: 22 * MIB },
      { phase: "backward", event: 9, allocatedBytes: 20.125 * MIB },
    ]);
  });
});

describe("lines", () => {
  it("counts what a line and its callees did", () => {
    const rows = lineTable(trace).map((row) => [
      row.line,
      row.allocatedAfterBytes / MIB,
      row.changeBytes / MIB,
      row.peakBytes / MIB,
      row.allocations,
      row.frees,
    ]);
    expect(rows).toEqual([
      [1, 4, 4, 4, 1, 0],
      [2, 8, 4, 22, 3, 2],
      [11, 17, 13, 17, 1, 0],
      [12, 21, 4, 22, 2, 1],
      [3, 20.125, 12.125, 20.125, 2, 0],
    ]);
  });

  it("names modules and operators", () => {
    const row = lineTable(trace).find((candidate) => candidate.line === 2)!;
    expect(row).toMatchObject({
      file: "net.py",
      function: "<module>",
      modules: ["Net", "Net.proj"],
      ops: ["aten::mm", "aten::addmm"],
    });
    expect(row.allocationBytes).toBe(18 * MIB);
  });

  it("does not count recursion twice", () => {
    const t = new TraceBuilder();
    const outer = t.frame(-1, "r.py", 5, "f");
    const inner = t.frame(outer, "r.py", 5, "f");
    t.alloc(block({ address: 0, bytes: MIB, frame: inner }), MIB, 2 * MIB);
    t.alloc(block({ address: MIB, bytes: MIB, frame: outer }), 2 * MIB, 2 * MIB);
    expect(lineTable(t.finish(META))).toMatchObject([{ line: 5, changeBytes: 2 * MIB, allocations: 2 }]);
  });

  it("finds the visit of a line around an event", () => {
    expect(visitAround(trace, 1, 5)).toEqual({ frame: 1, first: 2, last: 7 });
    expect(visitAround(trace, 4, 5)).toEqual({ frame: 4, first: 3, last: 6 });
  });

  it("is empty for an empty trace", () => expect(lineTable(empty)).toEqual([]));
});
