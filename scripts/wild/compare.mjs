/**
 * Public programs that print what is allocated, held against the real PyTorch: the same program, the same lines, byte for byte.
 *
 *   node scripts/wild/compare.mjs FOLDER [--at DIR] [--only TEXT] [--packages DIR] [--results FILE] -- COMMAND ...
 *
 * FOLDER is that of `npm run wild`: each program of its `models` prints memory_allocated and max_memory_allocated after every step.
 * With --at, where repositories lie unpacked as `owner+name`, drivers of ours train those that are there (drivers.mjs).
 * Temporaries of kernels are left out, as what runs without a GPU has none of them.
 * COMMAND is put before a program's path and runs it under the real PyTorch, as recorders do. --packages is what ours imports.
 * --results keeps outcomes in FILE, one line each, and runs only what is not in it yet.
 */

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeDrivers } from "./drivers.mjs";

const SECONDS = 900;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: "string" },
    only: { type: "string" },
    packages: { type: "string" },
    results: { type: "string" },
  },
});
const [folder, ...command] = positionals;
if (folder === undefined || command.length === 0)
  throw new Error("node scripts/wild/compare.mjs FOLDER -- COMMAND ...");
const main = resolve(import.meta.dirname, "../../dist/cli/main.js");

const models = join(resolve(folder), "models");
const programs = readdirSync(models).flatMap((group) =>
  readdirSync(join(models, group)).map((file) => ({ name: `${group} ${file}`, path: join(models, group, file) })),
);
if (values.at !== undefined) {
  const made = mkdtempSync(join(tmpdir(), "vramscope-drivers-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  const { programs: drivers, absent } = writeDrivers(resolve(values.at), made);
  programs.push(...drivers);
  if (absent.length > 0) console.log(`not here: ${absent.join(", ")}`);
}

/** What a program printed, or why it printed nothing. */
function linesOf(run) {
  const lines = run.stdout.split("\n").filter((line) => /\d/.test(line));
  return run.status === 0 ? lines : [...lines, `ends with ${run.status}: ${run.stderr.trim().split("\n").at(-1)}`];
}

function outcomeOf({ path }) {
  const options = { cwd: dirname(path), encoding: "utf8", timeout: SECONDS * 1000, maxBuffer: 2 ** 28 };
  const real = linesOf(spawnSync(command[0], [...command.slice(1), path], options));
  const where = values.packages === undefined ? [] : ["--site-packages", resolve(values.packages)];
  const ours = linesOf(
    spawnSync(
      process.execPath,
      [main, "run", "--report", "none", "--passes", "all", "--kernel-temporaries", "off", ...where, path],
      options,
    ),
  );
  if (real.at(-1)?.startsWith("ends with")) return { kind: "not run", real, ours };
  return { kind: real.join("\n") === ours.join("\n") ? "equal" : "differs", real, ours };
}

const kept = new Map();
if (values.results !== undefined && existsSync(values.results)) {
  const lines = readFileSync(values.results, "utf8").split("\n").filter(Boolean);
  for (const { name, ...outcome } of lines.map((line) => JSON.parse(line))) kept.set(name, outcome);
}
const counts = { equal: 0, differs: 0, "not run": 0 };
for (const program of programs) {
  if (values.only !== undefined && !program.name.includes(values.only)) continue;
  const outcome = kept.get(program.name) ?? outcomeOf(program);
  if (values.results !== undefined && !kept.has(program.name)) {
    appendFileSync(values.results, `${JSON.stringify({ name: program.name, ...outcome })}\n`);
  }
  counts[outcome.kind] += 1;
  console.log(`${outcome.kind.padEnd(7)}  ${program.name}`);
  if (outcome.kind === "equal") continue;
  const rows = Math.max(outcome.real.length, outcome.ours.length);
  for (let row = 0; row < rows; row++) {
    if (outcome.real[row] === outcome.ours[row]) continue;
    console.log(`         real ${outcome.real[row] ?? "-"}\n         ours ${outcome.ours[row] ?? "-"}`);
  }
}
console.log(
  Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", "),
);
if (counts.differs > 0) process.exitCode = 1;
