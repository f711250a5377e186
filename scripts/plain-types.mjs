// Declarations for every compiler since 5.6: typed arrays have had a parameter since 5.7 only, and whoever reads one needs none.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PARAMETER = /\b((?:Ui|I)nt(?:8|16|32)|Uint8Clamped|Float(?:32|64)|Big(?:Ui|I)nt64)Array<ArrayBuffer(?:Like)?>/g;

/** Rewrites the declaration files below `dist`. */
export function plainTypes(dist) {
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(dist, name);
    const text = readFileSync(path, "utf8");
    const plain = text.replaceAll(PARAMETER, "$1Array");
    if (plain !== text) writeFileSync(path, plain);
  }
}
