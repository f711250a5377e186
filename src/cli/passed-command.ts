/** Runs somebody's command as if it had been started by itself: its streams and exit status are its own, signals are passed on. */

import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Io } from "./io.ts";

/** What a shell says for a command that it cannot start. */
export const CANNOT_START = 127;
/** Signals that end a command from outside. */
const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

export interface PassedCommand {
  readonly child: ChildProcess;
  /** The exit status that a shell would report; rejects when the command cannot be started. */
  readonly ended: Promise<number>;
}

export function passCommand(command: readonly string[], io: Io): PassedCommand {
  // handlers come first: a signal right after the start would end us and leave the command alone
  let child: ChildProcess | null = null;
  const passOn = (signal: NodeJS.Signals): void => {
    // a terminal sends Ctrl+C to the command itself
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    child?.kill(signal);
  };
  for (const signal of PASSED_ON) process.on(signal, passOn);
  const started = spawn(command[0]!, command.slice(1), { cwd: io.cwd, env: io.env, stdio: "inherit" });
  child = started;
  const ended = new Promise<number>((done, fail) => {
    started.on("error", fail);
    started.on("exit", (code, signal) => done(code ?? 128 + constants.signals[signal!]));
  }).finally(() => {
    for (const signal of PASSED_ON) process.off(signal, passOn);
  });
  return { child: started, ended };
}
