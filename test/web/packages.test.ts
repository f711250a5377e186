/** The menu Packages: says what it would fetch, fetches after a click, keeps it, and programs import it, offline too, behind the same walls. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveIndex, zip, type Index } from "../packages/index.ts";
import { openSite, type Site } from "./browser.ts";

const MAIN = `
import gc, sys
def attempt(f):
    try:
        return repr(f())
    except BaseException as error:
        return type(error).__name__
WAYS = [attempt(lambda name=name: __import__(name)) for name in ("js", "pyodide_js", "pyodide", "_pyodide_core", "_vramscope_engine")]
WAYS.append(attempt(lambda: open("/etc/passwd").read()))
WAYS.append(attempt(lambda: __import__("urllib.request").request.urlopen("http://127.0.0.1:1/")))
WAYS.append([type(f).__name__ for f in sys.meta_path if hasattr(f, "jsproxies")])
TEXT = open(__file__.replace("__init__.py", "data.txt")).read()
`;
const bad = (text: string): Buffer =>
  zip([
    { path: "../out.py", text },
    { path: "bad-1.0.dist-info/METADATA", text: "Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n" },
  ]);

let site: Site;
let index: Index;
let page: Page;

beforeAll(async () => {
  const files = [
    { path: "app/__init__.py", text: `from lib import version\n${MAIN}` },
    { path: "app/data.txt", text: "data of a package" },
    { path: "app/_core.so", text: "ELF" },
    { path: "evil.pth", text: "import os\n" },
  ];
  // so many that an interpreter is kept for it, and what it finds when it is imported is found later, too
  const parts = Array.from({ length: 200 }, (_, i) => ({ path: `large/part${i}.py`, text: `NUMBER = ${i}\n` }));
  const large = `import random\nfrom . import part7\nDRAWN = random.random()\nIMPORTED = part7.NUMBER\n${MAIN}`;
  index = await serveIndex([
    {
      name: "large",
      version: "1.0",
      files: [{ path: "large/__init__.py", text: large }, { path: "large/data.txt", text: "of it" }, ...parts],
    },
    { name: "app", version: "1.0", requires: ["lib>=2", "torch"], files },
    { name: "lib", version: "1.0" },
    { name: "lib", version: "2.0" },
    { name: "bad", version: "1.0", bytes: bad("") },
    { name: "wrong", version: "1.0", hash: "0".repeat(64) },
    { name: "bomb", version: "1.0", files: [{ path: "bomb/a.py", text: "x".repeat(1e6), claims: 10 }] },
  ]);
  site = await openSite();
  page = await site.open();
}, 240_000);
afterAll(async () => {
  await site?.close();
  await index?.close();
});

const menu = (): ReturnType<Page["locator"]> => page.locator("details.packages");

async function lookUp(wanted: string): Promise<void> {
  if ((await menu().getAttribute("open")) === null) await menu().locator("summary").click();
  await menu().locator("input[type=text]").fill(wanted);
  await menu().locator("input[type=url]").fill(index.url);
  await menu().locator("button[type=submit]").click();
}

async function outputOf(program: string): Promise<string> {
  const editor = page.locator(".cm-content");
  await editor.waitFor();
  await editor.fill(program);
  await page.keyboard.press("Control+Enter");
  const output = page.locator(".output pre");
  await output.getByText("THE END").first().waitFor({ timeout: 120_000 });
  return output.innerText();
}

const PROGRAM =
  "import app, lib, importlib.metadata as m\nprint(app.version, lib.version, m.version('app'), app.TEXT)\nprint(app.WAYS)\nprint('THE END')\n";

describe("packages in the page", () => {
  it("are named with their sizes and their index before anything is fetched", async () => {
    await lookUp("app");
    await menu().locator(".plan").waitFor();
    const text = await menu().locator(".plan").innerText();
    for (const part of [
      "2 packages",
      "app-1.0-py3-none-any.whl",
      "lib-2.0-py3-none-any.whl",
      "bytes",
      "torch: a stand-in",
    ])
      expect(text).toContain(part);
    expect(text).toContain(new URL(index.url).host);
    expect(await menu().locator(".kept").count()).toBe(0);
  });

  it("are fetched by a click, imported by a program, and find no way out", async () => {
    await menu().locator(".plan button.primary").click();
    await menu().locator(".kept").waitFor();
    expect(await menu().locator("summary").innerText()).toBe("Packages (2)");
    expect(await menu().locator(".kept").innerText()).toContain("without 1 compiled module");
    const printed = await outputOf(PROGRAM);
    expect(printed).toContain("2.0 2.0 1.0 data of a package");
    const ways = /\[.*\]/.exec(printed)![0];
    expect(ways).toMatch(/^\[('(ImportError|ModuleNotFoundError|FileNotFoundError|URLError|OSError)', )+\[\]\]$/);
  }, 180_000);

  it("are offered under a run that lacks them, and keep an interpreter behind the same walls", async () => {
    await outputOf("print('THE END')\nimport large\nlarge.make()");
    await page.locator(".offer", { hasText: "The program needs large" }).waitFor();
    expect(await page.locator(".output pre").innerText()).toContain("No module named 'large'");
    await lookUp("large");
    await menu().locator(".plan button.primary").click();
    await menu().locator("summary", { hasText: "Packages (3)" }).waitFor();
    expect(await page.locator(".offer").count()).toBe(0);
    const phases = page.locator(".running");
    const program = `import large\nfrom large import DRAWN, WAYS, TEXT
def again(f):
    try:
        return repr(f())
    except BaseException as error:
        return type(error).__name__
NOW = [again(lambda name=name: __import__(name)) for name in ("js", "pyodide_js", "pyodide", "_pyodide_core", "_vramscope_engine")]
print("DRAWN", DRAWN, large.IMPORTED, TEXT)\nprint("THEN", WAYS)\nprint("NOW", NOW, again(lambda: open("/etc/passwd").read()))\nprint('THE END')\n`;
    const first = await outputOf(program);
    expect(await phases.count()).toBe(0);
    const kept = await page.evaluate(async () => {
      const store = await caches.open("vramscope-packages");
      return (await store.keys()).filter(({ url }) => url.includes("/kept/interpreter/")).length;
    });
    expect(kept).toBe(1);
    const closed = /^\[('(ImportError|ModuleNotFoundError|FileNotFoundError|URLError|OSError)', )+\[\]\]$/;
    const then = (text: string): string => /THEN (\[.*\])/.exec(text)![1]!;
    expect(then(first)).toMatch(closed);
    expect(first).toMatch(/NOW \[('(ImportError|ModuleNotFoundError)'(, )?)+\] FileNotFoundError/);
    // the same number: it was drawn when the package was imported, and the interpreter was kept then
    await page.reload();
    await page.locator("details.packages summary", { hasText: "Packages (3)" }).waitFor();
    const second = await outputOf(program);
    expect(/DRAWN .*/.exec(second)![0]).toBe(/DRAWN .*/.exec(first)![0]);
    expect(second).toMatch(/NOW \[('(ImportError|ModuleNotFoundError)'(, )?)+\] FileNotFoundError/);
    await menu().locator("summary").click();
    await menu().locator(".kept button[aria-label='Remove large']").click();
    await menu().locator("summary", { hasText: "Packages (2)" }).waitFor();
  }, 240_000);

  it("are there after the page is loaded anew, without the index", async () => {
    const before = index.asked.length;
    await page.reload();
    await page.locator("details.packages summary", { hasText: "Packages (2)" }).waitFor();
    expect(await outputOf(PROGRAM)).toContain("2.0 2.0 1.0");
    expect(index.asked.length).toBe(before);
  }, 180_000);

  it.each([
    ["bad", "names a path outside"],
    ["wrong", "its hash is not the one"],
    ["bomb", "damaged"],
    ["absent", "the index has no package absent"],
    ["a=b", "is no requirement"],
  ])("refuses %s with one sentence", async (name, expected) => {
    await lookUp(name);
    const fetch = menu().locator(".plan button.primary");
    const alert = menu().locator("[role=alert]");
    await fetch.or(alert).first().waitFor();
    if ((await alert.count()) === 0) await fetch.click();
    await alert.waitFor();
    expect(await alert.innerText()).toContain(expected);
    expect(await menu().locator("summary").innerText()).toBe("Packages (2)");
  });

  it("are removed, in Chinese and in the dark too", async () => {
    const own = await site.open("", { locale: "zh-CN", colorScheme: "dark" });
    await own.locator("details.packages summary").click();
    expect(await own.locator("details.packages .menu-body").innerText()).toContain("查询");
    await own.context().close();
    await menu().locator(".kept button", { hasText: "Remove all" }).click();
    await page.locator("details.packages summary", { hasText: /^Packages$/ }).waitFor();
    expect(await page.evaluate(async () => (await caches.keys()).includes("vramscope-packages"))).toBe(false);
  });

  it("ask nobody but the index that was named", () => {
    expect(site.complaints.filter((one) => !one.includes(new URL(index.url).host) && !one.includes("404"))).toEqual([]);
  });
});
