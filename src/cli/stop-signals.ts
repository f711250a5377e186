/** The signals that ask a command to stop: the first lets a run end in order, with its report; the second ends everything at once. */

import { constants } from "node:os";
import process from "node:process";
import { EXIT } from "./exit-code.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A shell's status of a process that a signal ended is this and the signal's number. */
const SIGNALLED = 128;
const MOMENT_MS = 1000;

export interface StopSignals {
  /** From now on a signal aborts what this returns instead of ending the process. */
  listen(): AbortSignal;
  /** From now on a signal ends the process as it would without this, and one that came already does. */
  leave(): void;
  /** Waits for the last thing that a command does; once somebody asked it to stop, for a moment only, and then ends the process. */
  orSoonAfterStop(last: Promise<void>): Promise<void>;
  /** The exit status of a command that ended with `code`: an interrupted one names the signal. */
  exitCode(code: number): number;
}

export function stopSignals(): StopSignals {
  const controller = new AbortController();
  let listening = false;
  let heard: (typeof SIGNALS)[number] | null = null;
  const status = (): number => (heard === null ? EXIT.interrupted : SIGNALLED + constants.signals[heard]);
  const stop = (signal: (typeof SIGNALS)[number]): void => {
    // who asks again does not want to wait
    if (heard !== null) process.exit(status());
    heard = signal;
    controller.abort();
  };
  return {
    listen: () => {
      if (!listening) for (const signal of SIGNALS) process.on(signal, () => stop(signal));
      listening = true;
      return controller.signal;
    },
    leave: () => {
      if (heard !== null) process.exit(status());
      for (const signal of SIGNALS) process.removeAllListeners(signal);
      listening = false;
    },
    orSoonAfterStop: async (last) => {
      const end = (): void => void setTimeout(() => process.exit(status()), MOMENT_MS).unref();
      if (controller.signal.aborted) end();
      else controller.signal.addEventListener("abort", end);
      await last;
    },
    exitCode: (code) => (code === EXIT.interrupted ? status() : code),
  };
}
