/** What a program wrote: new and changed files of the interpreter's own file system, within limits. */

import type { PyodideInterface } from "pyodide";
import { childrenOf, fileSystemOf, hostsBytes, isFile, isHosts, type FileNode, type FileSystem } from "./host-mount.ts";
import type { WorkerRequest } from "./messages.ts";
import { HOME } from "./program-place.ts";
import type { WrittenFiles } from "./run-types.ts";

export const SAVED_LIMITS = { files: 1000, bytes: 256 << 20, depth: 24 } as const;

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Names that every host can have; others could mean something to it. */
const plainName = (name: string): boolean =>
  // oxlint-disable-next-line no-control-regex
  name !== "." && name !== ".." && !/[\u0000-\u001f\u007f\\/:*?"<>|]/.test(name) && !/[. ]$/.test(name);

/** Where a program may write, and the beginning of the names that its files get. */
function writable({ workingDirectory }: WorkerRequest): { inside: string; shown: string }[] {
  const above = workingDirectory === HOME || !workingDirectory.startsWith(`${HOME}/`);
  return [
    { inside: workingDirectory, shown: "" },
    ...(above ? [] : [{ inside: HOME, shown: "project/" }]),
    { inside: "/tmp", shown: "system-tmp/" },
  ];
}

/** Files of the project and of `/tmp` that were not there before; links are not followed. */
export function filesWritten(pyodide: PyodideInterface, request: WorkerRequest): WrittenFiles {
  const FS = fileSystemOf(pyodide);
  const requested = new Map(request.files);
  const files: [string, Uint8Array][] = [];
  let bytes = 0;
  let leftOut = 0;
  const places = writable(request);
  const folders = places.flatMap(({ inside, shown }) => {
    const node = folderAt(FS, inside);
    return node === null ? [] : [{ node, inside, shown, depth: 0 }];
  });
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // what was never looked at was not written
    for (const [name, node] of Object.entries(childrenOf(folder.node))) {
      if (!plainName(name) || name === "__pycache__") continue;
      const inside = `${folder.inside}/${name}`;
      if (
        FS.isDir(node.mode) &&
        folder.depth < SAVED_LIMITS.depth &&
        places.every((place) => place.inside !== inside)
      ) {
        folders.push({ node, inside, shown: `${folder.shown}${name}/`, depth: folder.depth + 1 });
      }
      if (!isFile(node) || isHosts(node)) continue;
      const content = (node.contents as Uint8Array).subarray(0, node.usedBytes);
      const before = requested.get(inside) ?? hostsBytes(node);
      if (before !== null && equal(before, content)) continue;
      if (files.length >= SAVED_LIMITS.files || bytes + content.length > SAVED_LIMITS.bytes) {
        leftOut++;
        continue;
      }
      bytes += content.length;
      files.push([folder.shown + name, content.slice()]);
    }
  }
  return { files: files.sort((a, b) => (a[0] < b[0] ? -1 : 1)), leftOut };
}

function folderAt(FS: FileSystem, path: string): FileNode | null {
  try {
    return FS.lookupPath(path).node;
  } catch {
    return null;
  }
}
