// What a program of a record does otherwise under the simulator: outcome, printed lines, the allocator's trace, counters and peaks.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const CORPUS = resolve(here, "..", "..", "test", "conformance");

/** Where a recorded program is in this repository. */
function scriptOf(id) {
  const listed = JSON.parse(readFileSync(join(here, "programs.json"), "utf8")).find((program) => program.id === id);
  if (listed) return resolve(here, listed.file);
  const subject = readdirSync(CORPUS).find((name) => id.startsWith(`corpus-${name}-`));
  return subject ? join(CORPUS, subject, `${id.slice(`corpus-${subject}-`.length)}.py`) : null;
}

/** Sizes in order; segments aside, and frees that follow each other sorted: their order depends on the Python version. */
export function ordered(text) {
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

/** Peak and reserved bytes of printed phases (name, allocated, peak, reserved): the largest of each, or null. */
function printedPeaks(lines) {
  const phases = lines
    .map((line) => line.split("\t"))
    .filter((parts) => parts.length === 4 && parts.slice(1).every((part) => /^\d+$/.test(part)));
  if (phases.length === 0) return null;
  const most = (at) => Math.max(...phases.map((parts) => Number(parts[at])));
  return { peak: most(2), reserved: most(3) };
}

/**
 * Differences of one program, how many things were compared, and recorded and predicted peaks: of each section, or of the whole.
 * `machine`: gpu, torch and sitePackages of a run.
 */
export async function compareRecord(run, record, machine) {
  const script = scriptOf(record.id);
  const nothing = (compared, name, what, recorded, predicted) => ({
    compared,
    found: [{ name, what, recorded, predicted }],
    peaks: [],
  });
  if (!script || !existsSync(script)) return nothing(0, "program", "file", record.id, "not in this repository");
  const result = await run({ script, argv: record.argv, ...machine, passes: "all", timeoutSeconds: 600 });
  const predictedStatus = result.status === "ok" || result.status === "system_exit" ? "ok" : "error";
  if (predictedStatus !== record.status) {
    const last = (text) => (text ?? "").trim().split("\n").at(-1);
    return nothing(1, "program", "outcome", last(record.error) || "ok", last(result.errorText) || "ok");
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
      ...numberDifference("peak", record.final?.peakAllocated, lastPeak(script, record, result)).map((difference) => ({
        name: "program",
        ...difference,
      })),
    );
  }
  const peaks = record.sections.flatMap((section) => {
    const ours = sections.get(`${section.name} ${section.dtype} ${section.size}`);
    return section.error || !ours || ours.error ? [] : [{ recorded: section.peak, predicted: ours.peak }];
  });
  const [real, ours] = [printedPeaks(record.stdout), printedPeaks(lines)];
  if (real && ours) {
    peaks.push({ recorded: real.peak, predicted: ours.peak });
    peaks.push({ recorded: real.reserved, predicted: ours.reserved, reserved: true });
  } else if (record.trace !== undefined && record.final)
    peaks.push({ recorded: record.final.peakAllocated, predicted: lastPeak(script, record, result) });
  return { compared: record.sections.length + (record.trace === undefined ? 1 : 2), found, peaks };
}

/** Peak over the whole run; a program that resets it, itself or where it prints its phases, printed its own peaks, which are compared as lines. */
function lastPeak(script, record, result) {
  const source = readFileSync(script, "utf8");
  return printedPeaks(record.stdout) !== null || /reset_peak_memory_stats|reset_max_memory/.test(source)
    ? record.final?.peakAllocated
    : result.stats.peakAllocatedBytes;
}
