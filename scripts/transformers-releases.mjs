// Runs Llama, Qwen and BERT programs (test/package-programs/programs_releases.py) under the simulator with several releases of transformers,
// each with the peft and accelerate of its time, and compares the bytes after each phase with what the real PyTorch gave with the same release.
// usage: transformers-releases.mjs --folder FOLDER [--fetch] [--only RELEASE]... [--program NAME]... [--write] [--results FILE] [--traceback]
//        transformers-releases.mjs --folder FOLDER --recorder PLACE    copies the releases for a real PyTorch: what has compiled parts is left
//          out, except for its metadata, so that the recorder's own answers and the release's demands of versions hold
//        transformers-releases.mjs --record RELEASE=FILE    takes over lines that test/package-programs/program.py printed there
// --fetch adds what is missing in FOLDER from the package index with `vramscope packages add`. The last line is `N equal, N not`.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { difference, linesOf, rowsText, simulatedLines } from "./recorded-phases.mjs";
import { RELEASES, transformersReleasesPage } from "./transformers-releases-page.mjs";

const { values } = parseArgs({
  options: {
    dist: { type: "string" },
    folder: { type: "string" },
    fetch: { type: "boolean" },
    recorder: { type: "string" },
    record: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    program: { type: "string", multiple: true },
    write: { type: "boolean" },
    results: { type: "string" },
    traceback: { type: "boolean" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const tests = join(root, "test", "package-programs");
const expectedFile = join(tests, "releases.json");
const readOr = (path, other) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : other);
/** By release and program, as `4.38.2/Llama, training`. */
const recorded = readOr(expectedFile, {});
const resultsFile = values.results ?? join(tmpdir(), "vramscope-transformers-releases.json");
const results = readOr(resultsFile, {});
const FILE = "releases/";
const MOST_SECONDS = 1800;

for (const given of values.record ?? []) {
  const [release, file] = given.split("=");
  for (const { program, ...rest } of linesOf(readFileSync(file, "utf8")))
    recorded[`${release}/${program.slice(FILE.length)}`] = rest;
  writeFileSync(expectedFile, rowsText(recorded));
}

const chosen = RELEASES.filter(({ transformers }) => !values.only || values.only.includes(transformers));
/** Where `vramscope packages add` puts a release: a cache of its own for each; or an environment that somebody made. */
function environmentOf(release) {
  const folder = join(resolve(values.folder), release);
  const added = join(folder, "vramscope", "packages", "site-packages");
  return existsSync(added) || !existsSync(join(folder, "transformers")) ? added : folder;
}

if (values.fetch)
  for (const { transformers, peft, accelerate } of chosen) {
    if (existsSync(environmentOf(transformers))) continue;
    const named = [`transformers==${transformers}`, `peft==${peft}`, `accelerate==${accelerate}`];
    const env = { ...process.env, XDG_CACHE_HOME: join(resolve(values.folder), transformers) };
    const argv = [join(root, values.dist ?? "dist", "cli", "main.js"), "packages", "add", ...named];
    execFileSync(process.execPath, argv, { env, stdio: "inherit" });
  }

const IS_COMPILED = /\.(so|pyd|dylib)$/;
function copyForRecorder(release, place) {
  const from = environmentOf(release);
  const left = new Set();
  for (const name of readdirSync(from).filter((entry) => entry.endsWith(".dist-info"))) {
    const record = join(from, name, "RECORD");
    const files = existsSync(record) ? readFileSync(record, "utf8").split("\n") : [];
    const paths = files.map((line) => line.split(",")[0]);
    if (!paths.some((path) => IS_COMPILED.test(path))) continue;
    for (const path of paths) if (!path.startsWith(name)) left.add(path.split("/")[0]);
  }
  mkdirSync(place, { recursive: true });
  for (const name of readdirSync(from))
    if (!left.has(name)) cpSync(join(from, name), join(place, name), { recursive: true });
}

if (values.recorder)
  for (const { transformers } of chosen) copyForRecorder(transformers, join(resolve(values.recorder), transformers));

async function compare(release) {
  const { dist, traceback } = values;
  const names = Object.keys(recorded)
    .filter((key) => key.startsWith(`${release}/`) && recorded[key].error === undefined)
    .map((key) => FILE + key.slice(release.length + 1))
    .filter((name) => !values.program || values.program.includes(name.slice(FILE.length)));
  const script = join(tests, "program.py");
  const packages = [environmentOf(release)];
  const run = (some) =>
    simulatedLines({
      root,
      dist,
      script,
      argv: [JSON.stringify(some)],
      packages,
      key: "program",
      names: some,
      most: MOST_SECONDS,
      traceback,
    });
  const keyOf = (name) => `${release}/${name.slice(FILE.length)}`;
  let right = 0;
  const found = await run(names);
  for (const name of names) {
    const key = keyOf(name);
    let problem = difference(recorded[key], found.get(name) ?? {});
    // what a program leaves behind stays in the next one's figures: alone it runs as a person's does
    if (problem !== null && names.length > 1) problem = difference(recorded[key], (await run([name])).get(name) ?? {});
    results[key] = problem;
    writeFileSync(resultsFile, JSON.stringify(results));
    console.log(problem === null ? `equal ${key}` : `FAIL ${key}\n  ${problem}`);
    right += problem === null ? 1 : 0;
  }
  return { right, wrong: names.length - right };
}

if (values.folder && !values.recorder) {
  const missing = chosen.filter(({ transformers }) => !existsSync(environmentOf(transformers)));
  for (const { transformers } of missing)
    console.error(`no transformers ${transformers} in ${values.folder}: --fetch adds it`);
  let [right, wrong] = [0, 0];
  for (const { transformers } of chosen) {
    if (!existsSync(environmentOf(transformers))) continue;
    const one = await compare(transformers);
    right += one.right;
    wrong += one.wrong;
  }
  console.log(`${right} equal, ${wrong} not`);
  process.exitCode = wrong === 0 && missing.length === 0 ? 0 : 1;
}
if (values.write)
  writeFileSync(join(root, "docs", "transformers-releases.md"), transformersReleasesPage(recorded, results));
