// The timeline in a browser: frames while a trace of a million events is panned and zoomed, against 30 frames per second.
// usage: node bench/chart-page.bench.mjs [--events N] [--width PX] [--ratio DEVICE_PIXELS]; Chromium draws without a GPU here.
import { createServer } from "node:http";
import { readFile, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import { ensureChromium, root } from "../scripts/ensure.mjs";

const FRAME_MS = 1000 / 30;
const PREPARE_MS = 1000;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at > 0 ? Number(process.argv[at + 1]) : fallback;
};

const outDir = join(root, "dist", "bench-chart-page");
await build({
  configFile: false,
  root: join(root, "bench", "chart-page"),
  base: "./",
  logLevel: "error",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { outDir, emptyOutDir: true, target: "es2023" },
});
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
  try {
    const content = await readFile(join(outDir, path));
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream").end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
flags.push("--disable-background-networking", "--disable-component-update", "--disable-sync");
const browser = await chromium.launch({ executablePath: ensureChromium(), args: flags });
try {
  const page = await browser.newPage({
    viewport: { width: option("width", 1440), height: 900 },
    deviceScaleFactor: option("ratio", 1),
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/?events=${option("events", 1_000_000)}`);
  await page.waitForFunction(
    () => globalThis.benchmark !== undefined && document.querySelector(".chart-plot") !== null,
  );
  const { prepared, frames } = await page.evaluate(() => globalThis.benchmark());
  console.log(`prepared in ${prepared.toFixed(0)} ms (limit ${PREPARE_MS})`);
  let failed = prepared > PREPARE_MS;
  for (const [name, times] of Object.entries(frames)) {
    times.sort((a, b) => a - b);
    const [median, slow] = [0.5, 0.95].map((share) => times[Math.floor(times.length * share)]);
    const over = median > FRAME_MS;
    failed ||= over;
    const rate = `${(1000 / median).toFixed(0)} frames per second, slow ones after ${slow.toFixed(0)} ms`;
    console.log(`  ${name.padEnd(30)}${rate}${over ? "  under the limit of 30" : ""}`);
  }
  process.exitCode = failed ? 1 : 0;
} finally {
  await browser.close();
  server.close();
  await rm(outDir, { recursive: true, force: true });
}
