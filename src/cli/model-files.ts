/** Files of a model on disk: headers are read by position, so that weights of any size cost nothing. */

import { closeSync, openSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ModelFileError } from "../formats/model-file-error.ts";
import { readModelFile, readModelFolder, type ModelFiles, type ModelFolder } from "../formats/model-folder.ts";
import type { RangeReader } from "../formats/range-reader.ts";
import { handleReader } from "./handle-reader.ts";
import type { Io } from "./io.ts";
import { ModelError, modelFileProblem } from "./model-error.ts";
import { modelPlace } from "./model-place.ts";

/** Directories with more entries are no model's. */
const MOST_NAMES = 100_000;

class OpenFiles {
  private readonly handles: number[] = [];

  /** Null where there is no such file; a link to a file is one, as the Hub's cache has them. */
  open(path: string): RangeReader | null {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const handle = openSync(path, "r");
    this.handles.push(handle);
    return handleReader(handle);
  }

  close(): void {
    for (const handle of this.handles) closeSync(handle);
  }
}

/** What a path holds, or null where there is nothing at it; throws {@link ModelError} in one line, whatever the file holds. */
export function modelFilesAt(typed: string, io: Io): ModelFiles | null {
  const path = modelPlace(typed, io);
  const stats = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === null || stats === undefined) return null;
  const folderPath = stats.isDirectory() ? path : dirname(path);
  const files = new OpenFiles();
  try {
    const names = stats.isDirectory() ? readdirSync(folderPath).slice(0, MOST_NAMES) : [basename(path)];
    const folder: ModelFolder = { names, open: (name) => files.open(join(folderPath, name)) };
    return stats.isDirectory() ? readModelFolder(folder) : readModelFile(basename(path), folder);
  } catch (error) {
    if (error instanceof ModelFileError) throw modelFileProblem(error, typed, stats.isDirectory());
    if (error instanceof Error && "syscall" in error)
      throw new ModelError("cannot_read", { path: typed, reason: error.message });
    throw error;
  } finally {
    files.close();
  }
}
