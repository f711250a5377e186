/** The picture of a trace against a slow and simple one: moments, heights, places of blocks, what the pointer finds. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { PHASE } from "../../src/trace/codes.ts";
import { aliveAt, composition } from "../../src/trace/queries.ts";
import { layoutCells, type Cells } from "../../web/src/chart/cells.ts";
import { chartData, phaseRuns, type ChartData } from "../../web/src/chart/chart-data.ts";
import { groupsOf, totalsAfter } from "../../web/src/chart/groups.ts";
import { aliveCount, livesOf, livingBlocks } from "../../web/src/chart/lives.ts";
import { cellAt, pickAt, placesOf } from "../../web/src/chart/pick.ts";
import { extremeIn, pyramidOf } from "../../web/src/chart/pyramid.ts";
import { block, META } from "../trace/sample.ts";
import { dataArbitrary, groupingArbitrary, share, traceArbitrary, traceOf } from "./chart-traces.ts";

const viewArbitrary = fc.record({
  from: share(1),
  size: share(1, 0.001),
  widthPx: fc.integer({ min: 1, max: 200 }),
  leastBytes: fc.oneof(fc.constant(0), fc.constant(Infinity), fc.integer({ min: 1, max: 2_000_000 })),
});

function cellsOf(data: ChartData, view: { from: number; size: number; widthPx: number; leastBytes: number }): Cells {
  const from = view.from * data.events * 0.99;
  const to = Math.min(data.events, from + Math.max(0.5, view.size * data.events));
  return layoutCells(data, { from, to, widthPx: view.widthPx, leastBytes: view.leastBytes });
}

/** Spans of a moment from the bottom up, the slow way: block or -1, group, top. */
function slowStack(data: ChartData, event: number, leastBytes: number): [number, number, number][] {
  const { trace, groups } = data;
  const alive = aliveAt(trace, event).sort(
    (a, b) => trace.blocks[a]!.allocEvent - trace.blocks[b]!.allocEvent || a - b,
  );
  const knownBytes = alive.reduce((sum, index) => sum + trace.blocks[index]!.bytes, 0);
  const stack: [number, number, number][] = [];
  let top = 0;
  groups.list.forEach((_, group) => {
    const mine = alive.filter((index) => groups.ofBlock[index] === group);
    let bandBytes = group === groups.unnamed ? trace.events.allocatedBytes[event]! - knownBytes : 0;
    for (const index of mine) {
      const { bytes } = trace.blocks[index]!;
      if (bytes < leastBytes) bandBytes += bytes;
      else stack.push([index, group, (top += bytes)]);
    }
    if (bandBytes > 0) stack.push([-1, group, (top += bandBytes)]);
  });
  return stack;
}

const stackOf = (cells: Cells, cell: number): [number, number, number][] =>
  Array.from({ length: cells.start[cell + 1]! - cells.start[cell]! }, (_, i) => {
    const span = cells.start[cell]! + i;
    return [cells.spanBlock[span]!, cells.spanGroup[span]!, cells.spanTop[span]!];
  });

describe("extremes of a column", () => {
  it("are the first of the largest or smallest, in any range", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 700 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(1 as const, -1 as const),
        (list, a, b, sign) => {
          const values = Float64Array.from(list);
          const from = a % list.length;
          const to = from + 1 + (b % (list.length - from));
          const part = list.slice(from, to);
          const wanted = from + part.indexOf(sign === 1 ? Math.max(...part) : Math.min(...part));
          expect(extremeIn(pyramidOf(values, sign), values, from, to)).toBe(wanted);
        },
      ),
    );
    expect(extremeIn(pyramidOf(new Float64Array(), 1), new Float64Array(), 0, 0)).toBe(-1);
  });
});

describe("lives", () => {
  it("give the blocks that are alive after each event", () => {
    fc.assert(
      fc.property(traceArbitrary, fc.nat(), (trace, at) => {
        const event = (at % (trace.events.kind.length + 1)) - 1;
        const lives = livesOf(trace);
        const found = livingBlocks(lives, event);
        expect([...found].sort((a, b) => a - b)).toEqual(aliveAt(trace, event));
        expect(aliveCount(lives, event)).toBe(found.length);
      }),
    );
  });
});

describe("groups", () => {
  it("have the bytes that queries give, and no byte is lost", () => {
    fc.assert(
      fc.property(traceArbitrary, groupingArbitrary, fc.nat(), (trace, by, at) => {
        const event = at % trace.events.kind.length;
        const groups = groupsOf(trace, livesOf(trace), by);
        const totals = new Float64Array(groups.list.length);
        totalsAfter(trace, groups, event, totals);
        expect(totals.reduce((sum, bytes) => sum + bytes, 0)).toBe(trace.events.allocatedBytes[event]);
        const shares = new Map(composition(trace, event, by).map((share) => [share.key, share.bytes]));
        groups.list.forEach((group, place) => {
          if (group.kind === "one") expect(totals[place]).toBe(shares.get(group.key) ?? 0);
        });
      }),
    );
  });

  it("keep categories in their order, whatever is large", () => {
    const steps = [11, 5, 1].map((tag) => ({ what: "alloc" as const, bytes: tag * 512, pick: 0, tag }));
    const { list } = groupsOf(traceOf(steps), livesOf(traceOf(steps)), "category");
    expect(list.map(({ key }) => key)).toEqual(["gradient", "activation", "unknown", null]);
  });

  it("put what has no colour of its own into one", () => {
    const steps = Array.from({ length: 30 }, (_, tag) => ({
      what: "alloc" as const,
      bytes: 512 * (tag + 1),
      pick: 0,
      tag,
    }));
    const base = traceOf(steps);
    const modules = steps.map((_, i) => `Net.layer${i}`);
    const trace = { ...base, modules, blocks: base.blocks.map((block, i) => ({ ...block, module: i })) };
    const { list } = groupsOf(trace, livesOf(trace), "module");
    expect(list.slice(0, 2).map(({ key }) => key)).toEqual(["Net.layer29", "Net.layer28"]);
    expect(list.at(-2)).toMatchObject({ kind: "rest", keys: 22, blocks: 22 });
    expect(new Set(list.map(({ colour }) => colour)).size).toBe(list.length);
  });
});

describe("cells", () => {
  it("cover the view without gaps, each at the moment of most allocated bytes", () => {
    fc.assert(
      fc.property(dataArbitrary, viewArbitrary, (data, view) => {
        const cells = cellsOf(data, view);
        const { allocatedBytes, reservedBytes } = data.trace.events;
        expect(cells.count).toBeGreaterThan(0);
        for (let cell = 0; cell < cells.count; cell++) {
          const covered = Array.from(
            { length: cells.end[cell]! - cells.first[cell]! },
            (_, i) => cells.first[cell]! + i,
          );
          expect(covered.length).toBeGreaterThan(0);
          const most = Math.max(...covered.map((event) => allocatedBytes[event]!));
          expect(cells.at[cell]).toBe(covered.find((event) => allocatedBytes[event] === most));
          expect(cells.reservedBytes[cell]).toBe(Math.max(...covered.map((event) => reservedBytes[event]!)));
          if (cell > 0) {
            expect(cells.left[cell]).toBe(cells.right[cell - 1]);
            expect(cells.first[cell]).toBeGreaterThanOrEqual(cells.end[cell - 1]!);
          }
        }
      }),
    );
  });

  it("have heights that add up to the allocated bytes, and each block where the slow stack has it", () => {
    fc.assert(
      fc.property(dataArbitrary, viewArbitrary, (data, view) => {
        const cells = cellsOf(data, view);
        for (let cell = 0; cell < cells.count; cell++) {
          const stack = stackOf(cells, cell);
          expect(stack).toEqual(slowStack(data, cells.at[cell]!, view.leastBytes));
          expect(stack.at(-1)?.[2] ?? 0).toBe(data.trace.events.allocatedBytes[cells.at[cell]!]);
        }
      }),
    );
  });

  it("draw together what is out of sight, and nothing else", () => {
    const edge = share(1);
    fc.assert(
      fc.property(dataArbitrary, viewArbitrary, edge, edge, (data, view, a, b) => {
        const all = cellsOf(data, view);
        const [low, high] = [a, b].map((share) => share * data.peakAllocatedBytes).sort((x, y) => x - y);
        const some = layoutCells(data, { ...all.request, lowBytes: low!, highBytes: high! });
        for (let cell = 0; cell < all.count; cell++) {
          const wanted = stackOf(all, cell);
          const shown = stackOf(some, cell);
          expect(shown.at(-1)?.[2]).toBe(wanted.at(-1)?.[2]);
          const tops = (stack: [number, number, number][]) => new Map(stack.map(([, group, top]) => [group, top]));
          expect(tops(shown)).toEqual(tops(wanted));
          wanted.forEach(([block, group, top], i) => {
            const bottom = i === 0 ? 0 : wanted[i - 1]![2];
            const at = shown.findIndex((span) => span[0] === block && span[2] === top);
            if (block >= 0 && bottom < high! && top > low!) {
              expect(shown[at]?.[1]).toBe(group);
              expect(at === 0 ? 0 : shown[at - 1]![2]).toBe(bottom);
            } else if (block >= 0) expect(at).toBe(-1);
          });
        }
      }),
    );
  });

  it("count what they draw and what they merge", () => {
    fc.assert(
      fc.property(dataArbitrary, viewArbitrary, (data, view) => {
        const cells = cellsOf(data, view);
        const drawn = new Set(Array.from(cells.spanBlock.subarray(0, cells.start[cells.count]!)).filter((b) => b >= 0));
        const last = cells.end[cells.count - 1]! - 1;
        const lived = data.trace.blocks.filter(
          ({ allocEvent, freeEvent }) => allocEvent <= last && (freeEvent === -1 || freeEvent > cells.first[0]!),
        );
        expect(cells.drawnBlocks).toBe(drawn.size);
        expect(cells.drawnBlocks + cells.mergedBlocks).toBe(lived.length);
      }),
    );
  });

  it("show the same moments after panning by whole pixels", () => {
    const steps = Array.from({ length: 1000 }, (_, tag) => ({
      what: tag % 2 === 0 ? ("alloc" as const) : ("free" as const),
      bytes: 512 * ((tag % 7) + 1),
      pick: 0,
      tag,
    }));
    const data = chartData(traceOf(steps), "category");
    const perPx = 3.7;
    const at = (column: number) =>
      layoutCells(data, { from: column * perPx, to: (column + 100) * perPx, widthPx: 100, leastBytes: 0 }).at;
    expect([...at(17)].slice(0, 90)).toEqual([...at(7)].slice(10, 100));
  });
});

describe("picking", () => {
  it("finds what the slow stack has at that height", () => {
    fc.assert(
      fc.property(dataArbitrary, viewArbitrary, fc.nat(), share(1.1), (data, view, px, share) => {
        const cells = cellsOf(data, view);
        const x = px % view.widthPx;
        const cell = cellAt(cells, x);
        const tops = cell === -1 ? [] : stackOf(cells, cell).map(([, , top]) => top);
        // edges belong to what lies above them
        const bytes = share > 0.9 && tops.length > 0 ? tops[px % tops.length]! : share * data.peakAllocatedBytes;
        const picked = pickAt(cells, x, bytes);
        if (cell === -1) {
          expect(picked).toBeNull();
          return;
        }
        expect(cells.left[cell]! <= x && x < cells.right[cell]!).toBe(true);
        const wanted = slowStack(data, cells.at[cell]!, view.leastBytes).find(([, , top]) => bytes < top);
        if (wanted === undefined) expect(picked).toBeNull();
        else {
          expect(picked).toMatchObject({
            block: wanted[0],
            group: wanted[1],
            topBytes: wanted[2],
            event: cells.at[cell],
          });
          if (wanted[0] >= 0) {
            const place = placesOf(cells, wanted[0]).find(({ left, right }) => left <= x && x < right);
            expect(place).toMatchObject({ bottomBytes: picked!.bottomBytes, topBytes: picked!.topBytes });
          }
        }
      }),
    );
  });
});

describe("phases", () => {
  it("are none in a recording that tells none", () => {
    const t = new TraceBuilder();
    t.alloc(block({ address: 0, bytes: 512, phase: "other" }), 512, 2 ** 21);
    t.alloc(block({ address: 512, bytes: 512, phase: "other" }), 1024, 2 ** 21);
    expect(phaseRuns(chartData(t.finish(META)), 0, 2)).toEqual([]);
  });

  it("come as runs that cover the range", () => {
    fc.assert(
      fc.property(dataArbitrary, fc.nat(), fc.nat(), (data, a, b) => {
        const from = a % data.events;
        const to = from + 1 + (b % (data.events - from));
        const runs = phaseRuns(data, from, to);
        const phases = new Set(data.trace.events.phase);
        if (phases.size === 1 && phases.has(PHASE.other)) {
          expect(runs).toEqual([]);
          return;
        }
        for (let event = from; event < to; event++) {
          const run = runs.filter((one) => one.from <= event && event < one.to);
          expect(run.map(({ phase }) => phase)).toEqual([
            ["forward", "backward", "optimizer", "other"][data.trace.events.phase[event]!],
          ]);
        }
      }),
    );
  });
});
