/** Where the built Python parts lie beside this module: the stand-ins as one file, the op table, the warm-start snapshot. */

import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { checksumAt, imageAt } from "./memory-image.ts";
import type { InterpreterParts } from "./interpreter.ts";
import type { MemoryImage } from "./snapshot-memory.ts";

const at = (name: string): URL => new URL(`../python-files/${name}`, import.meta.url);

const STAND_INS = at("stand-ins.json.gz");
export const SNAPSHOT = fileURLToPath(at("interpreter.snapshot"));

interface InstalledParts extends InterpreterParts {
  /** A text that another build does not have. */
  version(): string;
  standIns(): Readonly<Record<string, string>>;
  snapshot(): MemoryImage | null;
}

export const INSTALLED_PARTS: InstalledParts = {
  // packages are installed with the times of another year: only the content tells builds apart
  version: () => `${statSync(STAND_INS).size} ${checksumAt(SNAPSHOT)}`,
  standIns: () => JSON.parse(gunzipSync(readFileSync(STAND_INS)).toString("utf8")) as Record<string, string>,
  snapshot: () => imageAt(SNAPSHOT),
  moduleUrl: new URL("pyodide.asm.mjs", import.meta.resolve("pyodide")).href,
};

/** The same parts with another frozen interpreter, one that has imported packages. */
export const partsWithSnapshot = (path: string): InterpreterParts => ({
  ...INSTALLED_PARTS,
  snapshot: () => imageAt(path) ?? INSTALLED_PARTS.snapshot(),
});
