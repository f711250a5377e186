/** Where the files of a program go on the host: into a folder that was new or empty, and nowhere else. */

import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { message, type Locale } from "../i18n/index.ts";
import type { RunResult } from "../python/run-types.ts";
import { SAVED_LIMITS } from "../python/written-files.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

/** Of files that could not be written, so many are named. */
const MOST_NAMED = 5;
const MOST_CHARACTERS = 80;

const shortened = (name: string): string =>
  name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name;

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
  let saved = 0;
  const refused: { name: string; reason: string }[] = [];
  for (const [name, bytes] of files) {
    const target = join(path, name);
    if (!target.startsWith(path + sep)) continue;
    try {
      mkdirSync(dirname(target), { recursive: true });
      // never over a file that is there
      writeFileSync(target, bytes, { flag: "wx", mode: 0o644 });
      saved += 1;
    } catch (error) {
      // a name that this host cannot have costs no other file
      refused.push({
        name,
        reason: error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : "",
      });
    }
  }
  if (saved > 0) io.err(`vramscope: ${message(locale, "saved_files", { count: saved, path: typed })}\n`);
  for (const { name, reason } of refused.slice(0, MOST_NAMED)) {
    io.err(`vramscope: ${message(locale, "file_not_saved", { name: shortened(name), reason })}\n`);
  }
  if (refused.length > MOST_NAMED)
    io.err(`vramscope: ${message(locale, "items_left_out", { count: refused.length - MOST_NAMED })}\n`);
  if (leftOut > 0) {
    const limits = { mostFiles: SAVED_LIMITS.files, mostBytes: SAVED_LIMITS.bytes };
    io.err(`vramscope: ${message(locale, "files_not_saved", { count: leftOut, ...limits })}\n`);
  }
}
