/**
 * The packages' own examples, nothing edited, on the simulator and on the real PyTorch of the recorder: the same words, models and data.
 *
 *   python scripts/examples/kit.py PLACE/kit      models and data, made by the real packages
 *   node scripts/compared-examples.mjs PLACE --record RECORDER --root ROOT [--python-path DIR] [--only TEXT]...
 *       runs them on the real PyTorch: RECORDER is its backend.py within ROOT, in which PLACE is mounted at /place
 *   node scripts/compared-examples.mjs PLACE --packages DIR [--packages DIR] [--only TEXT]... [--write]
 *       runs them here and compares; --write makes docs/compared-examples.md
 *
 * PLACE holds the repositories by the names of scripts/examples/compared.txt. Their copies get links to the kit. Passes of loops all run.
 * The last line is `N equal, N not`.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { programsOf, wordsOf } from "./examples/programs.mjs";
import { recorderConditions } from "./recorded-phases.mjs";
import { cell } from "./table-cell.mjs";

const MIB = 2 ** 20;
const GOES_FURTHER = "goes further than the real one";
/** Seconds that a program may take on either side. */
const MOST_SECONDS = 900;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: "string" },
    root: { type: "string" },
    "python-path": { type: "string", default: "" },
    packages: { type: "string", multiple: true },
    dist: { type: "string", default: "dist" },
    passes: { type: "string", default: "all" },
    only: { type: "string", multiple: true },
    results: { type: "string", default: join(tmpdir(), "vramscope-compared-examples.json") },
    write: { type: "boolean", default: false },
  },
});
const [given] = positionals;
if (given === undefined) throw new Error("node scripts/compared-examples.mjs PLACE: the folder with the repositories");
const place = resolve(given);
const folderOf = join(import.meta.dirname, "examples");
const truthFile = join(folderOf, "compared.json");
const readOr = (path, other) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : other);
const truth = readOr(truthFile, {});
const results = readOr(values.results, {});

const programs = programsOf("compared.txt");
const wanted = programs.filter(
  ({ name, folder }) =>
    (values.only === undefined || values.only.some((text) => name.includes(text))) && existsSync(join(place, folder)),
);

/** The words of a program's line, with the way to the kit and a folder for what it writes. */
const wordsFor = ({ folder, typed }, out) =>
  wordsOf(typed.replaceAll("KIT", `${"../".repeat(folder.split("/").length)}kit`).replaceAll("OUT", out));

/** Puts parts of the kit beside a program, under the names by which it asks a hub for them. */
function putBeside({ folder, beside }) {
  for (const [name, part] of beside
    .split(" ")
    .filter(Boolean)
    .map((pair) => pair.split("="))) {
    const link = join(place, folder, name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(place, "kit", part)), link);
  }
}

function record(program) {
  const out = `/tmp/compared-${process.pid}-${program.name.replaceAll("/", "-")}`;
  const words = ["/oracle/recorded.py", "--", ...wordsFor(program, out)];
  const script = `cd /place/${program.folder} && exec python3 ${values.record} "$@"`;
  const quiet = {
    HF_HUB_OFFLINE: "1",
    HF_DATASETS_OFFLINE: "1",
    HF_DATASETS_CACHE: `${out}-cache`,
    WANDB_DISABLED: "true",
    TOKENIZERS_PARALLELISM: "false",
  };
  const { stdout } = spawnSync("chroot", [resolve(values.root), "bash", "-c", script, "run", ...words], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: "/root", PYTHONPATH: values["python-path"], ...quiet },
    maxBuffer: 2 ** 30,
    timeout: MOST_SECONDS * 1000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const line = stdout.trim().split("\n").at(-1) ?? "";
  return line.startsWith('{"error"') ? JSON.parse(line) : { error: "no answer in time" };
}

async function simulate(program) {
  const { runProgram } = await import(
    pathToFileURL(resolve(import.meta.dirname, "..", values.dist, "python", "run.js"))
  );
  const [script, ...argv] = wordsFor(program, mkdtempSync(join(tmpdir(), "compared-")));
  process.chdir(join(place, program.folder));
  const begun = Date.now();
  const { status, errorText, stats } = await runProgram(
    {
      script,
      argv,
      sitePackages: values.packages.map((folder) => resolve(folder)),
      torch: "2.14",
      gpu: "a100-80gb",
      kernelTemporaries: "off",
      passes: values.passes === "auto" ? "auto" : "all",
      timeoutSeconds: MOST_SECONDS,
    },
    recorderConditions(),
  );
  return {
    error: status === "ok" ? null : (errorText?.trim().split("\n").at(-1) ?? status),
    allocated: stats.peakAllocatedBytes,
    reserved: stats.peakReservedBytes,
    seconds: Math.round((Date.now() - begun) / 1000),
  };
}

/** What differs, as text; null where nothing does. Where the real one stopped and this one went on, more says nothing. */
function difference(have, { error, allocated, reserved }) {
  if (have === undefined) return "not run";
  if (have.allocated === allocated && have.reserved === reserved) return null;
  if (error !== null && have.allocated >= allocated && have.reserved >= reserved) return GOES_FURTHER;
  const apart = (bytes, of) =>
    `${bytes > of ? "+" : ""}${bytes - of} bytes (${((100 * (bytes - of)) / of).toFixed(3)} %)`;
  const parts = [
    have.allocated === allocated ? null : `allocated ${apart(have.allocated, allocated)}`,
    have.reserved === reserved ? null : `reserved ${apart(have.reserved, reserved)}`,
    have.error,
  ];
  return parts.filter(Boolean).join(", ");
}

if (values.record !== undefined) {
  const recorder = readFileSync(join(folderOf, "recorded.py"));
  writeFileSync(join(resolve(values.root), "oracle", "recorded.py"), recorder);
  for (const program of wanted) {
    putBeside(program);
    truth[program.name] = record(program);
    const sorted = Object.entries(truth).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(truthFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
    console.log(`${program.name}: ${JSON.stringify(truth[program.name])}`);
  }
}

/** What took memory on the real PyTorch before it ended or stopped, and can be judged. */
const recorded = programs.filter(({ name }) => (truth[name]?.allocated ?? 0) > 0);
const isJudged = ({ name }) => difference(results[name], truth[name]) !== GOES_FURTHER;
if (values.packages !== undefined) {
  const asked = wanted.filter((program) => recorded.includes(program));
  for (const program of asked) {
    putBeside(program);
    results[program.name] = await simulate(program);
    writeFileSync(values.results, JSON.stringify(results));
    console.log(`${difference(results[program.name], truth[program.name]) ?? "equal"}: ${program.name}`);
  }
  const judged = asked.filter(isJudged);
  const equal = judged.filter(({ name }) => difference(results[name], truth[name]) === null).length;
  console.log(`${equal} equal, ${judged.length - equal} not`);
  process.exitCode = equal === judged.length ? 0 : 1;
}

if (values.write) {
  const packages = [...new Set(programs.map(({ name }) => name.split("/")[0]))];
  const equals = (some) => some.filter(({ name }) => difference(results[name], truth[name]) === null).length;
  const judged = recorded.filter(isJudged);
  const of = (kind) => judged.filter(({ name }) => name.startsWith(`${kind}/`));
  const mib = (bytes) => (bytes / MIB).toFixed(2);
  const row = ({ name, typed }) => {
    const { allocated, reserved, error } = truth[name];
    const stops = error === null ? "ends" : `stops: ${cell(error.split("\n")[0].slice(0, 120))}`;
    const found = cell(difference(results[name], truth[name]) ?? "equal");
    return `| ${name} | \`${typed.replaceAll("|", "\\|")}\` | ${mib(allocated)} | ${mib(reserved)} | ${stops} | ${found} |`;
  };
  const dropped = programs.filter((program) => !judged.includes(program));
  writeFileSync(
    join(import.meta.dirname, "../docs/compared-examples.md"),
    `# The packages' own examples beside the real PyTorch

Written by \`node scripts/compared-examples.mjs PLACE --packages DIR --write\`: programs of the packages' repositories, nothing edited, with small models and
data that scripts/examples/kit.py makes (KIT), once on the real PyTorch 2.14 with a stand-in device and once here, without temporaries inside kernels. Equal means
that the peaks of allocated and of reserved bytes are the same to the byte. Where the real one stops before its end, because its device has no values,
nothing is saved there or the program itself fails, its figures are those until there, and a program that goes further here is compared only if it took no more. All passes of loops run here (\`--passes all\`):
a loop that is left once its passes repeat does not get to a last batch that is smaller, which may take some reserved memory more (run_clm: 4 %). Peaks are in MiB.

| package | compared | equal |
| --- | --- | --- |
${packages.map((kind) => `| ${kind} | ${of(kind).length} | ${equals(of(kind))} |`).join("\n")}
| all | ${judged.length} | **${equals(judged)}** |

| program | words | allocated | reserved | on the real PyTorch | here |
| --- | --- | --- | --- | --- | --- |
${judged.map(row).join("\n")}
${dropped.length === 0 ? "" : `\nNot compared, because the real PyTorch stops early where its device has no values: ${dropped.map(({ name }) => name).join(", ")}.\n`}`,
  );
}
