/** The chart: the allocator after an event, segments and what is free in them. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliveAt } from "../../src/trace/queries.ts";
import { freeMemoryAt } from "../../src/trace/free-memory.ts";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { KIND } from "../../src/trace/codes.ts";
import { EVENT_KINDS, type Trace } from "../../src/trace/model.ts";
import { chartData } from "../../web/src/chart/chart-data.ts";
import { segmentAt, segmentRows } from "../../web/src/chart/segment-rows.ts";
import { allocatorAt } from "../../web/src/chart/segments-at.ts";
import { traceOf, type Step } from "./chart-traces.ts";

const alloc = (bytes: number, tag: number): Step => ({ what: "alloc", bytes, pick: 0, tag });
const free = (pick: number): Step => ({ what: "free", bytes: 0, pick, tag: 0 });

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
    kind[2] = KIND.free_completed;
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
    kinds[3] = KIND.free_completed;
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
