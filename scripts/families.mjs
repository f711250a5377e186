// Runs the cases of model families, training, inference and generation, under the simulator and compares every line with what
// transformers and PyTorch themselves gave.
// usage: families.mjs [--dist FOLDER] [--only TEXT,TEXT] [--every N] [--print] DIR
// The folder may bring programs of its own (train.py, infer.py, generate.py); without them those of test/families run.
// Also counts the parameters of published models, module by module. --every takes each Nth case of a kind, from the first on. --kind train, infer, generate or params does one of the four.
// The last line is `N passed, N failed`.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { runCorpus } from "./corpus-runs.mjs";
import { recorderMachine } from "./recorder-machine.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string" },
    only: { type: "string" },
    every: { type: "string", default: "1" },
    print: { type: "boolean" },
    jobs: { type: "string" },
    kind: { type: "string" },
  },
});
const folder = positionals[0];
if (!folder || !existsSync(folder)) {
  console.error("families: name a folder with train-cases.json, infer-cases.json and what they must print");
  process.exit(2);
}
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = resolve(root, values.dist ?? "dist");
const { runProgram } = await import(pathToFileURL(join(dist, "python", "run.js")));
const wanted = values.only?.split(",");
const everyNth = (_, index) => index % Number(values.every) === 0;
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));

/** No card holds the largest of these models. */
const ENDLESS_BYTES = 2 ** 42;

const queue = [];
for (const kind of ["train", "infer", "generate"]) {
  if ((values.kind && values.kind !== kind) || !existsSync(join(folder, `${kind}-cases.json`))) continue;
  const expected = read(`${kind}-expected.json`);
  for (const test of read(`${kind}-cases.json`).filter(everyNth)) {
    const names = [test.id, test.model_type, kind];
    if (!wanted || wanted.some((w) => names.includes(w) || test.id.startsWith(`${w}-`)))
      queue.push({ kind, test, expected: expected[test.id] });
  }
}
let passed = 0;
const failures = [];

/** What is wrong with a run, as text, or null. */
function check({ kind, test, expected }, result) {
  const lines = result.stdout.trimEnd().split("\n");
  if (values.print) console.log(`${kind} ${test.id}\n${result.stdout}${result.errorText ?? ""}`);
  if (expected.length === lines.length && expected.every((line, i) => line === lines[i])) return null;
  const at = expected.findIndex((line, i) => line !== lines[i]);
  const error = (result.errorText ?? "").trimEnd().split("\n").slice(-3).join(" | ").slice(0, 500);
  return `  expected ${expected[at] ?? "(nothing more)"}\n  got      ${lines[at] ?? "(nothing more)"}${error ? `\n  ${error}` : ""}`;
}

function done({ kind, test }, problem) {
  if (problem === null) passed++;
  else {
    failures.push(test.id);
    console.log(`FAIL ${kind} ${test.id}\n${problem}`);
  }
}

/** Fields of a count in a fixed order, so that two can be compared as text. */
const plain = (x) =>
  Array.isArray(x)
    ? x
        .map(plain)
        .map((y) => JSON.stringify(y))
        .sort()
    : x && typeof x === "object"
      ? Object.fromEntries(
          Object.keys(x)
            .sort()
            .map((k) => [k, plain(x[k])]),
        )
      : x;

async function counts() {
  const entries = read("params.json")
    .filter(everyNth)
    .filter((e) => !wanted || wanted.some((w) => e.model_type === w || e.name === w));
  for (let at = 0; at < entries.length; at += 20) {
    const part = entries.slice(at, at + 20);
    const result = await runProgram({
      script: join(root, "test", "families", "count.py"),
      argv: [JSON.stringify(part.map(({ name, class: kind, config }) => ({ name, class: kind, config })))],
    });
    const found = new Map(
      result.stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map((c) => [c.name, c]),
    );
    for (const entry of part) {
      const { error, ...count } = found.get(entry.name) ?? { error: result.errorText ?? "nothing printed" };
      delete count.name;
      const wrong = error
        ? []
        : Object.keys(count).filter((key) => JSON.stringify(plain(count[key])) !== JSON.stringify(plain(entry[key])));
      if (!error && wrong.length === 0) passed++;
      else {
        failures.push(entry.name);
        const first = wrong[0];
        console.log(
          `FAIL params ${entry.name}\n  ${error ?? `${first}: expected ${JSON.stringify(entry[first])} got ${JSON.stringify(count[first])}`.slice(0, 700)}`,
        );
      }
    }
  }
}

if ((!values.kind || values.kind === "params") && existsSync(join(folder, "params.json"))) await counts();
const jobs = queue.map(({ kind, test, expected }) => {
  const { machine, attention } = recorderMachine(test.options ?? []);
  // sizes of images were given to the recorder, which cannot read them from the device
  if (Object.values(test.inputs).some(([what]) => what === "values")) machine.unreadableDevice = false;
  const own = join(folder, `${kind}.py`);
  const script = existsSync(own) ? own : join(root, "test", "families", `${kind}.py`);
  const argv = [JSON.stringify(test)];
  const where = { torch: "2.14", gpu: "a100-80gb", attention, machine: { ...machine, totalBytes: ENDLESS_BYTES } };
  return { kind, test, expected, script, argv, ...where };
});
await runCorpus({ dist, jobs, threads: Number(values.jobs ?? 2), check, done });
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length ? 1 : 0;
