// Whole processes of programs on real packages: the first run, which keeps an interpreter, and those after it, against their limits.
// usage: node bench/packages.bench.mjs --site-packages FOLDER [--runs N]. Seconds of the processor (user and system) are told beside the
// clock's: other work on the machine lengthens the clock's, so limits mean an idle machine with two cores.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled, root } from "../scripts/ensure.mjs";

ensureInstalled();
ensureBuilt();
const { values } = parseArgs({
  options: { "site-packages": { type: "string" }, runs: { type: "string", default: "5" } },
});
if (values["site-packages"] === undefined) throw new Error("--site-packages FOLDER: where transformers is installed");
const cli = join(root, "dist", "cli", "main.js");
const MEBIBYTE_KIB = 1024;
const TICKS_PER_SECOND = 100;

/** Fields of /proc/PID/stat after the name; null where there is no such process, or no /proc. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/** Seconds of the processor of children that ended, with all that they waited for. */
const childSeconds = () => {
  const fields = statOf("self");
  return fields === null ? NaN : (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
};

/** Memory of a process and all below it. */
function treeKib(pid) {
  let pids = [];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return 0;
  }
  const parents = new Map(pids.map((one) => [Number(one), Number(statOf(one)?.[1])]));
  const isBelow = (one) => one === pid || (parents.has(one) && parents.get(one) !== one && isBelow(parents.get(one)));
  const kib = (one) => {
    try {
      return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/status`, "utf8"))?.[1] ?? 0);
    } catch {
      return 0;
    }
  };
  return [...parents.keys()].filter(isBelow).reduce((sum, one) => sum + kib(one), 0);
}

async function once(program, cache) {
  const before = childSeconds();
  const started = performance.now();
  const args = [cli, "run", join(root, "bench", "programs", program), "--report", "summary"];
  const child = spawn(process.execPath, [...args, "--site-packages", values["site-packages"]], {
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  let kib = 0;
  const timer = setInterval(() => (kib = Math.max(kib, treeKib(child.pid))), 100);
  const status = await new Promise((done) => child.on("close", done));
  clearInterval(timer);
  if (status !== 0) throw new Error(`${program} ended with ${status}\n${errors}`);
  return { seconds: (performance.now() - started) / 1000, cpu: childSeconds() - before, mebibytes: kib / MEBIBYTE_KIB };
}

const MOST_MEBIBYTES = 1e9 / 2 ** 20;
const cases = [
  { name: "small Llama", program: "package_llama.py", limit: 1.5 },
  { name: "Trainer", program: "package_trainer.py", limit: 2.5 },
];
const FIRST_LIMIT = 25;
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

console.log(
  `${"whole process".padEnd(28)}${"wall s".padStart(9)}${"CPU s".padStart(8)}${"limit s".padStart(9)}${"MiB".padStart(7)}`,
);
const cache = mkdtempSync(join(tmpdir(), "vramscope-bench-"));
try {
  for (const { name, program, limit } of cases) {
    const told = (label, results, most) => {
      const seconds = median(results.map((r) => r.seconds));
      const mebibytes = Math.max(...results.map((r) => r.mebibytes));
      const over = seconds > most || mebibytes > MOST_MEBIBYTES;
      if (over) process.exitCode = 1;
      const cpu = median(results.map((r) => r.cpu));
      console.log(
        `${label.padEnd(28)}${seconds.toFixed(2).padStart(9)}${cpu.toFixed(2).padStart(8)}${most.toFixed(1).padStart(9)}${mebibytes.toFixed(0).padStart(7)}${over ? "  over the limit" : ""}`,
      );
    };
    told(`${name}, first time`, [await once(program, cache)], FIRST_LIMIT);
    const results = [];
    for (let i = 0; i < Number(values.runs); i++) results.push(await once(program, cache));
    told(name, results, limit);
  }
} finally {
  rmSync(cache, { recursive: true, force: true });
}
