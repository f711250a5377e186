/** What stands beside a verdict, on traces made by hand: the largest cause, what is of no use, what grows, what helps. */

import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { explain } from "../../src/explain/index.ts";
import { foldedFindings, rankedFindings } from "../../src/explain/ranked.ts";
import type { Trial } from "../../src/explain/trials.ts";
import { verdictCard } from "../../src/explain/verdict-card.ts";
import { cardLines } from "../../src/report/verdict-words.ts";
import { findingText } from "../../src/report/words.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import type { Trace } from "../../src/trace/model.ts";
import { peakEvent, peakReservedBytes } from "../../src/trace/queries.ts";
import { block, META } from "../trace/sample.ts";

function cardOf(trace: Trace, trials: readonly Trial[] = [], fits = true) {
  return verdictCard({
    trace,
    peakEvent: peakEvent(trace),
    peakReservedBytes: peakReservedBytes(trace),
    findings: explain(trace),
    trials,
    fits,
  });
}
const words = (trace: Trace, trials: readonly Trial[] = [], fits = true) =>
  cardLines(cardOf(trace, trials, fits), "en").map(({ id, text }) => `${id}: ${text}`);

/** Steps that each make 10 MiB, of which `leftBytes` stay, and a gradient that goes. */
function steps(count: number, leftBytes: number, change: object = {}) {
  const t = new TraceBuilder();
  const forward = t.frame(-1, "train.py", 7, "step");
  const backward = t.frame(-1, "train.py", 8, "step");
  const mm = t.op("aten::mm");
  let used = 0;
  let at = 0;
  const take = (bytes: number, fields: object) =>
    t.alloc(block({ address: (at += bytes), bytes, op: mm, ...fields }), (used += bytes), 512 * MIB);
  const give = (index: number, bytes: number, frame: number) =>
    t.free(index, { frame, op: mm, module: -1, phase: "backward" }, (used -= bytes), 512 * MIB);
  for (let step = 0; step < count; step++) {
    const out = take(10 * MIB, { frame: forward, category: "activation" });
    if (leftBytes > 0) take(leftBytes, { frame: forward, category: "activation", ...change });
    const grad = take(4 * MIB, { frame: backward, phase: "backward", category: "gradient" });
    give(out, 10 * MIB, backward);
    give(grad, 4 * MIB, backward);
  }
  return t.finish(META);
}

describe("what grows", () => {
  it("is named with its line, each pass and the sum", () => {
    const finding = explain(steps(6, 2 * MIB)).find(({ code }) => code === "grows_each_pass")!;
    expect(finding.args).toMatchObject({ where: "train.py:7", passes: 6, eachBytes: 2 * MIB, totalBytes: 12 * MIB });
    expect(findingText("en", finding)).toContain("every pass leaves 2.00 MiB that nobody lets go, 12.00 MiB after 6");
    expect(words(steps(6, 2 * MIB))).toContain(
      "growth: 2.00 MiB more after every pass, 12.00 MiB after 6; made at train.py:7",
    );
  });

  it.each([
    ["nothing stays", steps(6, 0)],
    ["two passes are no rule", steps(2, 2 * MIB)],
    ["what stays is the model's", steps(6, 2 * MIB, { category: "parameter" })],
    ["states of optimizers", steps(6, 2 * MIB, { category: "optimizer_state" })],
  ])("is nothing where %s", (_, trace) => {
    expect(explain(trace).map(({ code }) => code)).not.toContain("grows_each_pass");
  });

  it("is not what the layers of one forward keep", () => {
    const t = new TraceBuilder();
    const line = t.frame(-1, "model.py", 3, "forward");
    for (let layer = 0; layer < 12; layer++) {
      const at = { frame: line, module: t.module(`h.${layer}`) };
      const scratch = t.alloc(block({ address: 0, bytes: MIB, ...at }), (layer + 1) * 8 * MIB + MIB, 200 * MIB);
      t.alloc(
        block({ address: (layer + 1) * 8 * MIB, bytes: 8 * MIB, category: "activation", ...at }),
        (layer + 2) * 8 * MIB,
        200 * MIB,
      );
      t.free(scratch, { frame: line, op: -1, module: -1, phase: "forward" }, (layer + 1) * 8 * MIB, 200 * MIB);
    }
    expect(explain(t.finish(META)).map(({ code }) => code)).not.toContain("grows_each_pass");
  });
});

describe("the card", () => {
  it("names the largest part of the peak and the line that made most of it", () => {
    const { cause } = cardOf(steps(6, 2 * MIB));
    expect(cause).toEqual({
      category: "activation",
      bytes: 22 * MIB,
      ofBytes: 26 * MIB,
      where: "train.py:7",
      whereBytes: 22 * MIB,
    });
    expect(words(steps(6, 2 * MIB))[0]).toBe("why: activations: 22.00 MiB of 26.00 MiB, 85%; made at train.py:7");
  });

  it("says what is reserved and of no use", () => {
    const t = new TraceBuilder();
    for (let at = 0; at < 4; at++)
      t.segment("segment_alloc", at * 1000 * MIB, 100 * MIB, { frame: -1, op: -1 }, 0, (at + 1) * 100 * MIB);
    t.alloc(block({ address: 20 * MIB, bytes: 50 * MIB }), 50 * MIB, 400 * MIB);
    const { unusable } = cardOf(t.finish(META));
    // two pieces beside the block, and three whole segments
    expect(unusable).toMatchObject({
      reservedBytes: 400 * MIB,
      freeBytes: 350 * MIB,
      pieces: 5,
      largestBytes: 100 * MIB,
    });
  });

  const trial = (id: "fused" | "checkpoint_blocks" | "half_batch", reserved: number, fits: boolean): Trial => ({
    changes: [id],
    outcome: "measured",
    peakAllocatedBytes: reserved,
    peakReservedBytes: reserved,
    fits,
    tight: false,
    errorText: null,
  });

  it("proposes the least change that fits, and where all fits the one that saves most", () => {
    const trials = [
      trial("fused", 500 * MIB, false),
      trial("checkpoint_blocks", 300 * MIB, true),
      trial("half_batch", 200 * MIB, true),
    ];
    expect(cardOf(steps(6, 0), trials, false).remedy).toMatchObject({ changes: ["checkpoint_blocks"], fits: true });
    expect(cardOf(steps(6, 0), trials, true).remedy).toMatchObject({
      changes: ["half_batch"],
      savedBytes: 312 * MIB,
    });
    expect(cardOf(steps(6, 0), [trial("fused", 511 * MIB, true)], true).remedy).toBeNull();
  });
});

describe("findings", () => {
  it("come with most bytes first, sums behind what they belong to, and small ones folded", () => {
    const finding = (code: "workspace_first" | "change_parts" | "kept_gradients", bytes: number) => ({
      code,
      args: { totalBytes: bytes, blockBytes: bytes, changeBytes: bytes },
      parts: [],
      frame: -1,
      event: 0,
    });
    const given = [
      finding("workspace_first", 8 * MIB),
      finding("change_parts", 900 * MIB),
      finding("kept_gradients", 500 * MIB),
    ];
    const ranked = rankedFindings(given);
    expect(ranked.map(({ code }) => code)).toEqual(["kept_gradients", "workspace_first", "change_parts"]);
    const { shown, small } = foldedFindings(ranked, 1000 * MIB);
    expect([shown.length, small.length]).toEqual([1, 2]);
    expect(foldedFindings(ranked, 500 * MIB).small).toEqual([]);
  });
});

describe("words of a recording that names nothing", () => {
  it("have no holes", () => {
    const t = new TraceBuilder();
    const line = t.frame(-1, "a.py", 3, "f");
    for (let i = 0; i < 3; i++) {
      t.alloc(
        block({ address: i * 16 * MIB, bytes: 8 * MIB, frame: line, category: "workspace" }),
        (i + 1) * 8 * MIB,
        60 * MIB,
      );
    }
    const texts = explain(t.finish(META)).map((finding) => findingText("en", finding));
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text).not.toMatch(/ {2}|: takes| the of|, ,|another ,/);
    // three are one first, and one that came twice
    expect(texts.at(-1)).toBe(
      "a.py:3: an operator takes another workspace, 8.00 MiB, and keeps it. 2 times so, 16.00 MiB in all.",
    );
  });
});
