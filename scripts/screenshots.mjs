// `node scripts/screenshots.mjs [name]`: every page and state of the built page at 1440, 1920 and 390 pixels, into docs/screenshots.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureBuilt, ensureChromium, ensurePage, root } from "./ensure.mjs";
import { smallPng } from "./small-png.mjs";

ensureBuilt();
ensurePage();
const { servePage } = await import(join(root, "dist", "cli", "page-server.js"));
const only = process.argv[2];
const target = join(root, "docs", "screenshots");
mkdirSync(target, { recursive: true });

const WIDE = { width: 1440, height: 900 };
const WIDEST = { width: 1920, height: 1080 };
const NARROW = { width: 390, height: 844 };

// what the viewer opens: a run as PyTorch's own kind of file, the same as ours, a log, and what is none of them
const folder = mkdtempSync(join(tmpdir(), "vramscope-shots-"));
const cli = (...args) =>
  execFileSync(process.execPath, [join(root, "dist", "cli", "main.js"), "run", "--report", "none", ...args], {
    cwd: join(root, "examples"),
  });
const snapshot = join(folder, "snapshot.pickle");
const trace = join(folder, "training.json");
cli("--torch", "2.6", "--export", `snapshot=${snapshot}`, "-o", trace, "training.py");
const csv = join(folder, "memory.csv");
const samples = Array.from(
  { length: 60 },
  (_, i) => `2026/01/01 10:00:${String(i).padStart(2, "0")}.000, ${400 + Math.round(3000 * Math.sin(i / 19) ** 2)} MiB`,
);
writeFileSync(csv, `timestamp, memory.used [MiB]\n${samples.join("\n")}\n`);
const program = join(folder, "train.py");
writeFileSync(program, "import torch\n");

const ran = (page) => page.waitForSelector(".right[aria-busy=false] .verdict", { timeout: 120_000 });
const example = (id) => async (page) => {
  await page.locator(".toolbar select").first().selectOption(id);
  await page.click(".toolbar button.primary");
  await ran(page);
};
const files =
  (...paths) =>
  async (page) => {
    for (const path of paths) {
      await page.setInputFiles(".page-open input[type=file]", path);
      await page.waitForFunction(() => document.querySelector(".progress") === null);
    }
  };
const tab = (id) => (page) => page.click(`#tab-${id}`);
/** The simulated figure, of the question that is asked. */
const estimated = (page) =>
  page.waitForSelector(".est-verdict:not(:has(.est-textbook, .est-old, .est-mark)) .est-answer", { timeout: 120_000 });
const served = (page) => page.check("input[value=serve-vllm]");
const sample = async (page) => {
  await page.locator(".drop-box button").last().click();
  await page.waitForSelector(".page-open .course");
};

// name, page, what is done there, and at which sizes and in which themes and languages it is kept
const SHOTS = [
  ["playground", "", [example("training")], { narrow: true, dark: true, zh: true, wide: true }],
  ["playground-start", "", [], { narrow: true }],
  ["playground-out-of-memory", "", [example("oom")], { narrow: true }],
  ["playground-saved", "", [example("training"), tab("saved")], {}],
  ["playground-findings", "", [example("training"), tab("findings")], {}],
  ["playground-share", "", [example("training"), (page) => page.click(".share summary")], { narrow: true }],
  ["playground-cut-link", "#/playground?n=900&c=1x2y3z&gpu=t4&code=abc", [], {}],
  ["keys", "", [(page) => page.waitForSelector(".toolbar"), (page) => page.click(".keys-button")], {}],
  ["estimate", "#/estimate", [estimated], { narrow: true, dark: true, zh: true, wide: true }],
  ["estimate-engine", "#/estimate", [served], { narrow: true }],
  [
    "estimate-pipeline",
    "#/estimate?model=sdxl&gpu=rtx-3070",
    [(page) => page.waitForSelector("#est-parts")],
    { narrow: true },
  ],
  ["viewer-start", "#/open", [], { narrow: true, dark: true }],
  ["viewer-sample", "#/open", [sample, tab("end")], { dark: true }],
  ["viewer", "#/open", [files(snapshot)], { narrow: true, dark: true, zh: true }],
  ["viewer-blocks", "#/open", [files(snapshot), tab("blocks")], { narrow: true }],
  ["viewer-allocator", "#/open", [files(snapshot), tab("allocator")], { narrow: true }],
  ["viewer-figures", "#/open", [files(csv), tab("readings")], { narrow: true }],
  ["viewer-comparison", "#/open", [files(trace, snapshot), tab("compare")], { narrow: true, full: true }],
  ["viewer-error", "#/open", [files(trace, program)], { narrow: true }],
];

const server = await servePage(join(root, "dist", "web"), "127.0.0.1", [0]);
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });

async function shoot(name, address, steps, options, full) {
  const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto(server.address + address);
  await page.waitForSelector("main h1", { state: "attached" });
  for (const step of steps) await step(page);
  await page.waitForTimeout(700);
  writeFileSync(join(target, `${name}.png`), smallPng(await page.screenshot({ fullPage: full })));
  await context.close();
  console.log(name);
}

for (const [name, address, steps, { narrow, dark, zh, wide, full = false }] of SHOTS) {
  if (only !== undefined && !name.startsWith(only)) continue;
  await shoot(`${name}-1440-light`, address, steps, { viewport: WIDE }, full);
  if (wide) await shoot(`${name}-1920-light`, address, steps, { viewport: WIDEST }, full);
  if (dark) await shoot(`${name}-1440-dark`, address, steps, { viewport: WIDE, colorScheme: "dark" }, full);
  if (zh) await shoot(`${name}-1440-zh`, address, steps, { viewport: WIDE, locale: "zh-CN" }, full);
  if (narrow) await shoot(`${name}-390-light`, address, steps, { viewport: NARROW }, true);
}
await browser.close();
await server.close();
rmSync(folder, { recursive: true });
