/** A saved trace that a command line names; what is none is said to be none, without the words of what lies below. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DiagnosticError } from "../base/diagnostic.ts";
import { readTrace } from "../trace/file.ts";
import type { Trace } from "../trace/model.ts";
import type { Io } from "./io.ts";
import { readProblem } from "./machine-fault.ts";
import { UsageError } from "./usage-error.ts";

/** A file of another kind, and not a damaged trace. */
const NO_TRACE: ReadonlySet<string> = new Set(["trace_not_a_trace", "trace_not_json"]);

/** Why nothing is found at a point of a trace. */
export function noSuchPoint(trace: Trace, typed: string): UsageError {
  const last = trace.events.kind.length - 1;
  return last < 0 ? new UsageError("trace_is_empty") : new UsageError("no_such_point", { value: typed, last });
}

export function traceAt(typed: string, io: Io): Trace {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, typed), "utf8");
  } catch (error) {
    throw readProblem(error, typed);
  }
  const read = readTrace(text);
  if (read.ok) return read.value;
  if (NO_TRACE.has(read.error.code)) throw new UsageError("not_a_trace_file", { path: typed });
  throw new DiagnosticError(read.error);
}
