// Runs the programs of a record (see README.md) under the simulator and lists what differs.
// usage: compare.mjs OUT_DIR|FILE.json.br [--gpu NAME] [--torch VERSION] [--only ID,...] [--packages FOLDER]... [--cache FOLDER] [--all] [--write PAGE]
// One line per difference, the first of each case unless --all; the last line is `N compared, N differ, N under-estimates`. --write makes
// a page of it (Markdown). --cache keeps interpreters that have imported the packages, as the command line does.
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { compareRecord } from "./differences.mjs";
import { recordPage } from "./page.mjs";
import { readRecords } from "./records.mjs";

const root = resolve(fileURLToPath(new URL(".", import.meta.url)), "..", "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gpu: { type: "string" },
    torch: { type: "string" },
    only: { type: "string" },
    packages: { type: "string", multiple: true },
    cache: { type: "string" },
    all: { type: "boolean" },
    write: { type: "string" },
  },
});
const folder = positionals[0];
if (!folder || !existsSync(folder.endsWith(".br") ? folder : join(folder, "machine.json"))) {
  console.error("compare: name a folder that `bash scripts/record/run.sh` wrote (it has a machine.json)");
  process.exit(2);
}
const { run } = await import(pathToFileURL(join(root, "dist", "index.js")).href);
const { machine, programs, records } = readRecords(folder);
const settings = {
  gpu: values.gpu ?? machine.gpu,
  torch: values.torch ?? machine.torch,
  sitePackages: values.packages ?? [],
  cacheFolder: values.cache,
};

const only = values.only?.split(",");
let compared = 0;
let differ = 0;
let under = 0;
const outcomes = {};
for (const [id, record] of Object.entries(records)) {
  if (only && !only.includes(id)) continue;
  const outcome = await compareRecord(run, record, settings);
  outcomes[id] = outcome;
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
if (values.write) writeFileSync(values.write, recordPage(machine, programs, outcomes));
process.exitCode = differ > 0 || compared === 0 ? 1 : 0;
