/** Wrong usage: told in one line, with the nearest name where there is one, and exit status 2. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";
import type { MessageCode } from "../i18n/index.ts";

export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: MessageCode;
  readonly args: DiagnosticArgs;
  /** What to look at next, when it is not the command's help. */
  readonly hint: MessageCode | null;

  constructor(code: MessageCode, args: DiagnosticArgs = {}, hint: MessageCode | null = null) {
    super(code);
    this.code = code;
    this.args = args;
    this.hint = hint;
  }
}
