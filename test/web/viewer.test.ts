/** The viewer in a browser: real snapshots, our own files, logs, what is no recording, comparison, and files from the command line. */

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { engine, vramscope } from "../built.ts";
import { CLI, folderWith, ROOT } from "../helpers.ts";
import { hasSnapshots, NEEDS_SNAPSHOTS } from "../snapshots.ts";
import { openSite, type Site } from "./browser.ts";

let site: Site;
let folder: string;
let page: Page;
let peaks: { allocated: number; reserved: number };
beforeAll(async () => {
  const trained = await vramscope.run({ script: join(ROOT, "examples", "training.py"), gpu: "t4" });
  peaks = { allocated: trained.stats.peakAllocatedBytes, reserved: trained.stats.peakReservedBytes };
  const text = engine.writeTrace(trained.trace);
  folder = folderWith({
    "mine.json": text,
    "train.log": "step 1 | loss 2.1 | mem 1024MiB\nmax memory allocated: 2.50 GiB\n",
    "smi.csv":
      "timestamp, memory.used [MiB]\n2025/01/01 10:00:00.000, 100 MiB\n2025/01/01 10:00:01.000, 2300 MiB\n2025/01/01 10:00:02.000, 2200 MiB\n",
    "program.py": "import torch\nx = torch.ones(4)\n",
    "notes.txt": "nothing of the kind\n",
    "cut.json": text.slice(0, text.length / 2),
  });
  writeFileSync(join(folder, "packed.json.gz"), gzipSync(text));
  site = await openSite();
  page = await site.open("#/open");
  await page.waitForSelector(".viewer-empty");
});
afterAll(async () => {
  await site.close();
});

const open = (...names: string[]) =>
  page.setInputFiles(
    ".page-open input[type=file]",
    names.map((name) => join(folder, name)),
  );

/** A command that serves the page: the address that it prints, and how it is ended, with its exit status. */
async function served(...args: string[]) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder });
  const address = await new Promise<string>((done, fail) => {
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      const found = /^(http:\S+)/m.exec(text);
      if (found !== null) done(found[1]!);
    });
    child.on("close", () => fail(new Error(text)));
  });
  const stop = (): Promise<unknown> => {
    const ended = new Promise((done) => child.removeAllListeners("close").on("close", done));
    child.kill("SIGINT");
    return ended;
  };
  return { address, stop };
}

/** As if the files had been dropped on the page. */
async function drop(name: string, content: Uint8Array): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, base64]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], file!));
      return transfer;
    },
    [name, Buffer.from(content).toString("base64")],
  );
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
}

async function closeAll(): Promise<void> {
  const crosses = page.locator(".files .quiet");
  while ((await crosses.count()) > 0) await crosses.first().click();
  const notes = page.locator(".failure .quiet");
  while ((await notes.count()) > 0) await notes.first().click();
  await page.waitForSelector(".viewer-empty");
}

describe("the viewer", () => {
  it("opens a trace of ours with its verdict, also packed, and says the same as the run", async () => {
    for (const name of ["mine.json", "packed.json.gz"]) {
      await open(name);
      await page.waitForSelector(".verdict");
      const titles = await page
        .locator(".verdict .three > div")
        .evaluateAll((all) =>
          all.map((one) => Number(/([\d,]+) bytes$/.exec(one.getAttribute("title")!)![1]!.replaceAll(",", ""))),
        );
      expect(titles.slice(0, 2)).toEqual([peaks.allocated, peaks.reserved]);
      await closeAll();
    }
  });

  it("opens figures of a log, and draws samples", async () => {
    await open("train.log");
    await page.waitForSelector("#tab-readings");
    await page.click("#tab-readings");
    expect(await page.locator(".readings").textContent()).toContain("2.50 GiB");
    await closeAll();
    await open("smi.csv");
    await page.waitForSelector(".series-chart path.line");
    expect(await page.locator(".readings").textContent()).toContain("2.25 GiB");
    await closeAll();
  });

  it("says what a file is that it cannot open, and keeps what was open", async () => {
    await open("mine.json");
    await page.waitForSelector(".verdict");
    await open("notes.txt", "cut.json", "program.py");
    await page.waitForFunction(() => document.querySelectorAll(".failure").length === 3);
    const notes = await page.locator(".failure p").allTextContents();
    expect(notes[0]).toContain("nothing of the kind");
    expect(notes[1]).toContain("cut.json could not be opened");
    expect(notes[2]).toContain("program.py");
    expect(await page.locator(".verdict").count()).toBe(1);
    await page.locator(".failure").nth(2).getByRole("button").first().click();
    await page.waitForSelector(".page-playground .cm-content");
    expect(await page.locator(".cm-content").textContent()).toContain("x = torch.ones(4)");
    await page.click("nav a:last-of-type");
    await page.waitForSelector(".verdict");
    await closeAll();
  });

  it("takes what is dropped on any page, and what is pasted", async () => {
    await page.click("nav a:first-of-type");
    await page.waitForSelector(".page-playground");
    await drop("dropped.json", readFileSync(join(folder, "mine.json")));
    await page.waitForSelector(".page-open .verdict");
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "max memory allocated: 3.00 GiB");
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.waitForFunction(() => document.querySelectorAll(".files li").length === 2);
    await closeAll();
  });

  it("lays a second file over the first and tells the difference", async () => {
    await open("mine.json");
    await page.waitForSelector(".verdict");
    await open("packed.json.gz");
    await page.waitForSelector("#tab-compare");
    await page.click("#tab-compare");
    await page.waitForSelector(".comparison tbody tr");
    const cells = await page.locator(".comparison tbody tr td:last-child").allTextContents();
    expect(cells.length).toBeGreaterThan(2);
    for (const cell of cells) expect(cell).toMatch(/^0\b/);
    expect(await page.locator(".chart-legend").textContent()).toContain("packed.json");
    await closeAll();
    await open("mine.json");
    await page.waitForSelector(".verdict");
    await open("train.log");
    await page.waitForSelector("#tab-compare");
    await page.waitForSelector(".comparison tbody tr");
    // the log has no course that could be drawn
    expect(await page.locator(".chart-laid-over").count()).toBe(0);
    expect(await page.locator(".comparison tbody").textContent()).toContain("2.50 GiB");
    await closeAll();
  });

  it("stops reading when asked, and stays free meanwhile", async () => {
    await page.evaluate(() => {
      const lines = Array.from(
        { length: 20_000 },
        (_, i) => `step ${i} | max memory allocated: ${i % 9}.25 GiB | loss 2.1`,
      ).join("\n");
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(
          Array.from({ length: 60 }, () => `${lines}\n`),
          "long.log",
        ),
      );
      document
        .querySelector("main")!
        .dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await page.click(".progress button");
    await page.waitForSelector(".viewer-empty");
    expect(await page.locator(".failure, .files").count()).toBe(0);
  });

  it("gives a trace away as our own file, which is the same", async () => {
    await open("mine.json");
    await page.waitForSelector("#tab-save");
    await page.click("#tab-save");
    const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(".save-as button").first().click()]);
    expect(saved.suggestedFilename()).toBe("training.trace.json");
    expect(readFileSync(await saved.path(), "utf8")).toBe(readFileSync(join(folder, "mine.json"), "utf8"));
    const [report] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".save-as button", { hasText: ".html" }).click(),
    ]);
    // one file that needs nothing else: it forbids itself to fetch anything, and shows the numbers all the same
    const html = readFileSync(await report.path(), "utf8");
    const alone = await page.context().newPage();
    await alone.setContent(html);
    expect(html).toContain("default-src 'none'");
    expect(await alone.locator(".numbers [title]").first().getAttribute("title")).toBe(String(peaks.allocated));
    await alone.close();
    await page.click("#tab-peak");
    await closeAll();
  });

  // in bytes as memory_allocated() and memory_reserved() counted them on the machine that recorded; the last one's trace does not
  // reach back far enough for its peak to be known
  it.skipIf(!hasSnapshots).each([
    [
      "medium_128_inference",
      { "allocated-peak": 1_738_928_128, "allocated-end": 1_703_276_544, "reserved-end": 1_763_704_832 },
    ],
    [
      "medium_128_training",
      { "allocated-peak": 7_026_606_592, "allocated-end": 6_816_891_392, "reserved-end": 7_235_174_400 },
    ],
    ["medium_512_training", { "allocated-end": 6_838_108_672, "reserved-end": 12_660_506_624 }],
  ])(`reads a real snapshot, %s${NEEDS_SNAPSHOTS}`, async (name, recorded) => {
    await page.setInputFiles(
      ".page-open input[type=file]",
      fileURLToPath(new URL(`../../../shared/snapshots/${name}.pickle`, import.meta.url)),
    );
    await page.waitForSelector(".course");
    const shown: Record<string, number> = {};
    for (const key of Object.keys(recorded)) {
      const title = await page.locator(`[data-figure=${key}]`).getAttribute("title");
      shown[key] = Number(title!.replaceAll(/\D/g, ""));
    }
    expect(shown).toEqual(recorded);
    await closeAll();
  });

  it("opens what `vramscope open --web` hands over, once", async () => {
    const { address, stop } = await served("open", "--web", "mine.json", "smi.csv");
    const context = page.context();
    const handed = await context.newPage();
    await handed.goto(address);
    await handed.waitForSelector(".verdict");
    await handed.waitForFunction(() => document.querySelectorAll(".files li").length === 2);
    expect(new URL(handed.url()).hash).toBe("#/open");
    await handed.goto("about:blank");
    await handed.goto(address);
    await handed.waitForSelector(".failure");
    expect(await handed.locator(".failure").first().textContent()).toContain("fetched already");
    await handed.close();
    expect(await stop()).toBe(0);
  });
});

it("shows ranks of one program beside each other, and each one's timeline with a click", async () => {
  const program = `import torch, torch.distributed as dist
dist.init_process_group("nccl")
x = torch.zeros(2**20 * (8 if dist.get_rank() else 2), device="cuda")
`;
  writeFileSync(join(folder, "two.py"), program);
  const args = ["run", "--nproc-per-node", "2", "--rank", "all", "--report", "none", "--web", "two.py"];
  const { address, stop } = await served(...args);
  const view = await page.context().newPage();
  await view.goto(address);
  const rows = view.locator(".side-by-side tbody tr");
  await rows.nth(1).waitFor();
  const cells = await rows.locator("td.n:nth-of-type(2)").allTextContents();
  // two tensors of 8 and 32 MiB, in segments of 20 and 32
  expect(cells).toEqual(["20.00 MiB", "32.00 MiB"]);
  await rows.nth(0).locator("button").click();
  await view.waitForSelector(".side-by-side tr.current:nth-child(1)");
  expect(await view.locator(".verdict").first().textContent()).toContain("8.00 MiB");
  await view.close();
  expect(await stop()).toBe(0);
}, 60_000);

it("asked nobody else and complained about nothing", () => expect(site.complaints).toEqual([]));
