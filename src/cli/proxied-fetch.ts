/**
 * Fetches through the proxy that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`), as pip and curl do. Node 20's own fetch
 * knows none, and the library that does, undici, is larger than what is left of this package's size.
 */

import { request as askPlain, type ClientRequest, type IncomingMessage } from "node:http";
import { request as askSafely } from "node:https";
import { Readable } from "node:stream";
import { connect } from "node:tls";
import { table } from "../base/table.ts";
import { shownAddress, type Ask } from "../packages/index-client.ts";
import type { Io } from "./io.ts";

const MOST_REDIRECTS = 10;
const PORTS = table<number>({ "http:": 80, "https:": 443 });
const portOf = ({ port, protocol }: URL): number => (port === "" ? PORTS[protocol]! : Number(port));

/** The proxy of an address; null where there is none for it. A proxy without a scheme is one of HTTP. Throws for one of another kind. */
export function proxyOf(address: URL, env: Io["env"]): URL | null {
  const named = (name: string): string => (env[name] || env[name.toUpperCase()] || "").trim();
  const proxy = named(address.protocol === "https:" ? "https_proxy" : "http_proxy") || named("all_proxy");
  if (proxy === "") return null;
  const isLeftOut = named("no_proxy")
    .split(/[\s,]+/)
    .filter((rule) => rule !== "")
    .some((rule) => {
      const [, host = "", port] = /^\*?\.?([^:]*)(?::(\d+))?$/.exec(rule.toLowerCase()) ?? [];
      if (port !== undefined && Number(port) !== portOf(address)) return false;
      return rule === "*" || (host !== "" && (address.hostname === host || address.hostname.endsWith(`.${host}`)));
    });
  const url = /^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`;
  if (isLeftOut) return null;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Error(`the proxy ${shownAddress(url)} is none of HTTP`);
  return new URL(url);
}

/** Node's own fetch for whatever has no proxy. */
export function proxiedFetch({ env }: Pick<Io, "env">): Ask {
  return async (address, { headers, signal }) => {
    let url = new URL(address);
    let sent = headers;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const proxy = proxyOf(url, env);
      const answer =
        proxy === null
          ? await fetch(url, { headers: sent, signal, redirect: "manual" })
          : await through(proxy, url, sent, signal);
      const target = answer.headers.get("location");
      if (answer.status < 300 || answer.status > 399 || target === null) return answer;
      await answer.body?.cancel();
      const next = new URL(target, url);
      if (!Object.hasOwn(PORTS, next.protocol)) throw new Error(`it leads to ${next.protocol}`);
      // who is told elsewhere is not told who asks
      if (next.origin !== url.origin) sent = withoutName(sent);
      url = next;
    }
    throw new Error(`more than ${MOST_REDIRECTS} redirections`);
  };
}

const withoutName = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization"));

async function through(proxy: URL, url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  const ask = proxy.protocol === "https:" ? askSafely : askPlain;
  const own = { host: proxy.hostname, port: portOf(proxy), signal, agent: false } as const;
  const named = proxy.username === "" ? {} : { "proxy-authorization": basic(proxy) };
  if (url.protocol === "http:")
    return answered(ask({ ...own, path: url.href, headers: { ...headers, ...named, host: url.host } }));
  const target = `${url.hostname}:${portOf(url)}`;
  const tunnel = ask({ ...own, method: "CONNECT", path: target, headers: { ...named, host: target } });
  const socket = await new Promise<NonNullable<ClientRequest["socket"]>>((done, fail) => {
    tunnel.on("error", fail);
    tunnel.on("connect", ({ statusCode = 0, statusMessage }, stream) => {
      if (statusCode === 200) done(stream as NonNullable<ClientRequest["socket"]>);
      else fail(new Error(`the proxy ${proxy.host} says ${statusCode} ${statusMessage ?? ""}`.trim()));
    });
    tunnel.end();
  });
  const createConnection = () => connect({ socket, servername: url.hostname });
  const asked = askSafely(url, { headers, signal, agent: false, createConnection });
  // an open tunnel keeps the process from ending
  asked.on("close", () => socket.destroy());
  return answered(asked);
}

const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`;

async function answered(request: ClientRequest): Promise<Response> {
  const message = await new Promise<IncomingMessage>((done, fail) => {
    request.on("error", fail);
    request.on("response", done);
    request.end();
  });
  const headers = new Headers();
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2)
    headers.append(message.rawHeaders[at]!, message.rawHeaders[at + 1]!);
  const status = message.statusCode ?? 500;
  const isEmpty = status === 204 || status === 304;
  const body = isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText: message.statusMessage ?? "", headers });
}
