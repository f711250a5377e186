// Runs PyTorch's samples of its own operators under the simulator and compares what each case leaves, its peaks and its autograd nodes with what the
// release gave (scripts/record/opinfo/record.py).
// usage: opinfo.mjs FOLDER [--torch X.Y,...] [--only OPERATOR,...] [--show KIND,...] [--all] [--dist FOLDER] [--jobs N]
// FOLDER is what record.py wrote. --show names kinds of differences (the headings below); --all shows each case, not the first of each operator.
// Prints what differs and a line for each release; the last line is `N passed, N failed`.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCorpus } from "./corpus-runs.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    torch: { type: "string" },
    only: { type: "string" },
    show: { type: "string" },
    all: { type: "boolean" },
    dist: { type: "string" },
    jobs: { type: "string" },
  },
});
if (positionals.length !== 1) {
  console.error("usage: opinfo.mjs FOLDER (made by scripts/record/opinfo/record.py)");
  process.exit(2);
}
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = resolve(positionals[0]);
const listed = (text) => text?.split(",") ?? null;

/** Nothing is computed where the records come from: what is read back from the device is zero. */
const MACHINE = { unreadableDevice: true, nothingComputed: true };

/** A line of one_case.py: the case, the part (F and B: forward and backward; E and EB: their errors), and the rest. */
const LINE = /^(\S+#\d+) (F|B|EB|E|missing)\b ?(.*)$/;

function casesOf(lines) {
  const cases = new Map();
  for (const line of lines) {
    const found = LINE.exec(line);
    if (found === null) continue;
    const [, name, part, rest] = found;
    cases.set(name, { ...cases.get(name), [part]: rest });
  }
  return cases;
}

/** `512 1024` of a line of bytes and results. */
const bytesOf = (text) => text?.split(" ").slice(0, 2).join(" ");
const sameBytes = (a, b) => bytesOf(a.F) === bytesOf(b.F) && bytesOf(a.B) === bytesOf(b.B);
const sameParts = (a, b) => ["F", "B", "E", "EB", "missing"].every((part) => a[part] === b[part]);

/** How a case came out; the first three are right, or cannot be asked of this recording. */
const KINDS = [
  ["equal", (real, ours) => sameParts(real, ours)],
  // Decompositions and convolutions need libraries that this recording has no answers of.
  ["not recorded", (real) => "E" in real || "EB" in real || "missing" in real],
  ["refused", (real, ours) => !("F" in ours) || "EB" in ours],
  ["names", (real, ours) => sameBytes(real, ours)],
  ["bytes", () => true],
];
const RIGHT = new Set(["equal"]);
const UNASKED = new Set(["not recorded"]);

const jobs = [];
for (const release of readdirSync(folder).toSorted()) {
  if (values.torch && !listed(values.torch).includes(release)) continue;
  const { gpu, programs } = JSON.parse(readFileSync(join(folder, release, "record.json"), "utf8"));
  for (const [name, lines] of Object.entries(programs)) {
    const recorded = casesOf(lines);
    const wanted = listed(values.only);
    if (wanted && ![...recorded.keys()].some((key) => wanted.includes(key.split(/[#:]/)[0]))) continue;
    const script = join(folder, release, "programs", `${name}.py`);
    const settings = { attention: "auto", kernelTemporaries: "on", machine: MACHINE };
    jobs.push({ name, script, argv: [], torch: release, gpu, ...settings, recorded, ours: new Map() });
  }
}

function check(job, { status, errorText, stdout }) {
  job.ours = casesOf(stdout.split("\n"));
  return status === "ok" || status === "system_exit"
    ? null
    : `${status}: ${(errorText ?? "").trim().split("\n").at(-1)}`;
}

const shown = listed(values.show) ?? ["refused", "bytes", "names"];
const tally = new Map();
const text = (parts) =>
  Object.entries(parts)
    .map(([part, rest]) => `${part} ${rest}`)
    .join(" | ") || "nothing";

function compare({ torch, recorded, ours }) {
  const reported = new Set();
  for (const [name, real] of recorded) {
    const operator = name.split("#")[0];
    if (values.only && !listed(values.only).includes(operator.split(":")[0])) continue;
    const have = ours.get(name) ?? {};
    const kind = KINDS.find(([, holds]) => holds(real, have))[0];
    const counts = tally.get(torch) ?? new Map();
    tally.set(torch, counts.set(kind, (counts.get(kind) ?? 0) + 1));
    if (RIGHT.has(kind) || !shown.includes(kind) || (reported.has(operator) && !values.all)) continue;
    reported.add(operator);
    console.log(`${kind}: ${name} torch ${torch}\n  recorded ${text(real)}\n  got      ${text(have)}`);
  }
}

await runCorpus({
  dist: resolve(root, values.dist ?? "dist"),
  jobs,
  threads: Number(values.jobs ?? Math.min(2, availableParallelism())),
  check,
  done: (job, problem) => {
    if (problem !== null) console.log(`${job.name} torch ${job.torch} ended early (${problem})`);
    compare(job);
  },
});
const sum = { passed: 0, failed: 0 };
for (const [torch, counts] of [...tally].toSorted()) {
  for (const [kind, count] of counts) if (!UNASKED.has(kind)) sum[RIGHT.has(kind) ? "passed" : "failed"] += count;
  console.log(`torch ${torch}: ${KINDS.map(([kind]) => `${counts.get(kind) ?? 0} ${kind}`).join(", ")}`);
}
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed > 0 ? 1 : 0;
