/** What an index of packages said, kept in a folder, and hashes: what the client of src/packages needs of Node. */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import process from "node:process";
import type { IndexOptions } from "../packages/index-client.ts";

const FOLDERS = { pages: "index", files: "files" } as const;

export function onDisk(folder: string): Pick<IndexOptions, "kept" | "digest"> {
  const pathOf = (kind: keyof typeof FOLDERS, name: string): string => {
    const ending = kind === "pages" ? ".txt" : extname(name);
    return join(folder, FOLDERS[kind], `${createHash("sha256").update(name).digest("hex")}${ending}`);
  };
  return {
    digest: (hash, bytes) => Promise.resolve(createHash(hash).update(bytes).digest("hex")),
    kept: {
      get: async (kind, name) => {
        const path = pathOf(kind, name);
        return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null;
      },
      put: async (kind, name, bytes) => {
        const path = pathOf(kind, name);
        mkdirSync(join(path, ".."), { recursive: true });
        // several processes may keep the same
        const part = `${path}.${process.pid}.part`;
        writeFileSync(part, bytes);
        renameSync(part, path);
      },
    },
  };
}
