#!/usr/bin/env node
/** The `vramscope` executable. It hears signals before it loads anything, so that whoever stops it early gets an answer, too. */

import { writeSync } from "node:fs";
import process from "node:process";
import { EXIT } from "./exit-code.ts";
import { stopSignals } from "./stop-signals.ts";

// Node's own parts are made of WebAssembly, too, and nobody waits for them
process.on("uncaughtExceptionMonitor", (error) => {
  if (error instanceof RangeError && /out of memory/i.test(error.message)) say(error.message);
});
const stops = stopSignals();
stops.listen();
const answer = await import("./start.ts").then(({ start }) => start(stops)).catch(refuse);
await answer();

/** No words can be loaded then: too many open files, a folder that may not be read. */
function refuse(error: unknown): never {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  say(message);
}

function say(message: string): never {
  writeSync(2, `vramscope: this machine refuses: ${message}\n`);
  process.exit(EXIT.programFailed);
}
