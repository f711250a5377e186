/** A small hub of models on loopback: repositories that a test writes, and what was asked of it. */

import { createServer, type RequestListener } from "node:http";
import { createServer as createSafeServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Hub {
  readonly url: string;
  /** Path, and what was sent to be let in. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

export interface Repository {
  readonly files: Readonly<Record<string, string>>;
  /** Bytes by path, of files that are listed and must not be fetched. */
  readonly weights?: Readonly<Record<string, number>>;
  /** What is said instead of a list. */
  readonly list?: string;
  /** What somebody must send. */
  readonly token?: string;
}

export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

/** @param safe with a key and a certificate the hub speaks TLS, as `localhost` */
export async function serveHub(
  repositories: Readonly<Record<string, Repository>>,
  safe: { readonly key: string; readonly cert: string } | null = null,
): Promise<Hub> {
  const asked: string[] = [];
  const listen: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url!, "http://hub");
    const token = request.headers.authorization ?? "";
    asked.push(`${pathname} ${token}`.trim());
    const id = Object.keys(repositories).find((one) => pathname.includes(`/${one}/`));
    const one = id === undefined ? undefined : repositories[id]!;
    if (one === undefined) return void response.writeHead(404).end();
    if (one.token !== undefined && token !== `Bearer ${one.token}`) return void response.writeHead(401).end();
    if (pathname.startsWith("/api/models/")) {
      const known = [
        ...Object.entries(one.files).map(([rfilename, text]) => ({ rfilename, size: text.length })),
        ...Object.entries(one.weights ?? {}).map(([rfilename, size]) => ({ rfilename, size })),
      ];
      return void response.end(one.list ?? JSON.stringify({ sha: COMMIT, siblings: known }));
    }
    const file = one.files[decodeURIComponent(pathname.split(`/resolve/${COMMIT}/`)[1] ?? "")];
    if (file === undefined) response.writeHead(404).end();
    else response.end(file);
  };
  const server = safe === null ? createServer(listen) : createSafeServer(safe, listen);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: safe === null ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    asked,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
