/** How the pages look and read: both languages, both themes, narrow and wide, without findings of the accessibility checker. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { engine, vramscope } from "../built.ts";
import { folderWith, ROOT } from "../helpers.ts";
import { openSite, type Site } from "./browser.ts";

const AXE = readFileSync(join(ROOT, "node_modules", "axe-core", "axe.min.js"), "utf8");
/** Pages in the order in which they are shown; each is brought into its states by `prepare`. */
const PAGES = ["playground", "estimate", "open"] as const;

let site: Site;
let trace: string;
beforeAll(async () => {
  const trained = await vramscope.run({ script: join(ROOT, "examples", "training.py"), gpu: "t4" });
  const folder = folderWith({ "mine.json": engine.writeTrace(trained.trace) });
  trace = join(folder, "mine.json");
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

async function go(page: Page, name: (typeof PAGES)[number]): Promise<void> {
  await page.evaluate((hash) => (document.location.hash = hash), `#/${name}`);
  await page.waitForSelector(`.page-${name} h1`, { state: "attached" });
}

/** Brings a page into the state in which it shows most. */
async function fill(page: Page, name: (typeof PAGES)[number]): Promise<void> {
  if (name === "playground") {
    await page.click(".toolbar button.primary");
    await page.waitForSelector(".right[aria-busy=false] .verdict", { timeout: 110_000 });
  } else if (name === "open") {
    await page.setInputFiles(".page-open input[type=file]", trace);
    await page.waitForSelector(".page-open .verdict");
  }
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** All findings of the checker, in words. */
async function findings(page: Page): Promise<string[]> {
  const violations = (await page.evaluate(
    `${AXE}; axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)`,
  )) as readonly Violation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 4)
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.slice(0, 200)}`),
  );
}

/** What a reader sees, without code and input. */
// verdicts, findings and changes name PyTorch's own options
const words = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement;
    for (const part of copy.querySelectorAll(
      "pre, code, .cm-editor, select, script, table, .verdict, .findings, .trials",
    ))
      part.remove();
    return copy.textContent ?? "";
  });

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  it("every page is free of findings, empty and filled", async () => {
    const page = await site.open("#/open", { colorScheme });
    await page.waitForSelector(".viewer-empty");
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe(colorScheme);
    expect(["open", ...(await findings(page))]).toEqual(["open"]);
    for (const name of PAGES) {
      await go(page, name);
      await fill(page, name);
      // colours of controls change softly
      await page.waitForTimeout(300);
      expect([name, ...(await findings(page))]).toEqual([name]);
    }
    await page.keyboard.press("?");
    await page.waitForSelector("dialog.sheet[open]");
    expect(["keys", ...(await findings(page))]).toEqual(["keys"]);
    await page.context().close();
  });
});

describe("in both languages", () => {
  it("every page speaks one language, and no key is left untranslated", async () => {
    const [english, chinese] = [await site.open(), await site.open("", { locale: "zh-CN" })];
    expect(await english.evaluate(() => document.documentElement.lang)).toBe("en");
    expect(await chinese.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
    for (const name of PAGES) {
      const texts: string[] = [];
      for (const page of [english, chinese]) {
        await go(page, name);
        await fill(page, name);
        const text = await words(page);
        // keys are words with underscores, arguments stand in braces
        expect([name, ...(text.match(/\b[a-z]+_[a-z_]+\b(?!\.\w)|\{\w+\}/g) ?? [])]).toEqual([name]);
        texts.push(text);
      }
      const [first, second] = texts as [string, string];
      expect(second).not.toBe(first);
      expect(first.match(/[\u4e00-\u9fff]/g)?.filter((character) => !"中文".includes(character)) ?? []).toEqual([]);
      const han = second.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
      expect([name, han > 40]).toEqual([name, true]);
    }
    await english.context().close();
    await chinese.context().close();
  });
});

describe("on a telephone", () => {
  it("nothing is wider than the screen", async () => {
    const page = await site.open("", { viewport: { width: 390, height: 844 } });
    for (const name of PAGES) {
      await go(page, name);
      await fill(page, name);
      const wide = await page.evaluate(() => document.scrollingElement!.scrollWidth - innerWidth);
      expect([name, wide <= 0]).toEqual([name, true]);
    }
    await page.context().close();
  });
});

it("asked nobody else and complained about nothing", () => expect(site.complaints).toEqual([]));
