// Runs the programs of a record (see README.md) under the simulator and lists what differs.
// usage: compare.mjs OUT_DIR|FILE.json.br [--gpu NAME] [--torch VERSION] [--only ID,...] [--packages FOLDER] [--all]
// One line per difference, the first of each case unless --all; the last line is `N compared, N differ, N under-estimates`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { readRecords } from "./records.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(here, "..", "..");
const CORPUS = join(root, "test", "conformance");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gpu: { type: "string" },
    torch: { type: "string" },
    only: { type: "string" },
    packages: { type: "string" },
    all: { type: "boolean" },
  },
});
const folder = positionals[0];
if (!folder || !existsSync(folder.endsWith(".br") ? folder : join(folder, "machine.json"))) {
  console.error("compare: name a folder that `bash scripts/record/run.sh` wrote (it has a machine.json)");
  process.exit(2);
}
const { run } = await import(pathToFileURL(join(root, "dist", "index.js")).href);
const { machine, records } = readRecords(folder);
const gpu = values.gpu ?? machine.gpu;
const torch = values.torch ?? machine.torch;

/** Where a recorded program is in this repository. */
function scriptOf(id) {
  const listed = JSON.parse(readFileSync(join(here, "programs.json"), "utf8")).find((program) => program.id === id);
  if (listed) return resolve(here, listed.file);
  const subject = readdirSync(CORPUS).find((name) => id.startsWith(`corpus-${name}-`));
  return subject ? join(CORPUS, subject, `${id.slice(`corpus-${subject}-`.length)}.py`) : null;
}

/** Sizes in order; segments aside, and frees that follow each other sorted: their order depends on the Python version. */
function ordered(text) {
  const result = [];
  let frees = [];
  for (const event of text.split(" ")) {
    if (event.startsWith("-")) frees.push(event);
    else if (event.startsWith("+")) {
      result.push(...frees.sort(), event);
      frees = [];
    }
  }
  return [...result, ...frees.sort()];
}

/** Share of the recorded events that the prediction has too, wherever they are. */
function commonShare(want, have) {
  const left = new Map();
  for (const event of have) left.set(event, (left.get(event) ?? 0) + 1);
  let common = 0;
  for (const event of want) {
    const n = left.get(event) ?? 0;
    if (n > 0) common++;
    left.set(event, n - 1);
  }
  return want.length ? common / want.length : 1;
}

function traceDifference(what, recorded, predicted) {
  if (recorded === undefined) return [];
  const want = ordered(recorded);
  const have = ordered(predicted ?? "");
  let at = 0;
  while (at < want.length && want[at] === have[at]) at++;
  if (at === want.length && at === have.length) return [];
  const share = (100 * commonShare(want, have)).toFixed(2);
  const around = (list) => list.slice(at, at + 4).join(" ") || "(nothing more)";
  return [
    {
      what: `${what}, event ${at + 1} of ${want.length}`,
      recorded: around(want),
      predicted: `${around(have)} (${share} % of the events in common)`,
    },
  ];
}

const numberDifference = (what, recorded, predicted) =>
  recorded === undefined || recorded === predicted ? [] : [{ what, recorded, predicted, under: predicted < recorded }];

function compareSection(recorded, predicted) {
  const name = `${recorded.name} ${recorded.dtype} ${recorded.size}`;
  if (!predicted) return [{ name, what: "section", recorded: "run", predicted: "not run" }];
  if (Boolean(recorded.error) !== Boolean(predicted.error))
    return [{ name, what: "outcome", recorded: recorded.error ?? "runs", predicted: predicted.error ?? "runs" }];
  const found = [
    ...traceDifference("forward", recorded.forward, predicted.forward),
    ...traceDifference("backward", recorded.backward, predicted.backward),
    ...numberDifference("allocated after forward", recorded.afterForward?.allocated, predicted.afterForward?.allocated),
    ...numberDifference(
      "allocated after backward",
      recorded.afterBackward?.allocated,
      predicted.afterBackward?.allocated,
    ),
    ...numberDifference("peak", recorded.peak, predicted.peak),
    ...numberDifference("reserved at the peak", recorded.peakReserved, predicted.peakReserved),
  ];
  return found.map((difference) => ({ name, ...difference }));
}

/** The simulator's trace as the recorder spells one. */
function spelled({ events, blocks }) {
  const parts = [];
  for (let i = 0; i < events.kind.length; i++) {
    const kind = events.kind[i];
    if (kind === 0) parts.push(`+${blocks[events.block[i]].requestedBytes}`);
    else if (kind === 1) parts.push(`-${blocks[events.block[i]].requestedBytes}`);
  }
  return parts.join(" ");
}

function compareLines(recorded, predicted) {
  const found = [];
  for (let i = 0; i < Math.max(recorded.length, predicted.length); i++)
    if (recorded[i] !== predicted[i])
      found.push({
        name: `line ${i + 1}`,
        what: "output",
        recorded: recorded[i] ?? "(nothing more)",
        predicted: predicted[i] ?? "(nothing more)",
      });
  return found;
}

/** Differences of one program, and how many things were compared. */
async function compareProgram(record) {
  const script = scriptOf(record.id);
  if (!script || !existsSync(script))
    return {
      compared: 0,
      found: [{ name: "program", what: "file", recorded: record.id, predicted: "not in this repository" }],
    };
  const sitePackages = values.packages ? [values.packages] : [];
  const passes = "all";
  const result = await run({ script, argv: record.argv, gpu, torch, sitePackages, passes, timeoutSeconds: 600 });
  const predictedStatus = result.status === "ok" || result.status === "system_exit" ? "ok" : "error";
  if (predictedStatus !== record.status) {
    const last = (text) => (text ?? "").trim().split("\n").at(-1);
    return {
      compared: 1,
      found: [
        {
          name: "program",
          what: "outcome",
          recorded: last(record.error) || "ok",
          predicted: last(result.errorText) || "ok",
        },
      ],
    };
  }
  const lines = result.stdout.split("\n").filter((line) => line !== "");
  const sections = new Map();
  for (const line of lines.filter((text) => text.startsWith("section\t"))) {
    const section = JSON.parse(line.slice("section\t".length));
    sections.set(`${section.name} ${section.dtype} ${section.size}`, section);
  }
  const found = record.sections.flatMap((section) =>
    compareSection(section, sections.get(`${section.name} ${section.dtype} ${section.size}`)),
  );
  const printed = (text) => !text.startsWith("context\t") && !text.startsWith("section\t");
  found.push(
    ...compareLines(
      record.stdout.filter((text) => text !== "" && printed(text)),
      lines.filter(printed),
    ),
  );
  // what a script leaves alive dies when Python ends, which the recorder does not wait for
  if (record.trace !== undefined) {
    const trace = spelled(result.trace);
    const length = record.trace.split(" ").filter((event) => /^[+-]/.test(event)).length;
    found.push(
      ...traceDifference("trace", record.trace, trace.split(" ").slice(0, length).join(" ")).map((difference) => ({
        name: "program",
        ...difference,
      })),
    );
    found.push(
      ...numberDifference("peak", record.final?.peakAllocated, lastPeak(record, result)).map((difference) => ({
        name: "program",
        ...difference,
      })),
    );
  }
  return { compared: record.sections.length + (record.trace === undefined ? 1 : 2), found };
}

/** Peak over the whole run; a program that resets it printed its own peaks, which are compared as lines. */
function lastPeak(record, result) {
  const source = readFileSync(scriptOf(record.id), "utf8");
  return /reset_peak_memory_stats|reset_max_memory/.test(source)
    ? record.final?.peakAllocated
    : result.stats.peakAllocatedBytes;
}

const only = values.only?.split(",");
let compared = 0;
let differ = 0;
let under = 0;
for (const [id, record] of Object.entries(records)) {
  if (only && !only.includes(id)) continue;
  const outcome = await compareProgram(record);
  compared += outcome.compared;
  const shown = new Set();
  for (const difference of outcome.found) {
    if (difference.under) under++;
    if (!shown.has(difference.name)) differ++;
    if (shown.has(difference.name) && !values.all) continue;
    shown.add(difference.name);
    console.log(
      `${id} / ${difference.name}: ${difference.what}: recorded ${difference.recorded}, predicted ${difference.predicted}`,
    );
  }
}
console.log(`${compared} compared, ${differ} differ, ${under} under-estimates`);
process.exitCode = differ > 0 || compared === 0 ? 1 : 0;
