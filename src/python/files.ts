/** Where the built Python parts lie beside this module: the stand-ins as one file, the op table, the warm-start snapshot. */

import { existsSync, readFileSync } from "node:fs";

const at = (name: string): URL => new URL(`../python-files/${name}`, import.meta.url);

/** Paths relative to /lib/vramscope, and texts. */
export function readStandIns(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(at("stand-ins.json"), "utf8")) as Record<string, string>;
}

/** The frozen interpreter, or null when it was not built. */
export function readSnapshot(): Uint8Array | null {
  const url = at("interpreter.snapshot");
  return existsSync(url) ? readFileSync(url) : null;
}
