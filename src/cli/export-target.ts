/** `FORMAT=FILE` as typed, and writing an export there piece by piece. */

import { findExport, type ExportFormat, type ExportOptions } from "../exports/index.ts";
import type { Trace } from "../trace/model.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./whole-files.ts";

export interface ExportTarget {
  readonly format: ExportFormat;
  readonly file: string;
}

export function exportTarget(typed: string): ExportTarget {
  const at = typed.indexOf("=");
  if (at < 1 || at === typed.length - 1) throw new UsageError("bad_export", { value: typed });
  const file = typed.slice(at + 1);
  return { format: findExport(typed.slice(0, at), file), file };
}

export function writeExport({ format, file }: ExportTarget, trace: Trace, options: ExportOptions, io: Io): void {
  writeWhole(file, format.write(trace, options), io);
}
