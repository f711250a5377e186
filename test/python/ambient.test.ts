/** What a closed thread still has: a walk over everything that its globals, Node's `process` and Node's modules lead to, on every Node. */

import { existsSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { folderWith, start } from "../helpers.ts";

const NODES = [process.execPath, ...(process.env["VRAMSCOPE_NODES"] ?? "").split(":").filter((path) => path !== "")];
const SECRET = "hunter2-of-the-host";

interface Found {
  readonly things: number;
  readonly globals: readonly string[];
  readonly open: readonly string[];
  readonly got: readonly string[];
  readonly secrets: readonly string[];
  readonly imports: readonly string[];
  readonly direct: Readonly<Record<string, string>>;
}

/** Functions that are neither the language's own nor closed, and why each may be there. */
const ALLOWED: readonly RegExp[] = [
  // getters and setters of frozen prototypes, which intrinsics.ts makes
  /\.(constructor|name|message|toString|valueOf|toLocaleString|hasOwnProperty|length)\/[gs]et$/,
  // ours: fixed answers, the clock, random bytes
  /^globalThis\.(setTimeout|clearTimeout)$/,
  /^globalThis\.process\.(getuid|umask)$/,
  /^globalThis\.performance\.now$/,
  /^(globalThis\.)?crypto\.(getRandomValues|randomFillSync)$/,
  // text and bytes
  /^globalThis\.Text(En|De)coder(\.prototype\.(encode|encodeInto|decode|(encoding|fatal|ignoreBOM)\/get|Symbol\(nodejs\.util\.inspect\.custom\)))?$/,
  // how `process`, which no program sees, ends a thread and goes on
  /^process\.(_fatalException|exit|reallyExit|emitWarning|nextTick|(_exiting|exitCode)\/[gs]et|features\.\w+\/get|__proto__\.constructor)$/,
  // lists of listeners
  /^process\.__proto__\.__proto__\.(emit|on|off|once|addListener|prependListener|prependOnceListener|removeListener|removeAllListeners|listeners|rawListeners|listenerCount|eventNames|[gs]etMaxListeners)$/,
  /^\w+(\.__proto__)*(\.constructor)?\.(captureRejections|defaultMaxListeners)\/[gs]et$/,
  // numbers, texts and empty records of modules; what resolves a name asks a function that is closed
  /^\w+(\.default)?\.[FRWX]_OK\/get(\.__proto__)?$/,
  /^module(\.wrap(per)?(\/[gs]et|\(\))|\.prototype\.(isPreloading|parent)\/[gs]et)?$/,
  /^require\.resolve(\.paths)?$/,
];

/** Beside them, where somebody had loaded all of Node, which nothing of ours does: what compares, computes and lists. */
const ALLOWED_OF_ALL: readonly RegExp[] = [
  /^assert(\/strict)?$/,
  /^crypto\.(createCipher|createDecipher|fips|webcrypto|subtle|getRandomValues|constants)\b/,
  /^tls\.rootCertificates\/get/,
  /^util\/types\.is\w+$/,
  /^cluster\.__proto__\.(emit|on|off|once|addListener|prependListener|prependOnceListener|removeListener|removeAllListeners|listeners|rawListeners|listenerCount|eventNames|[gs]etMaxListeners)$/,
  /^stream\.prototype\.(pipe|eventNames)$/,
];

const REFUSALS = /^! (closed$|Cannot (add|assign|read)|.* is not a function$)/;

describe.each(NODES)("with %s", (node) => {
  it.each([false, true])("finds no way out of a closed thread; all of Node loaded before: %j", async (loads) => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const folder = folderWith({ "module.mjs": "export const reached = 1;\n" });
    const target = join(folder, "written");
    const data = {
      dist: new URL("../../dist", import.meta.url).href,
      module: pathToFileURL(join(folder, "module.mjs")).href,
      target,
      secret: SECRET,
      port,
      loads,
    };
    const main = join(folder, "main.mjs");
    writeFileSync(
      main,
      `
import { Worker } from "node:worker_threads";
const thread = new Worker(new URL(${JSON.stringify(new URL("crawl-thread.mjs", import.meta.url).href)}), {
  workerData: ${JSON.stringify(data)},
  env: { RED_TEAM_SECRET: ${JSON.stringify(SECRET)} },
});
thread.on("message", (message) => {
  if (message === "ready") return thread.postMessage("go");
  console.log(JSON.stringify(message));
  thread.terminate();
});
`,
    );
    const { out, err } = await start(node, ["--no-warnings", main], {});
    server.close();
    const found = JSON.parse(out || JSON.stringify({ err })) as Found;
    expect(err).toBe("");
    expect(found.things).toBeGreaterThan(500);
    const allowed = loads ? [...ALLOWED, ...ALLOWED_OF_ALL] : ALLOWED;
    expect(found.open.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect([found.got, found.secrets]).toEqual([[], []]);
    expect(found.imports.filter((path) => path !== "node:module.default" && path !== "module.default")).toEqual([]);
    expect(Object.values(found.direct)).toHaveLength(18);
    for (const [name, outcome] of Object.entries(found.direct))
      expect([name, outcome]).toEqual([name, expect.stringMatching(REFUSALS)]);
    expect([existsSync(target), connections]).toEqual([false, 0]);
  });
});
