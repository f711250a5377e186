// Runs the programs of test/package-programs on real packages under the simulator and compares the bytes after each phase with what the
// real PyTorch gave (test/package-programs/expected.json on a stand-in device; released.json on a released build without a card, which
// is the better truth where both are: scripts/record/cardless/packages.py).
// usage: package-programs.mjs --packages FOLDER [--packages FOLDER] [--only FILE|FILE/PROGRAM]... [--failed] [--write] [--traceback]
//        package-programs.mjs --record FILE    takes over lines that test/package-programs/program.py printed on a real PyTorch
//        package-programs.mjs --record-released FILE    the same of a released build
//        package-programs.mjs --packages FOLDER --card    compares with what a real card gave (h100.json, which names it and its packages);
//            with --write the page is docs/h100-package-programs.md
// --failed runs only the programs that were not equal the last time. The last line is `N equal, N not`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cardProgramsPage } from "./package-programs-card-page.mjs";
import { packageProgramsPage } from "./package-programs-page.mjs";
import { difference, fileOf, linesOf, rowsText, simulatedLines } from "./recorded-phases.mjs";

const { values } = parseArgs({
  options: {
    dist: { type: "string" },
    packages: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    failed: { type: "boolean" },
    write: { type: "boolean" },
    traceback: { type: "boolean" },
    record: { type: "string", multiple: true },
    "record-released": { type: "string", multiple: true },
    card: { type: "boolean" },
    results: { type: "string" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "test", "package-programs");
const expectedFile = join(folder, "expected.json");
const releasedFile = join(folder, "released.json");
const readOr = (path, other) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : other);
const recorded = readOr(expectedFile, {});
const released = readOr(releasedFile, {});
/** What a real card gave: which card, which release and packages, and the programs. */
const card = values.card ? JSON.parse(readFileSync(join(folder, "h100.json"), "utf8")) : null;
/** What came out the last time, by program: null where it was equal. */
const resultsFile = values.results ?? join(tmpdir(), `vramscope-package-programs${card ? "-card" : ""}.json`);
const results = readOr(resultsFile, {});
const MOST_TOGETHER = 12;
const MOST_SECONDS = 1800;

function takeOver(files, rows, into, isKept = () => true) {
  for (const file of files ?? []) {
    for (const { program, ...rest } of linesOf(readFileSync(file, "utf8"))) if (isKept(rest)) rows[program] = rest;
    writeFileSync(into, rowsText(rows));
  }
}
takeOver(values.record, recorded, expectedFile);
// a program that a card without values stops says nothing
takeOver(values["record-released"], released, releasedFile, (row) => row.error === undefined);

const truth = card ? card.programs : { ...recorded, ...released };
/** What the real PyTorch brought to its end. */
const ended = (name) => truth[name].error === undefined;
/** Programs that run together: of one file, against one sort of truth. */
const groupOf = (name) => `${fileOf(name)} ${card !== null || name in released} ${truth[name].told === true}`;

function runPrograms(names) {
  const { dist, traceback, packages } = values;
  const argv = [JSON.stringify(names)];
  const script = join(folder, "program.py");
  return simulatedLines({
    root,
    dist,
    script,
    argv,
    packages,
    key: "program",
    names,
    most: MOST_SECONDS,
    traceback,
    released: card !== null || names[0] in released,
    card: card?.machine,
    told: truth[names[0]].told === true,
  });
}

if (values.packages) {
  const { only } = values;
  const wanted = Object.keys(truth).filter(
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
  for (const group of new Set(wanted.map(groupOf))) {
    let waiting = wanted.filter((name) => groupOf(name) === group);
    while (waiting.length > 0) {
      const found = await runPrograms(waiting.slice(0, MOST_TOGETHER));
      for (const [name, actual] of found) {
        const problem = difference(truth[name], actual);
        // what a program leaves behind stays in the next one's figures: alone it runs as a person's does
        if (problem !== null && found.size > 1) again.push(name);
        else keep(name, problem);
      }
      waiting = waiting.filter((name) => !found.has(name));
    }
  }
  for (const name of again) keep(name, difference(truth[name], (await runPrograms([name])).get(name) ?? {}));
  const equal = wanted.filter((name) => results[name] === null).length;
  console.log(`${equal} equal, ${wanted.length - equal} not`);
  process.exitCode = equal === wanted.length ? 0 : 1;
}
if (values.write) {
  const [name, page] = card
    ? ["h100-package-programs.md", cardProgramsPage(card, results)]
    : ["package-programs.md", packageProgramsPage(truth, results, released)];
  writeFileSync(join(root, "docs", name), page);
}
