// Installs the dependencies when they are missing or older than the lock file, and builds dist/ and the page when they are
// older than a source.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser, installBrowser } from "./browsers.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

export function ensureInstalled() {
  const marker = join(root, "node_modules", ".package-lock.json");
  if (time(marker) >= time(join(root, "package-lock.json"))) return;
  // a test that makes the page must not replace the folder from which it runs
  if (process.env.VITEST !== undefined) return;
  console.error("Installing dependencies …");
  // npm names itself to the scripts that it runs; without it the command is looked up
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith(".js") || npm?.endsWith(".cjs") ? [process.execPath, [npm]] : ["npm", []];
  execFileSync(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "__pycache__") continue;
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : time(path));
  }
  return latest;
}

export function ensureBuilt() {
  const built = time(join(root, "dist", "python-files", "interpreter.snapshot"));
  const sources = Math.max(
    newest(join(root, "src")),
    newest(join(root, "python")),
    time(join(root, "package-lock.json")),
    time(join(root, "scripts", "build.mjs")),
  );
  if (built > sources) return;
  console.error("Building …");
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs")], { cwd: root, stdio: ["ignore", 2, 2] });
}

/**
 * One process at a time: tests in several processes may find at once that something must be made. The lock lies in the
 * checkout: a name in the common folder for temporary files could be taken by anybody beforehand.
 */
function alone(name, work) {
  const lock = join(root, "node_modules", `.vramscope-${name}.lock`);
  const wait = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      // whoever held it longer than this is gone
      if (Date.now() - time(lock) > 5 * 60_000) rmSync(lock, { recursive: true, force: true });
      Atomics.wait(wait, 0, 0, 200);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function pageIsBuilt() {
  const sources = Math.max(
    newest(join(root, "src")),
    newest(join(root, "web")),
    newest(join(root, "examples")),
    time(join(root, "dist", "python-files", "interpreter.snapshot")),
  );
  return time(join(root, "dist", "web", "index.html")) > sources;
}

/** The page in dist/web; in a process of its own, because whoever calls may have set up modules in its own way. */
export function ensurePage() {
  if (pageIsBuilt()) return;
  alone("page", () => {
    if (pageIsBuilt()) return;
    console.error("Building the page …");
    execFileSync(process.execPath, [join(root, "scripts", "build-web.mjs")], { cwd: root, stdio: ["ignore", 2, 2] });
  });
}

const browserAt = (id) => findBrowser(id) ?? alone(id, () => findBrowser(id) ?? installBrowser(id));

/** The path of a Chromium, which is installed where it is missing and can be. */
export const ensureChromium = () => browserAt("chromium");

/** The same for Firefox, which some systems do not offer: null there, after a word why. */
export function ensureFirefox() {
  try {
    return browserAt("firefox");
  } catch (error) {
    console.error(`${error.message} Skipped without it.`);
    return null;
  }
}
