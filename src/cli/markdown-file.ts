/** Markdown for job summaries: added to what is there, because steps of a job share the file. */

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Io } from "./io.ts";
import { writeProblem, writeWhole } from "./whole-files.ts";

export function appendOutput(typed: string, text: string, io: Io): void {
  writeWhole(typed, [before(typed, io), text], io);
}

function before(typed: string, io: Io): Uint8Array {
  const path = resolve(io.cwd, typed);
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : new Uint8Array();
  } catch (error) {
    throw writeProblem(error, typed) ?? error;
  }
}
