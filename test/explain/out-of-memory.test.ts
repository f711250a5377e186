/** Out of memory: what was asked, what was missing, and whether pieces are to blame, against what PyTorch's own message says. */

import { describe, expect, it } from "vitest";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { outOfMemory } from "../../src/explain/out-of-memory.ts";
import { oomSentences } from "../../src/report/oom-text.ts";
import { vramscope } from "../built.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { META, sampleTrace } from "../trace/sample.ts";

const { run } = vramscope;

async function failed(source: string) {
  const result = await run({ script: "p.py", gpu: "t4", source: `import torch\n${source}` });
  expect(result.status).toBe("out_of_memory");
  const { trace } = result;
  return {
    trace,
    oom: outOfMemory(trace)!,
    message: result.errorText!,
    text: oomSentences("en", trace, outOfMemory(trace)!),
  };
}

describe("a request that failed", () => {
  it("is named with its tensor, its line, and the bytes that were missing", async () => {
    const { oom, message, trace, text } = await failed(`
x = torch.zeros(10, 1024, 1024, 256, device="cuda")
y = x + 1
`);
    expect(oom).toMatchObject({
      op: "aten::add",
      requestedBytes: 10 * GIB,
      dtype: "float32",
      shape: [10, 1024, 1024, 256],
    });
    expect(trace.frames[oom.frame]).toMatchObject({ file: "p.py", line: 4 });
    const { segmentBytes, freeBytes, missingBytes } = oom.driver!;
    expect([segmentBytes, missingBytes]).toEqual([10 * GIB, 10 * GIB - freeBytes]);
    // the same figure as in PyTorch's own words
    expect(message).toContain(`of which ${(freeBytes / GIB).toFixed(2)} GiB is free`);
    expect(oom.free).toEqual({ freeBytes: 0, largestBytes: 0, pieces: 0 });
    expect(text[0]).toBe("p.py:4: aten::add asked for 10.00 GiB for float32 [10, 1024, 1024, 256]");
    expect(text).toContain("nothing that was reserved was free");
  });

  it("may be a matter of pieces", async () => {
    // six segments of 2 GiB, of each of which 1.1 GiB are used: 5.4 GiB are free, and no request of 3 GiB fits
    const { oom, text } = await failed(`
kept = [torch.zeros(1 << 29, device="cuda") for _ in range(6)]
kept.clear()
kept = [torch.zeros(11 * (1 << 28) // 10, device="cuda") for _ in range(6)]
big = torch.zeros(3 << 28, device="cuda")
`);
    expect(oom.requestedBytes).toBe(3 * GIB);
    expect(oom.free.pieces).toBe(6);
    expect(oom.free.freeBytes / GIB).toBeCloseTo(5.4, 1);
    expect(oom.free.largestBytes / GIB).toBeCloseTo(0.9, 1);
    expect(oom.fragmented).toBe(true);
    expect(text.at(-1)).toContain("fragmentation");
  });

  it("may hit the program's own limit", async () => {
    const { oom, text } = await failed(`
torch.cuda.set_per_process_memory_fraction(0.5)
x = torch.zeros(8, 1024, 1024, 256, device="cuda")
`);
    const { allowedBytes, missingBytes } = oom.driver!;
    expect(allowedBytes).toBe(Math.floor(oom.capacityBytes / 2));
    expect(missingBytes).toBe(8 * GIB - allowedBytes!);
    expect(text.some((sentence) => sentence.includes("set_per_process_memory_fraction"))).toBe(true);
  });

  it("of scratch memory has no tensor, but a name", () => {
    const t = new TraceBuilder();
    const frame = t.frame(-1, "p.py", 3, "<module>");
    t.oom(GIB, { frame, op: t.op("aten::sort"), module: -1, phase: "other" }, 0, 0);
    t.failure({
      dtype: null,
      shape: null,
      note: "sort_library",
      segmentBytes: GIB,
      freeBytes: MIB,
      allowedBytes: null,
    });
    const trace = t.finish(META);
    expect(oomSentences("en", trace, outOfMemory(trace)!).slice(0, 3)).toEqual([
      "p.py:3: aten::sort asked for 1.00 GiB for scratch of the sorting library",
      "0 bytes were allocated, 0 bytes reserved, the GPU has 64.00 MiB",
      "the driver was asked for 1.00 GiB and had 1.00 MiB: 1023.00 MiB were missing",
    ]);
  });

  it("is the last of several", () => {
    const t = new TraceBuilder();
    for (const bytes of [2, 3]) t.oom(bytes * GIB, { frame: -1, op: -1, module: -1, phase: "other" }, 0, 0);
    // a trace of others says nothing about the driver
    expect(outOfMemory(t.finish(META))).toMatchObject({ event: 1, requestedBytes: 3 * GIB, driver: null });
  });

  it("is none in a run without", () => {
    expect(outOfMemory(sampleTrace())).toBeNull();
  });
});
