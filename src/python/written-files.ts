/** What a program wrote: new and changed files of the interpreter's own file system, within limits. */

import type { PyodideInterface } from "pyodide";
import type { WorkerRequest } from "./messages.ts";

export const SAVED_LIMITS = { files: 1000, bytes: 256 << 20, depth: 24 } as const;

export interface WrittenFiles {
  /** Paths relative to where the program ran, or below `system-tmp/` for `/tmp`, with slashes. */
  readonly files: readonly (readonly [path: string, bytes: Uint8Array])[];
  /** How many more there were than the limits allow. */
  readonly leftOut: number;
}

/** The parts of Emscripten's file system that are read here. */
interface FileSystem {
  readdir(path: string): string[];
  lstat(path: string): { mode: number; size: number };
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  readFile(path: string): Uint8Array;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Names that every host can have; others could mean something to it. */
const plainName = (name: string): boolean =>
  // oxlint-disable-next-line no-control-regex
  name !== "." && name !== ".." && !/[\u0000-\u001f\u007f\\/:*?"<>|]/.test(name) && !/[. ]$/.test(name);

/** Files of the working directory and of `/tmp` that were not there before; links are not followed. */
export function filesWritten(pyodide: PyodideInterface, request: WorkerRequest): WrittenFiles {
  const FS = pyodide.FS as unknown as FileSystem;
  const given = new Map(request.files);
  const files: [string, Uint8Array][] = [];
  let bytes = 0;
  let leftOut = 0;
  const folders = [
    { inside: request.workingDirectory, shown: "", depth: 0 },
    { inside: "/tmp", shown: "system-tmp/", depth: 0 },
  ];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of namesIn(FS, folder.inside)) {
      if (!plainName(name) || name === "__pycache__") continue;
      const inside = `${folder.inside}/${name}`;
      const { mode, size } = FS.lstat(inside);
      if (FS.isDir(mode) && folder.depth < SAVED_LIMITS.depth) {
        folders.push({ inside, shown: `${folder.shown}${name}/`, depth: folder.depth + 1 });
      }
      if (!FS.isFile(mode)) continue;
      const before = given.get(inside);
      if (before !== undefined && before.length === size && equal(before, FS.readFile(inside))) continue;
      if (files.length >= SAVED_LIMITS.files || bytes + size > SAVED_LIMITS.bytes) {
        leftOut++;
        continue;
      }
      bytes += size;
      // a copy: what the file system hands out may be a view of the interpreter's memory
      files.push([folder.shown + name, FS.readFile(inside).slice()]);
    }
  }
  return { files: files.sort((a, b) => (a[0] < b[0] ? -1 : 1)), leftOut };
}

function namesIn(FS: FileSystem, folder: string): string[] {
  try {
    return FS.readdir(folder);
  } catch {
    return [];
  }
}
