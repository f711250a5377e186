/** The Estimate page in a browser: the numbers of the command line, an address that follows, files that are dropped, both languages. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vramscope } from "../helpers.ts";
import { CONFIG_SAMPLE, ggufSample } from "../formats/model-file-samples.ts";
import { openSite, type Site } from "./browser.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

const hash = (page: Page): Promise<string> => page.evaluate(() => document.location.hash);

/** Exact bytes of the allocated peak, once they are simulated. */
async function peakBytes(page: Page): Promise<number> {
  const title = await page.locator(".est-peak [title]").getAttribute("title", { timeout: 60_000 });
  return Number(title!.replaceAll(/\D/g, ""));
}

/** Waits until the page says it, simulated. */
const verdict = (page: Page, text: string): Promise<void> =>
  page.locator(".est-answer:not(:has(.est-mark))", { hasText: text }).waitFor({ timeout: 60_000 });

async function byCommand(...args: readonly string[]): Promise<number> {
  const { out } = await vramscope(["estimate", ...args, "--json"]);
  const { estimates } = JSON.parse(out) as { estimates: { chain: { allocated: { bytes: number } } }[] };
  return estimates[0]!.chain.allocated.bytes;
}

describe("the Estimate page", () => {
  it("has the numbers of the command line, and an address that says what was chosen", async () => {
    const page = await site.open("#/estimate");
    await page.getByRole("combobox", { name: "Published model" }).fill("llama 3.1 8b");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Add a GPU" }).fill("h100 sxm");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove A100 80GB SXM" }).click();
    await page.getByRole("radio", { name: "LoRA", exact: true }).check();
    const lora = ["llama-3.1-8b", "--method", "lora", "--gpu", "h100"];
    await verdict(page, "Fits on H100 SXM 80GB");
    // the largest part, in the words of the command line
    expect(await page.locator(".est-verdict .beside-why dd").innerText()).toMatch(
      /^activations: .* of .*, \d+%$|^weights: .* of .*, \d+%$/,
    );
    const one = await peakBytes(page);
    expect(one).toBe(await byCommand(...lora));
    expect(await hash(page)).toBe(
      "#/estimate?model=meta-llama/Llama-3.1-8B-Instruct&task=train&method=lora&gpu=h100-80gb",
    );

    await page.getByRole("textbox", { name: "Batch" }).fill("3");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.location.hash.includes("batch=3"));
    await page.locator(".est-mark").waitFor({ state: "detached", timeout: 60_000 });
    expect(await peakBytes(page)).toBe(await byCommand(...lora, "--batch", "3"));
    expect(await page.locator(".est-command code").innerText()).toContain("--batch 3 --method lora --gpu h100-80gb");

    const slider = page.getByRole("slider", { name: "Batch" });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.location.hash.includes("batch=4"));

    await page.getByRole("button", { name: "Open in the playground" }).click();
    await page.getByText("get_peft_model(model, LoraConfig(r=16").waitFor();
    expect(await hash(page)).toMatch(/^#\/playground/);
    await page.context().close();
  });

  it("tells what can be told of files, and says what is wrong with others", async () => {
    const page = await site.open("#/estimate?engine=vllm");
    const give = (name: string, text: string): Promise<void> =>
      page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    const problem = page.locator(".est-problem").first();
    await verdict(page, "Fits on A100 80GB SXM");
    await give("config.json", '{"model_type": "llama",');
    await problem.waitFor();
    expect(await problem.innerText()).toMatch(/not JSON/);
    await give("config.json", JSON.stringify({ hidden_size: 64 }));
    await page.getByRole("radio", { name: "transformers" }).check();
    await page.getByText("no model_type").first().waitFor();
    await give("config.json", JSON.stringify({ ...(JSON.parse(CONFIG_SAMPLE) as object), model_type: "lama" }));
    await page.getByText("no model of type 'lama'").waitFor({ timeout: 60_000 });
    await give("config.json", CONFIG_SAMPLE);
    await verdict(page, "Fits on A100 80GB SXM");
    const link = await hash(page);
    expect(link).toMatch(/config=[\w-]{20,}/);
    const other = await site.open(link);
    await verdict(other, "Fits on A100 80GB SXM");
    expect(await peakBytes(other)).toBe(await peakBytes(page));
    await other.locator("input[type=file]").setInputFiles({
      name: "model.gguf",
      mimeType: "application/octet-stream",
      buffer: ggufSample(),
    });
    // no configuration beside it: an engine that reads such files answers
    await other.getByText("by the rules of llama.cpp").waitFor();
    expect(await other.getByRole("radio", { name: "llama.cpp" }).isChecked()).toBe(true);
    await other.context().close();
    await page.context().close();
  });

  it("speaks Chinese, is narrow, and has no serious findings of an accessibility check", async () => {
    const page = await site.open("#/estimate?model=openai-community/gpt2&gpu=t4", {
      locale: "zh-CN",
      colorScheme: "dark",
      viewport: { width: 390, height: 844 },
    });
    await verdict(page, "T4：放得下");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(axe);
    const serious = await page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
      };
      const { violations } = await checker.run();
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`);
    });
    expect(serious).toEqual([]);
    await page.context().close();
  });

  it("left nothing to complain about", () => {
    expect(site.complaints).toEqual([]);
  });
});
