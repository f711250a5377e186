/** Why a file was not read as a memory snapshot. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";
import type { PickleErrorCode } from "./pickle-error.ts";

export type SnapshotErrorCode =
  | PickleErrorCode
  /** A pickle, but not of this shape. */
  | "snapshot-not-a-snapshot"
  /** A field is missing or has another type than in any known release. */
  | "snapshot-bad-field"
  /** Blocks do not fill their segment. */
  | "snapshot-inconsistent"
  /** It repeats parts so often that reading it out would take far longer than its size explains. */
  | "snapshot-too-repetitive";

export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
  readonly code: SnapshotErrorCode;
  readonly args: DiagnosticArgs;

  constructor(code: SnapshotErrorCode, args: DiagnosticArgs) {
    super(`${code} ${JSON.stringify(args)}`);
    this.code = code;
    this.args = args;
  }
}
