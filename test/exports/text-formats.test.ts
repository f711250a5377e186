/** Chrome trace, speedscope, folded stacks and tables: each by the rules of its format, with sums from the trace. */

import { describe, expect, test } from "vitest";
import { exportText } from "../../src/exports/index.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { aliveAt, peakEvent } from "../../src/trace/queries.ts";
import type { Trace } from "../../src/trace/model.ts";
import { MIB } from "../../src/base/bytes.ts";
import { block, META, sampleTrace } from "../trace/sample.ts";
import { longTrace } from "./long-trace.ts";

const bytesOf = (trace: Trace, blocks: readonly number[]): number =>
  blocks.reduce((sum, index) => sum + trace.blocks[index]!.bytes, 0);

/** Names that break formats, as a program may choose them. */
function hostileTrace(): Trace {
  const t = new TraceBuilder();
  const frame = t.frame(-1, 'a;b "c"\n.py', 3, "=cmd|' /C calc'!A0");
  const op = t.op("aten::mm; drop\r\nsecond");
  t.segment("segment_alloc", 0, 2 * MIB, { frame, op }, 0, 2 * MIB);
  t.alloc(block({ address: 0, bytes: 512, frame, op, module: t.module("</script><b>") }), 512, 2 * MIB);
  return t.finish({ ...META, program: "</title><script>alert(1)</script>.py" });
}

describe("Chrome trace", () => {
  interface Entry {
    ph: string;
    name: string;
    pid: number;
    tid: number;
    ts?: number;
    dur?: number;
    s?: string;
    args?: Record<string, unknown>;
  }
  const read = (trace: Trace) =>
    JSON.parse(exportText("chrome", trace)) as { traceEvents: Entry[]; displayTimeUnit: string; otherData: object };

  test.each([
    ["the sample", sampleTrace()],
    ["a long trace", longTrace(3000)],
    ["hostile names", hostileTrace()],
  ])("has what each kind of entry needs: %s", (_, trace) => {
    const { traceEvents, displayTimeUnit } = read(trace);
    expect(["ms", "ns"]).toContain(displayTimeUnit);
    for (const entry of traceEvents) {
      expect(typeof entry.name).toBe("string");
      expect(Number.isInteger(entry.pid) && Number.isInteger(entry.tid)).toBe(true);
      expect(["M", "C", "i", "X"]).toContain(entry.ph);
      if (entry.ph !== "M") expect(entry.ts).toBeGreaterThanOrEqual(0);
      if (entry.ph === "X") expect(entry.dur).toBeGreaterThan(0);
      if (entry.ph === "i") expect(["g", "p", "t"]).toContain(entry.s);
      if (entry.ph === "C") for (const value of Object.values(entry.args!)) expect(typeof value).toBe("number");
    }
  });

  test("counts what is allocated and reserved after each event", () => {
    const trace = longTrace(3000);
    const { traceEvents } = read(trace);
    for (const [name, column] of [
      ["allocated", trace.events.allocatedBytes],
      ["reserved", trace.events.reservedBytes],
    ] as const) {
      const counters = traceEvents.filter((entry) => entry.ph === "C" && entry.name === name);
      let next = 0;
      let value = Number.NaN;
      column.forEach((bytes, event) => {
        if (counters[next]?.ts === event) value = counters[next++]!.args!["bytes"] as number;
        expect(value).toBe(bytes);
      });
      expect(next).toBe(counters.length);
    }
  });

  test("slices of one track nest", () => {
    const { traceEvents } = read(longTrace(3000));
    const tracks = new Map<number, Entry[]>();
    for (const entry of traceEvents) {
      if (entry.ph === "X") tracks.set(entry.tid, [...(tracks.get(entry.tid) ?? []), entry]);
    }
    expect(tracks.size).toBeGreaterThan(1);
    for (const slices of tracks.values()) {
      const open: number[] = [];
      for (const { ts, dur } of slices.sort((a, b) => a.ts! - b.ts! || b.dur! - a.dur!)) {
        while (open.length > 0 && open.at(-1)! <= ts!) open.pop();
        if (open.length > 0) expect(ts! + dur!).toBeLessThanOrEqual(open.at(-1)!);
        open.push(ts! + dur!);
      }
    }
  });

  test("phases of the sample are slices over their events", () => {
    const { traceEvents } = read(sampleTrace());
    const phases = traceEvents.filter((entry) => entry.ph === "X" && entry.tid === 2);
    expect(phases.map(({ name }) => name)).toEqual(
      ["other", "forward", "backward"].filter((name) => phases.some((p) => p.name === name)),
    );
    expect(phases.reduce((sum, { dur }) => sum + dur!, 0)).toBe(sampleTrace().events.kind.length);
  });
});

describe("speedscope", () => {
  interface File {
    $schema: string;
    shared: { frames: { name: string; file?: string; line?: number }[] };
    profiles: {
      type: string;
      name: string;
      unit: string;
      startValue: number;
      endValue: number;
      samples: number[][];
      weights: number[];
    }[];
  }

  test.each([
    ["the sample", sampleTrace()],
    ["a long trace", longTrace(3000)],
    ["hostile names", hostileTrace()],
    ["an empty trace", new TraceBuilder().finish(META)],
  ])("follows the schema: %s", (_, trace) => {
    const file = JSON.parse(exportText("speedscope", trace)) as File;
    expect(file.$schema).toBe("https://www.speedscope.app/file-format-schema.json");
    for (const { name, line } of file.shared.frames) {
      expect(typeof name).toBe("string");
      if (line !== undefined) expect(Number.isInteger(line)).toBe(true);
    }
    for (const profile of file.profiles) {
      expect(profile.type).toBe("sampled");
      expect(profile.unit).toBe("bytes");
      expect(profile.samples.length).toBe(profile.weights.length);
      expect(profile.endValue - profile.startValue).toBe(profile.weights.reduce((sum, weight) => sum + weight, 0));
      for (const stack of profile.samples) {
        expect(stack.length).toBeGreaterThan(0);
        for (const frame of stack) expect(file.shared.frames[frame]).toBeDefined();
      }
    }
  });

  test("weighs the peak and all allocations in bytes, callers first", () => {
    const trace = sampleTrace();
    const file = JSON.parse(exportText("speedscope", trace)) as File;
    const [peak, all] = file.profiles;
    expect(peak!.endValue).toBe(trace.events.allocatedBytes[peakEvent(trace)]);
    expect(all!.endValue).toBe(bytesOf(trace, [...trace.blocks.keys()]));
    const names = all!.samples.map((stack) => stack.map((frame) => file.shared.frames[frame]!.name));
    expect(names).toContainEqual(["<module>", "forward", "aten::mm"]);
  });
});

describe("folded stacks", () => {
  const LINE = /^([^;\n]+(?:;[^;\n]+)*) (\d+)$/;

  test.each([
    ["at the peak", "folded", (trace: Trace) => aliveAt(trace, peakEvent(trace))],
    ["of everything", "folded-all", (trace: Trace) => [...trace.blocks.keys()]],
  ])("%s: a stack, a space and bytes per line", (_, id, blocks) => {
    for (const trace of [sampleTrace(), longTrace(3000), hostileTrace()]) {
      const lines = exportText(id, trace).trimEnd().split("\n");
      const sum = lines.reduce((total, line) => total + Number(LINE.exec(line)![2]), 0);
      expect(sum).toBe(bytesOf(trace, blocks(trace)));
      expect(new Set(lines.map((line) => LINE.exec(line)![1])).size).toBe(lines.length);
    }
  });

  test("name lines from the outside in, then the operator", () => {
    const lines = exportText("folded-all", sampleTrace()).split("\n");
    expect(lines).toContain(`<module> (net.py:2);forward (net.py:11);aten::mm ${13 * MIB}`);
  });
});

/** RFC 4180, read strictly. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error("not CSV");
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe("tables", () => {
  test.each(["csv-blocks", "csv-lines"])("%s has as many cells in each row as in its head", (id) => {
    for (const trace of [sampleTrace(), hostileTrace()]) {
      const [head, ...rows] = readCsv(exportText(id, trace));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row.length).toBe(head!.length);
    }
  });

  test("blocks sum to all allocations", () => {
    const trace = sampleTrace();
    const [head, ...rows] = readCsv(exportText("csv-blocks", trace));
    const column = head!.indexOf("bytes");
    expect(rows.reduce((sum, row) => sum + Number(row[column]), 0)).toBe(bytesOf(trace, [...trace.blocks.keys()]));
    expect(rows[0]).toEqual([
      "0",
      "parameter",
      String(4 * MIB),
      String(4 * MIB),
      "0",
      "0",
      "1",
      "",
      "forward",
      "float32",
      "1024x1024",
      "aten::empty",
      "",
      "net.py",
      "1",
      "<module>",
      "",
    ]);
  });

  test("no text of the program is a formula", () => {
    const [head, row] = readCsv(exportText("csv-blocks", hostileTrace()));
    expect(row![head!.indexOf("function")]).toBe("'=cmd|' /C calc'!A0");
    expect(row![head!.indexOf("file")]).toBe('a;b "c"\\n.py');
  });
});
