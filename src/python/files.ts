/** Where the built Python parts lie beside this module: the stand-ins as one file, the op table, the warm-start snapshot. */

import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readChecked } from "./checked-file.ts";
import type { InterpreterParts } from "./interpreter.ts";

const at = (name: string): URL => new URL(`../python-files/${name}`, import.meta.url);

/** The parts of this installation, with a text that another build does not have. */
export const INSTALLED_PARTS: InterpreterParts & { version(): string } = {
  version: () => {
    const { size, mtimeMs } = statSync(at("stand-ins.json"));
    return `${size} ${mtimeMs}`;
  },
  standIns: () => JSON.parse(readFileSync(at("stand-ins.json"), "utf8")) as Record<string, string>,
  snapshot: () => readChecked(fileURLToPath(at("interpreter.snapshot"))),
  moduleUrl: new URL("pyodide.asm.mjs", import.meta.resolve("pyodide")).href,
};

/** The same parts with another frozen interpreter, one that has imported packages. */
export const partsWithSnapshot = (path: string): InterpreterParts => ({
  ...INSTALLED_PARTS,
  snapshot: () => readChecked(path) ?? INSTALLED_PARTS.snapshot(),
});
