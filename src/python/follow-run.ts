/** What whoever started a run does with each thing that its thread says; the same in Node and in a browser. */

import { unpackTrace } from "../trace/packed.ts";
import type { Trace } from "../trace/model.ts";
import type { FromWorker, ProgramEnd } from "./messages.ts";
import type { KeptOutput } from "./kept-output.ts";
import type { RunOptions } from "./run-types.ts";

export interface RunFollower {
  /** The program starts now; its time limit, where it has one, counts from here. */
  readonly onProgram: () => void;
  /** What was printed is passed on; `read` is over when somebody has read it. */
  readonly onOutput?: (read: unknown) => void;
  /** `trace`: null where it lies in shared memory. */
  readonly onResult: (end: ProgramEnd, trace: Trace | null) => void;
  readonly onFailure: (message: string) => void;
}

export function followRun(message: FromWorker, options: RunOptions, output: KeptOutput, follower: RunFollower): void {
  switch (message.type) {
    case "progress":
      options.onProgress?.(message.phase);
      if (message.phase === "program") follower.onProgram();
      break;
    case "output": {
      output.add(message.stream, message.text);
      // outside of the follower's call, which may not take place
      const read = options.onOutput?.(message.stream, message.text);
      follower.onOutput?.(read);
      break;
    }
    case "result": {
      const { type: _, trace, ...result } = message;
      follower.onResult(result, trace && unpackTrace(trace));
      break;
    }
    default:
      follower.onFailure(message.message);
  }
}
