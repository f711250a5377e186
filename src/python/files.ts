/** Where the built Python parts lie beside this module: the stand-ins as one file, the op table, the warm-start snapshot. */

import { existsSync, readFileSync, statSync } from "node:fs";
import type { InterpreterParts } from "./interpreter.ts";

const at = (name: string): URL => new URL(`../python-files/${name}`, import.meta.url);

/** The parts of this installation, with a text that another build does not have. */
export const INSTALLED_PARTS: InterpreterParts & { version(): string } = {
  version: () => {
    const { size, mtimeMs } = statSync(at("stand-ins.json"));
    return `${size} ${mtimeMs}`;
  },
  standIns: () => JSON.parse(readFileSync(at("stand-ins.json"), "utf8")) as Record<string, string>,
  snapshot: () => {
    const url = at("interpreter.snapshot");
    return existsSync(url) ? readFileSync(url) : null;
  },
  moduleUrl: new URL("pyodide.asm.mjs", import.meta.resolve("pyodide")).href,
};

/** The same parts with another frozen interpreter, one that has imported packages. */
export const partsWithSnapshot = (path: string): InterpreterParts => ({
  ...INSTALLED_PARTS,
  snapshot: () => (existsSync(path) ? readFileSync(path) : INSTALLED_PARTS.snapshot()),
});
