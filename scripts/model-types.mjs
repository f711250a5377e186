// Trains every model type of transformers in a small configuration, with the real package, under the simulator, and compares the
// bytes after each phase with what the real PyTorch gave (test/model-types/expected.json).
// usage: model-types.mjs --packages FOLDER [--only TYPE,TYPE] [--failed] [--write] [--traceback]    FOLDER: installed packages
//        model-types.mjs --record FILE    takes over lines that test/model-types/program.py printed on a real PyTorch
// --failed runs only the types that were not equal the last time. The last line is `N equal, N not`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { recorderMachine } from "./recorder-machine.mjs";
import { modelTypesPage } from "./model-types-page.mjs";

const { values } = parseArgs({
  options: {
    dist: { type: "string" },
    packages: { type: "string" },
    only: { type: "string" },
    failed: { type: "boolean" },
    write: { type: "boolean" },
    traceback: { type: "boolean" },
    record: { type: "string" },
    results: { type: "string" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "test", "model-types");
const expectedFile = join(folder, "expected.json");
const recorded = existsSync(expectedFile) ? JSON.parse(readFileSync(expectedFile, "utf8")) : {};
/** What came out the last time, by type: null where it was equal. */
const resultsFile = values.results ?? join(tmpdir(), "vramscope-model-types.json");
const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : {};

const linesOf = (text) =>
  text
    .split("\n")
    .filter((line) => line.startsWith('{"') && line.endsWith("}"))
    .map((line) => JSON.parse(line));
const sorted = (object) =>
  Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, object[key]]),
  );

if (values.record) {
  for (const { type, tried: _, ...rest } of linesOf(readFileSync(values.record, "utf8"))) recorded[type] = rest;
  const rows = Object.entries(sorted(recorded)).map(([type, row]) => `${JSON.stringify(type)}: ${JSON.stringify(row)}`);
  writeFileSync(expectedFile, `{\n${rows.join(",\n")}\n}\n`);
}

/** A type trains on the real PyTorch when two steps came to their end. */
const trains = (row) => Array.isArray(row["zero_grad 2"]);
const isPhase = (value) => Array.isArray(value) && typeof value[0] === "number";

/** The first phase in which a type differs, as text; null where all are equal. */
function difference(expected, actual) {
  for (const [phase, value] of Object.entries(expected)) {
    if (phase === "recipe" || phase === "left") continue;
    if (phase === "error" || typeof value === "string") {
      // an error on both sides is one program's; its text may name other devices
      if (actual[phase] === undefined) return `${phase}: the real PyTorch says ${value}`;
      continue;
    }
    const have = actual[phase];
    if (have === undefined) return `${phase}: ${actual.error ?? "nothing"}`;
    if (!isPhase(have)) {
      if (JSON.stringify(have) !== JSON.stringify(value)) return `${phase}: ${have}, expected ${value}`;
      continue;
    }
    for (const [index, name] of ["allocated", "peak", "reserved"].entries())
      if (have[index] !== value[index]) {
        const apart = have[index] - value[index];
        return `${phase}: ${name} ${apart > 0 ? "+" : ""}${apart} of ${value[index]} bytes`;
      }
  }
  return actual.error !== undefined && expected.error === undefined ? `${actual.error}` : null;
}

/** What an error stops alone is stopped beside others, too. */
const ERROR = /Error|timeout|not simulated/;
const MOST_TOGETHER = 16;
const MOST_SECONDS = 1800;

async function runTypes(types) {
  const { runProgram } = await import(pathToFileURL(join(resolve(root, values.dist ?? "dist"), "python", "run.js")));
  const { machine } = recorderMachine([]);
  const named = Object.fromEntries(types.map((type) => [type, recorded[type].recipe]));
  const { status, errorText, stdout, stderr } = await runProgram(
    {
      script: join(folder, "program.py"),
      argv: [JSON.stringify(named), ...(values.traceback ? ["traceback"] : [])],
      sitePackages: [resolve(values.packages)],
      packages: "real",
      torch: "2.14",
      gpu: "a100-80gb",
      kernelTemporaries: "off",
      passes: "all",
      timeoutSeconds: MOST_SECONDS,
    },
    // the recorder's convolutions run as shapes: what they return is always in plain order, where a GPU keeps channels_last
    { machine: { ...machine, totalBytes: 2 ** 42, rules: { convolutionChannelsLast: "gradients" } } },
  );
  if (values.traceback) console.log(stderr);
  const found = new Map(linesOf(stdout).map(({ type, ...rest }) => [type, rest]));
  if (status !== "ok" && found.size < types.length) {
    const last = (errorText ?? "").trim().split("\n").at(-1);
    found.set(
      types.find((type) => !found.has(type)),
      { error: `${status}: ${last}` },
    );
  }
  return found;
}

if (values.packages) {
  const only = values.only?.split(",");
  const wanted = Object.keys(recorded).filter(
    (type) => trains(recorded[type]) && (!only || only.includes(type)) && !(values.failed && results[type] === null),
  );
  let waiting = [...wanted];
  const again = [];
  const keep = (type, problem) => {
    results[type] = problem;
    writeFileSync(resultsFile, JSON.stringify(results));
    console.log(problem === null ? `equal ${type}` : `FAIL ${type}\n  ${problem}`);
  };
  while (waiting.length > 0) {
    const found = await runTypes(waiting.slice(0, MOST_TOGETHER));
    for (const [type, actual] of found) {
      const problem = difference(recorded[type], actual);
      keep(type, problem);
      if (problem !== null && found.size > 1 && !ERROR.test(problem)) again.push(type);
    }
    waiting = waiting.filter((type) => !found.has(type));
  }
  // a rule that depends on what ran before would show here: by itself a type runs as a person's program does
  for (const type of again) keep(type, difference(recorded[type], (await runTypes([type])).get(type)));
  const equal = wanted.filter((type) => results[type] === null).length;
  console.log(`${equal} equal, ${wanted.length - equal} not`);
  process.exitCode = equal === wanted.length ? 0 : 1;
}
if (values.write) writeFileSync(join(root, "docs", "model-types.md"), modelTypesPage(recorded, results, trains));
