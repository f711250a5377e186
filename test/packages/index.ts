/** A small index of packages on loopback, with wheels that a test writes; what is asked of it is kept. */

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32, deflateRawSync } from "node:zlib";

export interface Entry {
  readonly path: string;
  readonly text: string;
  /** Unix mode, such as that of a link. */
  readonly mode?: number;
  /** What the archive claims instead of the real length. */
  readonly claims?: number;
}

/** An archive, with whatever an entry claims. */
export function zip(entries: readonly Entry[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, text, mode = 0o100644, claims } of entries) {
    const name = Buffer.from(path);
    const plain = Buffer.from(text);
    const packed = deflateRawSync(plain);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claims ?? plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, rest, name]));
    pieces.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, central, end]);
}

export interface Release {
  readonly name: string;
  readonly version: string;
  readonly requires?: readonly string[];
  readonly python?: string;
  /** `py3-none-any` where it is left out. */
  readonly tag?: string;
  readonly files?: readonly Entry[];
  /** What lies on the index instead of the wheel. */
  readonly bytes?: Buffer;
  /** What the index promises instead of the real hash. */
  readonly hash?: string;
  readonly metadataBeside?: boolean;
  /** What lies there instead of the metadata. */
  readonly beside?: string;
}

const metadataOf = ({ name, version, requires = [] }: Release): string =>
  `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requires.map((one) => `Requires-Dist: ${one}\n`).join("")}\nText\n`;

function wheelOf(release: Release): Buffer {
  const info = `${release.name}-${release.version}.dist-info`;
  const own = release.files ?? [{ path: `${release.name}/__init__.py`, text: `version = "${release.version}"\n` }];
  return release.bytes ?? zip([...own, { path: `${info}/METADATA`, text: metadataOf(release) }]);
}

export interface Index {
  readonly url: string;
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

export async function serveIndex(releases: readonly Release[], kind: "json" | "html" = "json"): Promise<Index> {
  const asked: string[] = [];
  const files = new Map<string, Buffer>();
  const pages = new Map<string, Release[]>();
  for (const release of releases) {
    const { name, version, tag = "py3-none-any" } = release;
    files.set(`/files/${name}-${version}-${tag}.whl`, wheelOf(release));
    if (release.metadataBeside)
      files.set(`/files/${name}-${version}-${tag}.whl.metadata`, Buffer.from(release.beside ?? metadataOf(release)));
    const page = `/simple/${name.replaceAll("_", "-")}/`;
    pages.set(page, [...(pages.get(page) ?? []), release]);
  }
  const server = createServer((request, response) => {
    const path = request.url!;
    asked.push(path);
    response.setHeader("Access-Control-Allow-Origin", "*");
    const listed = pages.get(path)?.map((release) => {
      const filename = `${release.name}-${release.version}-${release.tag ?? "py3-none-any"}.whl`;
      const url = `../../files/${filename}`;
      const sha256 =
        release.hash ??
        createHash("sha256")
          .update(files.get(`/files/${filename}`)!)
          .digest("hex");
      return {
        filename,
        url,
        hashes: { sha256 },
        "requires-python": release.python,
        "core-metadata": release.metadataBeside ?? false,
        size: files.get(`/files/${filename}`)!.length,
      };
    });
    const found = files.get(path);
    if (listed !== undefined && kind === "json")
      response.end(JSON.stringify({ meta: { "api-version": "1.1" }, files: listed }));
    else if (listed !== undefined) {
      const links = listed.map(({ filename, url, hashes, "requires-python": python }) => {
        const asks =
          python === undefined
            ? ""
            : ` data-requires-python="${python.replaceAll(">", "&gt;").replaceAll("<", "&lt;")}"`;
        return `<a href="${url}#sha256=${hashes.sha256}"${asks}>${filename}</a><br>`;
      });
      response.end(`<!DOCTYPE html><html><body>${links.join("\n")}</body></html>`);
    } else if (found !== undefined) response.end(found);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  return { url: `http://127.0.0.1:${port}/simple`, asked, close };
}
