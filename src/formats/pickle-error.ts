/** Why a pickle was not read. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";

export type PickleErrorCode =
  /** It asks to run code: refused, always. */
  | "pickle-code-refused"
  /** It holds a type that plain data does not need (bytes, sets). */
  | "pickle-type-refused"
  | "pickle-opcode-unknown"
  | "pickle-truncated"
  | "pickle-too-long"
  | "pickle-bad-number"
  | "pickle-bad-text"
  | "pickle-bad-memo"
  | "pickle-bad-stack"
  | "pickle-protocol";

export class PickleError extends Error {
  override readonly name = "PickleError";
  readonly code: PickleErrorCode;
  readonly args: DiagnosticArgs;

  constructor(code: PickleErrorCode, args: DiagnosticArgs) {
    super(`${code} ${JSON.stringify(args)}`);
    this.code = code;
    this.args = args;
  }
}
