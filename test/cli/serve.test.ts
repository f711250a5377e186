/** The server of the page: what it serves, to whom, and files that are handed over. */

import { request } from "node:http";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGE_POLICY, POLICY, servePage, type PageServer } from "../../src/cli/page-server.ts";
import { readImage } from "../../src/python/memory-image.ts";
import { folderWith, ROOT } from "../helpers.ts";
import { cli } from "./harness.ts";

const folder = folderWith({
  "page/index.html": "<!doctype html><title>page</title>",
  "page/assets/main-Ab12_x9Z.js": "1",
  "page/python/0123456789ab/pyodide.asm.wasm": "wasm",
  "page/sw.js": "2",
  "secret.txt": "secret",
});
const built = async <T>(module: string): Promise<T> =>
  (await import(pathToFileURL(join(ROOT, "dist", module)).href)) as T;
let server: PageServer;
beforeAll(async () => {
  server = await servePage(join(folder, "page"), "127.0.0.1", [0]);
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** `fetch` would tidy the address and refuse to name another host. */
function get(path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  const { hostname, port } = new URL(server.address);
  return new Promise((done, fail) => {
    // a connection of its own: the server may close one that was kept while the test was busy
    const sent = request({ hostname, port, path, agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on("error", fail).end();
  });
}

describe("the server", () => {
  it("answers with types, the page's policy and isolation", async () => {
    const { status, headers, text } = await get("/");
    expect([status, text]).toEqual([200, "<!doctype html><title>page</title>"]);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "x-content-type-options": "nosniff",
    });
    const wasm = (await get("/python/0123456789ab/pyodide.asm.wasm")).headers;
    expect(wasm["content-type"]).toBe("application/wasm");
    // a worker has the policy of its own file: it asks nobody, whatever the page may
    expect(wasm["content-security-policy"]).toBe(POLICY);
    expect(POLICY).toContain("connect-src 'self';");
  });

  it("has the policy of the page itself", () => {
    const [, own] = readFileSync(join(ROOT, "web", "index.html"), "utf8").match(/content="(default-src[^"]+)"/)!;
    expect(PAGE_POLICY).toBe(`${own}; frame-ancestors 'none'`);
  });

  it("lets what is named after its content be kept for ever, and nothing else", async () => {
    const caching = async (path: string) => (await get(path)).headers["cache-control"];
    expect(await caching("/assets/main-Ab12_x9Z.js")).toBe("public, max-age=31536000, immutable");
    expect(await caching("/python/0123456789ab/pyodide.asm.wasm")).toBe("public, max-age=31536000, immutable");
    for (const path of ["/", "/index.html", "/sw.js"]) expect([path, await caching(path)]).toEqual([path, "no-cache"]);
    const { headers } = await get("/sw.js");
    expect((await get("/sw.js", { headers: { "If-None-Match": String(headers["etag"]) } })).status).toBe(304);
  });

  it("finds the files of a page that was built anew meanwhile", async () => {
    expect((await get("/assets/other-Cd34_y8W.js")).status).toBe(404);
    writeFileSync(join(folder, "page", "assets", "other-Cd34_y8W.js"), "3");
    expect((await get("/assets/other-Cd34_y8W.js")).text).toBe("3");
  });

  it("gives the page Python from this installation where the page's own copy was left out", async () => {
    const parts = ["pyodide.asm.mjs", "stand-ins.json", "interpreter.snapshot.gz", "no-such-part"];
    const list = parts.map((name) => `python/ab0123456789/${name}`);
    const page = folderWith({ "index.html": "", "parts.json": JSON.stringify(list) });
    // only the build has parts beside it
    const { servePage: serveBuilt } = await built<typeof import("../../src/cli/page-server.ts")>("cli/page-server.js");
    const { INSTALLED_PARTS, SNAPSHOT } = await built<typeof import("../../src/python/files.ts")>("python/files.js");
    const other = await serveBuilt(page, "127.0.0.1", [0]);
    const bytes = async (name: string) => {
      const response = await fetch(`${other.address}python/ab0123456789/${name}`);
      return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
    };
    const [module, standIns, snapshot, none] = await Promise.all(parts.map(bytes));
    expect(module).toEqual(readFileSync(new URL(INSTALLED_PARTS.moduleUrl)));
    expect(JSON.parse(standIns!.toString("utf8"))).toEqual(INSTALLED_PARTS.standIns());
    expect(Buffer.compare(gunzipSync(snapshot!), readImage(SNAPSHOT)!)).toBe(0);
    expect(none).toBeNull();
    await other.close();
  });

  it.each(["/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "//secret.txt", "/assets", "/nothing"])(
    "knows no file %s",
    async (path) => expect((await get(path)).status).toBe(404),
  );

  it("refuses other names of the machine, and other methods", async () => {
    const { port } = new URL(server.address);
    const status = async (host: string) => (await get("/", { headers: { Host: host } })).status;
    expect(await status(`localhost:${port}`)).toBe(200);
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1:1"]) {
      expect([host, await status(host)]).toEqual([host, 403]);
    }
    expect((await get("/", { method: "POST" })).status).toBe(405);
    expect(await get("/", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });

  it("hands a file over once, to its own page only", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "vramscope-test-")), "显存 1.json");
    writeFileSync(path, "{}");
    const address = `/handed/${server.handOver({ name: path, path })}`;
    expect((await get(address, { headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(404);
    const { status, headers, text } = await get(address);
    expect([status, text]).toEqual([200, "{}"]);
    expect(headers["content-disposition"]).toContain(encodeURIComponent("显存 1.json"));
    expect(headers["cache-control"]).toBe("no-store");
    expect((await get(address)).status).toBe(404);
    expect((await get("/handed/")).status).toBe(404);
  });
});

describe("vramscope serve", () => {
  it.each([
    [["--port", "x"], "--port needs a number from 0 to 65535, not 'x'"],
    [["--port", "70000"], "--port needs a number from 0 to 65535, not '70000'"],
    [["--host", "0.0.0.0"], "127.0.0.1"],
  ])("refuses %j", async (args, expected) => {
    const { code, err } = await cli(["serve", ...args]);
    expect(code).toBe(2);
    expect(err).toContain(expected);
  });

  it("refuses a file that is not there before it serves anything", async () => {
    const { code, err } = await cli(["open", "--web", "nothing.pickle"]);
    expect(code).toBe(2);
    expect(err).toContain("nothing.pickle");
  });
});
