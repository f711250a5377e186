/** The process in which programs run, held by Node and the system: what it reads however it was installed, and how much memory it takes. */

import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { folderWith, ROOT, start } from "../helpers.ts";

const { confinedCommand, heapMib } = (await import(
  new URL("../../dist/python/confinement.js", import.meta.url).href
)) as typeof import("../../src/python/confinement.ts");

const NODES = [process.execPath, ...(process.env["VRAMSCOPE_NODES"] ?? "").split(":").filter((path) => path !== "")];
const GIB = 2 ** 30;

/** An installed package beside a store that has Pyodide, as pnpm lays them out; `link` says which folder is a link into the store. */
function installed(link: "pyodide" | "node_modules"): string {
  const folder = folderWith({ "a.py": 'print("ran")\n' });
  const store = join(folder, "store", "node_modules");
  const own = join(folder, "package");
  mkdirSync(store, { recursive: true });
  cpSync(join(ROOT, "node_modules", "pyodide"), join(store, "pyodide"), { recursive: true, dereference: true });
  cpSync(join(ROOT, "dist"), join(own, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(own, "package.json"));
  if (link === "node_modules") symlinkSync(store, join(own, "node_modules"));
  else {
    mkdirSync(join(own, "node_modules"));
    symlinkSync(join(store, "pyodide"), join(own, "node_modules", "pyodide"));
  }
  // as `npm link` does
  mkdirSync(join(folder, "app", "node_modules"), { recursive: true });
  symlinkSync(own, join(folder, "app", "node_modules", "vramscope"));
  return folder;
}

describe.each(["pyodide", "node_modules"] as const)("installed with a link in the place of %s", (link) => {
  it("runs programs on every Node, also through a link to itself", { timeout: 240_000 }, async () => {
    const folder = installed(link);
    const mains = ["package", "app/node_modules/vramscope"].map((own) => join(folder, own, "dist", "cli", "main.js"));
    for (const node of NODES)
      for (const main of mains) {
        const { out, err, code } = await start(node, [main, "run", "--report", "none", join(folder, "a.py")], {});
        expect([out, err, code]).toEqual(["ran\n", "", 0]);
      }
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(process.platform !== "linux").each(NODES)("with %s", (node) => {
  it("takes no more memory than it may", async () => {
    const module = fileURLToPath(
      new URL(`../../dist/probe-memory-${process.pid}-${NODES.indexOf(node)}.mjs`, import.meta.url),
    );
    writeFileSync(
      module,
      `
const kept = [];
try {
  while (kept.length < 256) kept.push(new ArrayBuffer(${GIB}));
} catch {}
console.log(kept.length);
`,
    );
    try {
      const { command, args, env, cwd } = confinedCommand(module, [], [], node);
      const { stdout } = await promisify(execFile)(command, [...args], { env, cwd });
      const most = (heapMib() * 2 ** 20 + 8 * GIB) / GIB;
      expect(Number(stdout)).toBeGreaterThanOrEqual(3);
      expect(Number(stdout)).toBeLessThanOrEqual(most);
      // the same outside: it is the limit that ends it
      expect(Number(execFileSync(node, [module], { encoding: "utf8" }))).toBeGreaterThan(most);
    } finally {
      rmSync(module);
    }
  });
});
