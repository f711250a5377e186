/**
 * What the page may cost, as Lighthouse counts it: time to the first useful figure from an empty cache, bytes on the wire before it, blocking
 * work, and jumps of the layout. Times are those of an idle machine: what others take of the processors meanwhile is measured and allowed.
 */

import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site } from "./browser.ts";

/** Tries; the best counts, because a page can be held up but not hurried. */
const TRIES = 5;

interface Seen {
  /** When each was there first, in ms after navigation began. */
  readonly at: Record<string, number>;
  readonly shift: number;
  /** Beginning and length of tasks above 50 ms. */
  readonly long: readonly (readonly [number, number])[];
}

const FIGURE = ".right .verdict .three";
const TEXTBOOK = ".est-textbook";
/** Of the question that is asked, not of the one before. */
const SIMULATED = ".est-verdict:not(:has(.est-textbook, .est-old, .est-mark)) .est-answer";
const EMPTY = ".viewer-empty";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

/** Runs in the page before anything else does. */
const WATCH = `
  globalThis.budget = { at: {}, shift: 0, long: [] };
  const entries = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  entries("layout-shift", (entry) => { if (!entry.hadRecentInput) budget.shift += entry.value; });
  entries("longtask", (entry) => budget.long.push([entry.startTime, entry.duration]));
  new MutationObserver(() => {
    for (const name of ${JSON.stringify([FIGURE, TEXTBOOK, SIMULATED, EMPTY])})
      if (!(name in budget.at) && document.querySelector(name) !== null)
        if (name !== ${JSON.stringify(SIMULATED)} || ${JSON.stringify(TEXTBOOK)} in budget.at) budget.at[name] = performance.now();
  }).observe(document, { childList: true, subtree: true, attributes: true });
`;

const seenBy = (page: Page): Promise<Seen> => page.evaluate("budget");

/** How many times longer everything takes than alone: wall time of some work over its CPU time. */
function slowdown(): number {
  const [began, used] = [performance.now(), process.cpuUsage()];
  let sum = 0;
  while (process.cpuUsage(used).user < 60_000) sum += Math.sqrt(sum + 1);
  const { user, system } = process.cpuUsage(used);
  return Math.max(1, (1000 * (performance.now() - began)) / (user + system));
}

/**
 * CPU milliseconds of the work below, at best, on the machine for which the limits are meant: one that runs all of CI in 24 minutes. Where
 * it takes 345 ms, tests take 2.3 times as long as there (median of eleven, 1.8 to 3.4).
 */
const REFERENCE_MS = 150;

/** How many times slower this machine is than that one at objects and memory, none of it our own code; 1 for a faster one. */
function machine(): number {
  const work = (): number => {
    const began = process.cpuUsage();
    const table = new Map<string, { bytes: number }>();
    for (let i = 0; i < 200_000; i++) table.set(`block ${(i * 7919) % 200_003}`, { bytes: i });
    const memory = new Float64Array(2 ** 22);
    for (let i = 0, at = 1; i < 2_000_000; i++) {
      at = (Math.imul(at, 1_103_515_245) + 12_345) & (memory.length - 1);
      memory[at]! += i;
    }
    for (const [name, entry] of table) memory[name.length]! += entry.bytes;
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  return Math.max(1, Math.min(...Array.from({ length: 5 }, work)) / REFERENCE_MS);
}

/** The best of some tries, each in a browser context of its own, with an empty cache; in ms of a machine that does nothing else. */
async function best(attempt: () => Promise<number>, enough: number): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < TRIES && least > enough; i += 1) {
    const before = slowdown();
    const ms = await attempt();
    least = Math.min(least, ms / ((before + slowdown()) / 2));
  }
  return least;
}

const openWatched = (address: string): Promise<Page> => site.open(address, {}, WATCH);

async function timeOf(address: string, selector: string): Promise<number> {
  const page = await openWatched(address);
  await page.waitForSelector(selector);
  const { at } = await seenBy(page);
  await page.context().close();
  return at[selector]!;
}

describe("from an empty cache", () => {
  it("the stored answer is there within 1.5 s", async () => {
    expect(await best(() => timeOf("", FIGURE), 1500)).toBeLessThan(1500);
  });

  it("the estimate's first figure is there within 1.5 s", async () => {
    expect(await best(() => timeOf("#/estimate", TEXTBOOK), 1500)).toBeLessThan(1500);
  });

  it.each([
    ["the playground", "", FIGURE, 400],
    ["the estimate", "#/estimate", TEXTBOOK, 260],
    ["the viewer", "#/open", EMPTY, 240],
  ])("%s takes few bytes before it says something", async (_, address, selector, budgetKiB) => {
    const page = await openWatched(address);
    await page.waitForSelector(selector);
    // Python comes behind the first answer
    const early = (await page.evaluate(
      `performance.getEntries().filter(({ entryType, startTime }) => /resource|navigation/.test(entryType) && startTime <= budget.at[${JSON.stringify(selector)}]).map(({ name }) => name)`,
    )) as string[];
    await page.context().close();
    // a host compresses what it sends
    const sizes = await Promise.all(
      [...new Set(early)].map(async (name) => gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer())).length),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.ceil(bytes / 1024)).toBeLessThan(budgetKiB);
  });

  it("nothing jumps, and little blocks", async () => {
    for (const address of ["", "#/estimate", "#/open"]) {
      const page = await openWatched(address);
      await page.waitForTimeout(2500);
      const { shift } = await seenBy(page);
      // Lighthouse calls 0.1 good
      expect([address, shift < 0.05]).toEqual([address, true]);
      await page.context().close();
    }
    const blocked = async (): Promise<number> => {
      const page = await openWatched("");
      await page.waitForSelector(FIGURE);
      await page.waitForTimeout(500);
      const { long } = await seenBy(page);
      await page.context().close();
      return long.reduce((sum, [, ms]) => sum + ms - 50, 0);
    };
    // Lighthouse's total blocking time: 600 ms is its limit of what needs improvement
    expect(await best(blocked, 600)).toBeLessThan(600);
  });
});

describe("the estimate", () => {
  it("answers another question by formula within 0.3 s, simulated within 2 s", { timeout: 300_000 }, async () => {
    const page = await openWatched("#/estimate");
    await page.waitForSelector(SIMULATED, { timeout: 120_000 });
    // whatever follows the first answer by itself
    await page.waitForSelector(".est-verdict[aria-busy=false]", { timeout: 120_000 });
    const questions = ["Qwen/Qwen3-8B", "mistralai/Mistral-7B-v0.1", "Qwen/Qwen2.5-7B", "meta-llama/Llama-2-7b-hf"];
    const times = { formula: Infinity, simulated: Infinity };
    const ofMachine = machine();
    for (const name of questions) {
      const before = slowdown();
      const box = page.getByRole("combobox", { name: "Published model" });
      await box.fill(name);
      const asked = (await page.evaluate("(budget.at = {}, performance.now())")) as number;
      await box.press("Enter");
      await page.waitForSelector(TEXTBOOK, { state: "attached" });
      await page.waitForSelector(SIMULATED, { timeout: 60_000 });
      const { at } = await seenBy(page);
      const factor = (before + slowdown()) / 2;
      times.formula = Math.min(times.formula, (at[TEXTBOOK]! - asked) / factor);
      times.simulated = Math.min(times.simulated, (at[SIMULATED]! - asked) / (factor * ofMachine));
    }
    expect(times.formula).toBeLessThan(300);
    expect(times.simulated).toBeLessThan(2000);
    await page.context().close();
  });
});

it("asked nobody else and complained about nothing", () => expect(site.complaints).toEqual([]));
