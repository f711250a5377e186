/**
 * The playground in a browser: the same numbers as the command line, Stop, links, and everything by keyboard. `VRAMSCOPE_EXAMPLES=all`
 * shows every example, not every sixth one.
 */

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import type { Io } from "../../src/cli/io.ts";
import { vramscope } from "../built.ts";
import { everyNth, ROOT } from "../helpers.ts";
import { pack } from "../../web/src/state/packed-text.ts";
import { seal } from "../../web/src/state/sealed-query.ts";
import { openSite, type Site } from "./browser.ts";

const EVERY = everyNth("VRAMSCOPE_EXAMPLES", 6);

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

/** The part of a JSON report that is looked at. */
interface Said {
  readonly allocated: { readonly peakBytes: number };
  readonly reserved: { readonly peakBytes: number };
  readonly asNvidiaSmiShows: { readonly expectedBytes: number };
  readonly categories: readonly { readonly bytes: number }[];
  readonly output: { readonly stdout: string };
}

/** What `vramscope run --json` says, in this process. */
async function commandLine(args: readonly string[]): Promise<Said> {
  const { runCommandLine } = (await import(
    join(ROOT, "dist", "cli", "program.js")
  )) as typeof import("../../src/cli/program.ts");
  const streams = { out: "", err: "" };
  const info = { isTty: false, columns: undefined };
  const io: Io = {
    out: (text) => void (streams.out += text),
    err: (text) => void (streams.err += text),
    outInfo: info,
    errInfo: info,
    env: {},
    cwd: join(ROOT, "examples"),
    readStdin: () => "",
    readStdinBytes: () => new Uint8Array(),
    signal: new AbortController().signal,
    loadRun: async () => vramscope.run as Awaited<ReturnType<Io["loadRun"]>>,
  };
  await runCommandLine(["run", "--json", ...args], io);
  return JSON.parse(streams.out) as Said;
}

/** Waits for the run that is going on. */
async function finished(page: Page): Promise<void> {
  await page.waitForSelector(".right[aria-busy=false] .verdict", { timeout: 60_000 });
}

async function run(page: Page): Promise<void> {
  await page.click(".toolbar button.primary");
  await finished(page);
}

/** Exact bytes of the three numbers. */
async function numbers(page: Page): Promise<number[]> {
  const titles = await page
    .locator(".verdict .three > div")
    .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
  return titles.map((title) => Number(/([\d,]+) bytes$/.exec(title ?? "")?.[1]?.replaceAll(",", "")));
}

async function write(page: Page, text: string): Promise<void> {
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}

describe("the playground", () => {
  it("shows for examples, every sixth one, what the command line prints", { timeout: 400_000 }, async () => {
    const page = await site.open();
    await page.waitForSelector(".toolbar");
    const examples = page.locator(".toolbar select").first();
    const ids = await examples
      .locator("option")
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    expect(ids.length).toBeGreaterThan(10);
    for (const id of ids.filter((_, index) => index % EVERY === 0)) {
      await examples.selectOption(id);
      const command = (await page.locator(".share pre").textContent())!;
      const [, args = ""] = /^vramscope run (.*)$/.exec(command)!;
      const [said] = await Promise.all([commandLine(args.replace("examples/", "").split(" ")), run(page)]);
      expect([id, ...(await numbers(page))]).toEqual([
        id,
        said.allocated.peakBytes,
        said.reserved.peakBytes,
        said.asNvidiaSmiShows.expectedBytes,
      ]);
      await page.getByRole("tab", { name: "At the peak" }).click();
      const shares = await page
        .locator(".composition td:nth-child(2)[title]")
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute("title")!.replaceAll(/\D/g, ""))));
      const listed = said.categories.map(({ bytes }) => bytes);
      expect([id, shares.slice(0, listed.length)]).toEqual([id, listed]);
      const printed = await page.locator(".output pre").textContent();
      expect([id, (printed ?? "").includes(said.output.stdout.trim())]).toEqual([id, true]);
    }
    await page.context().close();
  });

  it("shows of an endless loop what was traced until Stop, and runs again", async () => {
    const page = await site.open();
    const stopped = async (text: string, live: string): Promise<void> => {
      await write(page, text);
      await page.keyboard.press("ControlOrMeta+Enter");
      await page.waitForSelector(".toolbar .stop");
      // the program prints when it is in its loop
      await page.waitForFunction(() => document.querySelector(".output pre")?.textContent?.includes("on"));
      // what it has allocated by now stands there, and nothing that an older run said
      await page.waitForFunction(
        (figures) => document.querySelector(".running .three")?.textContent?.includes(figures),
        live,
      );
      expect(await page.locator(".verdict").count()).toBe(0);
      await page.click(".toolbar .stop");
      await finished(page);
    };
    await write(page, 'import torch\nx = torch.ones(1024, 1024, device="cuda")\n');
    await run(page);
    expect((await numbers(page))[0]).toBe(4 * 2 ** 20);
    const loop = "print('on', flush=True)\nwhile True:\n    pass\n";
    await stopped(`import torch\nx = torch.ones(3 * 1024, 1024, device="cuda")\n${loop}`, "peak so far12.00 MiB");
    expect((await numbers(page))[0]).toBe(12 * 2 ** 20);
    expect(await page.locator(".verdict-line").textContent()).toMatch(
      /not finished stopped at line [345] of .*: interrupted/,
    );
    expect(await page.locator(".right [role=tab]").allTextContents()).not.toContain("Formulas");
    // nothing of an older run stays where the program made nothing
    await stopped(loop, "peak so far0 bytes");
    expect((await numbers(page))[0]).toBe(0);
    expect(await page.locator(".verdict-line").textContent()).toContain("no memory was recorded before that");
    await write(page, 'import torch\nx = torch.ones(2048, 1024, device="cuda")\n');
    await run(page);
    expect((await numbers(page))[0]).toBe(8 * 2 ** 20);
    await page.context().close();
  });

  it("leads from the verdict to the allocator's picture, and from a block to what holds it", async () => {
    const page = await site.open();
    await write(
      page,
      `import torch
kept = torch.zeros(32, 1024, 1024, device="cuda")
for _ in range(20):
    kept = torch.cat([kept, torch.zeros(1, 1024, 1024, device="cuda")])
`,
    );
    await run(page);
    await page.click(".verdict .beside button");
    await page.waitForSelector("#tab-segments[aria-selected=true]");
    const plot = (await page.locator(".chart-plot").boundingBox())!;
    const position = { x: plot.width * 0.9, y: plot.height * 0.86 };
    await page.locator(".chart-plot").click({ position });
    await page.click(".chart-pinned button:has-text('Why held?')");
    await page.waitForSelector(".held-blocks", { timeout: 60_000 });
    const pinned = await page.locator(".chart-pinned strong").innerText();
    const first = await page.locator(".held-blocks > li").first().innerText();
    expect([pinned, first]).toEqual([expect.stringContaining("MiB"), expect.stringContaining("kept, a global")]);
    await page.context().close();
  });

  it("is in its link, whole or not at all", async () => {
    const page = await site.open("", { permissions: ["clipboard-read", "clipboard-write"] });
    await write(page, 'import torch\n# 显存\nx = torch.ones(3 * 1024, 1024, device="cuda")\n');
    await page.locator(".toolbar select").nth(1).selectOption("t4");
    await run(page);
    await page.click(".share summary");
    await page.click(".share .menu-body button");
    await page.waitForFunction(() => document.querySelector(".share [role=status]")?.textContent === "Link copied");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const [, hash = ""] = link.split("/#");
    await page.context().close();

    const whole = await site.open(`#${hash}`);
    await whole.waitForFunction(() => document.querySelector(".cm-content")?.textContent?.includes("# 显存"));
    await run(whole);
    expect((await numbers(whole))[0]).toBe(12 * 2 ** 20);
    expect(await whole.locator(".cm-content").textContent()).toContain("# 显存");
    expect(await whole.locator(".verdict .under").textContent()).toContain("T4");
    await whole.context().close();

    const cut = await site.open(`#${hash.slice(0, -9)}`);
    await cut.waitForSelector(".link-note");
    expect(await cut.locator(".link-note").textContent()).toContain("cut off");
    // nothing stands in for the program that was meant, and the address still is what was received
    expect(cut.url()).toBe(`${site.server.address}#${hash.slice(0, -9)}`);
    expect(await cut.locator(".verdict").count()).toBe(0);
    // the estimate's links are sealed as well
    await cut.goto("about:blank");
    await cut.goto(`${site.server.address}#/estimate?n=400&c=1x2y3z&model=gpt2&gpu=h10`);
    await cut.waitForSelector(".est-problem");
    expect(await cut.locator(".est-problem").first().textContent()).toContain("cut off");
    await cut.context().close();
  });

  it("runs nothing of a link before somebody clicks", async () => {
    const code = await pack('import torch\nprint("it ran")\nx = torch.ones(1024, 1024, device="cuda")\n');
    const query = seal(new URLSearchParams({ run: "1", event: "1", name: "net.py", code: code! }).toString());
    const page = await site.open(`#/playground?${query}`);
    await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent?.includes("it ran"));
    // Python is there, so a run would have been over in this time
    await page.waitForTimeout(4000);
    expect(await page.locator(".toolbar .stop").count()).toBe(0);
    expect(await page.locator(".verdict").count()).toBe(0);
    await run(page);
    expect((await numbers(page))[0]).toBe(4 * 2 ** 20);
    await page.context().close();
  });

  it("can be used without a mouse", async () => {
    const page = await site.open();
    await page.waitForSelector(".toolbar");
    const tabTo = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses++) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
        // in the editor Tab indents; Escape first leaves it
        if (await page.evaluate(() => document.activeElement?.matches(".cm-content")))
          await page.keyboard.press("Escape");
        await page.keyboard.press("Tab");
      }
      throw new Error(`Tab does not lead to ${selector}`);
    };
    await tabTo(".toolbar button.primary");
    await page.keyboard.press("Enter");
    await finished(page);
    await tabTo("[role=tab][aria-selected=true]");
    for (let presses = 0; presses < 12; presses++) {
      if ((await page.locator("#tab-blocks[aria-selected=true]").count()) === 1) break;
      await page.keyboard.press("ArrowRight");
    }
    await tabTo(".tab-panel [role=grid]");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".chart-pinned");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog.sheet[open]");
    expect(await page.locator("dialog.sheet .commands button").count()).toBeGreaterThan(10);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog.sheet[open]", { state: "detached" });
    await page.context().close();
  });
});

it("asked nobody else and complained about nothing", () => expect(site.complaints).toEqual([]));

describe("changes that help", () => {
  it(
    "measures them unasked where memory ran out, and Apply runs with the one that fits",
    { timeout: 200_000 },
    async () => {
      const page = await site.open();
      await page.waitForSelector(".toolbar");
      await page.locator(".toolbar select").first().selectOption("oom");
      await run(page);
      const apply = page.locator(".help-line button", { hasText: "Apply" });
      await apply.waitFor({ timeout: 120_000 });
      const named = (await apply.innerText()).replace("Apply: ", "");
      expect(await page.locator(".beside-help dd").innerText()).toContain(`${named} makes it fit`);
      await apply.click();
      await page.waitForSelector(".in-place");
      await finished(page);
      expect(await page.locator(".verdict.fits").count()).toBe(1);
      await page.click(".in-place button");
      await page.waitForSelector(".in-place", { state: "detached" });
      await finished(page);
      expect(await page.locator(".verdict.does_not_fit").count()).toBe(1);
      await page.context().close();
    },
  );

  it("counts in the legend what the tables count", { timeout: 60_000 }, async () => {
    const page = await site.open();
    await page.waitForSelector(".chart-legend");
    await page.click("#tab-peak");
    const legend = await page.locator(".chart-legend").innerText();
    const rows = await page
      .locator(".composition tbody tr")
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll("td")].slice(0, 2).map((cell) => cell.textContent!.trim())),
      );
    expect(rows.length).toBeGreaterThan(5);
    for (const [name, bytes] of rows) {
      const short = bytes!.replace(".00 ", " ");
      expect(legend.replaceAll("\n", " "), name).toContain(`${name} ${short}`);
    }
    await page.context().close();
  });
});
