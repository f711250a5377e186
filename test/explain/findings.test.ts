/** Findings on traces made by hand; the sums are those of the published cases that they explain. */

import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { explain } from "../../src/explain/index.ts";
import { findingText } from "../../src/report/words.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { block, META, sampleTrace } from "../trace/sample.ts";

const texts = (trace: Parameters<typeof explain>[0]) => explain(trace).map((finding) => findingText("en", finding));

describe("a workspace", () => {
  /** `sum` takes scratch memory and another block in each pass; a recording does not say which operator gives back. */
  const passes = (keeps: boolean) => {
    const t = new TraceBuilder();
    const line = t.frame(-1, "a.py", 3, "f");
    const [sum, empty, unknown] = [t.op("aten::sum"), t.op("aten::empty"), -1];
    for (let pass = 0; pass < 3; pass++) {
      const at = pass * 8 * MIB;
      const scratch = t.alloc(
        block({ address: at, bytes: 4 * MIB, category: "workspace", frame: line, op: sum }),
        4 * MIB,
        60 * MIB,
      );
      t.alloc(block({ address: at + 4 * MIB, bytes: MIB, frame: line, op: sum }), 5 * MIB, 60 * MIB);
      if (!keeps) t.free(scratch, { frame: -1, op: unknown, module: -1, phase: "other" }, MIB, 60 * MIB);
      t.alloc(block({ address: at + 5 * MIB, bytes: MIB, frame: line, op: empty }), 2 * MIB, 60 * MIB);
    }
    return explain(t.finish(META)).filter(({ code }) => code.startsWith("workspace_"));
  };
  it("is kept if it lives when another operator allocates, whoever is said to have freed it", () => {
    expect(passes(true)).toMatchObject([{ code: "workspace_first" }, { code: "workspace_more", args: { count: 2 } }]);
    expect(passes(false)).toEqual([]);
  });
});

describe("a tensor that counts more than it needs", () => {
  it("took a free block whose remainder was not split off: 13 instead of 12", () => {
    const finding = explain(sampleTrace()).find((entry) => entry.code === "unsplit_reused")!;
    expect(finding.args).toMatchObject({
      where: "net.py:11",
      op: "aten::mm",
      requestedBytes: 12 * MIB,
      blockBytes: 13 * MIB,
      remainderBytes: MIB,
    });
    expect(findingText("en", finding)).toContain("needs 12.00 MiB and counts 13.00 MiB");
  });

  it("or got a new segment of whole 2 MiB: 147.2 counts 148 (GPT-2's embedding)", () => {
    const t = new TraceBuilder();
    const line = t.frame(-1, "a.py", 3, "f");
    const requestedBytes = 50_257 * 768 * 4;
    t.segment("segment_alloc", 0, 148 * MIB, { frame: line, op: 0 }, 0, 148 * MIB);
    t.alloc(
      block({ address: 0, bytes: 148 * MIB, requestedBytes, frame: line, op: t.op("aten::empty") }),
      148 * MIB,
      148 * MIB,
    );
    expect(explain(t.finish(META))).toMatchObject([
      { code: "unsplit_fresh", args: { requestedBytes, blockBytes: 148 * MIB, count: 1 } },
    ]);
  });

  it("is told once for blocks alike, and in total", () => {
    const t = new TraceBuilder();
    const line = t.frame(-1, "a.py", 3, "f");
    for (let i = 0; i < 3; i++) {
      t.alloc(
        block({ address: i * 16 * MIB, bytes: 12 * MIB, requestedBytes: 11 * MIB, frame: line }),
        (i + 1) * 12 * MIB,
        60 * MIB,
      );
    }
    const found = explain(t.finish(META));
    expect(found).toMatchObject([
      { code: "unsplit_reused", args: { count: 3 } },
      { code: "unsplit_total", args: { count: 3, totalBytes: 3 * MIB } },
    ]);
    expect(findingText("en", found[0]!)).toMatch(/3 such blocks hold 3\.00 MiB of remainders in all\.$/);
  });

  it("beyond 1 MiB the options are the cause", () => {
    const t = new TraceBuilder();
    t.alloc(block({ address: 0, bytes: 16 * MIB, requestedBytes: 12 * MIB }), 16 * MIB, 20 * MIB);
    expect(explain(t.finish(META))).toMatchObject([{ code: "coarse_rounding" }]);
  });
});

describe("reserved memory", () => {
  /** Two free blocks of 10 MiB, then a request of 14 MiB. */
  function inPieces(torch: string) {
    const t = new TraceBuilder();
    const line = t.frame(-1, "cache.py", 7, "step");
    const cat = t.op("aten::cat");
    const old = [0, 1].map((i) => {
      t.segment("segment_alloc", i * 64 * MIB, 10 * MIB, { frame: line, op: cat }, i * 10 * MIB, (i + 1) * 10 * MIB);
      return t.alloc(
        block({ address: i * 64 * MIB, bytes: 10 * MIB, frame: line, op: cat }),
        (i + 1) * 10 * MIB,
        (i + 1) * 10 * MIB,
      );
    });
    for (const [i, index] of old.entries())
      t.free(index, { frame: line, op: cat, module: -1, phase: "forward" }, (1 - i) * 10 * MIB, 20 * MIB);
    t.segment("segment_alloc", 512 * MIB, 14 * MIB, { frame: line, op: cat }, 0, 34 * MIB);
    t.alloc(block({ address: 512 * MIB, bytes: 14 * MIB, frame: line, op: cat }), 14 * MIB, 34 * MIB);
    return t.finish({ ...META, torch });
  }

  it("runs ahead where free blocks are too small", () => {
    expect(texts(inPieces("2.6"))).toContain(
      "cache.py:7: aten::cat asked for 14.00 MiB. 20.00 MiB of the 20.00 MiB reserved were free, but no free block was large enough, so the driver was asked for more. PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True may avoid that; --try expandable_segments measures it.",
    );
  });

  it("has no option against that in old releases", () => {
    const codes = explain(inPieces("2.0")).map((finding) => finding.code);
    expect(codes).toContain("reserved_ahead");
    expect(codes).not.toContain("reserved_ahead_expandable");
  });
});

describe("the peak", () => {
  it("44.00 is 43 and 1 MiB of cuBLASLt workspace", () => {
    const t = new TraceBuilder();
    const line = t.frame(-1, "attention.py", 30, "forward");
    const addmm = t.op("aten::addmm");
    t.alloc(
      block({ address: 0, bytes: 39 * MIB, frame: t.frame(-1, "attention.py", 20, "forward"), op: t.op("aten::bmm") }),
      39 * MIB,
      60 * MIB,
    );
    t.alloc(block({ address: 39 * MIB, bytes: 4 * MIB, frame: line, op: addmm }), 43 * MIB, 60 * MIB);
    const lt = t.alloc(
      block({
        address: 44 * MIB,
        bytes: MIB,
        frame: line,
        op: addmm,
        category: "workspace",
        note: "cublaslt_workspace_call",
      }),
      44 * MIB,
      60 * MIB,
    );
    t.free(lt, { frame: line, op: addmm, module: -1, phase: "forward" }, 43 * MIB, 60 * MIB);
    expect(texts(t.finish(META))).toEqual([
      "attention.py:30: the peak of 44.00 MiB = 43.00 MiB after aten::addmm + 1.00 MiB cuBLASLt workspace that it took and gave back.",
    ]);
  });

  it("does not claim a sum where the operator also freed something else", () => {
    const t = new TraceBuilder();
    const op = t.op("aten::x");
    const input = t.alloc(block({ address: 0, bytes: 4 * MIB }), 4 * MIB, 20 * MIB);
    const scratch = t.alloc(block({ address: 4 * MIB, bytes: 2 * MIB, op }), 6 * MIB, 20 * MIB);
    t.free(scratch, { frame: -1, op, module: -1, phase: "forward" }, 4 * MIB, 20 * MIB);
    t.free(input, { frame: -1, op, module: -1, phase: "forward" }, 0, 20 * MIB);
    expect(explain(t.finish(META))).toMatchObject([{ code: "peak_scratch_share", parts: [{ bytes: 2 * MIB }] }]);
  });
});

describe("workspaces that stay", () => {
  /** Forward keeps 20 MiB and 8.125 of workspace; backward leaves 12 MiB of gradients, its own workspace and a scalar. */
  function twoThreads() {
    const t = new TraceBuilder();
    const call = t.frame(-1, "nb.py", 40, "<module>");
    const forward = t.frame(call, "nb.py", 10, "step");
    const backward = t.frame(call, "nb.py", 11, "step");
    const mm = t.op("aten::mm");
    const sum = t.op("aten::sum");
    let used = 0;
    const take = (bytes: number, fields: object) =>
      t.alloc(block({ address: used, bytes, op: mm, ...fields }), (used += bytes), 128 * MIB);
    const out = take(20 * MIB, { frame: forward, category: "activation" });
    take(8_519_680, { frame: forward, category: "workspace", note: "cublas_workspace:forward" });
    take(512, { frame: forward, op: sum, category: "activation" });
    take(12 * MIB, { frame: backward, phase: "backward", category: "gradient" });
    take(8_519_680, { frame: backward, phase: "backward", category: "workspace", note: "cublas_workspace:backward" });
    t.free(out, { frame: backward, op: mm, module: -1, phase: "backward" }, used - 20 * MIB, 128 * MIB);
    return t.finish({ ...META, program: "nb.py", torch: "2.6" });
  }

  it("names the first one, 8.12 MiB, and the backward thread's", () => {
    const found = explain(twoThreads());
    expect(found.map((finding) => finding.code)).toEqual([
      "workspace_first",
      "change_parts",
      "change_parts",
      "workspace_backward",
      // what line 40 changed is told once
      "change_parts",
    ]);
    expect(findingText("en", found[0]!)).toContain("8.12 MiB");
    expect(found[3]!.args).toMatchObject({ where: "nb.py:11", note: "cublas_workspace:backward" });
  });

  it("adds up what a line changed", () => {
    const sums = explain(twoThreads())
      .filter((finding) => finding.code === "change_parts")
      .map((finding) => findingText("en", finding));
    // 20 MiB + 8,519,680 + 512 = 28.1255 MiB
    expect(sums[0]).toBe(
      "nb.py:10 changes what is allocated by 28.13 MiB = 20.00 MiB activations + 8.12 MiB cuBLAS workspace.",
    );
    // 12 MiB + 8,519,680 - 20 MiB = 0.125 MiB
    expect(sums[2]).toBe(
      "nb.py:11 changes what is allocated by 128.00 KiB = - 20.00 MiB activations + 12.00 MiB gradients + 8.12 MiB cuBLAS workspace.",
    );
    // Both: the 512 bytes of the sum stay with the activations that died.
    expect(sums[1]).toBe(
      "nb.py:40 changes what is allocated by 28.25 MiB = 16.25 MiB cuBLAS workspace + 12.00 MiB gradients + 512 bytes activations.",
    );
  });

  it("20.13 is 12 of gradients, 8.125 of workspace and the loss", () => {
    const t = new TraceBuilder();
    const call = t.frame(-1, "nb.py", 40, "<module>");
    const inner = t.frame(call, "nb.py", 11, "step");
    const mm = t.op("aten::mm");
    t.alloc(
      block({
        address: 0,
        bytes: 512,
        frame: t.frame(call, "nb.py", 10, "step"),
        op: t.op("aten::sum"),
        category: "activation",
      }),
      512,
      40 * MIB,
    );
    t.alloc(
      block({ address: 512, bytes: 12 * MIB, frame: inner, op: mm, phase: "backward", category: "gradient" }),
      12 * MIB + 512,
      40 * MIB,
    );
    t.alloc(
      block({
        address: 20 * MIB,
        bytes: 8_519_680,
        frame: inner,
        op: mm,
        phase: "backward",
        category: "workspace",
        note: "cublas_workspace:backward",
      }),
      12 * MIB + 512 + 8_519_680,
      40 * MIB,
    );
    const sums = texts(t.finish(META)).filter((text) => text.includes(" = "));
    expect(sums).toEqual([
      "nb.py:11 changes what is allocated by 20.12 MiB = 12.00 MiB gradients + 8.12 MiB cuBLAS workspace.",
      "nb.py:40 changes what is allocated by 20.13 MiB = 12.00 MiB gradients + 8.12 MiB cuBLAS workspace + 512 bytes activations.",
    ]);
  });
});

it("tells the last failed request", () => {
  const t = new TraceBuilder();
  const line = t.frame(-1, "a.py", 9, "f");
  t.oom(10 * MIB, { frame: line, op: t.op("aten::empty"), module: -1, phase: "forward" }, 1 * MIB, 2 * MIB);
  t.oom(99 * MIB, { frame: line, op: t.op("aten::mm"), module: -1, phase: "forward" }, 3 * MIB, 4 * MIB);
  expect(texts(t.finish(META))).toEqual([
    "a.py:9: aten::mm asked for 99.00 MiB when 3.00 MiB were allocated and 4.00 MiB of 64.00 MiB reserved.",
  ]);
});

it("has nothing to say about an empty trace", () => {
  expect(explain(new TraceBuilder().finish(META))).toEqual([]);
});
