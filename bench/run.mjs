// The committed benchmark: whole processes and the allocator, each against its limit, and as a ratio to the empty program.
// usage: npm run bench [-- --runs N]. Times are medians; machines are noisy, so ratios are what to compare over time.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "../scripts/ensure.mjs";

ensureInstalled();
ensureBuilt();
const at = process.argv.indexOf("--runs");
const runs = at > 0 ? Number(process.argv[at + 1]) : 5;
const cli = join(root, "dist", "cli", "main.js");
const programs = join(root, "bench", "programs");

/** Wall seconds and peak resident MiB of one process; the memory only where /proc tells it. */
async function once(args) {
  const started = performance.now();
  const child = spawn(process.execPath, [cli, ...args], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  let peakKib = 0;
  const timer = setInterval(() => {
    try {
      peakKib = Math.max(
        peakKib,
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0),
      );
    } catch {
      // not on Linux, or already gone
    }
  }, 25);
  const status = await new Promise((done) => child.on("close", done));
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`vramscope ${args.join(" ")} ended with ${status}\n${errors}`);
  return { seconds, mebibytes: peakKib / 1024 };
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

const cases = [
  { name: "empty program", args: ["run", "--report", "none", join(programs, "empty.py")], limitSeconds: Infinity },
  {
    name: "attention example",
    args: ["run", "--torch", "1.13", join(root, "examples", "attention.py")],
    limitSeconds: 1.0,
  },
  {
    name: "50,000 small matmuls",
    args: ["run", "--report", "summary", join(programs, "matmul_loop.py")],
    limitSeconds: 1.5,
  },
  {
    name: "training step of an 8B model",
    args: ["run", "--gpu", "h200", "--report", "summary", join(programs, "llama_8b_step.py")],
    limitSeconds: Infinity,
  },
  // ranks run in processes of their own: memory is that of the process that merges them
  {
    name: "8 ranks of an 8B model, merged",
    args: ["run", "--gpu", "h100", "--nproc-per-node", "8", join(programs, "fsdp2_8b_two_steps.py")],
    limitSeconds: 4,
  },
  {
    name: "8 ranks of an 8B model, all",
    args: ["run", "--gpu", "h100", "--nproc-per-node", "8", "--rank", "all", join(programs, "fsdp2_8b_two_steps.py")],
    limitSeconds: 15,
  },
  {
    name: "4 pipeline stages of an 8B model",
    args: ["run", "--gpu", "h100", "--nproc-per-node", "4", join(programs, "pipeline_8b_two_steps.py")],
    limitSeconds: 8,
  },
];

let failed = 0;
let base = 0;
console.log(
  `${"whole process".padEnd(32)}${"median s".padStart(10)}${"ratio".padStart(8)}${"limit s".padStart(9)}${"MiB".padStart(7)}`,
);
for (const { name, args, limitSeconds } of cases) {
  await once(args);
  const results = [];
  for (let i = 0; i < runs; i++) results.push(await once(args));
  const seconds = median(results.map((r) => r.seconds));
  const mebibytes = Math.max(...results.map((r) => r.mebibytes));
  base ||= seconds;
  const over = seconds > limitSeconds || (Number.isFinite(limitSeconds) && mebibytes > 400);
  if (over) failed++;
  console.log(
    `${name.padEnd(32)}${seconds.toFixed(2).padStart(10)}${(seconds / base).toFixed(2).padStart(8)}${(Number.isFinite(limitSeconds) ? limitSeconds.toFixed(1) : "").padStart(9)}${mebibytes.toFixed(0).padStart(7)}${over ? "  over the limit" : ""}`,
  );
}
const allocator = spawnSync(process.execPath, [join(root, "bench", "allocator.bench.mjs")], {
  cwd: root,
  stdio: "inherit",
});
const traces = spawnSync(process.execPath, [join(root, "bench", "trace.bench.mjs")], { cwd: root, stdio: "inherit" });
const chart = spawnSync(process.execPath, [join(root, "bench", "chart.bench.mjs")], { cwd: root, stdio: "inherit" });
process.exitCode = failed || allocator.status || traces.status || chart.status ? 1 : 0;
