/**
 * Installed frameworks on one rank, compared line by line with what the recorder of ../shared/distributed printed.
 *
 *   node scripts/frameworks.mjs ../shared/distributed --packages DIR [--only TEXT]
 *
 * DIR is a site-packages folder with the frameworks as pip installs them. The last line is `N of M rows equal`.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { packages: { type: "string" }, only: { type: "string" } },
});
const [folder] = positionals;
if (folder === undefined || values.packages === undefined)
  throw new Error(
    "node scripts/frameworks.mjs FOLDER --packages DIR: the folder with frameworks.json, and installed packages",
  );
const main = resolve(import.meta.dirname, "../dist/cli/main.js");

/** The script of each framework and the arguments that a row's configuration stands for. */
const SCRIPTS = {
  DeepSpeed: { script: "ds.py", args: (c) => [c.zero_stage, c.dtype] },
  "Megatron-Core": {
    script: "mcore.py",
    args: (c) => [
      c.tensor_parallel,
      c.pipeline_parallel,
      c.sequence_parallel ? "sp" : "nosp",
      c.distributed_optimizer ? "distopt" : "plain",
    ],
  },
};

const { rows } = JSON.parse(readFileSync(join(folder, "frameworks.json"), "utf8"));
let equal = 0;
let count = 0;
for (const { framework, config, world, rank, lines } of rows) {
  const name = `${framework} ${JSON.stringify(config)} rank ${rank} of ${world}`;
  if (values.only !== undefined && !name.includes(values.only)) continue;
  const { script, args } = SCRIPTS[framework];
  const ranks = ["--nproc-per-node", String(world), "--rank", String(rank)];
  // the recorder knows no memory inside kernels (sorts of embeddings' gradients are the peak of Megatron's first stages)
  const words = [
    "run",
    "--report",
    "none",
    "--kernel-temporaries",
    "off",
    "--site-packages",
    resolve(values.packages),
    ...ranks,
  ];
  const program = [join(folder, "frameworks", script), "--", ...args(config).map(String)];
  const run = spawnSync(process.execPath, [main, ...words, ...program], { encoding: "utf8", maxBuffer: 2 ** 30 });
  const said = run.stdout.split("\n").filter((line) => /^\S+ \d+ \d+$/.test(line));
  const differs = lines.findIndex((line, i) => line !== said[i]);
  count++;
  if (differs === -1) equal++;
  const cause =
    run.status === 0
      ? `line ${differs + 1}: ${lines[differs]}, here ${said[differs]}`
      : run.stderr.trim().split("\n").at(-1);
  console.log(`${name}: ${differs === -1 ? `${lines.length} lines equal` : cause}`);
}
console.log(`${equal} of ${count} rows equal`);
