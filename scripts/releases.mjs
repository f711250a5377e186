// Runs the corpus as every recorded release of PyTorch, temporaries of kernels included, and compares what the programs print with what the release
// printed (scripts/record/cardless).
// usage: releases.mjs [--dist FOLDER] [--torch X.Y,...] [--only TEXT,...] [--every N] [--recorded FOLDER] [--jobs N] [--write]
// --every N takes each N-th program of all releases; --write makes docs/releases.md of a whole run.
// Prints each failure with its first differing line and a line per release; the last line is `N passed, N failed`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { runCorpus } from "./corpus-runs.mjs";
import { releasesPage } from "./releases-page.mjs";

const { values } = parseArgs({
  options: {
    dist: { type: "string" },
    torch: { type: "string" },
    only: { type: "string" },
    every: { type: "string" },
    write: { type: "boolean" },
    recorded: { type: "string" },
    jobs: { type: "string" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = resolve(root, values.dist ?? "dist");
const recorded = resolve(root, values.recorded ?? "test/releases/recorded");
const CORPUS = join(root, "test", "conformance");

/** Nothing is computed where the records come from: what is read back from the device is zero. */
const MACHINE = { unreadableDevice: true, nothingComputed: true };

/** `2.5` of `2.5.1+cu124`. */
function releaseOf(torch) {
  return torch.split(".").slice(0, 2).join(".");
}

function scriptOf(name) {
  const script = join(CORPUS, `${name}.py`);
  if (!existsSync(script)) throw new Error(`releases: ${name} was recorded and is no program of the corpus`);
  return script;
}

const every = Number(values.every ?? 1);
if (!Number.isInteger(every) || every < 1) {
  console.error("releases: --every takes a whole number from 1 on");
  process.exit(2);
}
if (values.write && (values.torch || values.only || values.every)) {
  console.error("releases: --write is for a whole run, without --torch, --only and --every");
  process.exit(2);
}
const jobs = [];
let count = 0;
const records = readdirSync(recorded)
  .filter((name) => name.endsWith(".json"))
  .map((file) => JSON.parse(readFileSync(join(recorded, file), "utf8")));
for (const { torch, gpu, programs } of records) {
  const release = releaseOf(torch);
  if (values.torch && !values.torch.split(",").includes(release)) continue;
  for (const [name, lines] of Object.entries(programs)) {
    if (values.only && !values.only.split(",").some((part) => name.startsWith(part))) continue;
    if (count++ % every !== 0) continue;
    jobs.push({
      name: `${name}.${gpu}.torch-${release}`,
      script: scriptOf(name),
      argv: [],
      torch: release,
      gpu,
      attention: "auto",
      kernelTemporaries: "on",
      machine: MACHINE,
      lines,
    });
  }
}

function check({ lines }, { status, errorText, stdout }) {
  const have = stdout.replace(/\n$/, "").split("\n");
  const at = Array.from({ length: Math.max(lines.length, have.length) }, (_, i) => i).find((i) => lines[i] !== have[i]);
  const ended = status === "ok" || status === "system_exit";
  if (ended && at === undefined) return null;
  const error = ended ? "" : ` (${status}: ${(errorText ?? "").trim().split("\n").at(-1)})`;
  const nothing = "(nothing more)";
  return { line: (at ?? have.length) + 1, want: lines[at] ?? nothing, have: `${have[at] ?? nothing}${error}` };
}

const tally = new Map();
const differing = [];
await runCorpus({
  dist,
  jobs,
  threads: Number(values.jobs ?? Math.min(2, availableParallelism())),
  check,
  done: ({ name, torch, gpu }, problem) => {
    const kind = `torch ${torch} on ${gpu}`;
    const [right, wrong] = tally.get(kind) ?? [0, 0];
    tally.set(kind, problem === null ? [right + 1, wrong] : [right, wrong + 1]);
    if (problem) differing.push({ name, problem });
    if (problem)
      console.log(`FAIL ${name} (line ${problem.line})\n  recorded ${problem.want}\n  got      ${problem.have}`);
  },
});
if (values.write) writeFileSync(join(root, "docs", "releases.md"), releasesPage({ records, tally, differing }));
for (const [kind, [right, wrong]] of tally) console.log(`${kind}: ${right} equal, ${wrong} differ`);
const sum = (index) => [...tally.values()].reduce((total, counts) => total + counts[index], 0);
console.log(`${sum(0)} passed, ${sum(1)} failed`);
process.exitCode = sum(1) > 0 ? 1 : 0;
