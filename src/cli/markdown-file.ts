/** Markdown for job summaries: appended, because steps of a job share the file. */

import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

export function appendOutput(typed: string, text: string, io: Io): void {
  const path = resolve(io.cwd, typed);
  try {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError("cannot_write", { path: typed, reason });
  }
}
