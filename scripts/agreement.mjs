// Asks `estimate` for models of each type that both the built-in transformers and an installed one know, and compares: two implementations
// of the same model must give the same bytes. Configurations are those of the recorded families (test/families), with few layers.
// usage: agreement.mjs --packages FOLDER [--only TYPE,TYPE] [--task train|infer]...    the last line is `N agree, N not`
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const { values } = parseArgs({
  options: {
    packages: { type: "string" },
    only: { type: "string" },
    task: { type: "string", multiple: true, default: ["train", "infer"] },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const LAYERS = /^(num_(hidden_)?layers|n_layer|(encoder|decoder)_layers)$/;
const MOST_LAYERS = 2;
const SIZES = { train: ["--seq", "64"], infer: ["--prompt", "64"] };

/** The first recorded configuration of each type. */
function configurations() {
  const found = new Map();
  for (const file of ["train-cases.json", "infer-cases.json"])
    for (const { model_type: type, class: name, config } of JSON.parse(
      readFileSync(join(root, "test", "families", file), "utf8"),
    ))
      if (!found.has(type)) found.set(type, { ...config, model_type: type, architectures: [name] });
  return found;
}

const smaller = (config) =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      LAYERS.test(key) && typeof value === "number" ? Math.min(value, MOST_LAYERS) : value,
    ]),
  );

/** Allocated and reserved bytes, or the first line of what stands in the way. */
async function estimated(config, task, more) {
  const args = [join(root, "dist", "cli", "main.js"), "estimate", config, "--task", task, "--gpu", "h100-80gb"];
  args.push(...SIZES[task], "--json", ...more);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28, timeout: 600_000 });
    const { allocated, reserved } = JSON.parse(stdout).estimates[0].chain;
    return `${allocated.bytes} ${reserved.bytes}`;
  } catch (error) {
    if (error.stdout) {
      const chain = JSON.parse(error.stdout).estimates?.[0]?.chain;
      if (chain) return `${chain.allocated.bytes} ${chain.reserved.bytes}`;
    }
    return `no answer: ${
      String(error.stderr ?? error.message)
        .trim()
        .split("\n")[0]
    }`;
  }
}

const folder = mkdtempSync(join(tmpdir(), "vramscope-agreement-"));
const only = values.only?.split(",");
let [agree, differ] = [0, 0];
for (const [type, config] of configurations()) {
  if (only && !only.includes(type)) continue;
  const path = join(folder, `${type}.json`);
  writeFileSync(path, JSON.stringify(smaller(config)));
  for (const task of values.task) {
    const own = await estimated(path, task, []);
    const real = await estimated(path, task, ["--site-packages", values.packages]);
    if (own === real && !own.startsWith("no answer")) agree += 1;
    else differ += 1;
    console.log(
      own === real
        ? `${own.startsWith("no") ? "FAIL" : "agree"} ${type} ${task}: ${own}`
        : `FAIL ${type} ${task}\n  built-in ${own}\n  real ${real}`,
    );
  }
}
rmSync(folder, { recursive: true });
console.log(`${agree} agree, ${differ} not`);
process.exitCode = differ === 0 ? 0 : 1;
