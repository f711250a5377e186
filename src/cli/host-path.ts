/**
 * Where a file that a command line names lies on the host. Names need not be UTF-8: Node hands them over with U+FFFD for what is
 * not, so the folder is asked which of its names is meant, and Python's way of writing such names is kept.
 */

import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { escapedBytes } from "../base/source-text.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";
import { readProblem } from "./machine-fault.ts";

const REPLACED = "\ufffd";

export interface HostPath {
  /** As Node's functions take it. */
  readonly path: string | Buffer;
  /** As typed, with half a character for each byte that is not UTF-8, as Python has it. */
  readonly typed: string;
}

function meant(typed: string, io: Io): HostPath | null {
  const name = basename(typed);
  if (!name.includes(REPLACED)) return null;
  const folder = dirname(resolve(io.cwd, typed));
  let names: Buffer[];
  try {
    names = readdirSync(folder, { encoding: "buffer" });
  } catch {
    return null;
  }
  const [found, second] = names.filter((bytes) => bytes.toString("utf8") === name);
  if (found === undefined || second !== undefined) return null;
  return {
    path: Buffer.concat([Buffer.from(`${folder}/`), found]),
    typed: join(dirname(typed), escapedBytes(found)),
  };
}

/**
 * The file with what the host knows of it, or null where there is none.
 *
 * @throws {UsageError} `dangling_link` for a link to nothing, `cannot_read` where the host refuses to look.
 */
export function findOnHost(typed: string, io: Io): (HostPath & { readonly stats: Stats }) | null {
  const path = resolve(io.cwd, typed);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) return { path, typed, stats };
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new UsageError("dangling_link", { path: typed });
    const other = meant(typed, io);
    return other === null ? null : { ...other, stats: statSync(other.path) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw readProblem(error, typed);
  }
}
