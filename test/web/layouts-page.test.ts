/** Several GPUs on the Estimate page: which rank is where, bars that follow at once, and the command line's figures. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { layoutOf, modelSizes, defaultJob } from "../../src/estimate/layout/index.ts";
import { findModel } from "../../src/models/catalogue.ts";
import { drawnNodes, placeOf } from "../../web/src/estimate/layouts/ranks.ts";
import { vramscope } from "../helpers.ts";
import { openSite, type Site } from "./browser.ts";

const jobOf = (layout: string, gpus: number) => {
  const model = findModel("llama-3.1-8b");
  if (!model.ok) throw new Error("no model");
  return defaultJob({
    framework: "megatron",
    name: "x",
    model: modelSizes(model.value.config, "x"),
    layout: layoutOf(layout, gpus),
    microBatch: 1,
    globalBatch: null,
    seq: 4096,
    zero: 1,
    recompute: "none",
  });
};

describe("ranks", () => {
  it("are neighbours in a tensor group, and the stages of the pipeline lie farthest apart", () => {
    const job = jobOf("tp=2,pp=2", 16);
    expect(placeOf(job, 0)).toEqual({ rank: 0, tensor: 0, context: 0, copy: 0, stage: 0 });
    expect(placeOf(job, 7)).toEqual({ rank: 7, tensor: 1, context: 0, copy: 3, stage: 0 });
    expect(placeOf(job, 8)).toMatchObject({ tensor: 0, copy: 0, stage: 1 });
  });

  it("of many nodes are drawn where another stage begins, and at the ends", () => {
    expect(drawnNodes(jobOf("pp=4", 16384), 8, 6)).toEqual([0, 1, 512, 1024, 1536, 2047]);
    expect(drawnNodes(jobOf("", 16), 8, 6)).toEqual([0, 1]);
  });
});

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

describe("the card for several GPUs", () => {
  it("draws at once, and runs the ranks as the command line does", async () => {
    const page = await site.open("#/estimate?model=Qwen/Qwen2.5-0.5B&task=train&gpu=h100-80gb&seq=1024");
    const card = page.getByRole("region", { name: "Several GPUs" });
    await card.waitFor({ timeout: 60_000 });
    expect(await card.locator(".lay-gpu").count()).toBe(8);
    await card.getByRole("slider", { name: "GPUs" }).press("ArrowRight");
    expect(await card.locator(".lay-gpu").count()).toBe(16);
    await card.getByRole("slider", { name: "pipeline stages" }).press("ArrowRight");
    expect(await card.locator(".lay-stages li").count()).toBe(2);
    const command = await card.locator("code").innerText();
    await card.getByRole("button", { name: "Run one rank of each stage" }).click();
    const said = await card.locator(".lay-ran").innerText({ timeout: 60_000 });
    const { out } = await vramscope([...command.split(" ").slice(1), "--json"]);
    const { ranks } = JSON.parse(out) as { ranks: { chain: { allocated: { bytes: number } } }[] };
    for (const { chain } of ranks) expect(said).toContain(`${(chain.allocated.bytes / 2 ** 30).toFixed(2)} GiB`);
    await page.close();
  });
});
