/** The list of recorded files that can be opened: a format exists by being listed here. */

import type { ForeignFormat } from "./foreign-format.ts";
import { reportFile } from "./report-file.ts";
import { traceFile } from "./trace-file.ts";

export const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  traceFile, // what `run -o` wrote
  reportFile, // what `run --json` printed
];
