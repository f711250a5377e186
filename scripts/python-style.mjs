// `npm run python:format` and `python:check`: ruff, in WebAssembly, over every Python file that is ours: its form, its faults, and
// whether what is public has types. Its settings stand here alone, so that neither Python nor a file in another format is needed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ruff from "@astral-sh/ruff-wasm-nodejs";
import { isPublic } from "./python-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const SETTINGS = {
  "line-length": 120,
  "target-version": "py313",
  lint: {
    select: ["E4", "E7", "E9", "F", "W", "ANN"],
    ignore: [
      "ANN401", // Any says that a value may be anything: many do not care
      "E402", // a stand-in imports where the package that it stands for does
      "E701",
      "E731", // a name given to a lambda is part of some packages' surface
      "E741",
      "F401", // a stand-in's names are imported to be found there
      "F403",
      "F405",
      "F811", // a parameter may be called what an import is called: names of parameters are PyTorch's
      "F822", // names that a module's __getattr__ brings
      "F841", // a name that nobody reads may hold a tensor, as in PyTorch
    ],
  },
};
// examples are left as people write them: reports name their lines
const FOLDERS = ["python", "recorder", "scripts", "wheel"];

const write = process.argv.includes("--write");
const workspace = new ruff.Workspace(SETTINGS, ruff.PositionEncoding.Utf16);
let faults = 0;
for (const file of FOLDERS.flatMap((folder) => filesOf(folder))) {
  const text = readFileSync(join(root, file), "utf8");
  const formatted = workspace.format(text);
  if (formatted !== text) {
    if (write) writeFileSync(join(root, file), formatted);
    else fault(file, 1, "is not formatted: npm run python:format");
  }
  const checked = write ? formatted : text;
  const rows = checked.split("\n");
  for (const { code, message, start_location: start } of workspace.check(checked)) {
    if (code.startsWith("ANN") && !isPublic(rows, start.row)) continue;
    fault(file, start.row, `${code} ${message}`);
  }
}
if (faults > 0) process.exitCode = 1;

function filesOf(folder) {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".py"))
    .map((name) => join(folder, name))
    .sort();
}

function fault(file, line, text) {
  faults++;
  console.error(`${relative(".", join(root, file))}:${line}: ${text}`);
}
