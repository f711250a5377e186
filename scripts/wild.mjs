/**
 * Public programs that nobody here wrote, each run as a newcomer would: one command, nothing edited, a process of its own.
 *
 *   npm run wild -- ../shared/wild [--only TEXT] [--at DIR] [--packages DIR] [--seconds N] [--write]
 *
 * Archives are unpacked into DIR of --at (default a temporary folder). --packages is an environment of installed packages; by default
 * the archives of `packages` beside the given folder are unpacked into one. --write puts the table into docs/wild.md.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { outcomeOf } from "./wild/outcome.mjs";
import { tableOf } from "./wild/table.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    at: { type: "string" },
    packages: { type: "string" },
    seconds: { type: "string", default: "60" },
    write: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("npm run wild -- FOLDER: the folder with programs.json and models");

const temporary = mkdtempSync(join(tmpdir(), "vramscope-wild-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
const place = resolve(values.at ?? temporary);
const main = resolve(import.meta.dirname, "../dist/cli/main.js");

function unpack(archive, into) {
  mkdirSync(into, { recursive: true });
  execFileSync("tar", ["-xJf", archive, "-C", into]);
}

/** The folder of a repository, or null where its archive is not here. */
function repository(name) {
  const flat = name.replace("/", "+");
  const unpacked = join(place, flat);
  const archive = join(folder, `${flat}.tar.xz`);
  if (!existsSync(unpacked) && existsSync(archive)) unpack(archive, place);
  return existsSync(unpacked) ? unpacked : null;
}

function environment() {
  if (values.packages !== undefined) return resolve(values.packages);
  const archives = join(folder, "../packages");
  const into = join(temporary, "environment");
  mkdirSync(into);
  if (existsSync(archives)) {
    for (const name of readdirSync(archives)) if (name.endsWith(".tar.xz")) unpack(join(archives, name), into);
  }
  return into;
}

const packages = environment();
const programs = JSON.parse(readFileSync(join(folder, "programs.json"), "utf8")).map((entry) => ({
  kind: "program",
  name: `${entry.repo} ${entry.path}`,
  directory: repository(entry.repo),
  script: entry.path,
  args: entry.args ?? [],
}));
const modelFolder = join(folder, "models");
const models = readdirSync(modelFolder).flatMap((group) =>
  readdirSync(join(modelFolder, group)).map((file) => ({
    kind: "model",
    name: `${group} ${file.replace(/\.py$/, "")}`,
    directory: modelFolder,
    script: join(modelFolder, group, file),
    args: [],
  })),
);

const rows = [];
for (const entry of [...programs, ...models]) {
  if (values.only !== undefined && !`${entry.kind} ${entry.name}`.includes(values.only)) continue;
  const outcome = entry.directory === null ? null : outcomeOf(main, entry, packages, Number(values.seconds));
  if (outcome === null) continue;
  rows.push({ ...entry, ...outcome });
  const mark = outcome.works ? "works" : "FAILS";
  console.log(
    `${mark}  ${outcome.seconds.toFixed(1).padStart(5)} s  ${entry.kind} ${entry.name}${outcome.works ? "" : `  ${outcome.cause}`}`,
  );
}
for (const kind of ["program", "model"]) {
  const own = rows.filter((row) => row.kind === kind);
  console.log(`${kind}s: ${own.filter((row) => row.works).length} of ${own.length} work`);
}
if (values.write) writeFileSync(join(import.meta.dirname, "../docs/wild.md"), tableOf(rows));
