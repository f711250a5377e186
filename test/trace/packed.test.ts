/** A trace that crossed between threads is the trace that was sent. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { CATEGORIES, PHASES } from "../../src/trace/model.ts";
import { buffersOf, packTrace, unpackTrace } from "../../src/trace/packed.ts";

const block = fc.record({
  address: fc.integer({ min: 0, max: 2 ** 47 }),
  bytes: fc.integer({ min: 512, max: 2 ** 40 }),
  requestedBytes: fc.integer({ min: 1, max: 2 ** 40 }),
  stream: fc.integer({ min: 0, max: 3 }),
  category: fc.constantFrom(...CATEGORIES),
  phase: fc.constantFrom(...PHASES),
  dtype: fc.constantFrom(null, "float32", "bfloat16"),
  shape: fc.option(fc.array(fc.integer({ min: 0, max: 2 ** 31 }), { maxLength: 4 })),
  note: fc.constantFrom(null, "cublas_workspace:main"),
  freed: fc.boolean(),
});

describe("packTrace and unpackTrace", () => {
  it("give back what went in", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), (blocks) => {
        const builder = new TraceBuilder();
        const frame = builder.frame(-1, "a.py", 3, "f");
        const op = builder.op("aten::mm");
        for (const { freed, ...b } of blocks) {
          const origin = { frame, op, module: -1, phase: b.phase };
          const made = builder.alloc({ ...b, ...origin }, b.bytes, b.bytes);
          if (freed) builder.free(made, origin, 0, b.bytes);
        }
        const trace = builder.finish({
          source: "simulated",
          program: "a.py",
          gpu: "t4",
          capacityBytes: 1,
          torch: "2.6",
        });
        const packed = packTrace(trace);
        const sent = structuredClone(packed, { transfer: buffersOf(packed) });
        const again = builder.finish({
          source: "simulated",
          program: "a.py",
          gpu: "t4",
          capacityBytes: 1,
          torch: "2.6",
        });
        expect(unpackTrace(sent)).toEqual(again);
      }),
    );
  });
});
