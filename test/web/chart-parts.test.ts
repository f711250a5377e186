/** The chart's smaller parts: search, views, axes, table rows. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliveAt, composition } from "../../src/trace/queries.ts";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { byteTicks, eventTicks } from "../../web/src/chart/axis.ts";
import { chartData } from "../../web/src/chart/chart-data.ts";
import {
  around,
  heightsAround,
  lifted,
  panned,
  revealing,
  snapped,
  stretched,
  whole,
  within,
  zoomed,
} from "../../web/src/chart/picture.ts";
import { nextMatch, searchBlocks } from "../../web/src/chart/search.ts";
import { blocksIn, COLUMNS, sortBlocks, tableRows } from "../../web/src/chart/table-rows.ts";
import { groupingArbitrary, share, traceArbitrary, traceOf, type Step } from "./chart-traces.ts";

const alloc = (bytes: number, tag: number): Step => ({ what: "alloc", bytes, pick: 0, tag });

describe("search", () => {
  const trace = traceOf([alloc(512, 1), alloc(4 * MIB, 2), alloc(1024, 3), alloc(2 * MIB, 4)]);
  const found = (query: string): number[] =>
    Array.from(searchBlocks(trace, query, (category) => `kind of ${category}`).found ?? []).flatMap((hit, index) =>
      hit === 1 ? [index] : [],
    );
  const where = (test: (index: number) => boolean): number[] => [0, 1, 2, 3].filter(test);
  const block = (index: number) => trace.blocks[index]!;

  it("finds words in names, lines, shapes and categories, in any case", () => {
    expect(found("::MM")).toEqual(where((i) => trace.ops[block(i).op]?.includes("mm") === true));
    expect(found("model.py:30")).toEqual(where((i) => block(i).frame === 2));
    expect(found("net.fc2")).toEqual(where((i) => block(i).module === 1));
    expect(found("[4, 4]")).toEqual([3]);
    expect(found("4x4")).toEqual([3]);
    expect(found("kind of optimizer")).toEqual(where((i) => block(i).category === "optimizer_state"));
    expect(found("nothing has this")).toEqual([]);
  });

  it("takes regular expressions, sizes and numbers", () => {
    expect(found("/^aten::(mm|add)$/")).toEqual(where((i) => /^aten::(mm|add)$/.test(trace.ops[block(i).op] ?? "")));
    expect(found("/ATEN::MM/i")).toEqual(found("aten::mm"));
    expect(found(">=2MiB")).toEqual([1, 3]);
    expect(found("<1KiB")).toEqual([0]);
    expect(found("#2")).toEqual([2]);
  });

  it("says what is wrong with an expression, and finds nothing then", () => {
    const matches = searchBlocks(trace, "/(/", String);
    expect(matches).toMatchObject({ count: 0, bytes: 0 });
    expect(matches.problem).toMatch(/group/i);
    expect(searchBlocks(trace, "  ", String).found).toBeNull();
  });

  it("goes round from match to match", () => {
    const order = Int32Array.from([3, 1, 0, 2]);
    const hits = Uint8Array.from([1, 0, 0, 1]);
    expect(nextMatch(order, hits, -1, 1)).toBe(3);
    expect(nextMatch(order, hits, 0, 1)).toBe(0);
    expect(nextMatch(order, hits, 2, 1)).toBe(3);
    expect(nextMatch(order, hits, 0, -1)).toBe(0);
    expect(nextMatch(order, new Uint8Array(4), 0, 1)).toBe(-1);
  });
});

describe("views", () => {
  const events = 1000;
  const view = fc
    .tuple(fc.double({ min: 0, max: 990, noNaN: true }), fc.double({ min: 6, max: 1000, noNaN: true }))
    .map(([from, size]) => within({ from, to: from + size }, events));

  it("stay inside the trace, whatever is done to them", () => {
    fc.assert(
      fc.property(
        view,
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        share(1),
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.nat(999),
        (start, factor, share, widths, event) => {
          const results = [
            zoomed(start, factor, share, events),
            panned(start, widths, events),
            revealing(start, event, events),
            around({ from: event, to: event + 1 }, events),
          ];
          for (const { from, to } of results) {
            expect(from).toBeGreaterThanOrEqual(0);
            expect(to).toBeLessThanOrEqual(events + 1e-6);
            expect(to - from).toBeGreaterThanOrEqual(6 - 1e-6);
          }
          expect(results[2]!.from).toBeLessThanOrEqual(event);
          expect(results[2]!.to).toBeGreaterThanOrEqual(event + 1 - 1e-6);
        },
      ),
    );
  });

  it("zoom around the pointer", () => {
    const next = zoomed({ from: 400, to: 600 }, 0.5, 0.25, events);
    expect(next.from + (next.to - next.from) * 0.25).toBeCloseTo(450);
    expect(next.to - next.from).toBeCloseTo(100);
  });

  it("stretch heights around a place and come back to all", () => {
    const place = share(1);
    fc.assert(
      fc.property(
        place,
        fc.double({ min: 0.05, max: 0.9, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (at, factor, lift) => {
          const full = 1e9;
          const once = stretched(null, factor, at, full)!;
          expect(once.low + (once.high - once.low) * at).toBeCloseTo(full * at, 0);
          const moved = lifted(once, lift, full)!;
          expect(moved.high - moved.low).toBeCloseTo(once.high - once.low, 0);
          expect(moved.low).toBeGreaterThanOrEqual(0);
          expect(moved.high).toBeLessThanOrEqual(full + 1);
          expect(stretched(moved, 1e6, at, full)).toBeNull();
        },
      ),
    );
    expect(lifted(null, 1, 100)).toBeNull();
    expect(heightsAround(400, 500, 1000)).toEqual({ low: 392.5, high: 507.5 });
  });

  it("snap to whole pixels only where a pixel has several events", () => {
    expect(snapped({ from: 101, to: 501 }, 100)).toEqual({ from: 100, to: 500 });
    expect(snapped({ from: 10.3, to: 20.3 }, 100)).toEqual({ from: 10.3, to: 20.3 });
    expect(whole(0)).toEqual({ from: 0, to: 1 });
  });
});

describe("axes", () => {
  it("count bytes in one binary unit", () => {
    expect(byteTicks(0, 3.9 * GIB, 4).map(({ label }) => label)).toEqual(["0", "1 GiB", "2 GiB", "3 GiB"]);
    expect(byteTicks(0, 1.3 * GIB, 4).map(({ label }) => label)).toEqual([
      "0",
      "0.25 GiB",
      "0.5 GiB",
      "0.75 GiB",
      "1 GiB",
      "1.25 GiB",
    ]);
    expect(byteTicks(0, 1.9 * MIB, 4).map(({ label }) => label)).toEqual(["0", "0.5 MiB", "1 MiB", "1.5 MiB"]);
    expect(byteTicks(0, 6000, 3).map(({ label }) => label)).toEqual(["0", "2 KiB", "4 KiB"]);
    expect(byteTicks(0, 0, 3)).toEqual([]);
  });

  it("have a bearable number of ticks at any height", () => {
    fc.assert(
      fc.property(fc.double({ min: 1000, max: 2e12, noNaN: true }), fc.integer({ min: 2, max: 9 }), (most, wanted) => {
        const ticks = byteTicks(0, most, wanted);
        expect(ticks.length).toBeGreaterThanOrEqual(1);
        expect(ticks.length).toBeLessThanOrEqual(wanted * 2 + 1);
      }),
    );
  });

  it("count events in ones, twos and fives", () => {
    expect(eventTicks(0, 4070, 8).map(({ label }) => label)).toEqual(["0", "1,000", "2,000", "3,000", "4,000"]);
    expect(eventTicks(3, 9, 10).map(({ at }) => at)).toEqual([3, 4, 5, 6, 7, 8]);
  });
});

describe("the table", () => {
  it("has the blocks of an event and of a range", () => {
    fc.assert(
      fc.property(traceArbitrary, fc.nat(), fc.nat(), (trace, a, b) => {
        const data = chartData(trace, "category");
        const from = a % data.events;
        const to = from + 1 + (b % (data.events - from));
        const byNumber = (list: number[]): number[] => [...list].sort((x, y) => x - y);
        expect(byNumber(blocksIn(data, from, null))).toEqual(aliveAt(trace, from));
        const lived = trace.blocks.flatMap(({ allocEvent, freeEvent }, index) =>
          allocEvent < to && (freeEvent === -1 || freeEvent >= from) ? [index] : [],
        );
        expect(byNumber(blocksIn(data, 0, { from, to }))).toEqual(lived);
      }),
    );
  });

  it("sorts by every column both ways, and loses nothing", () => {
    fc.assert(
      fc.property(traceArbitrary, fc.constantFrom(...COLUMNS), fc.boolean(), (trace, column, descending) => {
        const all = trace.blocks.map((_, index) => index);
        const sorted = sortBlocks(trace, all, { column, descending });
        expect([...sorted].sort((x, y) => x - y)).toEqual(all);
        const bytes = sorted.map((index) => trace.blocks[index]!.bytes);
        if (column === "bytes") {
          expect(bytes).toEqual([...bytes].sort((x, y) => (descending ? y - x : x - y)));
        }
      }),
    );
  });

  it("puts numbers in lines in their order", () => {
    const base = traceOf([alloc(512, 1), alloc(512, 3), alloc(512, 2)]);
    const lines = (blocks: readonly number[]) => blocks.map((index) => base.frames[base.blocks[index]!.frame]!.line);
    const trace = {
      ...base,
      frames: base.frames.map((frame, i) => ({ ...frame, file: "a.py", line: [9, 30, 100, 2][i]! })),
    };
    const sorted = sortBlocks(trace, [0, 1, 2], { column: "line", descending: false });
    expect(sorted.map((index) => trace.frames[trace.blocks[index]!.frame]!.line)).toEqual([9, 30, 100]);
    expect(lines([0])).toHaveLength(1);
  });

  it("groups as the queries do, with members below open headings", () => {
    fc.assert(
      fc.property(traceArbitrary, groupingArbitrary, (trace, by) => {
        const event = trace.events.kind.length - 1;
        const blocks = aliveAt(trace, event);
        const shares = new Map(composition(trace, event, by).map((share) => [share.key, share]));
        const closed = tableRows(trace, blocks, by, new Set());
        expect(closed).toHaveLength(shares.size);
        for (const row of closed) {
          if (row.kind !== "heading") throw new Error("a block without its heading");
          expect(shares.get(row.key)).toMatchObject({ bytes: row.bytes, blocks: row.blocks });
        }
        const first = closed[0];
        if (first?.kind !== "heading") return;
        const opened = tableRows(trace, blocks, by, new Set([first.key]));
        expect(opened).toHaveLength(closed.length + first.blocks);
      }),
    );
  });
});
