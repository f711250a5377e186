/** Serves the built page to this machine only: a closed list of files, and files that are handed to the page once. */

import { table } from "../base/table.ts";
import { randomBytes } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, extname, join, sep } from "node:path";
import { missingParts } from "./page-parts.ts";

/** A file for the page: on disk, or made by this process. */
export type Handed =
  | { readonly name: string; readonly path: string }
  | { readonly name: string; readonly bytes: Uint8Array };

export interface PageServer {
  /** `http://127.0.0.1:8726/`. */
  readonly address: string;
  /** Address under which the page fetches this file, once. */
  readonly handOver: (file: Handed) => string;
  readonly close: () => Promise<void>;
}

/** Where packages come from when somebody asks for them: the public index, and one on this machine. */
const INDEXES = "https://pypi.org https://files.pythonhosted.org http://127.0.0.1:* http://localhost:*";

/** The policy of a file that may ask `connect`, and that nobody frames it. */
const policy = (connect: string): string =>
  `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src ${connect}; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** What every file but the page itself may do, above all the worker that runs programs: it asks nobody but this server. */
export const POLICY = policy("'self'");
/** What the page may do: the words of its own meta element. */
export const PAGE_POLICY = policy(`'self' ${INDEXES}`);

const HEADERS = table<string>({
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});

const TYPES = table<string>({
  ".css": "text/css; charset=utf-8",
  ".gz": "application/gzip",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".py": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".zip": "application/zip",
});

/** Names that change with their content may be kept for ever. */
const HASHED = /^\/(?:assets\/[^/]+-[\w-]{8,}\.\w+|python\/[0-9a-f]{12}\/[^/]+)$/;
const HANDED = "/handed/";
const TOKEN_BYTES = 16;

interface Served {
  readonly sizeBytes: number;
  readonly etag: string;
  /** A file on disk, or what this process has made. */
  readonly content: string | Uint8Array;
}

/** Only what lies in the folder now, and what the page names and this installation has, can be asked for: no address leads out of it. */
function listFiles(folder: string): ReadonlyMap<string, () => Served> {
  const files = new Map<string, () => Served>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) files.set(`/${name.replaceAll(sep, "/")}`, () => onDisk(path));
  }
  for (const [address, part] of missingParts(folder))
    files.set(address, "path" in part ? () => onDisk(part.path) : made(part.make));
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return files;
}

/** Null while the page is being built. */
function filesNow(folder: string): ReadonlyMap<string, () => Served> | null {
  try {
    return listFiles(folder);
  } catch {
    return null;
  }
}

function onDisk(path: string): Served {
  const { size, mtimeMs } = statSync(path);
  return { sizeBytes: size, etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`, content: path };
}

function made(make: () => Uint8Array): () => Served {
  let content: Uint8Array | null = null;
  return () => {
    content ??= make();
    return { sizeBytes: content.length, etag: `"${content.length.toString(36)}-made"`, content };
  };
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  response.end(`${text}\n`);
}

function stream(path: string, response: ServerResponse): void {
  const source = createReadStream(path);
  source.on("error", () => response.destroy());
  response.on("close", () => source.destroy());
  source.pipe(response);
}

function sendFile(address: string, file: Served, request: IncomingMessage, response: ServerResponse): void {
  const type = TYPES[extname(address === "/" ? "/index.html" : address)] ?? "application/octet-stream";
  const headers = {
    ...HEADERS,
    ...(type === TYPES[".html"] ? { "Content-Security-Policy": PAGE_POLICY } : {}),
    "Content-Type": type,
    "Cache-Control": HASHED.test(address) ? "public, max-age=31536000, immutable" : "no-cache",
    ETag: file.etag,
  };
  if (request.headers["if-none-match"] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, "Content-Length": file.sizeBytes });
  if (request.method === "HEAD") response.end();
  else if (typeof file.content === "string") stream(file.content, response);
  else response.end(file.content);
}

function sendHanded(file: Handed, response: ServerResponse): void {
  const sizeBytes = "path" in file ? statSync(file.path, { throwIfNoEntry: false })?.size : file.bytes.length;
  if (sizeBytes === undefined) return refuse(response, 404, "No such file.");
  response.writeHead(200, {
    ...HEADERS,
    "Content-Type": "application/octet-stream",
    "Content-Length": sizeBytes,
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(basename(file.name))}`,
    "Cache-Control": "no-store",
  });
  if ("path" in file) stream(file.path, response);
  else response.end(file.bytes);
}

/** Whether the request names this server, and not a foreign name that was made to point here. */
function isForUs(request: IncomingMessage): boolean {
  const { localPort } = request.socket;
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${localPort}`);
  return names.includes((request.headers.host ?? "").toLowerCase());
}

function answerer(folder: string, handed: Map<string, Handed>) {
  let files = listFiles(folder);
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (!isForUs(request)) return refuse(response, 403, "This server answers on this machine's own address only.");
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405, "GET and HEAD only.");
    const [address = ""] = (request.url ?? "").split(/[?#]/);
    if (address.startsWith(HANDED)) {
      const file = handed.get(address);
      const isOwnPage = (request.headers["sec-fetch-site"] ?? "same-origin") === "same-origin";
      if (file === undefined || !isOwnPage || request.method !== "GET") return refuse(response, 404, "No such file.");
      handed.delete(address);
      return sendHanded(file, response);
    }
    // the page may have been built anew, with files of other names
    if (!HASHED.test(address) || !files.has(address)) files = filesNow(folder) ?? files;
    const file = fileAt(files, address);
    return file === null ? refuse(response, 404, "No such file.") : sendFile(address, file, request, response);
  };
}

/** Null where it is not there, or gone since the folder was read. */
function fileAt(files: ReadonlyMap<string, () => Served>, address: string): Served | null {
  try {
    return files.get(address)?.() ?? null;
  } catch {
    return null;
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, () => {
      server.removeListener("error", fail);
      done((server.address() as AddressInfo).port);
    });
  });
}

/**
 * @param ports tried one after another; 0 is any free one
 * @throws the system's error for the last of them
 */
export async function servePage(folder: string, host: string, ports: readonly number[]): Promise<PageServer> {
  const handed = new Map<string, Handed>();
  const server = createServer(answerer(folder, handed));
  let port = -1;
  for (const [index, wanted] of ports.entries()) {
    try {
      port = await listen(server, wanted, host);
      break;
    } catch (error) {
      if (index === ports.length - 1) throw error;
    }
  }
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    address: `http://${name}:${port}/`,
    handOver: (file) => {
      const token = randomBytes(TOKEN_BYTES).toString("hex");
      handed.set(HANDED + token, file);
      return token;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
