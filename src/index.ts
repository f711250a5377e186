/**
 * VRAMScope as a library: runs Python programs on a simulated GPU, and reports where their memory goes.
 * Byte counts are plain numbers whose names end in `Bytes`; nothing is in MB.
 *
 * @example
 * ```js
 * import { plainPainter, reportFacts, run, textReport } from "vramscope";
 *
 * const result = await run({ script: "train.py", gpu: "h100", torch: "2.6" });
 * console.log(result.stats.peakAllocatedBytes);
 *
 * const facts = reportFacts(result);
 * console.log(textReport(facts, result.trace, { locale: "en", detail: "lines", painter: plainPainter(100), sourceOf: () => undefined }));
 * ```
 */

import { runProgram } from "./python/run.ts";
import type { RunOptions, RunResult } from "./python/run-types.ts";

/**
 * Runs a Python program on a simulated GPU and records every allocation.
 *
 * Each run has a worker thread and an interpreter of its own, so runs may go side by side and share nothing. The program
 * sees the files beside its script and in `sitePackages`, the environment given in `env`, and nothing else of this machine.
 *
 * A program that fails is a result, not an exception: look at `status`, and at `errorText` for its traceback. After a
 * timeout or an abort the trace goes as far as the program came, unless it could not be stopped gently; then it is empty.
 *
 * @param options.script path of the Python file; with `source` only a name, and no files are mounted
 * @param options.signal aborting it ends the run with status `interrupted`
 * @param options.onOutput gets the program's output as it comes; it is in the result, too
 * @param options.onProgress gets `python` when the interpreter starts, `warm` or `cold` when it is there, then `program`
 * @throws {DiagnosticError} before anything runs: `unknown_gpu`, `unknown_torch` (both also with `_nearest`),
 *   `gpu_not_simulated`, `cannot_read` for the script, `not_a_directory` for a directory of packages,
 *   `alloc_conf_...` for allocator options in `env` that PyTorch would refuse
 * @throws {DiagnosticError} `thread_out_of_memory` when the simulation takes more memory than this machine gives
 */
export function run(options: RunOptions): Promise<RunResult> {
  return runProgram(options);
}

export * from "./engine.ts";
export { heldBlock, heldBlocks } from "./explain/held-blocks.ts";
export type { HeldBlock, HolderChain } from "./explain/held-blocks.ts";
export { CHANGE_IDS } from "./explain/changes.ts";
export type { ChangeId } from "./explain/changes.ts";
export { compareFigures, compareWithRecording } from "./compare/index.ts";
export type {
  Cause,
  CauseCode,
  CauseItem,
  ComparedFigure,
  FigurePair,
  ReadingsComparison,
  Source as ComparedSource,
  StretchChoice,
  TraceComparison,
} from "./compare/index.ts";
export { compareTraces } from "./explain/difference.ts";
export type { Difference, DifferenceRow } from "./explain/difference.ts";
export { heldFindings } from "./explain/held-by.ts";
export { explain, FINDING_CODES } from "./explain/index.ts";
export { runFits, runTrials } from "./explain/trials.ts";
export type { Trial, TrialOutcome, TrialPlan } from "./explain/trials.ts";
export type { Finding, FindingCode, Summand } from "./explain/index.ts";
export { evaluateFormula, formatFormula, parseFormula, sameFormula } from "./formulas/index.ts";
export type { Formula, Formulas, FormatOptions, Polynomial, SymbolValues } from "./formulas/index.ts";
export { outOfMemory } from "./explain/out-of-memory.ts";
export type { OutOfMemory } from "./explain/out-of-memory.ts";
export { savedTable } from "./explain/saved-table.ts";
export type { ReleasedRow, SavedOwner, SavedRow, SavedTable } from "./explain/saved-table.ts";
export { differenceJson, differenceMarkdown, differenceText, markdownReport } from "./report/index.ts";
export { LOCALES, message, messageOrCode } from "./i18n/index.ts";
export type { Locale, MessageCode } from "./i18n/index.ts";
export type { OutputStream, ProgramChange, RunOptions, RunResult, RunStats, RunStatus } from "./python/run-types.ts";
export {
  formulaReport,
  formulasJson,
  jsonReport,
  plainPainter,
  REPORT_SCHEMA_VERSION,
  reportFacts,
  textReport,
} from "./report/index.ts";
export type {
  JsonExtras,
  Painter,
  PeakPlace,
  ReportDetail,
  ReportFacts,
  ReportInput,
  SourceOf,
  TextOptions,
  Verdict,
} from "./report/index.ts";
export { chainText, deathText } from "./report/holder-words.ts";
export type { BlockHolders, HolderLink, HolderTable, PythonStep } from "./session/holders.ts";
