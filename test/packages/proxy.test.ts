/** Fetching through a proxy on loopback, which is all that leads to a hub or an index: what it is asked, and what goes past it. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { proxyOf } from "../../src/cli/proxied-fetch.ts";
import { vramscope } from "../helpers.ts";
import { COMMIT, serveHub } from "./hub.ts";
import { serveIndex } from "./index.ts";

const open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A proxy; whatever name it is asked for, it asks this machine. */
async function serveProxy(says: number | null = null) {
  const asked: string[] = [];
  const server = createServer((message, response) => {
    asked.push(`${message.method} ${message.url} ${message.headers["proxy-authorization"] ?? ""}`.trim());
    const { pathname, search, port } = new URL(message.url!);
    const headers = { ...message.headers };
    const on = ask({ host: "127.0.0.1", port, path: pathname + search, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    on.end();
  });
  server.on("connect", (message, socket) => {
    asked.push(`CONNECT ${message.url}`);
    if (says !== null) return void socket.end(`HTTP/1.1 ${says} No\r\n\r\n`);
    const on = connect(Number(message.url!.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Established\r\n\r\n");
      on.pipe(socket).pipe(on);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  open.push({ close });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const REPOSITORY = { files: { "config.json": "{}" } };

async function add(env: Record<string, string>) {
  const cache = mkdtempSync(join(tmpdir(), "vramscope-proxy-"));
  return vramscope(["models", "add", "some/tiny"], { env: { VRAMSCOPE_CACHE: cache, ...env } });
}

it("asks the proxy for addresses of HTTP whole, with the name and the password in the proxy's address", async () => {
  const hub = await serveHub({ "some/tiny": REPOSITORY });
  open.push(hub);
  const proxy = await serveProxy();
  const there = hub.url.replace("127.0.0.1", "hub.invalid");
  const said = await add({ HF_ENDPOINT: there, http_proxy: `http://me:word@${proxy.address}`, HF_TOKEN: "secret" });
  expect([said.code, said.err]).toEqual([0, ""]);
  const name = `Basic ${Buffer.from("me:word").toString("base64")}`;
  expect(proxy.asked).toEqual([
    `GET ${there}/api/models/some/tiny/revision/main?blobs=true ${name}`,
    `GET ${there}/some/tiny/resolve/${COMMIT}/config.json ${name}`,
  ]);
  expect(hub.asked.every((one) => one.endsWith("Bearer secret"))).toBe(true);
});

it("fetches packages so, too, and asks no proxy for what NO_PROXY names", async () => {
  const index = await serveIndex([{ name: "app", version: "1.0" }]);
  open.push(index);
  const proxy = await serveProxy();
  const packages = (more: Record<string, string>) =>
    vramscope(["packages", "add", "app"], {
      env: { VRAMSCOPE_CACHE: mkdtempSync(join(tmpdir(), "vramscope-proxy-")), HTTP_PROXY: proxy.address, ...more },
    });
  const through = await packages({ PIP_INDEX_URL: index.url.replace("127.0.0.1", "index.invalid") });
  expect([through.code, through.out]).toEqual([0, "added app 1.0\n"]);
  const asked = proxy.asked.length;
  expect(asked).toBeGreaterThan(1);
  const past = await packages({ PIP_INDEX_URL: index.url, NO_PROXY: "127.0.0.1" });
  expect([past.code, proxy.asked.length]).toEqual([0, asked]);
});

describe.skipIf(spawnSync("openssl", ["version"]).status !== 0)("a hub of HTTPS", () => {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const make = (): { key: string; cert: string } => {
    const words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
    execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  };

  it("is reached through a tunnel, which sees the host alone", async () => {
    const hub = await serveHub({ "some/tiny": REPOSITORY }, make());
    open.push(hub);
    const proxy = await serveProxy();
    const env = { HF_ENDPOINT: hub.url, HTTPS_PROXY: `http://${proxy.address}`, NODE_EXTRA_CA_CERTS: cert };
    const said = await add(env);
    expect([said.code, said.err]).toEqual([0, ""]);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${hub.url.slice("https://".length)}`]));
    // and its certificate is looked at
    expect(await add({ ...env, NODE_EXTRA_CA_CERTS: "" })).toMatchObject({ code: 2, err: /self-signed/ });
  });

  it("has one clear error where the proxy says no", async () => {
    const proxy = await serveProxy(407);
    const said = await add({ HF_ENDPOINT: "https://hub.invalid", HTTPS_PROXY: `http://${proxy.address}` });
    expect([said.code, said.err.trim().split("\n").length]).toEqual([2, 1]);
    expect(said.err).toContain(`the proxy ${proxy.address} says 407 No`);
  });
});

it.each([
  ["https://a.org/x", { https_proxy: "http://p:1" }, "http://p:1/"],
  ["http://a.org/x", { https_proxy: "http://p:1" }, null],
  ["http://a.org/x", { HTTP_PROXY: "p:1" }, "http://p:1/"],
  ["https://a.org/x", { ALL_PROXY: "p:1" }, "http://p:1/"],
  ["https://b.a.org/x", { https_proxy: "p:1", no_proxy: "c.org, .a.org" }, null],
  ["https://ba.org/x", { https_proxy: "p:1", no_proxy: "a.org" }, "http://p:1/"],
  ["https://a.org/x", { https_proxy: "p:1", no_proxy: "a.org:444" }, "http://p:1/"],
  ["https://a.org/x", { https_proxy: "p:1", no_proxy: "*" }, null],
] as const)("the proxy of %s with %j is %s", (address, env, proxy) => {
  expect(proxyOf(new URL(address), env)?.href ?? null).toBe(proxy);
});

it("is no proxy of another kind, and nothing is asked past it", async () => {
  expect(() => proxyOf(new URL("https://a.org/x"), { ALL_PROXY: "socks5://me:word@p:1" })).toThrow(
    "the proxy socks5://p:1 is none of HTTP",
  );
});
