/** What is done first: the process in which a program runs starts while the command line is loaded. */

import process from "node:process";
import { prepareProcess } from "../python/program-process.ts";
import { runsAtOnce } from "./runs-at-once.ts";
import type { StopSignals } from "./stop-signals.ts";

/** What runs the command that this process was started for; `stops` listens already. */
export async function start(stops: StopSignals): Promise<() => Promise<void>> {
  const args = process.argv.slice(2);
  if (runsAtOnce(args)) prepareProcess();
  // what does not run a program ends as the system ends it
  else stops.leave();
  const { answer } = await import("./answer.ts");
  return () => answer(args, stops);
}
