/** A model that cannot be estimated: its file, its name or its configuration; the command ends with status 3. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";
import type { ModelFileError } from "../formats/model-file-error.ts";

export class ModelError extends Error {
  override readonly name = "ModelError";
  /** A code of src/i18n. */
  readonly code: string;
  readonly args: DiagnosticArgs;

  constructor(code: string, args: DiagnosticArgs = {}) {
    super(code);
    this.code = code;
    this.args = args;
  }
}

/** What is wrong with a file of a model; one that was named itself is not called by what it was hoped to be. */
export function modelFileProblem(error: ModelFileError, typed: string, isFolder: boolean): ModelError {
  const isOther = error.code === "model-file-not-json" && !isFolder;
  return new ModelError(isOther ? "model_file_not_config" : error.code.replaceAll("-", "_"), {
    ...error.args,
    path: typed,
  });
}
