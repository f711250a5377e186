/** The exit status of the command line, as one pure function of what happened. */

import type { RunStatus } from "../python/run-types.ts";

export const EXIT = {
  ok: 0,
  doesNotFit: 1,
  usage: 2,
  programFailed: 3,
  ourBug: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Outcome {
  readonly status: RunStatus;
  /** Status that the Python program asked for. */
  readonly exitStatus: number;
  /** The program ran to its end, but the GPU is too small with context and libraries. */
  readonly doesNotFit: boolean;
  readonly overLimit: boolean;
}

export function exitCodeOf(outcome: Outcome): ExitCode {
  switch (outcome.status) {
    case "out_of_memory":
      return EXIT.doesNotFit;
    case "python_error":
    case "unsupported_op":
    case "timeout":
    case "host_out_of_memory":
    case "host_fault":
      return EXIT.programFailed;
    case "interrupted":
      return EXIT.interrupted;
    case "internal_error":
      return EXIT.ourBug;
    case "system_exit":
      if (outcome.exitStatus !== 0) return EXIT.programFailed;
      break;
    case "ok":
      break;
  }
  return outcome.doesNotFit || outcome.overLimit ? EXIT.doesNotFit : EXIT.ok;
}
