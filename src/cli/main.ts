#!/usr/bin/env node
/** The `vramscope` executable: connects the command line with this process. */

import { readFileSync } from "node:fs";
import process from "node:process";
import { localeOf, message } from "../i18n/index.ts";
import { prepareProcess } from "../python/program-process.ts";
import { runsAtOnce } from "./commands.ts";
import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { descriptorWriter } from "./output.ts";
import { runCommandLine } from "./program.ts";

const args = process.argv.slice(2);
if (runsAtOnce(args)) prepareProcess();

const interrupt = new AbortController();
process.on("SIGINT", () => {
  // The first Ctrl+C lets the run end in order; who presses again does not want to wait.
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
  interrupt.abort();
});

let unwritten: string | null = null;
const io: Io = {
  out: descriptorWriter(1, (reason) => void (unwritten = reason)),
  err: descriptorWriter(2),
  outInfo: { isTty: process.stdout.isTTY === true, columns: process.stdout.columns },
  errInfo: { isTty: process.stderr.isTTY === true, columns: process.stderr.columns },
  env: process.env,
  cwd: process.cwd(),
  readStdin: () => readFileSync(0, "utf8"),
  readStdinBytes: () => readFileSync(0),
  signal: interrupt.signal,
  loadRun: async () => (await import("../python/run.ts")).runProgram,
};

process.exitCode = await runCommandLine(args, io);
if (unwritten !== null) {
  io.err(`vramscope: ${message(localeOf(process.env), "output_failed", { reason: unwritten })}\n`);
  process.exitCode = EXIT.programFailed;
}
