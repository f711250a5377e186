// Runs a folder of scripts under the simulator and compares what they print with what the real PyTorch printed.
// usage: conformance.mjs [--dist FOLDER] [--only TEXT,...] [--events] [--operators FILE] DIR
// DIR holds programs with their expected files, or a folder of them for each subject; --only takes those whose names begin so (attention, amp-0).
// --operators writes which operators each program that passed has run, as JSON: what the evidence of a row is held against.
// Prints each failure with its first differing line; the last line is `N passed, N failed`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { casesOf } from "./corpus-cases.mjs";
import { runCorpus } from "./corpus-runs.mjs";
import { unexplained } from "./recorder-differences.mjs";
import { recorderMachine } from "./recorder-machine.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string" },
    only: { type: "string" },
    events: { type: "boolean" },
    operators: { type: "string" },
    differences: { type: "boolean" },
    jobs: { type: "string" },
    print: { type: "boolean" },
  },
});
const folder = positionals[0];
if (!folder || !existsSync(folder)) {
  console.error("conformance: name a folder with scripts and expected files, for example test/conformance");
  process.exit(2);
}
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = resolve(root, values.dist ?? "dist");
/**
 * What the recorder's options mean on a simulated machine. Its convolutions run as shapes without a device: under 2.14
 * their results, under 2.6 their gradients are always in plain order, where a GPU keeps channels_last.
 */
function machineOf(options, torch) {
  const { machine, ...rest } = recorderMachine(options);
  if (rest.kernelTemporaries === "on") return { machine, ...rest };
  const rules = { convolutionChannelsLast: torch === "2.6" ? "results" : "gradients" };
  return { machine: { ...machine, rules }, ...rest };
}

const cases = casesOf(folder);
if (cases.length === 0) {
  console.error(`conformance: ${folder} has neither a manifest.json nor files named NAME.torch-VERSION.expected`);
  process.exit(2);
}
const jobs = [];
const wanted = values.only?.split(",");
for (const { id, script, runs } of cases)
  for (const run of runs)
    if (!wanted || wanted.some((part) => run.name.startsWith(part)))
      jobs.push({
        id,
        name: run.name,
        run,
        script,
        argv: [],
        torch: run.torch,
        gpu: "a100-80gb",
        ...machineOf(run.options, run.torch),
      });

function firstDifference(expected, actual) {
  const want = expected.split("\n");
  const have = actual.split("\n");
  for (let i = 0; i < Math.max(want.length, have.length); i++)
    if (want[i] !== have[i])
      return { line: i + 1, want: want[i] ?? "(nothing more)", have: have[i] ?? "(nothing more)" };
  return null;
}

/** Allocations of a file: short, as the corpus keeps them (bytes and the number of an operator), or as a recorder wrote them. */
function recordedIn(file) {
  const { operators, allocations, events } = JSON.parse(readFileSync(file, "utf8"));
  return allocations
    ? allocations.map(([bytes, operator]) => `${bytes} bytes, ${operators[operator]}`)
    : events.filter(({ ev }) => ev !== "free").map(({ bytes, op }) => `${bytes} bytes, ${op}`);
}

/** Sizes and operators of allocations in order, as the recorder and as the simulator saw them. */
function eventDifference(id, file, allocations) {
  const want = recordedIn(file);
  const have = allocations.map(({ bytes, operator }) => `${bytes} bytes, ${operator}`);
  const first = Array.from({ length: Math.max(want.length, have.length) }, (_, i) => i).filter(
    (i) => want[i] !== have[i],
  );
  if (values.differences) for (const i of first) console.log(`DIFFERS ${want[i]} | ${have[i]}`);
  const { at, here, wrong } = unexplained(id, want, have, known.recorder);
  if (wrong) return { line: 0, want: "what open-events.json says of the recorder", have: wrong };
  return at < 0 ? null : { line: at + 1, want: want[at], have: have[here] };
}

/** What is known to differ: by the recorder's own doing, with reasons, and cases that are open, each with the first difference. */
function knownDifferences() {
  const file = [folder, join(folder, "..")].map((at) => join(at, "open-events.json")).find(existsSync);
  return file ? JSON.parse(readFileSync(file, "utf8")) : { recorder: [], open: {} };
}
const known = knownDifferences();

function check({ id, run }, result) {
  if (values.print) process.stdout.write(result.stdout);
  if (result.status !== "ok" && result.status !== "system_exit") {
    const lines = (result.errorText ?? "").trim().split("\n");
    return {
      what: result.status,
      want: "a run to the end",
      have: lines.slice(-1)[0],
      line: lines.slice(-4, -1).join(" / "),
    };
  }
  const expected = readFileSync(run.expected, "utf8");
  const difference = firstDifference(expected, result.stdout);
  if (difference) return { what: "output", ...difference };
  if (result.operators) operators[id] = [...new Set([...(operators[id] ?? []), ...result.operators])].sort();
  if (values.events && run.events) {
    const name = id.includes("/") ? id : `${basename(folder)}/${id}`;
    const found = eventDifference(name, run.events, result.allocations);
    const isOpen = name in known.open;
    if (found && !isOpen) return { what: "events", ...found };
    if (!found && isOpen)
      return { what: "events", line: 0, want: "a difference, as open-events.json says", have: "none: take it out" };
  }
  return null;
}

let passed = 0;
let failed = 0;
const operators = {};
await runCorpus({
  dist,
  jobs,
  threads: Number(values.jobs ?? Math.min(2, availableParallelism())),
  check,
  done: ({ name }, problem) => {
    if (problem === null) passed++;
    else {
      failed++;
      console.log(
        `FAIL ${name} (${problem.what}, ${problem.line})\n  expected ${problem.want}\n  got      ${problem.have}`,
      );
    }
  },
});
if (values.operators) writeFileSync(values.operators, `${JSON.stringify(operators)}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
