/**
 * Exports: a trace as the files that other tools open.
 *
 * @example
 * ```js
 * import { writeFileSync } from "node:fs";
 * import { run } from "vramscope";
 * import { exportBytes } from "vramscope/exports";
 *
 * const { trace } = await run({ script: "train.py" });
 * writeFileSync("snapshot.pickle", exportBytes("snapshot", trace)); // for pytorch.org/memory_viz
 * ```
 */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";
import type { Trace } from "../trace/model.ts";
import { chromeTrace } from "./chrome-trace.ts";
import { csvBlocks, csvLines } from "./csv.ts";
import type { ExportFormat, ExportOptions } from "./export-format.ts";
import { folded, foldedAll } from "./folded.ts";
import { graphDot } from "./graph-dot.ts";
import { graphSvg } from "./graph-svg.ts";
import { htmlReport } from "./html.ts";
import { memorySnapshot } from "./memory-snapshot.ts";
import { sarif } from "./sarif.ts";
import { speedscope } from "./speedscope.ts";

export type { ExportChunk, ExportFormat, ExportOptions } from "./export-format.ts";

/** A format exists by being listed here. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  memorySnapshot,
  htmlReport,
  chromeTrace,
  speedscope,
  folded,
  foldedAll,
  csvBlocks,
  csvLines,
  sarif,
  graphDot,
  graphSvg,
];

/**
 * The format of this name; where several go by it, the one whose files end as `file` does.
 *
 * @throws {DiagnosticError} `unknown_export`, or `unknown_export_nearest` with the nearest name.
 */
export function findExport(id: string, file = ""): ExportFormat {
  const named = EXPORT_FORMATS.filter((format) => format.id === id || format.alsoFor === id);
  const found = named.find((format) => file.endsWith(format.extension)) ?? named[0];
  if (found !== undefined) return found;
  const ids = EXPORT_FORMATS.map((format) => format.id);
  const [nearest] = nearestNames(id, ids);
  throw new DiagnosticError(
    nearest === undefined
      ? diagnostic("unknown_export", { name: id, known: ids.join(", ") })
      : diagnostic("unknown_export_nearest", { name: id, nearest }),
  );
}

/** A whole export in memory. Large traces are better written piece by piece with `findExport(id).write(trace)`. */
export function exportBytes(id: string, trace: Trace, options: ExportOptions = {}): Uint8Array {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of findExport(id).write(trace, options)) {
    const piece = typeof chunk === "string" ? encoder.encode(chunk) : chunk;
    chunks.push(piece);
    bytes += piece.length;
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** An export that is text, as text. */
export function exportText(id: string, trace: Trace, options: ExportOptions = {}): string {
  return new TextDecoder().decode(exportBytes(id, trace, options));
}
