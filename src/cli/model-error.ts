/** A model that cannot be estimated: its file, its name or its configuration; the command ends with status 3. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";

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
