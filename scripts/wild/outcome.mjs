/** Runs one program as a newcomer would and says whether it works. */

import { spawnSync } from "node:child_process";

const MOST_OUTPUT = 2 ** 30;

/**
 * A program works when it ends by itself in time and its work ran on the simulated GPU: something was allocated by operators, beyond
 * what moving parameters there takes.
 */
export function outcomeOf(main, { directory, script, args }, packages, seconds, keep = () => {}) {
  const started = performance.now();
  const command = [
    main,
    "run",
    "--json",
    "--timeout",
    String(seconds),
    "--site-packages",
    packages,
    script,
    "--",
    ...args,
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT,
    timeout: (seconds + 30) * 1000,
  });
  keep(stdout, stderr);
  const took = (performance.now() - started) / 1000;
  const fails = (cause) => ({ works: false, cause, seconds: took });
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    return fails(`no report (${status}): ${lastLine(stderr)}`);
  }
  const ended = report.status === "ok" || (report.status === "system_exit" && report.exitStatus === 0);
  if (!ended) return fails(causeOf(report));
  if (!worked(report)) return fails("ends without work on the GPU");
  return { works: true, cause: "", seconds: took };
}

function causeOf(report) {
  if (report.status === "timeout") return `does not end in time, at ${whereOf(report.error)}`;
  if (report.status === "system_exit")
    return `exits with ${report.exitStatus}: ${lastLine(report.output?.stderr ?? "")}`;
  return `${report.status}: ${lastLine(report.error ?? "")}`;
}

/** The last line of text that is not empty. */
function lastLine(text) {
  return text.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
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
