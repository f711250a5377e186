/** Our own trace files, as `vramscope run -o` writes them. */

import { DiagnosticError } from "../base/diagnostic.ts";
import { DEFAULT_LIMITS, readTrace, TRACE_FORMAT } from "../trace/file.ts";
import { readText } from "./file-text.ts";
import type { ForeignFormat } from "./foreign-format.ts";

export const traceFile: ForeignFormat = {
  id: "vramscope-trace",
  title: "VRAMScope trace",
  extensions: ["json"],
  sniff: (_head, text) => (new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${TRACE_FORMAT}"`).test(text) ? 1 : 0),
  read: (file) => {
    const read = readTrace(readText(file, DEFAULT_LIMITS.characters));
    if (!read.ok) throw new DiagnosticError(read.error);
    return { format: traceFile.id, trace: read.value, readings: null, notes: [] };
  },
};
