// A recording opened in the page's viewer: how long until its chart is there, and the longest time that the page did not answer.
// Limit: 1 s without an answer, whatever the size of the file. `node bench/open.bench.mjs --keep` leaves files of 1 GB behind.
// usage: node bench/open-page.bench.mjs FILE
import { statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureBuilt, ensureChromium, ensurePage, root } from "../scripts/ensure.mjs";

const LONGEST_MS = 1000;
const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node bench/open-page.bench.mjs FILE");
  process.exit(2);
}
ensureBuilt();
ensurePage();
const { servePage } = await import("../dist/cli/page-server.js");
const server = await servePage(join(root, "dist", "web"), "127.0.0.1", [0]);
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(`${server.address}#/open`);
await page.waitForSelector(".viewer-empty");
await page.evaluate(() => {
  globalThis.longest = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    globalThis.longest = Math.max(globalThis.longest, now - last);
    last = now;
    setTimeout(tick, 5);
  };
  tick();
});
const started = performance.now();
await page.setInputFiles(".page-open input[type=file]", file);
await page.waitForSelector(".chart canvas, .failure", { timeout: 600_000 });
const seconds = (performance.now() - started) / 1000;
// the first pictures belong to it
await page.waitForTimeout(2000);
const longest = await page.evaluate(() => globalThis.longest);
const failure = await page.locator(".failure p").allTextContents();
await browser.close();
await server.close();
console.log(
  `${(statSync(file).size / 2 ** 20).toFixed(0)} MiB opened in ${seconds.toFixed(1)} s; the page did not answer for ${longest.toFixed(0)} ms at most (limit ${LONGEST_MS})`,
);
for (const text of failure) console.error(text);
process.exitCode = longest > LONGEST_MS || failure.length > 0 ? 1 : 0;
