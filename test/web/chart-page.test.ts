/** The timeline in a browser: mouse, wheel, touch and keys do what the shortcut sheet says, and its parts show one selection. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { longTraining } from "../../bench/long-training.mjs";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { writeTrace } from "../../src/trace/file.ts";
import type { Trace } from "../../src/trace/model.ts";
import { folderWith } from "../helpers.ts";
import { openSite, type Site } from "./browser.ts";

const trace = longTraining(TraceBuilder, 3000) as Trace;
const events = trace.events.kind.length;
let site: Site;
let page: Page;
let box: { x: number; y: number; width: number; height: number };
beforeAll(async () => {
  const folder = folderWith({});
  const file = join(folder, "run.json");
  writeFileSync(file, writeTrace(trace));
  site = await openSite();
  page = await site.open("#/open");
  await page.waitForSelector(".viewer-empty");
  await page.setInputFiles(".page-open input[type=file]", file);
  await page.waitForSelector(".chart-plot canvas");
  // the page may have to be built first
}, 120_000);
afterAll(async () => {
  expect(site.complaints).toEqual([]);
  await site.close();
});
beforeEach(async () => {
  await page.locator(".chart-plot").scrollIntoViewIfNeeded();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Escape");
  await page.keyboard.press("0");
  box = (await page.locator(".chart-plot").boundingBox())!;
});

/** The events that are shown, as the minimap tells them. */
async function shown(): Promise<{ from: number; to: number }> {
  const text = (await page.locator(".chart-minimap").getAttribute("aria-valuetext"))!;
  const [, from, to] = /(\d+)–(\d+)$/.exec(text)!;
  return { from: Number(from), to: Number(to) };
}
/** Places in the plot: shares of its width and height, beside the axis. */
const at = (x: number, y: number): [number, number] => [
  box.x + 68 + x * (box.width - 78),
  box.y + 26 + y * (box.height - 66),
];

describe("the timeline", () => {
  it("zooms at the pointer with Ctrl and wheel, and pans with the wheel alone", async () => {
    await page.mouse.move(...at(0.25, 0.5));
    await page.keyboard.down("Control");
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -120);
    await page.keyboard.up("Control");
    await expect.poll(async () => (await shown()).to).toBeLessThan(events * 0.6);
    const zoomed = await shown();
    const size = zoomed.to - zoomed.from;
    expect(Math.abs(zoomed.from + size * 0.25 - events * 0.25)).toBeLessThan(events * 0.02);
    await page.mouse.wheel(0, 200);
    await expect.poll(async () => (await shown()).from).toBeGreaterThan(zoomed.from);
    const panned = await shown();
    expect(Math.abs(panned.to - panned.from - size)).toBeLessThan(3);
  });

  it("lets the wheel scroll the page where there is nothing to pan", async () => {
    await page.mouse.move(...at(0.5, 0.5));
    const before = await page.evaluate(() => document.documentElement.scrollTop);
    await page.mouse.wheel(0, 60);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollTop)).toBeGreaterThan(before);
  });

  it("selects a range by dragging, and the table has its blocks", async () => {
    await page.mouse.move(...at(0.2, 0.4));
    await page.mouse.down();
    await page.mouse.move(...at(0.4, 0.4), { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.locator(".chart-summary").innerText()).toMatch(/^Events \d+ to [\d,]+:/);
    await page.keyboard.press("f");
    const { from, to } = await shown();
    expect(Math.abs(from - events * 0.2)).toBeLessThan(events * 0.02);
    expect(Math.abs(to - events * 0.4)).toBeLessThan(events * 0.02);
  });

  it("pans by dragging with Shift", async () => {
    for (let i = 0; i < 4; i++) await page.keyboard.press("w");
    const before = await shown();
    await page.keyboard.down("Shift");
    await page.mouse.move(...at(0.5, 0.5));
    await page.mouse.down();
    await page.mouse.move(...at(0.75, 0.5), { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const after = await shown();
    expect(Math.abs(before.from - after.from - (before.to - before.from) / 4)).toBeLessThan(5);
  });

  it("pins what is clicked, and brackets go to its birth and death", async () => {
    await page.keyboard.press("p");
    await page.keyboard.press("[");
    const title = await page.locator(".chart-pinned strong").innerText();
    expect(title).toMatch(/^#[\d,]+ · /);
    const lived = (await page.locator(".chart-pinned .chart-facts").innerText()).match(/events ([\d,]+) to ([\d,]+)/)!;
    const summary = () => page.locator(".chart-legend-at").getAttribute("title");
    expect(await summary()).toContain(`event ${lived[1]}`);
    await page.keyboard.press("]");
    await expect.poll(summary).toContain(`event ${lived[2]}`);
    expect(await page.locator(".chart-pinned strong").innerText()).toBe(title);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".chart-pinned").count()).toBe(0);
  });

  it("finds blocks as one types, from the key on", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("/softmax$/");
    const expected = trace.blocks.filter(({ op }) => trace.ops[op]?.endsWith("softmax") === true).length;
    await expect.poll(() => page.locator(".chart-search span").innerText()).toContain(`${expected} of`);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".chart-pinned").innerText()).toContain("aten::_softmax");
    await page.keyboard.press("Escape");
    expect(await page.locator(".chart-search input").inputValue()).toBe("");
  });

  it("moves with the arrow keys only while it has the focus", async () => {
    await page.keyboard.press("w");
    await page.keyboard.press("w");
    const before = await shown();
    await page.locator(".chart-plot").focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await shown()).from).toBeGreaterThan(before.from);
    const moved = await shown();
    await page.locator(".chart-search input").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("d");
    expect(await shown()).toEqual(moved);
    await page.locator(".chart-search input").fill("");
    await page.locator(".chart-plot").focus();
  });

  it("is moved by its map", async () => {
    const map = (await page.locator(".chart-minimap").boundingBox())!;
    const point = (share: number): [number, number] => [map.x + map.width * share, map.y + map.height / 2];
    await page.mouse.move(...point(0.5));
    await page.mouse.down();
    await page.mouse.move(...point(0.7), { steps: 4 });
    await page.mouse.up();
    const drawn = await shown();
    expect(Math.abs(drawn.from - events * 0.5)).toBeLessThan(events * 0.02);
    expect(Math.abs(drawn.to - events * 0.7)).toBeLessThan(events * 0.02);
    await page.mouse.move(...point(0.6));
    await page.mouse.down();
    await page.mouse.move(...point(0.3), { steps: 4 });
    await page.mouse.up();
    expect(Math.abs((await shown()).from - events * 0.2)).toBeLessThan(events * 0.02);
  });

  it("shows the block under the pointer", async () => {
    await page.locator(".chart-controls select").nth(1).selectOption("view");
    await page.locator(".chart-plot").scrollIntoViewIfNeeded();
    box = (await page.locator(".chart-plot").boundingBox())!;
    await page.mouse.move(...at(0.5, 0.97));
    await expect.poll(() => page.locator(".chart-plot .chart-tip").innerText()).toContain("parameters");
    await page.mouse.move(...at(0.5, 0.05));
    await expect.poll(() => page.locator(".chart-plot .chart-tip").innerText()).toMatch(/^event [\d,]+: /);
    await page.locator(".chart-controls select").nth(1).selectOption("used");
    await page.locator(".chart-plot").focus();
  });

  it("pinches on a touch screen", async () => {
    const touch = await page.context().newCDPSession(page);
    const two = (spread: number) => [at(0.5 - spread, 0.5), at(0.5 + spread, 0.5)].map(([x, y], id) => ({ x, y, id }));
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: two(0.1) });
    for (const spread of [0.15, 0.2, 0.3]) {
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: two(spread) });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    const { from, to } = await shown();
    expect((to - from) / events).toBeCloseTo(1 / 3, 1);
  });
});
