/** A predicted trace against a recorded one: stretches, pairs, and causes that add up to each difference. */

import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { compareWithRecording, type TraceComparison } from "../../src/compare/index.ts";
import { Program, recordedFrom } from "./programs.ts";

/** Causes of one figure in MiB. */
function causes(comparison: TraceComparison, moment: string, quantity: string): Record<string, number> {
  const figure = comparison.figures.find((entry) => entry.moment === moment && entry.quantity === quantity)!;
  return Object.fromEntries(figure.causes.map(({ code, bytes }) => [code, bytes / MIB]));
}

/** Whatever differs, causes must be the whole of it. */
function expectSums(comparison: TraceComparison): void {
  for (const { predictedBytes, recordedBytes, causes: list } of comparison.figures) {
    expect(list.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(recordedBytes - predictedBytes);
    for (const { bytes, items } of list) expect(items.reduce((sum, item) => sum + item.bytes, 0)).toBe(bytes);
  }
}

/** Weights, then steps of the same sizes; step `tall` takes one block more. */
function steps(count: number, sizes: readonly number[], extra: { step: number; mib: number } | null = null): Program {
  const program = new Program().segment(200);
  program.take({ mib: 50, category: "parameter" });
  for (let step = 0; step < count; step++) {
    program.mark(`step ${step}`);
    const made = sizes.map((mib, i) => [program.take({ mib, line: 10 + i }), mib] as const);
    const more = extra?.step === step ? program.take({ mib: extra.mib, line: 30 }) : -1;
    for (const [index, mib] of made) program.free(index, mib);
    if (more >= 0) program.free(more, extra!.mib);
  }
  return program;
}

const SIZES = [3, 5, 3, 7, 5, 11, 3, 2, 9, 4, 6, 8, 5, 3];

describe("the stretch that was recorded", () => {
  it("is the step with most in common", () => {
    const predicted = steps(5, SIZES, { step: 2, mib: 13 }).done();
    const marks = Object.keys(predicted.marks).map(Number);
    const recorded = recordedFrom(predicted, marks[2]! + 1, marks[3]);
    const comparison = compareWithRecording(predicted, recorded);
    expect(comparison.pairs).toMatchObject({ recordedAllocations: 15, commonAllocations: 15 });
    expect([comparison.first, comparison.end]).toEqual([marks[2], marks[3]! + 1]);
    expect(comparison.figures.every((figure) => figure.causes.length === 0)).toBe(true);
    expectSums(comparison);
  });

  it("is the last of equal ones", () => {
    const predicted = steps(4, SIZES).done();
    const marks = Object.keys(predicted.marks).map(Number);
    const comparison = compareWithRecording(predicted, recordedFrom(predicted, marks[1]! + 1, marks[2]));
    expect(comparison.first).toBe(marks[3]);
    expectSums(comparison);
  });

  it("may be chosen", () => {
    const predicted = steps(3, SIZES).done();
    const marks = Object.keys(predicted.marks).map(Number);
    const comparison = compareWithRecording(predicted, steps(1, SIZES).done(), { first: marks[1]!, end: marks[2]! });
    expect([comparison.first, comparison.end, comparison.wasChosen]).toEqual([marks[1], marks[2], true]);
    expect(comparison.pairs.commonAllocations).toBe(SIZES.length);
  });

  it("is all of it when the recording begins with empty memory", () => {
    const trace = steps(3, SIZES).done();
    const comparison = compareWithRecording(trace, trace);
    expect([comparison.first, comparison.unexplainedBytes]).toEqual([0, 0]);
    expect(comparison.figures.every((figure) => figure.causes.length === 0)).toBe(true);
    expect(comparison.pairs.commonAllocations).toBe(1 + 3 * SIZES.length);
  });
});

describe("causes", () => {
  it("name the blocks that only one side has, with line and operator", () => {
    const comparison = compareWithRecording(steps(2, SIZES).done(), steps(2, SIZES, { step: 1, mib: 13 }).done());
    expect(causes(comparison, "peak", "allocated")).toEqual({ only_recorded: 13 });
    const [cause] = comparison.figures.find(
      ({ moment, quantity }) => moment === "peak" && quantity === "allocated",
    )!.causes;
    expect(cause!.items).toMatchObject([
      { side: "recorded", count: 1, requestedBytes: 13 * MIB, place: { file: "net.py", line: 30 }, op: "aten::mul" },
    ]);
    expectSums(comparison);
  });

  it("tell remainders from rounding", () => {
    const make = (charged: number) => {
      const program = new Program().segment(64);
      program.take({ mib: 12, charged });
      return program.done();
    };
    const comparison = compareWithRecording(make(12.5), make(13));
    expect(causes(comparison, "end", "allocated")).toEqual({ remainder: 0.5 });
    expect(causes(comparison, "end", "requested")).toEqual({});
  });

  it("tell kept workspaces and scratch memory apart", () => {
    const make = (withLibrary: boolean) => {
      const program = new Program().segment(64);
      program.take({ mib: 4 });
      if (withLibrary) {
        program.take({ mib: 8, category: "workspace", note: "cublas_workspace" });
        program.take({ mib: 1 });
        program.take({ mib: 30, category: "workspace", note: "sort_library" });
      } else program.take({ mib: 1 });
      return program;
    };
    const recorded = make(true);
    const comparison = compareWithRecording(make(false).done(), recorded.free(3, 30).done());
    expect(causes(comparison, "peak", "allocated")).toEqual({ workspace: 8, kernel_temporary: 30 });
    expect(causes(comparison, "end", "allocated")).toEqual({ workspace: 8 });
    expectSums(comparison);
  });

  it("call a workspace one of versions where these differ in it", () => {
    const make = (mib: number, torch: string) => {
      const program = new Program().segment(64);
      program.take({ mib: 4 });
      program.take({ mib, category: "workspace", note: "cublas_workspace" });
      program.take({ mib: 2 });
      return program.done({ torch });
    };
    const comparison = compareWithRecording(make(8, "2.6"), make(32, "1.13"));
    expect(causes(comparison, "end", "allocated")).toEqual({ version: 24 });
  });

  it("say when a block that both have lives longer on one side", () => {
    const make = (keeps: boolean) => {
      const program = new Program().segment(64);
      const first = program.take({ mib: 6 });
      if (!keeps) program.free(first, 6);
      program.take({ mib: 10 });
      return program.done();
    };
    const comparison = compareWithRecording(make(false), make(true));
    expect(causes(comparison, "peak", "allocated")).toEqual({ lifetime: 6 });
    expectSums(comparison);
  });

  it("are those of charged bytes where a recorder knows only these", () => {
    const program = () => {
      const made = new Program().segment(64);
      made.take({ mib: 3.3, charged: 4 });
      made.take({ mib: 5.5, charged: 6 });
      return made;
    };
    const charged = program();
    charged.take({ mib: 7, line: 8 });
    const recorded = charged.done();
    const blocks = recorded.blocks.map((entry) => ({ ...entry, requestedBytes: entry.bytes }));
    const comparison = compareWithRecording(program().done(), { ...recorded, blocks });
    expect([comparison.sizes, comparison.pairs.commonAllocations]).toEqual(["bytes", 2]);
    expect(causes(comparison, "end", "allocated")).toEqual({ only_recorded: 7 });
    expect(comparison.figures.some(({ quantity }) => quantity === "requested")).toBe(false);
    expectSums(comparison);
  });

  it("do not mind which of equal blocks is freed first", () => {
    const make = (order: readonly number[]) => {
      const program = new Program().segment(64);
      const made = [program.take({ mib: 6, line: 1 }), program.take({ mib: 6, line: 2 })];
      program.free(made[order[0]!]!, 6);
      program.take({ mib: 20 });
      return program.done();
    };
    const comparison = compareWithRecording(make([0]), make([1]));
    expect(comparison.figures.every((figure) => figure.causes.length === 0)).toBe(true);
  });

  it("of reserved bytes are segments with the request that needed them", () => {
    const make = (segments: readonly number[]) => {
      const program = new Program();
      for (const mib of segments) {
        program.segment(mib, 4);
        program.take({ mib: mib / 2 });
      }
      return program.done();
    };
    const comparison = compareWithRecording(make([20, 64]), make([20, 40, 24]));
    expect(causes(comparison, "end", "reserved")).toEqual({ segments: 0 });
    const figure = comparison.figures.find(({ moment, quantity }) => moment === "end" && quantity === "reserved")!;
    expect(figure.causes[0]!.items.map(({ bytes, place }) => [bytes / MIB, place?.line])).toEqual([
      [-64, 4],
      [40, 4],
      [24, 4],
    ]);
  });

  it("of expandable segments are ranges, however they were mapped", () => {
    const make = (pieces: readonly number[]) => {
      const program = new Program();
      for (const mib of pieces) program.map(mib);
      program.take({ mib: 12 });
      return program.done();
    };
    expect(causes(compareWithRecording(make([20, 20, 20]), make([40, 20])), "end", "reserved")).toEqual({});
    expect(causes(compareWithRecording(make([20, 20]), make([60])), "end", "reserved")).toEqual({ segments: 20 });
  });

  it("leave open what no block and no stack accounts for", () => {
    const plain = steps(1, SIZES).done();
    const recorded = steps(1, SIZES, { step: 0, mib: 13 }).done();
    const blocks = recorded.blocks.map((entry) =>
      entry.requestedBytes === 13 * MIB ? { ...entry, frame: -1, op: -1, category: "unknown" as const } : entry,
    );
    const comparison = compareWithRecording(plain, { ...recorded, blocks });
    expect(causes(comparison, "peak", "allocated")).toEqual({ unexplained: 13 });
    expect(comparison.unexplainedBytes).toBe(13 * MIB);
  });
});
