/** The chart: its words, its commands, its pixels. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { CATEGORIES } from "../../src/trace/model.ts";
import { blockFacts } from "../../web/src/chart/block-facts.ts";
import { layoutCells } from "../../web/src/chart/cells.ts";
import { chartBase, chartData } from "../../web/src/chart/chart-data.ts";
import { createChart } from "../../web/src/chart/chart-state.ts";
import { chartCommands } from "../../web/src/chart/commands.ts";
import { mixed, packed, paintCells } from "../../web/src/chart/paint.ts";
import { isInk, PATTERN_COUNT } from "../../web/src/chart/patterns.ts";
import { whole } from "../../web/src/chart/picture.ts";
import { createSelection, GROUPINGS } from "../../web/src/chart/selection.ts";
import { summaryText } from "../../web/src/chart/summary.ts";
import { withGroups, type Translate } from "../../web/src/chart/words.ts";
import { CHART_EN, type ChartWord } from "../../web/src/chart/words-en.ts";
import { CHART_ZH_CN } from "../../web/src/chart/words-zh-CN.ts";
import { share, traceArbitrary, traceOf, type Step } from "./chart-traces.ts";

const t: Translate = withGroups((key, args = {}) =>
  CHART_EN[key].replaceAll(/\{(\w+)(?:#([^#}]*)#([^#}]*))?\}/g, (_, name: string, one?: string, many?: string) =>
    one === undefined ? String(args[name]) : args[name] === 1 ? one : many!,
  ),
);

const alloc = (bytes: number, tag: number): Step => ({ what: "alloc", bytes, pick: 0, tag });
const free = (pick: number): Step => ({ what: "free", bytes: 0, pick, tag: 0 });

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
    expect(summaryText(data, none, t)).toBe(`Peak ${4 * MIB} at train.py:3, aten::add; gathered parameters 75 %.`);
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

  it("have a pattern for each category, all different, the first plain", () => {
    const drawn = Array.from({ length: PATTERN_COUNT }, (_, pattern) =>
      Array.from({ length: 64 }, (__, i) => (isInk(pattern, i % 8, i >> 3) ? "x" : ".")).join(""),
    );
    expect(new Set(drawn).size).toBe(CATEGORIES.length);
    expect(drawn[0]).not.toContain("x");
  });
});

it("prepares once for all groupings", () => {
  const trace = traceOf([alloc(512, 1)]);
  const base = chartBase(trace);
  expect(chartData(trace, "op", base).lives).toBe(base.lives);
});
