/** What of the host a program may read: the script's own folder (Python files and small data) and --site-packages. */

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Larger data files are not copied in. */
const MAX_DATA_BYTES = 1 << 20;
const MAX_DEPTH = 12;
const DATA = /\.(py|bin|npy|pkl|json|txt|csv|tsv|yaml|yml|toml|md|jsonl|cfg|ini)$/;
const SKIP = new Set(["node_modules", "__pycache__", "venv", "dist", "build"]);

export interface MountLimits {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

/** A script may lie in a home directory: what is near it counts, and a large tree must not delay the run. */
export const SCRIPT_FOLDER: MountLimits = { files: 2000, folders: 500, bytes: 16 << 20 };
export const PACKAGES: MountLimits = { files: 20_000, folders: 5000, bytes: 64 << 20 };

export type MountedFile = readonly [path: string, bytes: Uint8Array];

/**
 * Copies a folder, nearest files first, until a limit is reached. Hidden files and folders, links, and files that are
 * neither Python nor text data are left out, and so is what cannot be read.
 */
export function mountFolder(host: string, inside: string, limits: MountLimits): MountedFile[] {
  const files: MountedFile[] = [];
  let bytes = 0;
  const queue = [{ from: host, to: inside, depth: 0 }];
  for (let next = 0; next < queue.length && next < limits.folders; next++) {
    const { from, to, depth } = queue[next]!;
    for (const name of namesIn(from)) {
      if (files.length >= limits.files || bytes >= limits.bytes) return files;
      if (name.startsWith(".")) continue;
      const path = join(from, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory() && depth < MAX_DEPTH && !SKIP.has(name)) {
        queue.push({ from: path, to: `${to}/${name}`, depth: depth + 1 });
      }
      if (!stat?.isFile() || !DATA.test(name) || stat.size > MAX_DATA_BYTES) continue;
      const content = contentOf(path);
      if (content === null) continue;
      files.push([`${to}/${name}`, content]);
      bytes += content.length;
    }
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function contentOf(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
