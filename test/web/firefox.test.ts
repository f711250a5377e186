/**
 * The page in Firefox, as the system's package has it: the same numbers as the command line's, every page by keyboard and pointer, in both
 * languages and themes. Skipped with a word where there is no Firefox and none can be installed.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureFirefox, ensurePage } from "../../scripts/ensure.mjs";
import type { FirefoxBrowser as Browser, FirefoxPage as Page } from "../../scripts/firefox.mjs";
import { servePage, type PageServer } from "../../src/cli/page-server.ts";
import { engine, vramscope } from "../built.ts";
import { folderWith, ROOT } from "../helpers.ts";

const AXE = readFileSync(join(ROOT, "node_modules", "axe-core", "axe.min.js"), "utf8");
const PATIENCE = { timeout: 60_000 };
const firefox = ensureFirefox();

describe.skipIf(firefox === null)("in Firefox", () => {
  let server: PageServer;
  const complaints: string[] = [];
  let trace: string;
  let peak: readonly number[];

  beforeAll(async () => {
    ensurePage();
    server = await servePage(join(ROOT, "dist", "web"), "127.0.0.1", [0]);
    const ran = await vramscope.run({ script: join(ROOT, "examples", "training.py"), gpu: "rtx-4090" });
    peak = [ran.stats.peakAllocatedBytes, ran.stats.peakReservedBytes];
    trace = join(folderWith({ "mine.json": engine.writeTrace(ran.trace) }), "mine.json");
  });
  afterAll(async () => {
    for (const browser of started.values()) await (await browser).close();
    await server.close();
  });

  /** Starts take seconds: pages with the same preferences share a browser. */
  const started = new Map<string, Promise<Browser>>();
  async function browserWith(preferences: Record<string, unknown>): Promise<Browser> {
    const key = JSON.stringify(preferences);
    const { launchFirefox } = await import("../../scripts/firefox.mjs");
    const browser = started.get(key) ?? launchFirefox(firefox!, preferences);
    started.set(key, browser);
    return browser;
  }

  async function open(address: string, preferences: Record<string, unknown> = {}): Promise<Page> {
    const context = await (await browserWith(preferences)).createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(server.address) && !/^(?:data|blob|about):/.test(url)) complaints.push(`asked for ${url}`);
    });
    page.on("console", (line) => {
      if (line.type() === "error") complaints.push(line.text().slice(0, 400));
    });
    page.on("pageerror", (error) => complaints.push(String(error).slice(0, 400)));
    await page.goto(server.address + address);
    return page;
  }

  const finished = (page: Page) => page.waitForSelector(".right[aria-busy=false] .verdict", PATIENCE);
  /** Exact bytes of the card's first two numbers. */
  const numbers = async (page: Page): Promise<number[]> => {
    const titles = await page.$$eval(".verdict .three > div", (all) => all.map((one) => one.title));
    return titles.slice(0, 2).map((title) => Number(/([\d,]+) bytes$/.exec(title)?.[1]?.replaceAll(",", "")));
  };
  const go = async (page: Page, name: string): Promise<void> => {
    await page.evaluate((hash) => void (document.location.hash = hash), `#/${name}`);
    await page.waitForSelector(`.page-${name} h1`);
  };
  async function serious(page: Page): Promise<string[]> {
    const found = (await page.evaluate(
      `${AXE}; axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)`,
    )) as readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
    return found
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }

  it("opens on the stored answer, and the same run by keyboard comes to the same bytes", async () => {
    const page = await open("");
    await finished(page);
    expect(await numbers(page)).toEqual(peak);
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await page.waitForSelector(".toolbar .stop", PATIENCE);
    await page.waitForFunction(() => document.querySelector(".toolbar .stop") === null, PATIENCE);
    await finished(page);
    expect(await numbers(page)).toEqual(peak);
    await page.waitForSelector(".chart-timeline canvas", PATIENCE);
  });

  it("stops an endless loop, and says so", async () => {
    const page = await open("");
    await finished(page);
    await page.click(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    // one line, because the editor indents what is typed
    await page.keyboard.type('import torch; x = torch.ones(1024, 1024, device="cuda"); print("on", flush=True)\n');
    await page.keyboard.type("while True: pass\n");
    await page.click(".toolbar button.primary");
    await page.waitForFunction(() => document.querySelector(".output pre")?.textContent?.includes("on"), PATIENCE);
    await page.click(".toolbar .stop");
    await finished(page);
    expect(await page.$eval(".verdict-line", (line) => line.textContent)).toContain("interrupted");
    expect((await numbers(page))[0]).toBe(4 * 2 ** 20);
  });

  it("estimates and opens a recording", async () => {
    const page = await open("#/estimate");
    await page.waitForSelector(".est-textbook, .est-answer", PATIENCE);
    await go(page, "open");
    const input = await page.waitForSelector(".page-open input[type=file]");
    await input.uploadFile(trace);
    await page.waitForSelector(".page-open .verdict", PATIENCE);
    await page.waitForSelector(".page-open .chart-timeline canvas", PATIENCE);
  });

  it("speaks Chinese in the dark without findings of the checker", async () => {
    const page = await open("", {
      "intl.accept_languages": "zh-CN",
      "layout.css.prefers-color-scheme.content-override": 0,
    });
    await finished(page);
    expect(
      await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset["theme"]]),
    ).toEqual(["zh-CN", "dark"]);
    for (const name of ["playground", "estimate", "open"]) {
      await go(page, name);
      await new Promise((done) => setTimeout(done, 500));
      expect([name, ...(await serious(page))]).toEqual([name]);
    }
  });

  it("asked nobody else and complained about nothing", () => expect(complaints).toEqual([]));
});
