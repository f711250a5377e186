// The measured cases in test/measured: reads them, runs their programs under the simulator, compares figure by figure.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { estimatedValues } from "./estimates.mjs";
import { replayOn } from "./layout.mjs";
import { servingValues } from "./serving.mjs";

/** Order on the page. */
const GROUPS = [
  "snapshots",
  "attention",
  "modules",
  "plain-attention",
  "training",
  "trainer",
  "litgpt",
  "two-processes",
  "single",
  "articles",
  "library-workspaces",
  "device-memory",
  "llama-2023",
  "quantized",
  "benchmarked",
  "forwards",
  "generate",
  "serving",
];
const UNITS = { bytes: 1, tokens: 1, MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

/** @param {string} root */
export function readGroups(root) {
  const folder = join(root, "test", "measured", "cases");
  const names = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
  names.sort((a, b) => GROUPS.indexOf(a) - GROUPS.indexOf(b));
  return names.map((name) => {
    const group = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    return { name, ...group, cases: group.cases.map((entry) => ({ ...entry, interval: group.interval })) };
  });
}

/** Points and values that a program printed: `point<TAB>bytes` lines, or what the case's own pattern finds. */
function readOutput(stdout, entry) {
  const found = [];
  const pattern = new RegExp(entry.pattern ?? String.raw`^(?!event)(.+?)\t(.+)$`, "gm");
  for (const [, point, text] of stdout.matchAll(pattern)) found.push({ point, text });
  return found;
}

/** A frees' order among themselves depends on the Python version, and changes nothing: they are put in order of size. */
export function sequenceDigest(events) {
  const lines = [];
  let frees = [];
  const flush = () => {
    lines.push(...frees.sort());
    frees = [];
  };
  for (const event of events) {
    if (event.startsWith("-")) frees.push(event);
    else {
      flush();
      lines.push(event);
    }
  }
  flush();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** Bytes as the source prints them: the same unit, through the same float, with as many decimals. */
export function asPrinted(bytes, figure) {
  const value = bytes / UNITS[figure.unit];
  if (figure.stored === "float32") return Math.fround(value);
  if (figure.cut) return Math.trunc(value);
  return figure.decimals === undefined ? value : Number(value.toFixed(figure.decimals));
}

/** `interval`: from and to, where an answer that is more than one number says so. */
function compareFigure(figure, bytes, entry, interval = [bytes, bytes]) {
  const predicted = asPrinted(bytes, figure);
  const measured = figure.value;
  const exact = predicted === measured;
  const error = measured === 0 ? (exact ? 0 : Infinity) : (predicted - measured) / measured;
  const [low, high] = interval.map((end) => asPrinted(end, figure));
  const covers = low <= measured && measured <= high;
  const verdict = exact ? "exact" : Math.abs(error) <= 0.01 ? "near" : covers ? "covered" : "off";
  return {
    case: entry.id,
    point: figure.point,
    measure: figure.measure,
    unit: figure.unit,
    predicted,
    measured,
    bytes,
    error,
    verdict,
    low,
    high,
    under: predicted < measured && verdict !== "covered",
  };
}

/** What the simulator says may come on top: unknown library workspaces, or what the process has outside the allocator. */
function onTop(entry, { trace, gpu }) {
  const libraries = Math.max(0, ...trace.assumptions.map(({ args }) => args.libraryHighBytes ?? 0));
  if (entry.interval === "context") return [gpu.context.lowBytes, gpu.context.highBytes + libraries];
  return [0, Math.max(0, ...trace.assumptions.map((assumption) => assumption.args.highBytes ?? 0))];
}

/** A figure of which an interval is predicted. */
function compareInterval(figure, bytes, entry, result) {
  const [low, high] = onTop(entry, result).map((more) => asPrinted(bytes + more, figure));
  const { value: measured } = figure;
  const verdict = measured < low ? "below" : measured > high ? "above" : "inside";
  return {
    case: entry.id,
    point: figure.point,
    measure: figure.measure,
    unit: figure.unit,
    low,
    high,
    measured,
    verdict,
  };
}

/** The bytes of each figure, in order of printing: a point may be printed several times. */
function bytesOf(entry, stdout) {
  const output = readOutput(stdout, entry);
  return entry.figures.map((figure) => {
    const at = output.findIndex((line) => line.point === figure.point);
    if (at < 0) return undefined;
    const [{ text }] = output.splice(at, 1);
    return Math.round(Number(text) * (entry.pattern ? UNITS[figure.unit] : 1));
  });
}

/** Growth over one of the figures, in place of the figures: what else was in the measured process falls out. */
function growth(entry, bytes) {
  const first = entry.figures.findIndex((figure) => figure.point === entry.growthOver);
  const rows = [];
  entry.figures.forEach((figure, i) => {
    if (i === first) return;
    const value = figure.value - entry.figures[first].value;
    rows.push([
      { ...figure, value, stored: "float64", measure: `${figure.measure}, growth over ${entry.growthOver}` },
      bytes[i] - bytes[first],
    ]);
  });
  return rows;
}

/** The same figures in the address space that the measured process had. */
async function laidOut(entry, trace, events) {
  const step = { events: events.length, tail: events.length - 1 - events.findLastIndex((event) => event[0] === "+") };
  const { bytes } = await replayOn(trace, entry.torch, entry.layout, step);
  return entry.figures.map((figure) =>
    compareFigure({ ...figure, measure: `${figure.measure}, segments as recorded` }, bytes[figure.point], entry),
  );
}

/** A case whose figures are computed. */
async function computeCase(entry, root) {
  const values = await (entry.recipe ? estimatedValues : servingValues)(entry, root);
  const rows = entry.figures.map((figure, i) => {
    const { bytes, lowBytes, highBytes } = values[i];
    return compareFigure(figure, bytes, entry, [lowBytes, highBytes]);
  });
  return { entry, problem: null, rows, sequence: null, seconds: 0 };
}

/** Runs one case. */
export async function runCase(entry, root, run) {
  if (entry.engine || entry.recipe) return computeCase(entry, root);
  const script = entry.program.includes("/")
    ? join(root, entry.program)
    : join(root, "test", "measured", "programs", entry.program);
  if (!existsSync(script)) throw new Error(`${entry.id}: no program ${script}`);
  const result = await run({ script, argv: entry.argv, gpu: entry.gpu, torch: entry.torch, timeoutSeconds: 300 });
  if (result.status !== "ok") {
    const problem = (result.errorText ?? result.status).trim().split("\n").at(-1);
    return { entry, problem, rows: [], sequence: null, seconds: result.seconds };
  }
  const bytes = bytesOf(entry, result.stdout);
  const missing = entry.figures.find((_, i) => bytes[i] === undefined || Number.isNaN(bytes[i]));
  if (missing)
    return {
      entry,
      problem: `the program printed no ${missing.point}`,
      rows: [],
      sequence: null,
      seconds: result.seconds,
    };
  const pairs = entry.growthOver ? growth(entry, bytes) : entry.figures.map((figure, i) => [figure, bytes[i]]);
  const rows = pairs.map(([figure, value]) =>
    entry.interval ? compareInterval(figure, value, entry, result) : compareFigure(figure, value, entry),
  );
  const events = [...result.stdout.matchAll(/^event\t([+-]\d+)$/gm)].map((match) => match[1]);
  if (entry.layout) rows.push(...(await laidOut(entry, result.trace, events)));
  const sequence = entry.sequence
    ? {
        predicted: events.length,
        measured: entry.sequence.events,
        same: sequenceDigest(events) === entry.sequence.sha256,
      }
    : null;
  return { entry, problem: null, rows, sequence, seconds: result.seconds };
}

/** Runs cases, two at a time; results in the order of the cases. */
export async function runCases(entries, root, run, onDone = () => {}) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < entries.length) {
      const at = next++;
      results[at] = await runCase(entries[at], root, run);
      onDone(results[at]);
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}
