/** The contract between a run of a Python program and whoever asks for one: options in, result out. */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { Trace } from "../trace/model.ts";

export type OutputStream = "stdout" | "stderr";

export interface RunOptions {
  /** Path of the script as the user typed it; it appears in tracebacks and reports. */
  readonly script: string;
  /** The program's text, when it shall not be read from {@link script}. */
  readonly source?: string;
  /** Directory whose Python files and small data files the program sees; default that of the script, or none with {@link source}. */
  readonly folder?: string;
  /** `sys.argv[1:]`. */
  readonly argv?: readonly string[];
  /** GPU by id, alias or loose name; default `a100-80gb`. */
  readonly gpu?: string;
  /** PyTorch version whose rules apply, `major.minor`; default the newest known. */
  readonly torch?: string;
  /** Scratch memory inside kernels: counted (default) or left out. */
  readonly kernelTemporaries?: "on" | "off";
  /** Which attention kernel `scaled_dot_product_attention` picks: as PyTorch would, or always its separate operators. */
  readonly attention?: "auto" | "math";
  /** Ends the program after it ran so long, with status `timeout`; the start of the interpreter does not count. */
  readonly timeoutSeconds?: number;
  /** Directories with pure-Python packages, mounted read-only. */
  readonly sitePackages?: readonly string[];
  /** The program's environment; nothing of the host's is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gets the program's output as it comes. */
  readonly onOutput?: (stream: OutputStream, text: string) => void;
  /** Aborting it ends the program, with status `interrupted`. */
  readonly signal?: AbortSignal;
  /** Gets `python` when the interpreter starts, `warm` or `cold` when it is there, `program` when the program starts. */
  readonly onProgress?: (phase: string) => void;
}

export type RunStatus =
  | "ok"
  | "out_of_memory"
  | "python_error"
  | "unsupported_op"
  | "timeout"
  | "interrupted"
  | "system_exit"
  | "internal_error";

/** Totals of the run in bytes, as PyTorch would report them. */
export interface RunStats {
  readonly peakAllocatedBytes: number;
  readonly peakReservedBytes: number;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  /** Index of the event with the highest allocated bytes, or -1. */
  readonly peakEvent: number;
}

/** What happened in a run. */
export interface RunResult {
  /** Grows when a field changes its meaning or goes away. */
  readonly schemaVersion: 1;
  readonly status: RunStatus;
  /** Exit status of the Python program. */
  readonly exitStatus: number;
  /** Traceback without our frames, or null. */
  readonly errorText: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Every allocation; up to where it stopped when the program did not finish. */
  readonly trace: Trace;
  readonly stats: RunStats;
  readonly gpu: GpuRow;
  /** The version whose rules applied. */
  readonly torch: string;
  /** Wall time of the whole run. */
  readonly seconds: number;
}
