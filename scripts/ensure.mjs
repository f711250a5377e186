// Installs the dependencies when they are missing or older than the lock file, and builds when dist/ is older than a source.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

export function ensureInstalled() {
  const marker = join(root, "node_modules", ".package-lock.json");
  if (time(marker) >= time(join(root, "package-lock.json"))) return;
  console.error("Installing dependencies …");
  // npm names itself to the scripts that it runs; without it the command is looked up
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith(".js") || npm?.endsWith(".cjs") ? [process.execPath, [npm]] : ["npm", []];
  execFileSync(command, [...args, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
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
