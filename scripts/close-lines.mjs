// Takes the white space out of built JavaScript that runs as it is: names stay, so that errors say where they come from.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync } from "vite";

export function closeLines(dist) {
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    const path = join(dist, name);
    const options = { module: true, compress: false, mangle: false, codegen: { removeWhitespace: true } };
    const { code, errors } = minifySync(name, readFileSync(path, "utf8"), options);
    if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
    writeFileSync(path, code);
  }
}
