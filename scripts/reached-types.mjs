// Which declarations the package's entries reach: the others are of no use to whoever installs it.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORT = /["'](\.[^"']+)\.(?:ts|js)["']/g;

/** The declaration files below `root` that the entries of package.json name, directly or through others. */
export function reachedTypes(root) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const reached = new Set();
  const reach = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, name] of readFileSync(join(root, file), "utf8").matchAll(IMPORT))
      reach(join(dirname(file), `${name.replace(/\.d$/, "")}.d.ts`));
  };
  for (const entry of Object.values(exports)) if (typeof entry !== "string") reach(join(entry.types));
  return reached;
}

/** Removes the others from `dist/`. */
export function keepReachedTypes(root) {
  const reached = reachedTypes(root);
  for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
    const file = join("dist", name);
    if (name.endsWith(".d.ts") && !reached.has(file)) rmSync(join(root, file));
  }
}
