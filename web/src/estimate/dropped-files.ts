/** Model files that were dropped or pasted: of weights only the headers are read, however large the files are. */

import { ModelFileError } from "../../../src/formats/model-file-error.ts";
import { readModelFile, readModelFolder, type ModelFiles } from "../../../src/formats/model-folder.ts";
import type { RangeReader } from "../../../src/formats/range-reader.ts";

/** What is read of a file at first, and at most: vocabularies stand in headers of GGUF files. */
const FIRST_BYTES = 1 << 20;
const MOST_BYTES = 1 << 28;
const MOST_FILES = 4096;

/** Asked for bytes that are not there yet. */
class NotRead extends Error {
  readonly file: string;
  readonly end: number;
  constructor(name: string, end: number) {
    super(`${name} up to ${end}`);
    this.file = name;
    this.end = end;
  }
}

/**
 * What the files say together, as a folder of them would. Readers of headers ask for bytes at once, files give them later: so the
 * beginning of each file is read, and more of it when a reader asks for more.
 *
 * @throws {ModelFileError} for what is no model
 */
export async function readDropped(files: readonly File[]): Promise<ModelFiles> {
  if (files.length > MOST_FILES) {
    throw new ModelFileError("model-file-too-large", { what: "files", value: files.length, most: MOST_FILES });
  }
  const byName = new Map(files.map((file) => [file.name, file] as const));
  const heads = new Map<string, Uint8Array>();
  const readTo = async (file: File, end: number): Promise<void> => {
    heads.set(file.name, new Uint8Array(await file.slice(0, Math.min(end, file.size)).arrayBuffer()));
  };
  await Promise.all(files.map((file) => readTo(file, FIRST_BYTES)));
  const open = (name: string): RangeReader | null => {
    const file = byName.get(name);
    if (file === undefined) return null;
    return {
      sizeBytes: file.size,
      read: (offset, length) => {
        const end = Math.min(offset + length, file.size);
        const head = heads.get(name)!;
        if (end > head.length) throw new NotRead(name, end);
        return head.subarray(Math.min(offset, end), end);
      },
    };
  };
  const folder = { names: [...byName.keys()], open };
  for (;;) {
    try {
      return files.length === 1 ? readModelFile(files[0]!.name, folder) : readModelFolder(folder);
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      if (error.end > MOST_BYTES) {
        throw new ModelFileError("model-file-too-large", { what: "header", value: error.end, most: MOST_BYTES });
      }
      // twice as much as was asked for, so that few rounds are needed
      await readTo(byName.get(error.file)!, Math.max(error.end, 2 * heads.get(error.file)!.length));
    }
  }
}
