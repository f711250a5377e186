/** Where the built Python parts lie beside this module: the stand-ins as one file, the op table, the warm-start snapshot. */

import { existsSync, readFileSync } from "node:fs";
import type { InterpreterParts } from "./interpreter.ts";

const at = (name: string): URL => new URL(`../python-files/${name}`, import.meta.url);

export const INSTALLED_PARTS: InterpreterParts = {
  standIns: () => JSON.parse(readFileSync(at("stand-ins.json"), "utf8")) as Record<string, string>,
  snapshot: () => {
    const url = at("interpreter.snapshot");
    return existsSync(url) ? readFileSync(url) : null;
  },
  moduleUrl: new URL("pyodide.asm.mjs", import.meta.resolve("pyodide")).href,
};
