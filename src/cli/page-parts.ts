/** The page's parts that the installation has already: Python lies in the package once, and the page's copy of it is left out. */

import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { table } from "../base/table.ts";
import { INSTALLED_PARTS, SNAPSHOT } from "../python/files.ts";
import { readImage } from "../python/memory-image.ts";

/** A file of the page, on disk or made when it is first asked for. */
export type PagePart = { readonly path: string } | { readonly make: () => Uint8Array };

const ofPyodide = (name: string): PagePart => ({
  path: fileURLToPath(new URL(name, INSTALLED_PARTS.moduleUrl)),
});

/** By the names that `web/vite.config.ts` gives them. */
const PARTS = table<PagePart>({
  "pyodide.asm.mjs": ofPyodide("pyodide.asm.mjs"),
  "pyodide.asm.wasm": ofPyodide("pyodide.asm.wasm"),
  "python_stdlib.zip": ofPyodide("python_stdlib.zip"),
  "pyodide-lock.json": ofPyodide("pyodide-lock.json"),
  "stand-ins.json": { make: () => Buffer.from(JSON.stringify(INSTALLED_PARTS.standIns())) },
  // the browser is on this machine: time counts, not size
  "interpreter.snapshot.gz": { make: () => gzipSync(readImage(SNAPSHOT) ?? new Uint8Array(0), { level: 1 }) },
});

/** Parts that the page in this folder names in its list and that do not lie there. */
export function missingParts(folder: string): ReadonlyMap<string, PagePart> {
  const missing = new Map<string, PagePart>();
  for (const name of namedParts(folder)) {
    const file = /^python\/[0-9a-f]{12}\/([^/]+)$/.exec(name)?.[1];
    if (file === undefined || PARTS[file] === undefined) continue;
    if (statSync(`${folder}/${name}`, { throwIfNoEntry: false }) === undefined) missing.set(`/${name}`, PARTS[file]);
  }
  return missing;
}

function namedParts(folder: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(`${folder}/parts.json`, "utf8")) as string[];
  } catch {
    // a page without the list is whole
    return [];
  }
}
