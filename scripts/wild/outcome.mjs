/** Runs one program as a newcomer would and says whether it works. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const MOST_OUTPUT = 2 ** 30;
/** How much longer than its limit a program may take on a machine that has other things to do. */
const PATIENCE = 12;

/**
 * A program works when it ends by itself in time and its work ran on the simulated GPU: something was allocated by operators, beyond
 * what moving parameters there takes. A program that trains or runs a model and, as its text and arguments say, does so on the CPU
 * works when it ends and the report says that nothing is on the GPU.
 *
 * Time is that of an idle machine: seconds of processors where the system counts them, else of the clock. `keep` gets what the run
 * wrote.
 */
export function outcomeOf(main, entry, packages, seconds, keep = () => {}) {
  const { directory, script, args } = entry;
  const started = performance.now();
  const processorsAtStart = processorSeconds();
  const options = ["--json", "--timeout", String(seconds * PATIENCE), "--site-packages", packages];
  const ranks =
    entry.ranks && !spawns(join(resolve(directory), script)) ? 4 : launchedByReadme(directory, script) ? 1 : 0;
  for (const [name, value] of Object.entries(entry.env ?? {})) options.push("--env", `${name}=${value}`);
  if (ranks > 0) options.push("--nproc-per-node", String(ranks));
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, "run", ...options, script, "--", ...args], {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT,
    timeout: (seconds * PATIENCE + 30) * 1000,
  });
  keep(stdout, stderr);
  const clock = (performance.now() - started) / 1000;
  const took = processorsAtStart === null ? clock : Math.min(clock, processorSeconds() - processorsAtStart);
  const fails = (cause) => ({ works: false, cause, seconds: took });
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    return fails(`no report (${status}): ${lastLine(stderr)}`);
  }
  if (Array.isArray(report.ranks)) report = rankThatEnds(report.ranks.map((rank) => rank.report));
  const ended = report.status === "ok" || (report.status === "system_exit" && report.exitStatus === 0);
  if (!ended) return fails(causeOf(report));
  if (took > seconds) return fails(`takes ${Math.round(took)} s`);
  if (worked(report)) return { works: true, cause: "", seconds: took };
  const onHost = report.allocated.peakBytes === 0 && computes(join(resolve(directory), script), script);
  return onHost ? { works: true, onHost, cause: "", seconds: took } : fails("ends without work on the GPU");
}

/** Of several ranks the first that did not end well, by itself if there is one; where all did, the first that worked. */
function rankThatEnds(reports) {
  const bad = reports.filter((report) => report.status !== "ok");
  return bad.find((report) => report.status !== "interrupted") ?? bad[0] ?? reports.find(worked) ?? reports[0];
}

/** Whether the README of a program's repository starts it by torchrun or its predecessor: that is a newcomer's command then. */
function launchedByReadme(directory, script) {
  const readme = join(resolve(directory), "README.md");
  if (!existsSync(readme)) return false;
  const commands = readFileSync(readme, "utf8").replaceAll(/\\\n/g, " ").split("\n");
  return commands.some(
    (line) => /\b(?:torchrun|torch\.distributed\.(?:launch|run))\b/.test(line) && line.includes(script),
  );
}

/** Seconds that processors spent on processes that this one started and that ended; null where the system does not say. */
function processorSeconds() {
  if (!existsSync("/proc/self/stat")) return null;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  const TICKS = 100;
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** Whether a program starts its ranks itself; others that are for several GPUs are started by torchrun. */
const spawns = (path) => /\bspawn\(/.test(readFileSync(path, "utf8"));

/**
 * Whether a program's own text names no device, or computes gradients or runs a model. The simulation always has a GPU to offer, so a program that ends
 * without one did not ask for it.
 */
function computes(inFolder, script) {
  const text = readFileSync(existsSync(inFolder) ? inFolder : script, "utf8").replaceAll(/^\s*#.*$/gm, "");
  // what never names torch has nothing to run on a GPU
  if (!/\btorch\b/.test(text)) return true;
  // nor has one that asks for no device at all
  if (!/\b(?:cuda|device|accelerator|gpu)/i.test(text)) return true;
  return /\.backward\(|\bloss\w*\s*=|\bmodel\(|generate\w*\(|completion\(|\.mm\(|train\(/.test(text);
}

function causeOf(report) {
  if (report.status === "timeout") return `does not end in time, at ${whereOf(report.error)}`;
  if (report.status === "system_exit")
    return `exits with ${report.exitStatus}: ${lastError(report.output?.stderr ?? "")}`;
  return `${report.status}: ${lastLine(report.error ?? "")}`;
}

/** The last line of text that is not empty. */
function lastLine(text) {
  return text.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}

/** The last line that names an error, for programs that catch their own. */
function lastError(text) {
  const named = text.split("\n").filter((line) => /^\w*(?:Error|Exception)\b/.test(line));
  return named.at(-1)?.slice(0, 200) ?? lastLine(text);
}

function whereOf(errorText) {
  const places = [...(errorText ?? "").matchAll(/File "(.*?)", line (\d+)/g)];
  return places.length === 0
    ? "an unknown line"
    : `${places.at(-1)[1].split("/").slice(-2).join("/")}:${places.at(-1)[2]}`;
}

/** Whether a step of training or of generation ran: operators made results beyond copies of parameters. */
function worked(report) {
  return (report.lines ?? []).some(({ ops }) => ops.some((op) => !MOVES.has(op)));
}

const MOVES = new Set([
  "aten::_to_copy",
  "aten::empty",
  "aten::zeros",
  "aten::to",
  "aten::copy_",
  "aten::empty_strided",
]);
