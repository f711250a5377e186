// Runs the programs of test/package-programs on real packages under the simulator and compares the bytes after each phase with what the
// real PyTorch gave (test/package-programs/expected.json).
// usage: package-programs.mjs --packages FOLDER [--packages FOLDER] [--only FILE|FILE/PROGRAM]... [--failed] [--write] [--traceback]
//        package-programs.mjs --record FILE    takes over lines that test/package-programs/program.py printed on a real PyTorch
// --failed runs only the programs that were not equal the last time. The last line is `N equal, N not`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packageProgramsPage } from "./package-programs-page.mjs";
import { difference, linesOf, rowsText, simulatedLines } from "./recorded-phases.mjs";

const { values } = parseArgs({
  options: {
    dist: { type: "string" },
    packages: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    failed: { type: "boolean" },
    write: { type: "boolean" },
    traceback: { type: "boolean" },
    record: { type: "string", multiple: true },
    results: { type: "string" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "test", "package-programs");
const expectedFile = join(folder, "expected.json");
const readOr = (path, other) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : other);
const recorded = readOr(expectedFile, {});
/** What came out the last time, by program: null where it was equal. */
const resultsFile = values.results ?? join(tmpdir(), "vramscope-package-programs.json");
const results = readOr(resultsFile, {});
const MOST_TOGETHER = 12;
const MOST_SECONDS = 1800;

for (const file of values.record ?? []) {
  for (const { program, ...rest } of linesOf(readFileSync(file, "utf8"))) recorded[program] = rest;
  writeFileSync(expectedFile, rowsText(recorded));
}

/** What the real PyTorch brought to its end. */
const ended = (name) => recorded[name].error === undefined;
const fileOf = (name) => name.slice(0, name.indexOf("/"));

function runPrograms(names) {
  const { dist, traceback, packages } = values;
  const argv = [JSON.stringify(names)];
  const script = join(folder, "program.py");
  return simulatedLines({ root, dist, script, argv, packages, key: "program", names, most: MOST_SECONDS, traceback });
}

if (values.packages) {
  const { only } = values;
  const wanted = Object.keys(recorded).filter(
    (name) =>
      ended(name) &&
      (!only || only.includes(name) || only.includes(fileOf(name))) &&
      !(values.failed && results[name] === null),
  );
  const again = [];
  const keep = (name, problem) => {
    results[name] = problem;
    writeFileSync(resultsFile, JSON.stringify(results));
    console.log(problem === null ? `equal ${name}` : `FAIL ${name}\n  ${problem}`);
  };
  for (const file of new Set(wanted.map(fileOf))) {
    let waiting = wanted.filter((name) => fileOf(name) === file);
    while (waiting.length > 0) {
      const found = await runPrograms(waiting.slice(0, MOST_TOGETHER));
      for (const [name, actual] of found) {
        const problem = difference(recorded[name], actual);
        // what a program leaves behind stays in the next one's figures: alone it runs as a person's does
        if (problem !== null && found.size > 1) again.push(name);
        else keep(name, problem);
      }
      waiting = waiting.filter((name) => !found.has(name));
    }
  }
  for (const name of again) keep(name, difference(recorded[name], (await runPrograms([name])).get(name) ?? {}));
  const equal = wanted.filter((name) => results[name] === null).length;
  console.log(`${equal} equal, ${wanted.length - equal} not`);
  process.exitCode = equal === wanted.length ? 0 : 1;
}
if (values.write) writeFileSync(join(root, "docs", "package-programs.md"), packageProgramsPage(recorded, results));
