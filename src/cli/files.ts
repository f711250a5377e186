/** Host files that a command line names: scripts to read, directories to mount. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { nearestNames } from "../base/nearest.ts";
import { sourceText } from "../base/source-text.ts";
import { shownLines, shownText } from "../base/shown-text.ts";
import { projectRoot } from "../python/project-root.ts";
import type { SourceOf } from "../report/index.ts";
import { findOnHost } from "./host-path.ts";
import type { Io } from "./io.ts";
import { cellLines } from "./notebook.ts";
import { isNotebook, requireProgram } from "./script-kind.ts";
import { UsageError } from "./usage-error.ts";
import { readProblem } from "./machine-fault.ts";

/** Name under which a program from standard input appears. */
export const STDIN_NAME = "<stdin>";

/** Neighbours of a file that does not exist, nearest first. */
export function nearestFile(typed: string, cwd: string): string | undefined {
  const folder = dirname(typed);
  let names: string[];
  try {
    names = readdirSync(resolve(cwd, folder)).filter(
      (name) => name !== basename(typed) && (extname(name) === extname(typed) || extname(typed) === ""),
    );
  } catch {
    return undefined;
  }
  const [nearest] = nearestNames(basename(typed), names);
  return nearest === undefined ? undefined : join(folder, nearest);
}

export interface ScriptFile {
  /** As typed. */
  readonly script: string;
  /** Its bytes: what they mean, Python decides. */
  readonly source: Uint8Array;
  /** Its project; a program from standard input has none. */
  readonly folder: string | undefined;
}

/** The script's text; `-` is standard input. */
export function readScript(typed: string, io: Io): ScriptFile {
  if (typed === "-") return { script: STDIN_NAME, source: io.readStdinBytes(), folder: undefined };
  const found = findOnHost(typed, io);
  if (found === null) {
    const nearest = nearestFile(typed, io.cwd);
    throw nearest === undefined
      ? new UsageError("script_not_found", { path: typed })
      : new UsageError("script_not_found_nearest", { path: typed, nearest });
  }
  if (!found.stats.isFile()) throw new UsageError("not_a_file", { path: typed });
  try {
    const source = readFileSync(found.path);
    requireProgram(typed, source);
    return { script: found.typed, source, folder: projectRoot(dirname(resolve(io.cwd, typed))) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw readProblem(error, typed);
  }
}

export function requireDirectory(typed: string, io: Io): string {
  const path = resolve(io.cwd, typed);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError("not_a_directory", { path: typed });
  return path;
}

/**
 * Source lines for a report. A program chooses the file names that a trace contains, so only the script itself and Python
 * files of its project, or in a mounted directory, are read.
 */
export function sourceReader(script: string, source: string | Uint8Array, roots: readonly string[], io: Io): SourceOf {
  const cache = new Map<string, readonly string[] | undefined>([
    [shownText(script), shownLines(typeof source === "string" ? source : sourceText(source))],
  ]);
  const allowed = [...roots, ...(script === STDIN_NAME ? [] : [projectRoot(dirname(resolve(io.cwd, script)))])];
  return (file) => {
    if (!cache.has(file) && isNotebook(script) && typeof source !== "string")
      cache.set(file, cellLines(shownText(script), source, file) ?? readAllowed(resolve(io.cwd, file), allowed));
    if (!cache.has(file)) cache.set(file, readAllowed(resolve(io.cwd, file), allowed));
    return cache.get(file);
  };
}

/** Source lines of Python files below these directories, by paths relative to where the user is. */
export function readAllowedSource(roots: readonly string[], io: Io): SourceOf {
  const cache = new Map<string, readonly string[] | undefined>();
  return (file) => {
    if (!cache.has(file)) cache.set(file, readAllowed(resolve(io.cwd, file), roots));
    return cache.get(file);
  };
}

function readAllowed(path: string, roots: readonly string[]): readonly string[] | undefined {
  const inside = roots.some((root) => {
    const way = relative(root, path);
    return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(root, way) === path;
  });
  if (!inside || extname(path) !== ".py") return undefined;
  try {
    return shownLines(sourceText(readFileSync(path)));
  } catch {
    return undefined;
  }
}
