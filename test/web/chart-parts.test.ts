/** The chart's smaller parts: search, views, axes, allocator, table rows, words, commands, pixels. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliveAt, composition } from "../../src/trace/queries.ts";
import { freeMemoryAt } from "../../src/trace/free-memory.ts";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { EVENT_KINDS, type Trace } from "../../src/trace/model.ts";
import { byteTicks, eventTicks } from "../../web/src/chart/axis.ts";
import { blockFacts } from "../../web/src/chart/block-facts.ts";
import { layoutCells } from "../../web/src/chart/cells.ts";
import { chartBase, chartData } from "../../web/src/chart/chart-data.ts";
import { createChart } from "../../web/src/chart/chart-state.ts";
import { chartCommands } from "../../web/src/chart/commands.ts";
import { mixed, packed, paintCells } from "../../web/src/chart/paint.ts";
import { isInk, PATTERN_COUNT } from "../../web/src/chart/patterns.ts";
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
import { segmentAt, segmentRows } from "../../web/src/chart/segment-rows.ts";
import { allocatorAt } from "../../web/src/chart/segments-at.ts";
import { createSelection, GROUPINGS } from "../../web/src/chart/selection.ts";
import { summaryText } from "../../web/src/chart/summary.ts";
import { blocksIn, COLUMNS, sortBlocks, tableRows } from "../../web/src/chart/table-rows.ts";
import { withGroups, type Translate } from "../../web/src/chart/words.ts";
import { CHART_EN, type ChartWord } from "../../web/src/chart/words-en.ts";
import { CHART_ZH_CN } from "../../web/src/chart/words-zh-CN.ts";
import { groupingArbitrary, share, traceArbitrary, traceOf, type Step } from "./chart-traces.ts";

const t: Translate = withGroups((key, args = {}) =>
  CHART_EN[key].replaceAll(/\{(\w+)(?:#([^#}]*)#([^#}]*))?\}/g, (_, name: string, one?: string, many?: string) =>
    one === undefined ? String(args[name]) : args[name] === 1 ? one : many!,
  ),
);

const alloc = (bytes: number, tag: number): Step => ({ what: "alloc", bytes, pick: 0, tag });
const free = (pick: number): Step => ({ what: "free", bytes: 0, pick, tag: 0 });

describe("search", () => {
  const trace = traceOf([alloc(512, 1), alloc(4 * MIB, 2), alloc(1024, 3), alloc(2 * MIB, 4)]);
  const found = (query: string): number[] =>
    Array.from(searchBlocks(trace, query, (category) => `kind of ${category}`).found ?? []).flatMap((hit, index) =>
      hit === 1 ? [index] : [],
    );
  const where = (test: (index: number) => boolean): number[] => [0, 1, 2, 3].filter(test);
  const block = (index: number) => trace.blocks[index]!;

  it("finds words in names, lines, shapes and categories, in any case", () => {
    expect(found("MM")).toEqual(where((i) => trace.ops[block(i).op]?.includes("mm") === true));
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
      "256 MiB",
      "512 MiB",
      "768 MiB",
      "1,024 MiB",
      "1,280 MiB",
    ]);
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

describe("the allocator after an event", () => {
  it("has the free memory that queries find, and every block once", () => {
    // segments first, so that blocks lie in them
    const trace = traceOf([]);
    expect(allocatorAt(chartData(trace, "category"), -1)).toMatchObject({ segments: [], reservedBytes: 0 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean(), fc.nat()), { maxLength: 60 }),
        (plan) => {
          const made = inSegments(plan);
          const data = chartData(made, "category");
          for (let event = 0; event < made.events.kind.length; event++) {
            const state = allocatorAt(data, event);
            const wanted = freeMemoryAt(made, event);
            expect(state.freeBytes).toBe(wanted.freeBytes);
            expect(state.largestFreeBytes).toBe(wanted.largestBytes);
            expect(state.reservedBytes).toBe(made.events.reservedBytes[event]);
            expect(state.usedBytes).toBe(made.events.allocatedBytes[event]);
            const held = state.segments.flatMap(({ pieces }) =>
              pieces.flatMap(({ block }) => (block >= 0 ? [block] : [])),
            );
            expect(held.sort((a, b) => a - b)).toEqual(aliveAt(made, event));
            for (const { address, bytes, pieces } of state.segments) {
              expect(pieces.reduce((sum, piece) => sum + piece.bytes, 0)).toBe(bytes);
              expect(
                pieces.every(
                  (piece, i) => piece.address === (i === 0 ? address : pieces[i - 1]!.address + pieces[i - 1]!.bytes),
                ),
              ).toBe(true);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("shows blocks of which the segment is not known", () => {
    const trace = traceOf([{ what: "mark", bytes: 0, pick: 0, tag: 0 }], [1024, 512]);
    const state = allocatorAt(chartData(trace, "category"), 0);
    expect(state.segments).toHaveLength(1);
    expect(state.segments[0]).toMatchObject({ pool: "unknown", bytes: 1536, usedBytes: 1536 });
  });

  it("tells what waits for another stream", () => {
    const base = traceOf([alloc(512, 1), free(0), { what: "mark", bytes: 0, pick: 0, tag: 0 }]);
    const kind = base.events.kind.slice();
    const block = base.events.block.slice();
    kind[2] = EVENT_KINDS.indexOf("free_completed");
    block[2] = 0;
    const data = chartData({ ...base, events: { ...base.events, kind, block } }, "category");
    const states = [0, 1, 2].map((event) =>
      allocatorAt(data, event).segments.flatMap(({ pieces }) => pieces.map(({ state }) => state)),
    );
    expect(states).toEqual([["used"], ["pending"], []]);
    const [other, mark] = [alloc(1024, 2), { what: "mark" as const, bytes: 0, pick: 0, tag: 0 }];
    const later = traceOf([alloc(512, 1), free(0), other, mark]);
    const kinds = later.events.kind.slice();
    const blocks = later.events.block.slice();
    kinds[3] = EVENT_KINDS.indexOf("free_completed");
    blocks[3] = 0;
    const late = chartData({ ...later, events: { ...later.events, kind: kinds, block: blocks } }, "category");
    const pieces = [2, 3].map((event) =>
      allocatorAt(late, event).segments.flatMap((segment) =>
        segment.pieces.map(({ block: own, state }) => [own, state]),
      ),
    );
    expect(pieces).toEqual([
      [
        [0, "pending"],
        [1, "used"],
      ],
      [[1, "used"]],
    ]);
  });

  it("lays segments out without overlap, in their order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 60, max: 1500 }),
        (sizes, width) => {
          const segments = sizes.map((size, i) => ({
            address: i * GIB * 10,
            bytes: size * 2 * MIB,
            pool: "large" as const,
            isExpandable: false,
            stream: 0,
            usedBytes: 0,
            pieces: [],
          }));
          const rows = segmentRows(segments, width);
          rows.placed.forEach((one, i) => {
            expect(one.left + one.width).toBeLessThanOrEqual(width);
            expect(one.row).toBeLessThan(rows.rows);
            const before = rows.placed[i - 1];
            if (before?.row === one.row) expect(one.left).toBeGreaterThan(before.left + before.width);
            else expect(one.left).toBe(0);
            expect(segmentAt(rows, one.left + one.width / 2, one.row + 0.5)?.segment).toBe(segments[i]);
          });
          expect(rows.rows).toBeLessThan(60);
        },
      ),
    );
  });
});

/** Blocks of 512 bytes times a number in segments of 20,480 bytes, first fit. */
function inSegments(plan: readonly (readonly [units: number, isFree: boolean, pick: number])[]): Trace {
  const base = traceOf(plan.map(([units, isFree, pick]) => (isFree ? free(pick) : alloc(units * 512, pick % 10))));
  const SIZE = 20_480;
  const starts: number[] = [];
  const held: { from: number; to: number; block: number }[] = [];
  const rows: { kind: number; block: number; bytes: number; address: number; allocated: number }[] = [];
  const blocks = base.blocks.map((block) => ({ ...block }));
  let reserved = 0;
  const { kind, block, bytes, allocatedBytes } = base.events;
  const reservedRows: number[] = [];
  const push = (what: string, index: number, size: number, address: number, allocated: number): number => {
    reservedRows.push(reserved);
    return rows.push({ kind: EVENT_KINDS.indexOf(what as never), block: index, bytes: size, address, allocated }) - 1;
  };
  for (let event = 0; event < kind.length; event++) {
    const index = block[event]!;
    if (EVENT_KINDS[kind[event]!] === "alloc") {
      let address = -1;
      for (const start of starts) {
        const inside = held.filter(({ from }) => from >= start && from < start + SIZE).sort((a, b) => a.from - b.from);
        let at = start;
        for (const { from, to } of inside) {
          if (from - at >= bytes[event]!) break;
          at = to;
        }
        if (start + SIZE - at >= bytes[event]! && !held.some(({ from, to }) => at < to && from < at + bytes[event]!)) {
          address = at;
          break;
        }
      }
      if (address === -1) {
        address = 2 ** 30 + starts.length * 2 ** 20;
        starts.push(address);
        reserved += SIZE;
        push("segment_alloc", -1, SIZE, address, event === 0 ? 0 : allocatedBytes[event - 1]!);
      }
      held.push({ from: address, to: address + bytes[event]!, block: index });
      const at = push("alloc", index, bytes[event]!, address, allocatedBytes[event]!);
      blocks[index] = { ...blocks[index]!, address, allocEvent: at };
    } else if (EVENT_KINDS[kind[event]!] === "free_requested") {
      held.splice(
        held.findIndex((one) => one.block === index),
        1,
      );
      const at = push("free_requested", index, bytes[event]!, blocks[index]!.address, allocatedBytes[event]!);
      blocks[index] = { ...blocks[index]!, freeEvent: at };
    }
  }
  const none = Int32Array.from(rows, () => -1);
  return {
    ...base,
    blocks,
    events: {
      kind: Uint8Array.from(rows, (row) => row.kind),
      block: Int32Array.from(rows, (row) => row.block),
      address: Float64Array.from(rows, (row) => row.address),
      bytes: Float64Array.from(rows, (row) => row.bytes),
      allocatedBytes: Float64Array.from(rows, (row) => row.allocated),
      reservedBytes: Float64Array.from(reservedRows),
      frame: none,
      op: none,
      module: none,
      phase: Uint8Array.from(rows, () => 0),
    },
  };
}

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

describe("words", () => {
  it("fill the same places in both languages", () => {
    const places = (text: string): string[] =>
      [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]!))].sort();
    const different = (Object.keys(CHART_EN) as ChartWord[]).filter(
      (key) => places(CHART_EN[key]).join() !== places(CHART_ZH_CN[key]).join(),
    );
    expect(different).toEqual([]);
  });

  it("group digits of counts, not of bytes", () => {
    const told: unknown[] = [];
    const words = withGroups((_, args) => String(told.push(args)));
    words("merged_note", { count: 1234567, foundBytes: 1234567, few: 7 });
    expect(told).toEqual([{ count: "1,234,567", foundBytes: 1234567, few: 7 }]);
  });

  it("tell a block's life and what kept it", () => {
    const base = traceOf([alloc(2048, 5), alloc(512, 1), free(0)]);
    const saved = {
      ...base.saved,
      block: Int32Array.from([0]),
      node: Int32Array.from([0]),
      slot: Int32Array.from([1]),
      names: ["SoftmaxBackward0", "result"],
      until: Int32Array.from([2]),
      end: Uint8Array.from([1]),
    };
    const { title, rows } = blockFacts({ ...base, saved }, 0, [0], t);
    expect(title).toContain("#0 · 2.00 KiB");
    const row = new Map(rows);
    expect(row.get("Size")).toBe("2,048 bytes");
    expect(row.get("Lived")).toBe("events 0 to 2");
    expect(row.get("Kept")).toBe("for backward by SoftmaxBackward0 (result)");
    expect(row.get("Freed")).toBe("when backward had run SoftmaxBackward0");
  });

  it("sum up the peak, an event, a range", () => {
    const data = chartData(traceOf([alloc(3 * MIB, 3), alloc(MIB, 6), free(0)]), "category");
    const none = { event: -1, range: null, block: -1 };
    expect(summaryText(data, none, t)).toBe(`Peak ${4 * MIB} at train.py:3, aten::add; activations 75 %.`);
    expect(summaryText(data, { ...none, event: 2 }, t)).toContain("After event 2, free at");
    expect(summaryText(data, { ...none, range: { from: 0, to: 3 } }, t)).toContain(
      `between ${MIB} and ${4 * MIB} allocated, 2 blocks made, 1 freed`,
    );
    expect(summaryText(chartData(traceOf([]), "category"), none, t)).toBe("No memory was allocated.");
  });
});

describe("commands", () => {
  const chartOf = (steps: readonly Step[]) => createChart(createSelection(traceOf(steps)), t);
  const steps = [alloc(MIB, 1), alloc(4 * MIB, 2), free(0), alloc(512, 3), free(0)];
  const run = (chart: ReturnType<typeof createChart>, id: string): void => {
    const command = chartCommands(chart).find((one) => one.id === `chart-${id}`);
    if (command === undefined) throw new Error(`no command ${id}`);
    command.run();
  };

  it("have ids, keys and labels of their own", () => {
    const commands = chartCommands(chartOf(steps));
    const keys = commands.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    expect(commands.every(({ label }) => label().length > 3)).toBe(true);
  });

  it("go from a block's birth to its death and back", () => {
    const chart = chartOf(steps);
    chart.pin(0, -1);
    run(chart, "to-free");
    expect([chart.selection.event.value, chart.selection.block.value]).toEqual([2, 0]);
    run(chart, "to-alloc");
    expect([chart.selection.event.value, chart.selection.block.value]).toEqual([0, 0]);
  });

  it("step through events and select what they are about", () => {
    const chart = chartOf(steps);
    run(chart, "peak");
    expect(chart.selection.event.value).toBe(1);
    run(chart, "next-event");
    expect([chart.selection.event.value, chart.selection.block.value]).toEqual([2, 0]);
    for (let i = 0; i < 9; i++) run(chart, "next-event");
    expect(chart.selection.event.value).toBe(4);
  });

  it("colour by each property in turn", () => {
    const chart = chartOf(steps);
    const seen = GROUPINGS.map(() => {
      run(chart, "colour-by");
      return chart.data.value.groups.by;
    });
    expect(new Set(seen)).toEqual(new Set(GROUPINGS));
    chart.onlyGroup.value = 1;
    run(chart, "colour-by");
    expect(chart.onlyGroup.value).toBe(-1);
    chart.stretch(0.5);
    expect(chart.heights.value).toEqual({ low: 0, high: chart.fullBytes() / 2 });
    run(chart, "height");
    expect(chart.heights.value).toBeNull();
  });

  it("mark a range and unmark it, and clear what is selected before the search", () => {
    const chart = chartOf(steps);
    run(chart, "mark");
    expect(chart.selection.marks.value).toEqual([]);
    chart.selectRange({ from: 1, to: 3 });
    run(chart, "mark");
    expect(chart.selection.marks.value).toEqual([{ from: 1, to: 3 }]);
    run(chart, "mark");
    expect(chart.selection.marks.value).toEqual([]);
    run(chart, "mark");
    chart.selectRange(null);
    chart.pin(2, -1);
    run(chart, "mark");
    expect(chart.selection.marks.value).toEqual([]);
    chart.selectRange({ from: 1, to: 3 });
    chart.selection.search.value = "mm";
    run(chart, "clear");
    expect([chart.selection.range.value, chart.selection.search.value]).toEqual([null, "mm"]);
    run(chart, "clear");
    expect(chart.selection.search.value).toBe("");
  });

  it("show the whole trace, a selection, and again the whole", () => {
    const chart = chartOf(Array.from({ length: 400 }, (_, i) => alloc(512, i % 40)));
    chart.selectRange({ from: 100, to: 150 });
    run(chart, "fit-selection");
    expect(chart.view.value).toEqual({ from: 100, to: 150 });
    run(chart, "fit-all");
    expect(chart.view.value).toEqual({ from: 0, to: 400 });
  });

  it("survive a trace without events", () => {
    const chart = chartOf([]);
    for (const command of chartCommands(chart)) command.run();
    expect(chart.view.value).toEqual({ from: 0, to: 1 });
  });
});

describe("pixels", () => {
  it("lie in each column as the stack says, whatever heights are shown", () => {
    const lowest = share(0.9);
    const size = fc.tuple(fc.integer({ min: 5, max: 120 }), fc.integer({ min: 20, max: 90 }));
    fc.assert(
      fc.property(traceArbitrary, size, lowest, fc.boolean(), (trace, [width, height], low, isPatterned) => {
        const data = chartData(trace, "category");
        const lowBytes = low * data.peakAllocatedBytes;
        const bytesPerPx = Math.max(1, data.peakAllocatedBytes - lowBytes) / height;
        const cells = layoutCells(data, { ...whole(data.events), widthPx: width, leastBytes: bytesPerPx });
        const pixels = new Uint32Array(width * height);
        const surface = packed("#ffffff");
        const groups = data.groups.list.map((_, group) => group + 1);
        paintCells(pixels, cells, {
          width,
          height,
          lowBytes,
          bytesPerPx,
          gridBytes: [],
          patterns: isPatterned ? data.groups.list.map(({ colour }) => colour) : null,
          stands: null,
          onlyGroup: -1,
          colours: { fill: groups, edge: groups, faintFill: groups, faintEdge: groups, surface, grid: surface },
        });
        const yOf = (bytes: number): number => height - Math.round((bytes - lowBytes) / bytesPerPx);
        for (let cell = 0; cell < cells.count; cell++) {
          const wanted = Array.from({ length: height }, () => surface);
          const closing = new Set<number>();
          for (let span = cells.start[cell]!; span < cells.start[cell + 1]!; span++) {
            const bottom = span === cells.start[cell] ? 0 : cells.spanTop[span - 1]!;
            for (let y = yOf(cells.spanTop[span]!); y < yOf(bottom); y++) wanted[y] = cells.spanGroup[span]! + 1;
            const isLast = span + 1 === cells.start[cell + 1] || cells.spanGroup[span + 1] !== cells.spanGroup[span];
            if (isLast) closing.add(yOf(cells.spanTop[span]!));
          }
          for (let y = 0; y < height; y++) {
            const pixel = pixels[y * width + cells.left[cell]!]!;
            // a line may close a group
            if (pixel !== surface || !closing.has(y)) expect(pixel).toBe(wanted[y]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("fade what does not stand out", () => {
    const data = chartData(traceOf([alloc(4 * MIB, 0), alloc(4 * MIB, 3)]), "category");
    const cells = layoutCells(data, { ...whole(2), widthPx: 2, leastBytes: MIB });
    const paint = (stands: Uint8Array | null, onlyGroup: number): number[] => {
      const pixels = new Uint32Array(2 * 80);
      const colours = {
        fill: [1, 2, 3],
        edge: [1, 2, 3],
        faintFill: [11, 12, 13],
        faintEdge: [11, 12, 13],
        surface: 0,
        grid: 0,
      };
      const request = { width: 2, height: 80, lowBytes: 0, bytesPerPx: (8 * MIB) / 80, gridBytes: [], patterns: null };
      paintCells(pixels, cells, { ...request, colours, stands, onlyGroup });
      return [pixels[2 * 70 + 1]!, pixels[2 * 20 + 1]!];
    };
    expect(paint(null, -1)).toEqual([1, 2]);
    expect(paint(Uint8Array.from([0, 1]), -1)).toEqual([11, 2]);
    expect(paint(null, 0)).toEqual([1, 12]);
  });

  it("mix and pack colours", () => {
    expect(packed("#112233")).toBe(0xff332211);
    expect(mixed("#000000", "#ffffff", 0.5)).toBe("#808080");
  });

  it("have ten patterns that differ, the first plain", () => {
    const drawn = Array.from({ length: PATTERN_COUNT }, (_, pattern) =>
      Array.from({ length: 64 }, (__, i) => (isInk(pattern, i % 8, i >> 3) ? "x" : ".")).join(""),
    );
    expect(new Set(drawn).size).toBe(10);
    expect(drawn[0]).not.toContain("x");
  });
});

it("prepares once for all groupings", () => {
  const trace = traceOf([alloc(512, 1)]);
  const base = chartBase(trace);
  expect(chartData(trace, "op", base).lives).toBe(base.lives);
});
