/** The page without a network: after one visit it loads, runs a program and opens files; `?nosw` takes that away again. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../helpers.ts";
import { openSite, type Site } from "./browser.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

const STORE = "vramscope-1";

describe("offline", () => {
  it("the page reloads and runs the example", async () => {
    const page = await site.open();
    await page.click(".toolbar button.primary");
    await page.waitForSelector(".right[aria-busy=false] .verdict");
    const online = await page.locator(".verdict .three").textContent();
    // everything has been kept when the largest part is
    const lacks = async (): Promise<string[]> =>
      page.evaluate(async (store) => {
        const names = (await (await caches.open(store)).keys()).map(({ url }) => url);
        const parts = (await (await fetch("./parts.json")).json()) as string[];
        return parts.filter((part) => !names.some((name) => name.endsWith(part)));
      }, STORE);
    await expect.poll(lacks, { timeout: 60_000, interval: 250 }).toEqual([]);
    await page.context().setOffline(true);
    await page.reload();
    await page.click(".toolbar button.primary");
    await page.waitForSelector(".right[aria-busy=false] .verdict");
    expect(await page.locator(".verdict .three").textContent()).toBe(online);
    await page.click("nav a:last-of-type");
    await page.waitForSelector(".viewer-empty");
    await page.context().setOffline(false);

    // nothing but what is named after its content is served without asking
    const kept = await page.evaluate(
      async (store) => (await (await caches.open(store)).keys()).map(({ url }) => new URL(url).pathname),
      STORE,
    );
    expect(kept).toContain("/");
    await page.goto(`${site.server.address}?nosw`);
    const left = async (): Promise<unknown> =>
      page.evaluate(async (store) => {
        const workers = await navigator.serviceWorker.getRegistrations();
        return [workers.length, (await caches.keys()).includes(store)];
      }, STORE);
    await expect.poll(left, { timeout: 30_000, interval: 250 }).toEqual([0, false]);
    await page.context().close();
  });
});

describe("what is built", () => {
  const built = join(ROOT, "dist", "web");
  const manifest = JSON.parse(readFileSync(join(ROOT, "web", "public", "manifest.webmanifest"), "utf8")) as {
    icons: { src: string; sizes: string; type: string }[];
  };

  it("can be installed: a manifest with icons of the sizes that it says", () => {
    for (const { src, sizes, type } of manifest.icons) {
      const bytes = readFileSync(join(built, src));
      if (type !== "image/png") continue;
      // width and height stand behind the signature and the head of the first chunk
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
    }
  });

  it("shows its first picture with less than 200 KiB of script", () => {
    const html = readFileSync(join(built, "index.html"), "utf8");
    const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name!);
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.reduce((sum, name) => sum + statSync(join(built, name)).size, 0);
    expect(bytes).toBeLessThan(200 * 1024);
  });

  it("names every file after its content, but for those that browsers ask for by name", () => {
    const names = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((name) =>
      statSync(join(built, name)).isFile(),
    );
    const parts = new Set(JSON.parse(readFileSync(join(built, "parts.json"), "utf8")) as string[]);
    const others = names.map((name) => name.replaceAll("\\", "/")).filter((name) => !parts.has(name));
    expect(others.sort()).toEqual([
      "icon-192.png",
      "icon-512.png",
      "icon-maskable.png",
      "icon.svg",
      "index.html",
      "manifest.webmanifest",
      "parts.json",
      "sw.js",
    ]);
  });
});

it("asked nobody else and complained about nothing", () =>
  // the browser itself reports each attempt while there is no network
  expect(site.complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(text))).toEqual([]));
