/** Programs in the page: what they may not reach, though the browser around them could. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page, Worker } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../helpers.ts";
import { LANGUAGE_NAMES, walk } from "../python/crawl.mjs";
import { openSite, type Site } from "./browser.ts";
import { prepareCrawl, reachOut } from "./crawl-worker.ts";

/** What a walk over the closed worker found. */
interface Crawled {
  readonly things: number;
  /** Powers of a browser that were there before and after the worker was closed. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Functions that are neither the language's own nor closed. */
  readonly open: readonly string[];
  readonly imported: string;
  /** What came of attempts to make code from strings and to change what the language has. */
  readonly code: readonly string[];
}

/** Functions that are not of the language (as Node knows it) and stay, and why each may. */
const STAYS: readonly RegExp[] = [
  // the language of a newer machine, and what intrinsics.ts puts before values
  /^globalThis\.(SuppressedError|Float16Array)/,
  /\.(constructor|name|message|toString|valueOf|toLocaleString|hasOwnProperty|length)\/[gs]et$/,
  // ours: fixed answers, the clock, random bytes, timers that never fire
  /^globalThis\.(setTimeout|clearTimeout|process\.(getuid|umask)|performance\.now|Date\.now|crypto\.getRandomValues)$/,
  // text and bytes
  /^globalThis\.Text(En|De)coder(\.prototype\.(encode|encodeInto|decode|(encoding|fatal|ignoreBOM)\/get))?$/,
  // the global object
  /\.self\/get$/,
];

const RED = join(ROOT, "..", "shared", "red", "s1");

let site: Site;
let page: Page;
let outside: Server;
let asked = 0;

beforeAll(async () => {
  outside = createServer((_, response) => {
    asked += 1;
    response.setHeader("Access-Control-Allow-Origin", "*").end("reached");
  }).listen(0, "127.0.0.1");
  site = await openSite();
  page = await site.open();
}, 240_000);
afterAll(async () => {
  await site?.close();
  outside?.close();
});

/** Types a program into the editor, runs it, and gives what it printed. */
async function outputOf(program: string): Promise<string> {
  const editor = page.locator(".cm-content");
  await editor.waitFor();
  await editor.fill(program);
  await page.keyboard.press("Control+Enter");
  const output = page.locator(".output pre");
  await output.getByText("THE END").first().waitFor({ timeout: 60_000 });
  return output.innerText();
}

describe("a program in the page", () => {
  it("finds no way to JavaScript, the network or files of this machine", async () => {
    const { port } = outside.address() as AddressInfo;
    const printed = await outputOf(`
import gc, os, sys
for name in ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "pyodide.http", "micropip", "_ctypes", "_vramscope_engine"):
    try:
        __import__(name)
        print("imported", name)
    except ImportError:
        pass
proxies = [type(o).__name__ for o in gc.get_objects() if "Proxy" in type(o).__name__ and type(o).__module__.startswith("pyodide")]
print("proxies", proxies)
import urllib.request, socket
for attempt in (lambda: urllib.request.urlopen("http://127.0.0.1:${port}/", timeout=5).read(),
                lambda: socket.create_connection(("127.0.0.1", ${port}), 5).send(b"GET / HTTP/1.0\\r\\n\\r\\n"),
                lambda: open("/etc/hostname").read(),
                lambda: __import__("ctypes").CDLL(None), lambda: __import__("ctypes").string_at(4096, 16)):
    try:
        print("got", attempt())
    except Exception as error:
        print("refused", type(error).__name__)
print("shell", os.system("id"))
print("THE END")
`);
    expect(printed).not.toMatch(/imported|got/);
    // what a shell says of a command that is not there
    expect(printed).toContain(`shell ${127 << 8}`);
    expect(printed).toContain("proxies []");
    expect(printed.match(/refused \w+/g)).toHaveLength(5);
    expect(asked).toBe(0);
    expect(site.complaints).toEqual([]);
  });

  it.skipIf(!existsSync(RED))("gets nothing by the programs that once got out", async () => {
    const sources = new Map(
      readdirSync(RED).map((name) => [name.replace(/\.py$/, ""), readFileSync(join(RED, name), "utf8")]),
    );
    // an editor holds one file, so the modules among them are put where an import finds them
    const modules = JSON.stringify(Object.fromEntries([...sources].filter(([name]) => name.startsWith("esc_"))));
    const programs = JSON.stringify(Object.fromEntries([...sources].filter(([name]) => /^(escape|probe)/.test(name))));
    const printed = await outputOf(`
import sys
for name, text in ${modules}.items():
    open(name + ".py", "w").write(text)
for name, source in ${programs}.items():
    sys.argv = [name, "1"]
    for module in [m for m in sys.modules if m.startswith("esc_")]:
        del sys.modules[module]
    try:
        exec(compile(source, name, "exec"), {"__name__": "__main__"})
        print(name, "ran to its end")
    except Exception as error:
        print(name, "was stopped by", type(error).__name__)
print("THE END")
`);
    const ends = printed.match(/^(escape|probe)\w* (ran|was) .*$/gm) ?? [];
    expect(ends).toHaveLength(7);
    for (const end of ends) expect(end).toMatch(/was stopped by (AttributeError|ImportError|IndexError)$/);
    expect(asked).toBe(0);
  });

  it("leaves nothing for the next one", async () => {
    const first = await outputOf(`
import torch
torch.secret = 1
open("/home/user/left.txt", "w").write("x")
print("THE END")
`);
    expect(first).toContain("THE END");
    const second = await outputOf(`
import os, torch
print("secret" , hasattr(torch, "secret"), os.path.exists("/home/user/left.txt"))
print("THE END")
`);
    expect(second).toContain("secret False False");
  });
});

describe("the worker of a program in the page", () => {
  /** A page whose workers live on when their program has ended, and the one that is ready for a program. */
  async function openWithWorker(): Promise<readonly [Page, Worker]> {
    const own = await site.open();
    await own.evaluate("Worker.prototype.terminate = () => {}");
    await own.locator(".cm-content").waitFor();
    await expect.poll(() => own.workers().length, { timeout: 30_000 }).toBeGreaterThan(0);
    return [own, own.workers()[0]!];
  }
  const port = (): number => (outside.address() as AddressInfo).port;

  it("reaches no other place even with all that a browser gives it", async () => {
    const [own, worker] = await openWithWorker();
    const found = await worker.evaluate(reachOut, port());
    expect(Object.keys(found)).toHaveLength(7);
    for (const [how, outcome] of Object.entries(found))
      expect([how, outcome]).toEqual([how, expect.stringMatching(/^refused/)]);
    expect(asked).toBe(0);
    await own.close();
  });

  it("has no power of a browser when the program runs", async () => {
    const [own, worker] = await openWithWorker();
    await worker.evaluate(prepareCrawl, [walk.toString(), LANGUAGE_NAMES, "crawl", port()] as const);
    await own.evaluate(() => {
      const channel = new BroadcastChannel("crawl");
      const heard = new Promise((done) => channel.addEventListener("message", ({ data }) => done(data)));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of channels
      Object.assign(window, { crawl: () => (channel.postMessage("go"), heard) });
    });
    await own.locator(".cm-content").fill('print("THE END")\n');
    await own.keyboard.press("Control+Enter");
    await own.locator(".output pre").getByText("THE END").first().waitFor({ timeout: 60_000 });
    const found = (await own.evaluate("window.crawl()")) as Crawled;
    expect(found.before).toEqual(expect.arrayContaining(["fetch", "WebSocket", "Worker", "indexedDB", "navigator"]));
    expect([found.after, found.imported]).toEqual([[], "refused"]);
    expect(found.things).toBeGreaterThan(500);
    expect(found.open.filter((path) => !STAYS.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(found.code).toHaveLength(6);
    for (const outcome of found.code) expect(outcome).toMatch(/^(! .*(closed|is not a function)|false)$/);
    expect(asked).toBe(0);
    await own.close();
  });
});
