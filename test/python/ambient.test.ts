/** What a closed thread still has: a walk over everything that its globals, Node's `process` and Node's modules lead to, on every Node. */

import { fork } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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

/** In the main thread of a program's process: the channel to whoever asked for the run, and Node's own timers and lists behind it. */
const ALLOWED_OF_RELAY: readonly RegExp[] = [
  /^process\.(_?send|_?disconnect)$/,
  /^process\._events\.(internalMessage|message|disconnect|(newListener|removeListener)\.\d)$/,
  // the handle of the channel and what is behind it: no bind, connect, listen, open, and no constructor
  /^process\.channel\.__proto__\.((un)?refCounted|(un)?ref|fd\/get)$/,
  /^process\.Symbol\(kChannelHandle\)(\.__proto__)+\.(readStart|readStop|shutdown|useUserBuffer|write\w+|writev|onread(\/[gs]et)?|(bytesRead|bytesWritten|writeQueueSize|_externalStream|fd)\/get|close|hasRef|(un)?ref|getAsyncId|asyncReset|getProviderType)$/,
];

const REFUSALS = /^! (closed$|Cannot (add|assign|read)|.* is not a function$)/;

/** What a crawler is told, and what it could reach. */
interface Bait {
  readonly data: Readonly<Record<string, unknown>>;
  readonly folder: string;
  /** What was reached of it: a file that was written, connections. */
  readonly reached: () => readonly [written: boolean, connections: number];
  readonly close: () => void;
}

async function bait(loads: boolean): Promise<Bait> {
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
  return { data, folder, reached: () => [existsSync(target), connections], close: () => server.close() };
}

function expectNothing(found: Found, allowed: readonly RegExp[], { reached }: Bait): void {
  expect(found.things).toBeGreaterThan(500);
  expect(found.open.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
  expect([found.got, found.secrets]).toEqual([[], []]);
  expect(found.imports.filter((path) => path !== "node:module.default" && path !== "module.default")).toEqual([]);
  expect(Object.values(found.direct)).toHaveLength(18);
  for (const [name, outcome] of Object.entries(found.direct))
    expect([name, outcome]).toEqual([name, expect.stringMatching(REFUSALS)]);
  expect(reached()).toEqual([false, 0]);
}

describe.each(NODES)("with %s", (node) => {
  it.each([false, true])("finds no way out of a closed thread; all of Node loaded before: %j", async (loads) => {
    const set = await bait(loads);
    const main = join(set.folder, "main.mjs");
    writeFileSync(
      main,
      `
import { Worker } from "node:worker_threads";
const thread = new Worker(new URL(${JSON.stringify(new URL("crawl-thread.mjs", import.meta.url).href)}), {
  workerData: ${JSON.stringify(set.data)},
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
    set.close();
    expect(err).toBe("");
    expectNothing(JSON.parse(out) as Found, loads ? [...ALLOWED, ...ALLOWED_OF_ALL] : ALLOWED, set);
  });

  it("finds no way out of the main thread of a program's process, as it is built", async () => {
    const set = await bait(false);
    const relay = fork(fileURLToPath(new URL("../../dist/python/relay.js", import.meta.url)), ["1024", "warm"], {
      execPath: node,
      execArgv: ["--no-warnings", "--import", new URL("crawl-relay.mjs", import.meta.url).href],
      env: { VRAMSCOPE_CRAWL: JSON.stringify(set.data), RED_TEAM_SECRET: SECRET },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let err = "";
    relay.stderr!.on("data", (text) => (err += String(text)));
    const found = await new Promise<Found>((done, fail) => {
      relay.once("message", (message) => done(message as Found));
      relay.once("exit", (code) => fail(new Error(`the relay ended with ${code}: ${err}`)));
    });
    relay.kill("SIGKILL");
    set.close();
    expect(err).toBe("");
    expectNothing(found, [...ALLOWED, ...ALLOWED_OF_RELAY], set);
  });
});
