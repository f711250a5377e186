/**
 * `npm run wheel:check`: makes the wheel, installs it with its Node into a fresh virtual environment, and tries the command, the magic in a
 * real Jupyter kernel and the pytest plugin there; `twine check`, too. It needs Python and the package index.
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./ensure.mjs";

const TOOLS = ["ipykernel", "nbclient", "nbformat", "pytest", "twine"];

const folder = mkdtempSync(join(tmpdir(), "vramscope-wheel-"));
const run = (command, args) => execFileSync(command, args, { cwd: folder, stdio: "inherit" });
try {
  run(process.execPath, [join(root, "scripts", "wheel.mjs"), "--out", folder]);
  const [wheel] = readdirSync(folder).filter((name) => name.endsWith(".whl"));
  run("python3", ["-m", "venv", "fresh"]);
  const bin = join(folder, "fresh", "bin");
  run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", wheel, ...TOOLS]);
  run(join(bin, "twine"), ["check", "--strict", wheel]);
  cpSync(join(root, "wheel", "tests"), join(folder, "tests"), { recursive: true });
  run(join(bin, "pytest"), ["-q", "-p", "no:cacheprovider", "tests"]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
