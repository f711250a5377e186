/** Pipelines of several models and training by preferences on the Estimate page: the command line's figures. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixed2, GIB } from "../../src/base/bytes.ts";
import { DEEDS, families } from "../../web/src/estimate/model-list.ts";
import { vramscope } from "../helpers.ts";
import { openSite, type Site } from "./browser.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

async function json(args: readonly string[]): Promise<unknown> {
  return JSON.parse((await vramscope(["estimate", ...args, "--json"])).out);
}
const gib = (bytes: number): string => `${fixed2(bytes / GIB)} GiB`;

describe("the Estimate page", () => {
  it("tells of a pipeline what the command tells, and Apply keeps less on the card", async () => {
    const page = await site.open("#/estimate?model=sdxl&gpu=rtx-3070");
    await page.waitForSelector("#est-parts");
    const needed = async (more: readonly string[]): Promise<string> => {
      const { pipelines } = (await json(["sdxl", "--gpu", "rtx-3070", ...more])) as {
        pipelines: { neededBytes: number }[];
      };
      return gib(pipelines[0]!.neededBytes);
    };
    const shown = (): Promise<string> => page.locator(".est-three > div:nth-child(2) dd").first().innerText();
    expect(await page.locator("#est-pipeline").innerText()).toContain("Does not fit on GeForce RTX 3070");
    expect(await shown()).toBe(await needed([]));
    await page.locator(".est-verdict").getByRole("button", { name: "Apply" }).click();
    expect(await shown()).toBe(await needed(["--on-card", "part"]));
    expect(await page.locator(".est-command code").innerText()).toContain("--on-card part");
    await page.context().close();
  });

  it("has the phases of a step by preferences as the command has them", { timeout: 120_000 }, async () => {
    const page = await site.open("#/estimate?model=gpt2&task=dpo&seq=256&gpu=t4");
    await page.waitForSelector("#est-phases", { timeout: 100_000 });
    const { phases } = (await json(["gpt2", "--task", "dpo", "--seq", "256", "--gpu", "t4"])) as {
      phases: { allocatedBytes: number; process: { bytes: number } }[];
    };
    const rows = await page
      .locator("section[aria-labelledby=est-phases] tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
    expect(rows.map(([allocated, , process]) => [allocated, process])).toEqual(
      phases.map(({ allocatedBytes, process }) => [gib(allocatedBytes), gib(process.bytes)]),
    );
    await page.context().close();
  });

  it("asked nobody else and complained about nothing", () => expect(site.complaints).toEqual([]));
});

it("lists models by what they do", () => {
  const deeds = new Map(families().flatMap(({ deed, models }) => models.map(({ name }) => [name, deed] as const)));
  expect(new Set(deeds.values())).toEqual(new Set(DEEDS));
  expect(
    [
      "Qwen/Qwen2.5-7B",
      "Qwen/Qwen2.5-VL-7B-Instruct",
      "BAAI/bge-m3",
      "google/vit-large-patch16-224",
      "openai/whisper-large-v3",
      "stabilityai/stable-diffusion-xl-base-1.0",
    ].map((name) => deeds.get(name)),
  ).toEqual(DEEDS);
});
