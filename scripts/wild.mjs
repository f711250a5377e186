/**
 * Public programs that nobody here wrote, each run as a newcomer would: one command, nothing edited, a process of its own.
 *
 *   npm run wild -- ../shared/wild [--only TEXT] [--at DIR] [--packages DIR] [--seconds N] [--results FILE [--kept]] [--write]
 *
 * Archives are unpacked into DIR of --at (default a temporary folder). --packages is an environment of installed packages; by default
 * the archives of `packages` beside the given folder are unpacked into one. --results keeps outcomes in FILE, one line each, and runs
 * only what is not in it yet; with --kept nothing more. --earlier FILE has outcomes of an earlier build, for what --results lacks; the page says which.
 * --write puts the table into docs/wild.md.
 */

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { outcomeOf } from "./wild/outcome.mjs";
import { sharesOf, tableOf } from "./wild/table.mjs";
import { upstreamOf } from "./wild/upstream.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    at: { type: "string" },
    packages: { type: "string" },
    seconds: { type: "string", default: "60" },
    results: { type: "string" },
    kept: { type: "boolean", default: false },
    earlier: { type: "string", multiple: true, default: [] },
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
  if (!existsSync(unpacked) && existsSync(archive)) unpack(archive, unpacked);
  return existsSync(unpacked) ? unpacked : null;
}

/** Whether a package has all its modules: one that has links to nowhere cannot be imported anywhere, and would not be installed. */
function isWhole(folder) {
  if (!lstatSync(folder).isDirectory()) return true;
  return readdirSync(folder).every((name) => existsSync(join(folder, name)));
}

function environment() {
  if (values.packages !== undefined) return resolve(values.packages);
  const archives = join(folder, "../packages");
  const into = join(temporary, "environment");
  mkdirSync(into);
  if (existsSync(archives)) {
    for (const name of readdirSync(archives)) if (name.endsWith(".tar.xz")) unpack(join(archives, name), into);
  }
  for (const name of readdirSync(into)) if (!isWhole(join(into, name))) rmSync(join(into, name), { recursive: true });
  return into;
}

const packages = environment();
const programs = JSON.parse(readFileSync(join(folder, "programs.json"), "utf8")).map((entry) => ({
  kind: "program",
  name: `${entry.repo} ${entry.path}`,
  directory: repository(entry.repo),
  script: entry.path,
  args: entry.args ?? [],
  ranks: entry.category === "8-dist",
}));
/** Groups of models whose package is a repository, not installed: they say `sys.path.insert(0, ".")`. */
const MODEL_PLACES = { minimind: "jingyaogong+minimind" };
const modelFolder = join(folder, "models");
const models = readdirSync(modelFolder).flatMap((group) =>
  readdirSync(join(modelFolder, group)).map((file) => ({
    kind: "model",
    name: `${group} ${file.replace(/\.py$/, "")}`,
    // programs of a group named after a repository that is here start in it
    directory: existsSync(join(place, MODEL_PLACES[group] ?? "-")) ? join(place, MODEL_PLACES[group]) : modelFolder,
    script: resolve(modelFolder, group, file),
    args: [],
    env: MODEL_PLACES[group] === undefined ? {} : { PYTHONPATH: "." },
  })),
);

const kept = new Map();
function keep(file, more) {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  for (const { key, ...outcome } of lines.map((line) => JSON.parse(line))) kept.set(key, { ...outcome, ...more });
}
for (const file of values.earlier) keep(file, { isEarlier: true });
if (values.results !== undefined && existsSync(values.results)) keep(values.results, {});

const rows = [];
const notRun = [];
for (const entry of [...programs, ...models]) {
  if (values.only !== undefined && !`${entry.kind} ${entry.name}`.includes(values.only)) continue;
  if (entry.directory === null) continue;
  const key = `${entry.kind} ${entry.name}`;
  if (values.kept && !kept.has(key)) {
    notRun.push(entry.name);
    continue;
  }
  const outcome = kept.get(key) ?? outcomeOf(main, entry, packages, Number(values.seconds));
  if (values.results !== undefined && !kept.has(key)) {
    appendFileSync(values.results, `${JSON.stringify({ key, ...outcome })}\n`);
  }
  rows.push({ ...entry, ...outcome, upstream: upstreamOf(entry) });
  const mark = outcome.works ? "works" : "FAILS";
  console.log(
    `${mark}  ${outcome.seconds.toFixed(1).padStart(5)} s  ${entry.kind} ${entry.name}${outcome.works ? "" : `  ${outcome.cause}`}`,
  );
}
for (const kind of ["program", "model"]) {
  const own = rows.filter((row) => row.kind === kind);
  console.log(`${kind}s: ${sharesOf(own)}`);
}
if (values.write) writeFileSync(join(import.meta.dirname, "../docs/wild.md"), tableOf(rows, notRun));
