/** Programs in the page: what they may not reach, though the browser around them could. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site } from "./browser.ts";

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
                lambda: open("/etc/hostname").read(), lambda: os.system("id"),
                lambda: __import__("ctypes").CDLL(None), lambda: __import__("ctypes").string_at(4096, 16)):
    try:
        print("got", attempt())
    except Exception as error:
        print("refused", type(error).__name__)
print("THE END")
`);
    expect(printed).not.toMatch(/imported|got/);
    expect(printed).toContain("proxies []");
    expect(printed.match(/refused \w+/g)).toHaveLength(6);
    expect(asked).toBe(0);
    expect(site.complaints).toEqual([]);
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
