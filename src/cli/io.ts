/** Everything outside the program that a command may touch; tests hand in their own. */

import type { RunOptions, RunResult } from "../python/run-types.ts";

export interface StreamInfo {
  readonly isTty: boolean;
  /** Columns of the terminal, or undefined. */
  readonly columns: number | undefined;
}

export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** When all of it is written; null where nothing waits. */
  readonly written?: () => Promise<void> | null;
  readonly outInfo: StreamInfo;
  readonly errInfo: StreamInfo;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly readStdin: () => string;
  readonly readStdinBytes: () => Uint8Array;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  /** Loads Python, so only commands that need it call this. */
  readonly loadRun: () => Promise<(options: RunOptions) => Promise<RunResult>>;
}
