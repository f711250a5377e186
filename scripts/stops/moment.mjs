/** One run that is stopped at one moment, and everything that must hold then. */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";

const MAIN = resolve(import.meta.dirname, "../../dist/cli/main.js");
const OLD = '{"old":true}\n';
/** A run that is stopped and still there after this has not been stopped. */
const PATIENCE_MS = 120_000;
/** After this the parent has what was recorded before, on a machine with much else to do, too. */
const STREAMED_MS = 3000;
const LOOK_MS = 5;
/** A run that may be stopped by nothing else ends by this limit. */
const FALLBACK_SECONDS = "4";

const PROGRAM_FAILED = 3;
const signalled = (name) => 128 + constants.signals[name];

/** By name: words for the command line, what to do at the moment, and with which exit codes the run may end then. */
export const STOPS = {
  SIGINT: bySignal("SIGINT"),
  SIGTERM: bySignal("SIGTERM"),
  SIGHUP: bySignal("SIGHUP"),
  "time limit": {
    words: (delay) => ["--timeout", String(Math.max(0.001, delay / 1000))],
    act: () => {},
    codes: [PROGRAM_FAILED],
  },
  "memory limit": {
    words: () => ["--timeout", FALLBACK_SECONDS],
    act: (run) => run.children().forEach(takeMemory),
    codes: [PROGRAM_FAILED],
  },
  "killed by the system": {
    words: () => ["--timeout", FALLBACK_SECONDS],
    act: (run) => run.children().forEach((pid) => kill(pid, "SIGKILL")),
    codes: [PROGRAM_FAILED],
  },
  /** Nobody can say anything then; but nothing is left running, and no file is half. */
  "the command is killed": { ...bySignal("SIGKILL"), isSilent: true },
};

function bySignal(name) {
  return { words: () => [], act: (run) => kill(run.pid, name), codes: [signalled(name)], signal: name };
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended already
  }
}

/** From now on the process gets no more memory than it has. */
function takeMemory(pid) {
  try {
    const kib = Number(/^VmData:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
    execFileSync("prlimit", ["--pid", String(pid), `--data=${kib * 1024}`], { stdio: "ignore" });
  } catch {
    // it has ended already
  }
}

function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const isThere = (pid) => {
  try {
    // what has ended and was not asked for yet is no process any more
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * @param moment `after`: milliseconds after the start of the run, or, with `isInProgram`, after the program said that it is on;
 *   null: it is not stopped
 * @returns what is wrong, as sentences, and what was seen
 */
export async function stoppedRun(folder, program, stop, moment) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sources = { "program.py": program.source, ...program.files };
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  for (const name of ["old.json", "old.csv"]) writeFileSync(join(folder, name), OLD);
  const words = stop?.words(moment.after) ?? [];
  const files = ["-o", "old.json", "--export", "csv-blocks=old.csv"];
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, "run", "--passes", "all", ...words, ...files, "program.py"], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const seen = { out: "", err: "", on: null, end: null, code: null, signal: null };
  const closed = new Promise((done) =>
    child.on("close", (code, signal) => done(Object.assign(seen, { code, signal }))),
  );
  child.stdout.setEncoding("utf8").on("data", (text) => {
    seen.out += text;
    if (seen.on === null && seen.out.startsWith("on\n")) seen.on = performance.now() - started;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => (seen.err += text));
  const everybody = new Set();
  const run = { pid: child.pid, children: () => childrenOf(child.pid) };
  let stoppedAt = null;
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  while (!isOver()) {
    for (const pid of run.children()) everybody.add(pid);
    const now = performance.now() - started;
    const from = moment?.isInProgram ? seen.on : 0;
    if (stop !== null && stoppedAt === null && from !== null && now >= from + moment.after) {
      stoppedAt = now;
      stop.act(run);
    }
    if (now > PATIENCE_MS + (stoppedAt ?? 0)) break;
    await pause(LOOK_MS);
  }
  const hangs = !isOver();
  if (hangs) kill(child.pid, "SIGKILL");
  await closed;
  seen.end = performance.now() - started;
  const wrong = hangs ? ["it did not end"] : problems(seen, stop, stoppedAt);
  await pause(LOOK_MS);
  // who has just been killed may take a moment to go
  for (let tries = 0; tries < 100 && [...everybody].some(isThere); tries++) await pause(LOOK_MS * 4);
  const orphans = [...everybody].filter(isThere);
  if (orphans.length > 0) wrong.push(`processes are left: ${orphans.join(", ")}`);
  orphans.forEach((pid) => kill(pid, "SIGKILL"));
  wrong.push(...fileProblems(folder, stop?.isSilent ?? false));
  return { wrong, seen, stoppedAt };
}

const REPORTED = /^ {2}(fits|not finished|does not fit|tight)\b/m;
/** One line that says what became of the run, or a traceback that does. */
const LINE = /^(vramscope: \S.*|[\w.]+(Error|Interrupt|Exception)\b.*|the process that runs programs ended by .*)$/m;

function problems(seen, stop, stoppedAt) {
  const wrong = [];
  const { code, signal, out, err } = seen;
  if (stop?.isSilent && signal === stop.signal) return [];
  const hasReport = REPORTED.test(out);
  const finished = code === 0 && /^ {2}fits\b/m.test(out);
  // the system ends what has not begun to listen: nothing was started, and the shell says the signal
  const before = stop?.signal !== undefined && signal === stop.signal && out === "" && err === "";
  if (!finished && !before && (stop === null || !stop.codes.includes(code)))
    wrong.push(`it ended with ${code ?? signal}`);
  if (!hasReport && !before && !LINE.test(err)) wrong.push("it said nothing");
  if (/\n {4}at |itself failed/.test(err)) wrong.push("it showed our own stack or failed itself");
  if (/\b(NaN|undefined)\b/.test(out)) wrong.push("it reported nonsense");
  const knows = stop?.codes[0] !== PROGRAM_FAILED || stoppedAt === null || stoppedAt - seen.on > STREAMED_MS;
  if (seen.on !== null && hasReport && knows && !/^ {2}allocated +[1-9][\d.]* GiB/m.test(out)) {
    wrong.push("it lost the 1 GiB that the program had");
  }
  // a thread that dies of memory may take its last moments with it; then the report says so instead
  const saysLost = !knows && out.replaceAll(/\s+/g, " ").includes("the figures up to there were lost");
  // a program that had ended when the signal came has a verdict, and no line
  if (
    seen.on !== null &&
    /^ {2}not finished\b/m.test(out) &&
    !saysLost &&
    !/stopped at line \d+ of/.test(out.replaceAll(/\s+/g, " "))
  ) {
    wrong.push("it did not say where the program was");
  }
  return wrong;
}

function fileProblems(folder, mayLeave) {
  const wrong = [];
  const trace = readFileSync(join(folder, "old.json"), "utf8");
  const table = readFileSync(join(folder, "old.csv"), "utf8");
  if (trace !== OLD && !isTrace(trace)) wrong.push("old.json is neither old nor whole");
  if (table !== OLD && !table.endsWith("\n")) wrong.push("old.csv is neither old nor whole");
  const parts = readdirSync(folder).filter((name) => name.endsWith(".part"));
  if (parts.length > 0 && !mayLeave) wrong.push(`left over: ${parts.join(", ")}`);
  return wrong;
}

function isTrace(text) {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
