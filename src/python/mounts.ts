/** What of the host a program may read: the script's own folder (Python files and small data) and --site-packages. */

import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Larger data files are not copied in. */
const MAX_DATA_BYTES = 1 << 20;
const MAX_TOTAL_BYTES = 64 << 20;
const MAX_FILES = 20_000;
const DATA = /\.(py|json|txt|csv|tsv|yaml|yml|toml|md|jsonl|cfg|ini)$/;
const SKIP = new Set(["node_modules", "__pycache__", ".git", ".venv", "venv", "dist", "build"]);

export type MountedFile = readonly [path: string, bytes: Uint8Array];

/** Copies a folder: its own files, and folders that are Python packages (or everything for `whole`). */
export function mountFolder(host: string, inside: string, whole: boolean): MountedFile[] {
  const files: MountedFile[] = [];
  let total = 0;
  const visit = (from: string, to: string, depth: number): void => {
    let names: string[];
    try {
      names = readdirSync(from);
    } catch {
      return;
    }
    for (const name of names) {
      if (files.length >= MAX_FILES || total > MAX_TOTAL_BYTES) return;
      const path = join(from, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (!stat) continue;
      if (stat.isDirectory()) {
        if (name.startsWith(".") || SKIP.has(name) || depth > 12) continue;
        if (whole || existsSync(join(path, "__init__.py"))) visit(path, `${to}/${name}`, depth + 1);
      } else if (stat.isFile() && DATA.test(name) && stat.size <= MAX_DATA_BYTES) {
        files.push([`${to}/${name}`, readFileSync(path)]);
        total += stat.size;
      }
    }
  };
  visit(host, inside, 0);
  return files;
}
