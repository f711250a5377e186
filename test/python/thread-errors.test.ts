/** What the thread that runs programs dies of is said, though the process around it has closed what Node offers. */

import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith, ROOT } from "../helpers.ts";

/** The command with a thread that throws as soon as it is there. */
function stderrOf(thrown: string): string {
  const folder = folderWith({ "program.py": "pass\n" });
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const worker = join(folder, "dist", "python", "worker.js");
  writeFileSync(worker, `throw ${thrown};\n${readFileSync(worker, "utf8")}`);
  const args = [join(folder, "dist", "cli", "main.js"), "run", "--report", "none", "program.py"];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stderr;
}

it.each([
  ['new TypeError("own words")', "VRAMScope itself failed: own words. "],
  [
    'new RangeError("WebAssembly.Memory(): could not allocate memory")',
    "the simulation took more memory than this machine gives it",
  ],
])("%s", (thrown, words) => {
  expect(stderrOf(thrown)).toContain(words);
});
