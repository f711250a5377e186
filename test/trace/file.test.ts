/** Trace files: what is written is read back, and nothing wrong is believed. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, readTrace, writeTrace } from "../../src/trace/file.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { block, META, sampleTrace } from "./sample.ts";

const trace = sampleTrace();
// oxlint-disable-next-line typescript/no-explicit-any
const document = (): any => JSON.parse(writeTrace(trace));
const codeOf = (value: unknown) => {
  const read = readTrace(JSON.stringify(value));
  return read.ok ? "ok" : read.error.code;
};

describe("round trip", () => {
  it("gives the same trace", () => expect(readTrace(writeTrace(trace))).toEqual({ ok: true, value: trace }));
  it("is JSON with a schema version", () => {
    expect(document()).toMatchObject({ format: "vramscope-trace", schemaVersion: 1, program: "net.py" });
  });
});

describe("tables that came later", () => {
  const t = new TraceBuilder();
  const frame = t.frame(-1, "net.py", 1, "f");
  const made = t.alloc(block({ address: 0, bytes: 512, frame }), 512, 2 ** 21);
  const saved = { block: made, node: "MulBackward0", slot: "self", shape: [4, 8], dtype: "float32", frame, module: -1 };
  t.saved(saved);
  t.savedEnded(t.saved({ ...saved, slot: "other[1]", shape: [] }), "backward", frame);
  t.oom(2 ** 30, { frame, op: -1, module: -1, phase: "other" }, 512, 2 ** 21);
  t.failure({ dtype: null, shape: null, note: null, segmentBytes: 2 ** 30, freeBytes: 5, allowedBytes: null });
  t.describeFailure("float32", [2 ** 28]);
  const full = t.finish(META);
  // oxlint-disable-next-line typescript/no-explicit-any
  const changed = (edit: (copy: any) => void) => {
    const copy = JSON.parse(writeTrace(full));
    edit(copy);
    return codeOf(copy);
  };

  it("are read back", () => {
    expect(full.saved.names).toEqual(["MulBackward0", "self", "4x8 float32", "other[1]", "scalar float32"]);
    expect(full.failures).toMatchObject([{ event: 1, shape: [2 ** 28], freeBytes: 5 }]);
    expect(readTrace(writeTrace(full))).toEqual({ ok: true, value: full });
  });
  it("may be missing, as in files of before", () => {
    expect("saved" in document()).toBe(false);
    expect(readTrace(writeTrace(trace))).toMatchObject({ ok: true, value: { failures: [], saved: { names: [] } } });
  });
  it("are checked", () => {
    expect(changed((copy) => (copy.saved.block[0] = 7))).toBe("trace_bad_index");
    expect(changed((copy) => (copy.saved.end[0] = 9))).toBe("trace_bad_index");
    expect(changed((copy) => copy.saved.slot.pop())).toBe("trace_column_length");
    expect(changed((copy) => (copy.saved.names = [1]))).toBe("trace_bad_field");
    expect(changed((copy) => (copy.saved = []))).toBe("trace_bad_field");
    expect(changed((copy) => (copy.failures[0].event = 0))).toBe("trace_bad_index");
    expect(changed((copy) => (copy.failures[0].segmentBytes = "much"))).toBe("trace_bad_field");
  });
});

describe("bad files", () => {
  it("other documents", () => {
    expect(readTrace("not json")).toMatchObject({ ok: false, error: { code: "trace_not_json" } });
    expect(codeOf([])).toBe("trace_not_a_trace");
    expect(codeOf(null)).toBe("trace_not_a_trace");
    expect(codeOf({ schemaVersion: 1 })).toBe("trace_not_a_trace");
    expect(codeOf({ ...document(), schemaVersion: 2 })).toBe("trace_newer_schema");
  });

  it("bad values", () => {
    const change = (edit: (copy: ReturnType<typeof document>) => void) => {
      const copy = document();
      edit(copy);
      return codeOf(copy);
    };
    expect(change((copy) => (copy.capacityBytes = "big"))).toBe("trace_bad_field");
    expect(change((copy) => (copy.events.kind[0] = 300))).toBe("trace_bad_field");
    expect(change((copy) => (copy.events.kind[0] = 99))).toBe("trace_bad_index");
    expect(change((copy) => copy.events.kind.pop())).toBe("trace_column_length");
    expect(change((copy) => (copy.events.frame[1] = 77))).toBe("trace_bad_index");
    expect(change((copy) => (copy.events.bytes[1] = -1))).toBe("trace_bad_number");
    expect(change((copy) => (copy.events.bytes[1] = 1.5))).toBe("trace_bad_field");
    expect(change((copy) => (copy.events.allocatedBytes[4] += 1))).toBe("trace_allocated_total");
    expect(change((copy) => (copy.events.reservedBytes[4] += 1))).toBe("trace_reserved_total");
    expect(change((copy) => (copy.frames[0][0] = 2))).toBe("trace_frame_order");
    expect(change((copy) => (copy.blocks.freeEvent[0] = 3))).toBe("trace_block_events");
    expect(change((copy) => (copy.blocks.category[0] = 50))).toBe("trace_bad_field");
    expect(change((copy) => copy.blocks.note.pop())).toBe("trace_bad_field");
    expect(change((copy) => (copy.ops[0] = 5))).toBe("trace_bad_field");
    expect(change((copy) => (copy.marks = { x: "y" }))).toBe("trace_bad_field");
    expect(change((copy) => (copy.blocks.address[1] = 1024))).toBe("trace_overlap");
  });

  it("too much of anything", () => {
    const text = writeTrace(trace);
    for (const limit of ["characters", "events", "blocks", "frames"] as const) {
      expect(readTrace(text, { ...DEFAULT_LIMITS, [limit]: 2 })).toMatchObject({
        ok: false,
        error: { code: "trace_too_large" },
      });
    }
  });

  it("never throws, whatever is in the document", () => {
    const paths = ["source", "frames", "blocks", "events", "ops", "marks", "assumptions", "schemaVersion"];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        expect(typeof codeOf({ ...document(), [path]: value })).toBe("string");
      }),
      { numRuns: 200 },
    );
  });
});

describe("verifyTrace", () => {
  it("stops at its limit", () => {
    const bytes = trace.events.allocatedBytes.map((value) => value * 3 + 1);
    const broken = { ...trace, events: { ...trace.events, allocatedBytes: bytes } };
    expect(verifyTrace(broken, { limit: 3 })).toHaveLength(3);
  });
});
