/**
 * The packages' own examples, nothing edited, each started by the words that its page gives behind `python`.
 *
 *   node scripts/examples.mjs PLACE --packages DIR [--packages DIR] [--only TEXT]... [--seconds N] [--results FILE] [--write]
 *
 * PLACE holds the repositories, each in a folder with its name (scripts/examples/programs.txt lists the programs); those that are not there are left
 * out. What came out is kept in a file from run to run; --write puts the table of it into docs/package-examples.md.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { programsOf, wordsOf } from "./examples/programs.mjs";
import { cell } from "./table-cell.mjs";

const MIB = 2 ** 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    packages: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    seconds: { type: "string", default: "600" },
    results: { type: "string", default: join(tmpdir(), "vramscope-examples.json") },
    write: { type: "boolean", default: false },
  },
});
const [place] = positionals;
if (place === undefined) throw new Error("node scripts/examples.mjs PLACE: the folder with the repositories");
const main = resolve(import.meta.dirname, "../dist/cli/main.js");
const results = existsSync(values.results) ? JSON.parse(readFileSync(values.results, "utf8")) : {};

const programs = programsOf("programs.txt");

function run({ folder, typed }) {
  const [first, ...rest] = wordsOf(typed);
  const script = first === "-m" ? ["-m", rest.shift()] : [first];
  const mounted = (values.packages ?? []).flatMap((path) => ["--site-packages", resolve(path)]);
  const words = ["run", "--json", "--timeout", values.seconds, ...mounted, ...script, "--", ...rest];
  const begun = Date.now();
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: join(place, folder),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const seconds = Math.round((Date.now() - begun) / 1000);
  try {
    const { status, error, allocated, reserved } = JSON.parse(stdout);
    const cause = status === "ok" ? null : (error?.trim().split("\n").at(-1) ?? status);
    return { seconds, cause, allocated: allocated.peakBytes, reserved: reserved.peakBytes };
  } catch {
    return { seconds, cause: stderr.trim().split("\n").at(-1) ?? "no report" };
  }
}

for (const program of programs) {
  const { name, folder } = program;
  if (values.only !== undefined && !values.only.some((text) => name.includes(text))) continue;
  if (!existsSync(join(place, folder))) continue;
  const found = (results[name] = run(program));
  writeFileSync(values.results, JSON.stringify(results));
  console.log(`${name}: ${found.cause ?? "ends"}, ${found.seconds} s`);
}

if (values.write) {
  const ran = programs.filter(({ name }) => name in results);
  const packages = [...new Set(ran.map(({ name }) => name.split("/")[0]))];
  const ends = (some) => some.filter(({ name }) => results[name].cause === null).length;
  const of = (kind) => ran.filter(({ name }) => name.startsWith(`${kind}/`));
  const mib = (bytes) => (bytes / MIB).toFixed(1);
  const row = ({ name, folder, typed }) => {
    const { seconds, cause, allocated, reserved } = results[name];
    const figures = cause === null ? `${mib(allocated)} | ${mib(reserved)} | ends` : ` | | ${cell(cause)}`;
    return `| ${name} | \`${folder}: ${typed.replaceAll("|", "\\|")}\` | ${seconds} | ${figures} |`;
  };
  writeFileSync(
    join(import.meta.dirname, "../docs/package-examples.md"),
    `# The packages' own examples

Written by \`node scripts/examples.mjs PLACE --packages DIR --write\`: programs of the packages' repositories, nothing edited, with the words that their
pages give, on the installed packages. Data sets and weights are placeholders, as each report says; peaks are in MiB, seconds those of the whole process
on a busy machine of two cores, limited to what \`--seconds\` said. ${ran.length} of the ${programs.length} programs that scripts/examples/programs.txt lists were run for this page;
of the others nothing is said. None of these peaks was compared with the real PyTorch: docs/compared-examples.md does that for examples on small models, docs/package-programs.md for
programs of the same packages.

| package | ran | end by themselves |
| --- | --- | --- |
${packages.map((kind) => `| ${kind} | ${of(kind).length} | ${ends(of(kind))} |`).join("\n")}
| all | ${ran.length} | **${ends(ran)}** |

| program | command | seconds | allocated | reserved | |
| --- | --- | --- | --- | --- | --- |
${ran.map(row).join("\n")}
`,
  );
}
