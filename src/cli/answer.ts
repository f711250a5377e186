/** Connects the command line with this process. */

import { readFileSync } from "node:fs";
import process from "node:process";
import { localeOf, message } from "../i18n/index.ts";
import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { descriptorWriter, written } from "./output.ts";
import { runCommandLine } from "./program.ts";
import type { StopSignals } from "./stop-signals.ts";

/** Runs the command with these words; `stops` listens already. */
export async function answer(args: readonly string[], stops: StopSignals): Promise<void> {
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
    get signal() {
      return stops.listen();
    },
    written,
    loadRun: async () => (await import("../python/run.ts")).runProgram,
  };

  process.exitCode = stops.exitCode(await runCommandLine(args, io));
  const rest = written();
  // whoever asked it to stop does not wait for a reader that stands still
  if (rest !== null) await stops.orSoonAfterStop(rest);
  if (unwritten !== null) {
    io.err(`vramscope: ${message(localeOf(process.env), "output_failed", { reason: unwritten })}\n`);
    process.exitCode = EXIT.programFailed;
  }
}
