/**
 * Files that a command writes are whole or as they were before: the new text lies beside under a name of its own until it is
 * complete, and then takes the name. A full disk, a lost connection or the end of this process costs nobody the old file.
 */

import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { Io } from "./io.ts";
import { isMachineCode } from "./machine-fault.ts";
import { partPath } from "./unfinished-files.ts";
import { UsageError } from "./usage-error.ts";

const PIECE_BYTES = 1 << 20;
const PERMISSIONS = 0o777;

export type Pieces = Iterable<string | Uint8Array>;

/** Why a system call failed, as an error for whoever asked; null when it was none that failed. */
export function writeProblem(error: unknown, typed: string): UsageError | DiagnosticError | null {
  if (!(error instanceof Error)) return null;
  const { syscall, code = "" } = error as NodeJS.ErrnoException;
  if (typeof syscall !== "string") return null;
  const args = { path: typed, reason: error.message };
  return isMachineCode(code)
    ? new DiagnosticError(diagnostic("cannot_write_now", args))
    : new UsageError("cannot_write", args);
}

function writeAll(file: number, pieces: Pieces): void {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  const flush = (): void => {
    const whole = Buffer.concat(waiting);
    for (let at = 0; at < whole.length;) at += writeSync(file, whole, at);
    waiting = [];
    bytes = 0;
  };
  for (const piece of pieces) {
    const buffer = typeof piece === "string" ? Buffer.from(piece, "utf8") : piece;
    waiting.push(buffer);
    bytes += buffer.length;
    if (bytes >= PIECE_BYTES) flush();
  }
  flush();
}

/** Where a name leads: a link stays a link, what it points at is what is written. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function writeBeside(target: string, mode: number | null, pieces: Pieces): void {
  const beside = partPath(dirname(target));
  const file = openSync(beside, "wx", mode ?? undefined);
  let isOpen = true;
  try {
    writeAll(file, pieces);
    fsyncSync(file);
    closeSync(file);
    isOpen = false;
    if (mode !== null) chmodSync(beside, mode);
    renameSync(beside, target);
  } catch (error) {
    if (isOpen) closeSync(file);
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Writes a file, which need not fit into memory; folders on the way to it are made. What is no file (a pipe, `/dev/stdout`) is
 * written as it comes.
 *
 * @throws {UsageError | DiagnosticError} `cannot_write`, or `cannot_write_now` where the machine is at fault.
 */
export function writeWhole(typed: string, pieces: Pieces, io: Io): void {
  const path = resolve(io.cwd, typed);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
      const file = openSync(path, "w");
      try {
        writeAll(file, pieces);
      } finally {
        closeSync(file);
      }
      return;
    }
    const target = targetOf(path);
    // the name must be free or a file that may be written: renaming alone would ask the folder only
    if (stats !== undefined) closeSync(openSync(target, "r+"));
    writeBeside(target, stats === undefined ? null : stats.mode & PERMISSIONS, pieces);
  } catch (error) {
    throw writeProblem(error, typed) ?? error;
  }
}

/** Finds out, before long work, whether a file can be written; what is there stays. */
export function requireWritable(typed: string, io: Io): void {
  const path = resolve(io.cwd, typed);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const target = targetOf(path);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) closeSync(openSync(path, "r+"));
    if (stats !== undefined && !stats.isFile()) return;
    const beside = partPath(dirname(target));
    closeSync(openSync(beside, "wx"));
    rmSync(beside);
  } catch (error) {
    throw writeProblem(error, typed) ?? error;
  }
}

/** trace.json becomes trace.rank3.json. */
export function partFile(file: string, part: string): string {
  const at = file.search(/\.[^./\\]*$/);
  return at === -1 ? `${file}.${part}` : `${file.slice(0, at)}.${part}${file.slice(at)}`;
}
