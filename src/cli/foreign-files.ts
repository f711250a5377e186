/** Recorded files on disk and from standard input: read by position, gzip unpacked with a limit. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { OpenedFile } from "../formats/foreign-format.ts";
import { openFile, type OpenFileOptions } from "../formats/open-file.ts";
import { bytesReader, type RangeReader } from "../formats/range-reader.ts";
import { nearestFile, STDIN_NAME } from "./files.ts";
import { gunzip, gunzipHead } from "./gunzip.ts";
import { handleReader } from "./handle-reader.ts";
import { findOnHost } from "./host-path.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";
import { readProblem } from "./machine-fault.ts";

function withFile<T>(typed: string, io: Io, use: (file: RangeReader) => T): T {
  if (typed === "-") return use(bytesReader(io.readStdinBytes()));
  const found = findOnHost(typed, io);
  if (found === null) {
    const nearest = nearestFile(typed, io.cwd);
    if (nearest === undefined) throw new UsageError("script_not_found", { path: typed });
    throw new UsageError("script_not_found_nearest", { path: typed, nearest });
  }
  if (found.stats.isDirectory()) throw new UsageError("not_a_file", { path: typed });
  let handle: number;
  try {
    handle = openSync(found.path, "r");
  } catch (error) {
    throw readProblem(error, typed);
  }
  try {
    // a pipe (`<(command)`) has no size, so it is read to its end
    return use(fstatSync(handle).isFile() ? handleReader(handle) : bytesReader(readPipe(handle)));
  } finally {
    closeSync(handle);
  }
}

function readPipe(handle: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const piece = new Uint8Array(1 << 16);
    const count = readSync(handle, piece);
    if (count === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, count));
  }
}

/**
 * Opens a file of the command line; `-` is standard input.
 *
 * @throws {UsageError} where there is no such file.
 * @throws {DiagnosticError} where it is nothing known, or not what it seemed.
 */
export function openForeignFile(
  typed: string,
  options: Omit<OpenFileOptions, "name" | "gunzip" | "gunzipHead">,
  io: Io,
): OpenedFile {
  const name = typed === "-" ? STDIN_NAME : typed;
  return withFile(typed, io, (file) => openFile(file, { ...options, name, gunzip, gunzipHead }));
}
