// Trains every model type of transformers in a small configuration, with the real package, under the simulator, and compares the
// bytes after each phase with what the real PyTorch gave (test/model-types/expected.json).
// usage: model-types.mjs --packages FOLDER [--only TYPE,TYPE] [--failed] [--write] [--traceback]    FOLDER: installed packages
//        model-types.mjs --record FILE    takes over lines that test/model-types/program.py printed on a real PyTorch
// --failed runs only the types that were not equal the last time. The last line is `N equal, N not`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { difference, linesOf, rowsText, simulatedLines } from "./recorded-phases.mjs";
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

if (values.record) {
  for (const { type, tried: _, ...rest } of linesOf(readFileSync(values.record, "utf8"))) recorded[type] = rest;
  writeFileSync(expectedFile, rowsText(recorded));
}

/** A type trains on the real PyTorch when two steps came to their end. */
const trains = (row) => Array.isArray(row["zero_grad 2"]);
/** What an error stops alone is stopped beside others, too. */
const ERROR = /Error|timeout|not simulated/;
const MOST_TOGETHER = 16;
const MOST_SECONDS = 1800;

function runTypes(types) {
  const named = Object.fromEntries(types.map((type) => [type, recorded[type].recipe]));
  const script = join(folder, "program.py");
  const packages = [values.packages];
  const { dist, traceback } = values;
  const argv = [JSON.stringify(named)];
  return simulatedLines({
    root,
    dist,
    script,
    argv,
    packages,
    key: "type",
    names: types,
    most: MOST_SECONDS,
    traceback,
  });
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
