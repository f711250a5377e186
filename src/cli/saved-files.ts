/** Where the files of a program go on the host: into a folder that was new or empty, and nowhere else. */

import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { message, type Locale } from "../i18n/index.ts";
import type { RunResult } from "../python/run-types.ts";
import { SAVED_LIMITS } from "../python/written-files.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

export interface SaveFolder {
  readonly typed: string;
  readonly path: string;
}

/** The folder, checked before the program runs; it is made when there is something to save. */
export function newFolder(typed: string, io: Io): SaveFolder {
  const path = resolve(io.cwd, typed);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw new UsageError("not_a_directory", { path: typed });
  if (stats !== undefined && readdirSync(path).length > 0) throw new UsageError("folder_not_empty", { path: typed });
  return { typed, path };
}

export function saveFiles(
  { typed, path }: SaveFolder,
  { files, leftOut }: NonNullable<RunResult["files"]>,
  locale: Locale,
  io: Io,
): void {
  try {
    for (const [name, bytes] of files) {
      const target = join(path, name);
      if (!target.startsWith(path + sep)) continue;
      mkdirSync(dirname(target), { recursive: true });
      // never over a file that is there
      writeFileSync(target, bytes, { flag: "wx", mode: 0o644 });
    }
  } catch (error) {
    throw new UsageError("cannot_write", {
      path: typed,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  if (files.length > 0) io.err(`vramscope: ${message(locale, "saved_files", { count: files.length, path: typed })}\n`);
  if (leftOut > 0) {
    const limits = { mostFiles: SAVED_LIMITS.files, mostBytes: SAVED_LIMITS.bytes };
    io.err(`vramscope: ${message(locale, "files_not_saved", { count: leftOut, ...limits })}\n`);
  }
}
