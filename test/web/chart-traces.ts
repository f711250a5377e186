/** Random traces for tests of the chart: consistent totals, blocks from before the recording, memory without a record. */

import fc from "fast-check";
import { CATEGORIES, EVENT_KINDS, PHASES, type BlockRecord, type Trace } from "../../src/trace/model.ts";
import { chartData, type ChartData } from "../../web/src/chart/chart-data.ts";
import type { Grouping } from "../../src/trace/queries.ts";

const kindOf = (name: (typeof EVENT_KINDS)[number]): number => EVENT_KINDS.indexOf(name);

/** What a generated step does: `pick` chooses among living blocks. */
export interface Step {
  readonly what: "alloc" | "free" | "mark" | "segment";
  readonly bytes: number;
  readonly pick: number;
  readonly tag: number;
}

export function traceOf(steps: readonly Step[], before: readonly number[] = [], strangersBytes = 0): Trace {
  type Draft = { -readonly [K in keyof BlockRecord]: BlockRecord[K] };
  const blocks: Draft[] = [];
  const living: number[] = [];
  const events: { kind: number; block: number; bytes: number; address: number; tag: number }[] = [];
  let next = 4096;
  const born = (bytes: number, allocEvent: number, tag: number): number => {
    const index =
      blocks.push({
        requestedBytes: bytes,
        bytes,
        address: next,
        stream: tag % 2,
        allocEvent,
        freeEvent: -1,
        frame: (tag % 5) - 1,
        op: (tag % 4) - 1,
        module: (tag % 3) - 1,
        category: CATEGORIES[tag % CATEGORIES.length]!,
        phase: PHASES[tag % PHASES.length]!,
        dtype: tag % 3 === 0 ? null : tag % 3 === 1 ? "float32" : "bfloat16",
        shape: tag % 3 === 0 ? null : [tag, 4],
        note: null,
      }) - 1;
    next += bytes;
    living.push(index);
    return index;
  };
  before.forEach((bytes, tag) => born(bytes, -1, tag));
  for (const { what, bytes, pick, tag } of steps) {
    const event = events.length;
    if (what === "free" && living.length > 0) {
      const [index] = living.splice(pick % living.length, 1);
      const block = blocks[index!]!;
      block.freeEvent = event;
      events.push({ kind: kindOf("free_requested"), block: index!, bytes: block.bytes, address: block.address, tag });
    } else if (what === "alloc") {
      const index = born(bytes, event, tag);
      events.push({ kind: kindOf("alloc"), block: index, bytes, address: blocks[index]!.address, tag });
    } else if (what === "segment") {
      events.push({ kind: kindOf("segment_alloc"), block: -1, bytes, address: 2 ** 40 + event * 2 ** 30, tag });
    } else events.push({ kind: kindOf("mark"), block: -1, bytes: 0, address: 0, tag });
  }
  let allocated = strangersBytes + before.reduce((sum, bytes) => sum + bytes, 0);
  let reserved = allocated;
  const allocatedBytes = new Float64Array(events.length);
  const reservedBytes = new Float64Array(events.length);
  events.forEach(({ kind, bytes }, event) => {
    if (kind === kindOf("alloc")) allocated += bytes;
    if (kind === kindOf("free_requested")) allocated -= bytes;
    if (kind === kindOf("segment_alloc")) reserved += bytes;
    allocatedBytes[event] = allocated;
    reservedBytes[event] = reserved;
  });
  return {
    schemaVersion: 1,
    source: "test",
    program: "train.py",
    gpu: "a100-80gb",
    capacityBytes: 80 * 2 ** 30,
    torch: "2.14",
    events: {
      kind: Uint8Array.from(events, ({ kind }) => kind),
      block: Int32Array.from(events, ({ block }) => block),
      address: Float64Array.from(events, ({ address }) => address),
      bytes: Float64Array.from(events, ({ bytes }) => bytes),
      allocatedBytes,
      reservedBytes,
      frame: Int32Array.from(events, ({ tag }) => (tag % 5) - 1),
      op: Int32Array.from(events, ({ tag }) => (tag % 4) - 1),
      module: Int32Array.from(events, ({ tag }) => (tag % 3) - 1),
      phase: Uint8Array.from(events, ({ tag }) => (tag >> 2) % PHASES.length),
    },
    blocks,
    frames: [
      { parent: -1, file: "train.py", line: 3, name: "<module>" },
      { parent: 0, file: "train.py", line: 12, name: "step" },
      { parent: 1, file: "model.py", line: 30, name: "forward" },
      { parent: 0, file: "train.py", line: 3, name: "<module>" },
    ],
    ops: ["aten::mm", "aten::add", "aten::_softmax"],
    modules: ["Net.fc1", "Net.fc2"],
    marks: {},
    assumptions: [],
    saved: {
      block: new Int32Array(),
      node: new Int32Array(),
      slot: new Int32Array(),
      form: new Int32Array(),
      frame: new Int32Array(),
      module: new Int32Array(),
      since: new Int32Array(),
      until: new Int32Array(),
      endFrame: new Int32Array(),
      end: new Uint8Array(),
      names: [],
    },
    failures: [],
  };
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom("alloc", "alloc", "alloc", "free", "free", "mark", "segment"),
  bytes: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 100, max: 5000 })).map((units) => units * 512),
  pick: fc.nat(1000),
  tag: fc.nat(40),
});

export const traceArbitrary: fc.Arbitrary<Trace> = fc
  .tuple(
    fc.array(stepArbitrary, { minLength: 1, maxLength: 300 }),
    fc.array(
      fc.integer({ min: 1, max: 2000 }).map((units) => units * 512),
      { maxLength: 5 },
    ),
    fc.constantFrom(0, 0, 1_024_000),
  )
  .map(([steps, before, strangersBytes]) => traceOf(steps, before, strangersBytes));

export const groupingArbitrary: fc.Arbitrary<Grouping> = fc.constantFrom(
  "category",
  "module",
  "line",
  "dtype",
  "op",
  "phase",
);

export const dataArbitrary: fc.Arbitrary<ChartData> = fc
  .tuple(traceArbitrary, groupingArbitrary)
  .map(([trace, by]) => chartData(trace, by));

/** Numbers that lie evenly: doubles of fast-check gather at the ends. */
export const share = (max: number, min = 0): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1000 }).map((part) => min + ((max - min) * part) / 1000);
