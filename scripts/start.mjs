// `npm start`: installs and builds if needed, then shows where the memory of an attention module goes, line by line.
// The figures are those that a GPU printed under a PyTorch before 2.0. Arguments go to `vramscope run` instead.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./ensure.mjs";

ensureInstalled();
ensureBuilt();
const given = process.argv.slice(2);
const args = given.length ? given : ["run", "--torch", "1.13", "examples/attention.py"];
console.error(`vramscope ${args.join(" ")}\n`);
const result = spawnSync(process.execPath, [join(root, "dist", "cli", "main.js"), ...args], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = result.status ?? 1;
