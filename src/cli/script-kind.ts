/** What people hand to `run` that is no program: recordings are named instead of being run as Python. */

import { extname } from "node:path";
import { knownSignature } from "../formats/file-signatures.ts";
import { sniffFormat } from "../formats/open-file.ts";
import { bytesReader } from "../formats/range-reader.ts";
import { UsageError } from "./usage-error.ts";

const MOST_JSON_BYTES = 2 ** 24;
const PROGRAMS = new Set([".py", ".pyw"]);

/** A notebook: its cells are a program. */
export const isNotebook = (typed: string): boolean => extname(typed).toLowerCase() === ".ipynb";

/**
 * A file that is called a Python file is one, whatever its text says; bytes that are no text are none.
 *
 * @throws {UsageError} `script_is_recording` or `script_is_other`
 */
export function requireProgram(typed: string, bytes: Uint8Array): void {
  const kind = extname(typed).toLowerCase();
  if (isNotebook(typed)) return;
  if (PROGRAMS.has(kind)) {
    if (isBinary(bytes)) throw new UsageError("script_is_other", { path: typed });
    return;
  }
  const format = sniffFormat(bytesReader(bytes), typed);
  if (format !== null) throw new UsageError("script_is_recording", { path: typed, format: format.title });
  if (kind === ".json" || isBinary(bytes) || isJson(bytes) || bytes.length === 0)
    throw new UsageError("script_is_other", { path: typed });
}

const isBinary = (bytes: Uint8Array): boolean => knownSignature(bytes) !== null || bytes.subarray(0, 4096).includes(0);

/** An object or a list of JSON: Python would take many of them for expressions, and run them. */
function isJson(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, MOST_JSON_BYTES)).trim();
  if (!/^[{[]/.test(text) || bytes.length > MOST_JSON_BYTES) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
