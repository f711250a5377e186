// Writes docs/torch-names.md: which public names of PyTorch 2.14 the stand-in has, which it has not, and the share.
// usage: surface.mjs [--dist FOLDER] [--check] [--scan FOLDER]
// With --check it writes nothing and fails where the page is not what would be written. With --scan it lists the names of torch,
// torchvision and numpy that a folder's Python files use and that are not here, and in how many files each stands; nothing of it runs.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { dist: { type: "string" }, check: { type: "boolean" }, scan: { type: "string" } },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const { runProgram } = await import(pathToFileURL(join(resolve(root, values.dist ?? "dist"), "python", "run.js")));

if (values.scan) {
  const texts = readdirSync(values.scan, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".py"))
    .map((name) => readFileSync(join(values.scan, name), "utf8"));
  const reader = readFileSync(join(root, "scripts", "surface", "used_names.py"), "utf8");
  const scan = `${reader}
import collections, importlib, json
from torch import _shells

def missing(name):
    found, parts = None, name.split(".")
    for part in parts:
        if found is None or not hasattr(found, part):
            try:
                found = importlib.import_module(part if found is None else f"{found.__name__}.{part}")
            except Exception:
                return True
        else:
            found = getattr(found, part)
        if _shells.is_shell(found):
            return True
    return False

uses = collections.Counter()
for text in json.loads(${JSON.stringify(JSON.stringify(texts))}):
    uses.update(used_names(text, {"torch", "torchvision", "numpy"}))
for name, count in sorted(uses.items(), key=lambda pair: (-pair[1], pair[0])):
    if missing(name):
        print(count, name)
`;
  const found = await runProgram({ script: "scan.py", source: scan });
  if (found.status !== "ok") throw new Error(found.errorText);
  process.stdout.write(found.stdout);
  process.exit(0);
}

const source = `
import importlib, json
from torch import _shells
rows = []
for module, names in sorted(_shells.public_names().items()):
    if not names:
        continue
    try:
        found = importlib.import_module(module)
    except Exception:
        found = None
    lacks = [n for n in sorted(names) if found is None or _shells.is_shell(getattr(found, n, found)) or not hasattr(found, n)]
    rows.append((module, len(names), lacks))
print(json.dumps(rows))
`;
const result = await runProgram({ script: "names.py", source });
if (result.status !== "ok") throw new Error(result.errorText);
const rows = JSON.parse(result.stdout);
const total = rows.reduce((sum, [, count]) => sum + count, 0);
const missing = rows.reduce((sum, [, , lacks]) => sum + lacks.length, 0);
const share = (have, all) => `${((100 * have) / all).toFixed(1)} %`;
const page = `# Names of PyTorch 2.14

Written by \`node scripts/surface.mjs\`. Of ${total} public names in ${rows.length} modules, ${total - missing} are here (${share(total - missing, total)}). The others can be
imported; using one says that it is not simulated. Being here says that a name runs; what its memory rests on is said by its row.

| module | here | of | not here |
| --- | ---: | ---: | --- |
${rows.map(([name, count, lacks]) => `| ${name} | ${count - lacks.length} | ${count} | ${lacks.join(" ")} |`).join("\n")}
`;
const path = join(root, "docs", "torch-names.md");
if (values.check) process.exitCode = readFileSync(path, "utf8") === page ? 0 : 1;
else writeFileSync(path, page);
console.log(`${total - missing} of ${total} public names (${share(total - missing, total)})`);
