/** Plans: parameters counted from sizes, bounds, costs, and the search with runs that are made up. */

import { describe, expect, it } from "vitest";
import { findModel } from "../../src/models/catalogue.ts";
import { defaultJob, layoutOf, modelSizes } from "../../src/estimate/layout/index.ts";
import { boundBytes } from "../../src/estimate/plan/bounds.ts";
import { candidates } from "../../src/estimate/plan/candidates.ts";
import { costOf } from "../../src/estimate/plan/cost.ts";
import { activeParameters, heldBy } from "../../src/estimate/plan/parameters.ts";
import { searchPlan } from "../../src/estimate/plan/index.ts";
import type { Measure } from "../../src/estimate/estimate.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { linksOf } from "../../src/gpus/links.ts";
import { vramscope } from "../helpers.ts";

const found = findGpu("h100-80gb");
if (!found.ok) throw new Error("no GPU");
const gpu = found.value;

const modelOf = (name: string) => {
  const model = findModel(name);
  if (!model.ok) throw new Error(name);
  return model.value.config;
};

const job = (name: string, layout: string, more: object = {}) => {
  return defaultJob({
    framework: "megatron",
    name,
    model: modelSizes(modelOf(name), name),
    layout: layoutOf(layout, null),
    microBatch: 1,
    globalBatch: null,
    seq: 4096,
    zero: 1,
    recompute: "none",
    ...more,
  });
};

describe("candidates", () => {
  it("have as many chunks as divide a stage's layers", () => {
    const model = modelSizes(modelOf("llama-3.1-70b"), "llama-3.1-70b");
    const request = { name: "llama-3.1-70b", model, gpus: 64, seq: 4096, globalBatch: 1024 };
    const found = candidates(request, linksOf(gpu)).filter(({ layout: { tp, pp } }) => tp === 2 && pp === 8);
    // 80 layers over eight stages
    expect([...new Set(found.map(({ layout }) => layout.chunks))].sort((a, b) => a - b)).toEqual([1, 2, 5, 10]);
  });
});

describe("counted parameters", () => {
  it("are the published ones over all ranks, but for padding and what is held twice", () => {
    // Llama-3.1-70B: 70,553,706,496; its vocabulary of 128,256 is a multiple of 128
    expect(heldBy(job("llama-3.1-70b", "tp=1"), 0)).toEqual({ dense: 70_553_706_496 - 8192, expert: 0 });
    // Qwen3-30B-A3B: 30,532,122,624 with 2,048 for the final norm and 48 × 256 for norms of heads; 151,936 rows are a multiple of 128
    const { dense, expert } = heldBy(job("qwen3-30b-a3b", "tp=1"), 0);
    expect(dense + expert).toBe(30_532_122_624 - 2048 - 48 * 256);
  });

  it("that work on a token are few of a mixture", () => {
    expect(activeParameters(job("deepseek-v3", "tp=1").model) / 1e9).toBeCloseTo(37.5, 0);
  });
});

describe("costs", () => {
  it("follow what is recomputed, how deep the pipeline is, and which links are used", () => {
    const links = linksOf(gpu);
    const base = costOf(job("llama-3.1-8b", "tp=2,dp=4", { globalBatch: 64 }), links);
    expect(base).toMatchObject({ recomputed: 0, bubble: 0, imbalance: 0, network: 0 });
    const again = costOf(job("llama-3.1-8b", "tp=2,dp=4", { globalBatch: 64, recompute: "full" }), links);
    expect(again.recomputed).toBeCloseTo(1 / 3, 6);
    const deep = costOf(job("llama-3.1-8b", "tp=2,pp=4,dp=1", { globalBatch: 16 }), links);
    expect(deep.bubble).toBe(3 / 16);
    expect(costOf(job("llama-3.1-8b", "tp=2,dp=8", { globalBatch: 64 }), links).network).toBeGreaterThan(0);
  });
});

describe("published layouts", () => {
  const links = (name: string) => {
    const card = findGpu(name);
    if (!card.ok) throw new Error(name);
    return linksOf(card.value);
  };
  const least = (name: string, card: string, gpus: number, globalBatch: number): number => {
    const { model } = job(name, `dp=${gpus}`, { globalBatch });
    const all = candidates({ name, model, gpus, seq: 4096, globalBatch }, links(card));
    return Math.min(...all.map((each) => costOf(each, links(card)).total));
  };

  it("cost no less than what a plan may put first", () => {
    // DeepSeek-V3's report: 16 stages, experts over 64 ranks, 2048 H800; NVIDIA's recipe of Llama 3 70B: tp 4, pp 4, cp 2, 5 chunks, 64 H100
    const experts = costOf(job("deepseek-v3", "pp=16,ep=64,dp=128", { globalBatch: 4096 }), links("h800-80gb"));
    const dense = costOf(job("llama-3.1-70b", "tp=4,pp=4,cp=2,vpp=5,dp=2", { globalBatch: 1024 }), links("h100-80gb"));
    expect(least("deepseek-v3", "h800-80gb", 2048, 4096)).toBeLessThan(experts.total);
    expect(least("llama-3.1-70b", "h100-80gb", 64, 1024)).toBeLessThan(dense.total);
  });
});

describe("a search", () => {
  const model = findModel("llama-3.1-8b");
  if (!model.ok) throw new Error("no model");
  const request = { name: "m", model: modelSizes(model.value.config, "m"), gpus: 8, seq: 4096, globalBatch: 64 };

  /** A machine on which a program needs what it says of its layers. */
  const measure =
    (fixed: number): Measure =>
    ({ source }) => {
      const layers = /"chunks": (\[\[.*\]\])/.exec(source)![1]!.split(",").length;
      const bytes = fixed + layers * 2 ** 30;
      const digest = { reservedPeakBytes: bytes, allocatedPeakBytes: bytes, allocatedHighBytes: bytes };
      const rest = { marks: [], components: [], remainderBytes: 0, libraryHighBytes: 0, assumptions: [] };
      return Promise.resolve({ status: "ok", error: null, digest: { ...digest, ...rest } as never });
    };

  it("takes only layouts that can be started, cheapest first, and prolongs a few layers along a line", async () => {
    for (const { layout } of candidates(request, linksOf(gpu))) expect(8 % (layout.tp * layout.pp * layout.cp)).toBe(0);
    const plan = await searchPlan(measure(2 ** 30), request, gpu, { shown: 3, simulated: 9 });
    expect(plan.fitting.length).toBe(3);
    const costs = plan.fitting.map(({ cost }) => cost.total);
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    const { job: first, processBytes } = plan.fitting[1]!;
    const context = processBytes - 2 ** 30 * (1 + 32 / first.layout.pp);
    expect(context).toBeGreaterThan(0);
    expect(context).toBeLessThan(4 * 2 ** 30);
  });

  it("says which is nearest where nothing fits", async () => {
    const plan = await searchPlan(measure(2 ** 40), request, gpu, { shown: 2, simulated: 3 });
    expect(plan.fitting).toEqual([]);
    expect(plan.missing.length).toBeGreaterThan(0);
    expect(plan.first).toBeNull();
  });

  it("has bounds that are below what a real program needs", () => {
    // states alone: 8.03e9 parameters at 6 + 12 / 8 bytes
    const bound = boundBytes(job("llama-3.1-8b", "tp=1,dp=8"), 0);
    expect(bound).toBeGreaterThan(8.03e9 * 7.5);
    expect(bound).toBeLessThan(8.03e9 * 7.5 * 1.6);
  });
});

/** Layouts with which the models were trained or are trained by their vendors' recipes: NeMo's, DeepSeek-V3's report (3.2), Llama 3's (table 4). */
const PUBLISHED = [
  ["llama-3.1-70b", "tp=4,pp=4,cp=2", 64, "h100-80gb", 1024, "none"],
  ["deepseek-v3", "pp=16,ep=64", 2048, "h800-80gb", 15360, "none"],
  ["llama-3.1-405b", "tp=8,pp=16", 16384, "h100-80gb", 32768, "none"],
] as const;

describe("the first choice", () => {
  it.each(PUBLISHED)(
    "for %s costs no more than %s",
    async (name, layout, gpus, card, globalBatch, recompute) => {
      const found = findGpu(card);
      if (!found.ok) throw new Error(card);
      const more = ["--gpus", String(gpus), "--gpu", card, "--global-batch", String(globalBatch), "--top", "1"];
      const { out, code } = await vramscope(["plan", name, ...more, "--json"]);
      const { fitting } = JSON.parse(out) as { fitting: { cost: { total: number }; fits: boolean }[] };
      const theirs = job(name, layout, { layout: layoutOf(layout, gpus), globalBatch, recompute });
      expect([code, fitting[0]!.fits]).toEqual([0, true]);
      expect(fitting[0]!.cost.total).toBeLessThanOrEqual(costOf(theirs, linksOf(found.value)).total);
    },
    240_000,
  );
});
