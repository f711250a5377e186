/** Files that a command is told to write must not be what it reads, nor the same file twice; that is found out before any work. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

/** Programs that are there already: a report that is written over one is a slip of the keyboard. */
const SOURCES = new Set([".py", ".pyi", ".ipynb"]);

/** The same text for the same file, whatever way leads to it; null for what is no file (a pipe, a device). */
function identity(path: string): string | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (stats !== undefined) return stats.isFile() ? `${stats.dev}:${stats.ino}` : null;
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * @param outputs file names as typed
 * @param inputs file names as typed; `-` is standard input
 * @throws {UsageError} `output_is_folder`, `output_is_input`, `output_is_source` or `output_twice`
 */
export function requireOutputs(
  outputs: readonly (string | null | undefined)[],
  inputs: readonly string[],
  io: Io,
): void {
  const read = new Set(inputs.flatMap((typed) => (typed === "-" ? [] : [identity(resolve(io.cwd, typed))])));
  const written = new Set<string>();
  for (const typed of outputs) {
    if (typed === null || typed === undefined) continue;
    const path = resolve(io.cwd, typed);
    if (isFolder(path)) throw new UsageError("output_is_folder", { path: typed });
    const file = identity(path);
    if (file === null) continue;
    if (read.has(file)) throw new UsageError("output_is_input", { path: typed });
    if (SOURCES.has(extname(path).toLowerCase()) && existsSync(path))
      throw new UsageError("output_is_source", { path: typed });
    if (written.has(file)) throw new UsageError("output_twice", { path: typed });
    written.add(file);
  }
}
