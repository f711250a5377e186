/** The trace builder: what is recorded comes out, the same names share an index, and it is fast enough for the hot path. */

import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { EVENT_KINDS } from "../../src/trace/model.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { block, META, sampleTrace } from "./sample.ts";

describe("TraceBuilder", () => {
  it("gives back what was recorded", () => {
    const trace = sampleTrace();
    expect([...trace.events.kind].map((kind) => EVENT_KINDS[kind])).toEqual([
      "segment_alloc",
      "alloc",
      "alloc",
      "segment_alloc",
      "alloc",
      "alloc",
      "free_requested",
      "free_requested",
      "alloc",
      "alloc",
      "mark",
    ]);
    expect(trace.blocks[0]).toEqual({
      requestedBytes: 4 * MIB,
      bytes: 4 * MIB,
      address: 0,
      stream: 0,
      allocEvent: 1,
      freeEvent: -1,
      frame: 0,
      op: 2, // aten::empty is the third operator named
      module: -1,
      category: "parameter",
      phase: "forward",
      dtype: "float32",
      shape: [1024, 1024],
      note: null,
    });
    expect(trace.blocks[1]).toMatchObject({ requestedBytes: 12 * MIB, bytes: 13 * MIB, freeEvent: 7, module: 0 });
    expect(trace.blocks[3]).toMatchObject({ note: "cublaslt_workspace_call", allocEvent: 5, freeEvent: 6 });
    expect(trace.marks).toEqual({ 10: "done" });
    expect(trace.assumptions).toEqual([
      { code: "unverified_op", args: { op: "aten::mm" }, frame: 3, count: 2 },
      { code: "unknown_value", args: {}, frame: 2, count: 1 },
    ]);
    expect(trace).toMatchObject({ schemaVersion: 1, ...META });
    expect(verifyTrace(trace)).toEqual([]);
  });

  it("interns frames by caller, file, line and function", () => {
    const t = new TraceBuilder();
    const a = t.frame(-1, "a.py", 1, "f");
    expect(t.frame(-1, "a.py", 1, "f")).toBe(a);
    const others = [
      t.frame(a, "a.py", 1, "f"),
      t.frame(-1, "b.py", 1, "f"),
      t.frame(-1, "a.py", 2, "f"),
      t.frame(-1, "a.py", 1, "g"),
    ];
    expect(new Set([a, ...others]).size).toBe(5);
    expect(() => t.frame(99, "a.py", 1, "f")).toThrow();
    expect(t.op("x")).toBe(t.op("x"));
    expect(t.module("m")).not.toBe(t.module("n"));
  });

  it("refuses a second free of a block", () => {
    const t = new TraceBuilder();
    const index = t.alloc(block({ address: 0, bytes: 512 }), 512, 2 * MIB);
    t.free(index, { frame: -1, op: -1, module: -1, phase: "forward" }, 0, 2 * MIB);
    expect(() => t.free(index, { frame: -1, op: -1, module: -1, phase: "forward" }, 0, 2 * MIB)).toThrow();
  });

  it("records a failed request, a delayed return and its own length", () => {
    const t = new TraceBuilder();
    const index = t.alloc(block({ address: 0, bytes: 512 }), 512, 2 * MIB);
    t.free(index, { frame: -1, op: -1, module: -1, phase: "backward" }, 0, 2 * MIB);
    t.freeCompleted(index, 0, 2 * MIB);
    t.oom(80 * MIB, { frame: -1, op: -1, module: -1, phase: "optimizer" }, 0, 2 * MIB);
    expect(t.eventCount).toBe(4);
    const trace = t.finish(META);
    expect(EVENT_KINDS[trace.events.kind[2]!]).toBe("free_completed");
    expect(EVENT_KINDS[trace.events.kind[3]!]).toBe("oom");
    expect(trace.events.bytes[3]).toBe(80 * MIB);
  });
});
