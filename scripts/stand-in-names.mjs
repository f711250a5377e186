// Compares the names of stand-ins with those of the installed packages: modules, names, members of classes, parameters that are not here.
// usage: stand-in-names.mjs --python PYTHON [--scan FOLDER] [--all] [--dist FOLDER] PACKAGE...
// PYTHON is an interpreter that has the packages. With --scan only what the Python files below a folder mention is listed, with the number of
// files; nothing of them runs. --all lists parameters, too, that no file hands over.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals: packages } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string" },
    scan: { type: "string" },
    all: { type: "boolean", default: false },
    dist: { type: "string" },
  },
});
if (values.python === undefined || packages.length === 0)
  throw new Error("npm run stand-in-names -- --python PYTHON PACKAGE...: the interpreter that has the real packages");

const root = fileURLToPath(new URL("..", import.meta.url));
const { runProgram } = await import(pathToFileURL(join(resolve(root, values.dist ?? "dist"), "python", "run.js")));

const lister = join(root, "scripts", "surface", "package_names.py");
const real = execFileSync(values.python, [lister, ...packages], { encoding: "utf8", maxBuffer: 2 ** 30 });
const comparer = readFileSync(join(root, "scripts", "surface", "compare_names.py"), "utf8");
const texts = values.scan === undefined ? null : programTexts(values.scan);
const source = `${comparer}
print(json.dumps(lacking(json.loads(REAL))))
`.replace("REAL", () => JSON.stringify(real));
const result = await runProgram({ script: "compare.py", source });
if (result.status !== "ok") throw new Error(result.errorText);

const lacking = JSON.parse(result.stdout.trimEnd().split("\n").at(-1));
const rows = lacking.map((row) => ({ ...row, files: texts === null ? 0 : filesThatMention(row) }));
const shown = texts === null ? rows : rows.filter(({ files }) => files > 0);
shown.sort((a, b) => b.files - a.files);
for (const { kind, name, files } of shown)
  if (values.all || kind !== "parameter" || texts !== null)
    console.log(`${texts === null ? "" : `${String(files).padStart(4)} `}${kind} ${name}`);
const counts = new Map();
for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
console.log(`not here: ${[...counts].map(([kind, count]) => `${count} ${kind}s`).join(", ") || "nothing"}`);

/** The texts of programs below a folder, notebooks among them. */
function programTexts(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(py|ipynb)$/.test(name) && !name.includes("site-packages"))
    .map((name) => {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return "";
      }
    });
}

/** In how many files a name stands beside its package; a parameter beside the name of what takes it, in one call. */
function filesThatMention({ kind, module, last, owner }) {
  const top = module.split(".")[0];
  const word = (text) => text.replace(/[^\w]/g, "\\$&");
  const mention = {
    module: new RegExp(`(from|import)\\s+${word(module)}\\b|${word(module)}\\.`),
    name: new RegExp(
      `\\b${word(module.split(".").at(-1))}\\.${word(last)}\\b|from ${word(module)} import[^\\n]*\\b${word(last)}\\b`,
    ),
    member: new RegExp(`\\.${word(last)}\\b`),
    parameter: new RegExp(`\\b${word(owner)}\\([^()]*(\\([^()]*\\)[^()]*)*\\b${word(last)}\\s*=`),
  }[kind];
  return texts.filter((text) => new RegExp(`(from|import)\\s+${top}\\b`).test(text) && mention.test(text)).length;
}
