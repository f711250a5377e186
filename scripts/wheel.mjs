/**
 * The wheel for Python people: `npm run wheel [-- --out FOLDER] [--publish]` writes `vramscope-VERSION-py3-none-any.whl`.
 *
 * No compiler and no Python take part. --publish hands it to twine, which must be installed and knows the account.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled, ensurePage, root } from "./ensure.mjs";
import { wheelContents } from "./wheel/contents.mjs";
import { zipOf } from "./wheel/zip.mjs";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(root, ".dist-wheel") },
    publish: { type: "boolean", default: false },
  },
});
ensureInstalled();
ensureBuilt();
ensurePage();
const { name, entries } = wheelContents(root);
const archive = zipOf(entries);
mkdirSync(values.out, { recursive: true });
const path = resolve(values.out, name);
writeFileSync(path, archive);
console.log(`${path}: ${(archive.length / 2 ** 20).toFixed(1)} MiB, ${entries.length} files`);
if (values.publish) {
  for (const words of [
    ["check", "--strict", path],
    ["upload", path],
  ]) {
    execFileSync("twine", words, { stdio: "inherit" });
  }
}
