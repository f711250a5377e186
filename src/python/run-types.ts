/** The contract between a run of a Python program and whoever asks for one: options in, result out. */

import type { Formulas } from "../formulas/index.ts";
import type { ContextBytes, GpuRow } from "../gpus/catalogue.ts";
import type { AutogradGraph } from "../autograd/graph-view.ts";
import type { PassPolicy } from "../session/passes.ts";
import type { HolderTable } from "../session/holders.ts";
import type { Trace } from "../trace/model.ts";

export type OutputStream = "stdout" | "stderr";

/** What can be put in place before a program runs, without touching its text on disk. */
export const CHANGES = [
  "adam_8bit",
  "autocast",
  "bfloat16",
  "bucket_view",
  "checkpoint_blocks",
  "chunked_loss",
  "detach_loss",
  "foreach_off",
  "fused",
  "half_batch",
  "no_grad",
  "reshard",
  "set_to_none",
  "shard_blocks",
  "zero_optimizer",
] as const;

export interface ProgramChange {
  readonly name: (typeof CHANGES)[number];
  /** Lines of the script that it is about, for those that rewrite lines. */
  readonly lines?: readonly number[];
}

/** Which of a package that exists here in short runs: the installed one where there is one, always that, or always the short one. */
export type PackageChoice = "auto" | "real" | "built-in";

/** On what machine a program runs, and how much of it. */
export interface SimulationOptions {
  /** GPU by id, alias or loose name, or as a row of the catalogue; default `a100-80gb`. */
  readonly gpu?: string | GpuRow;
  /** How many such GPUs the program sees; default 1. */
  readonly devices?: number;
  /** What lies outside the caching allocator on this machine, where that was measured; default what the catalogue says of the GPU. */
  readonly context?: ContextBytes;
  /** PyTorch version whose rules apply, `major.minor`; default the newest known. */
  readonly torch?: string;
  /**
   * Which passes of loops run: `auto` (default) leaves a loop once its passes repeat, so that a program of 100,000 steps ends by
   * itself; a number leaves each loop that works on the device after so many; `all` leaves none.
   */
  readonly passes?: PassPolicy;
  /** What files hold that are not there, by name: `{"train.bin": "uint16[10M]", "x.npy": "3x224x224[50000]", "notes": "text[1M]"}`. */
  readonly data?: Readonly<Record<string, string>>;
  /** Scratch memory inside kernels: counted (default) or left out. */
  readonly kernelTemporaries?: "on" | "off";
  /** Which attention kernel `scaled_dot_product_attention` picks: as PyTorch would, or always its separate operators. */
  readonly attention?: "auto" | "math";
  /** Ends the program after it ran so long, with status `timeout`; the start of the interpreter does not count. */
  readonly timeoutSeconds?: number;
  /** The program's environment; nothing of the host's is passed on. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunOptions extends SimulationOptions {
  /** Path of the script as the user typed it; it appears in tracebacks and reports. */
  readonly script: string;
  /** Name of the module that {@link script} is, when it runs as `python -m` runs it: from the working directory, in its package. */
  readonly module?: string;
  /** The program, when it shall not be read from {@link script}: text, or a file's bytes, which CPython decodes as it does files. */
  readonly source?: string | Uint8Array;
  /**
   * The program's project: the directory whose files it sees, all but what looks like a secret (docs/files.md). Default the git or
   * pyproject root above the script, or else the script's own directory; none with {@link source}.
   */
  readonly folder?: string;
  /** Where the program runs, when that lies in its project; else it runs where the script lies. Default `process.cwd()`. */
  readonly workingDirectory?: string;
  /** Files of the project that the program sees though they look like secrets. */
  readonly shownFiles?: readonly string[];
  /** `sys.argv[1:]`. */
  readonly argv?: readonly string[];
  /** Directories with pure-Python packages, mounted read-only. */
  readonly sitePackages?: readonly string[];
  /** Installed packages or the built-in short forms of them; default `auto`. */
  readonly packages?: PackageChoice;
  /** Folder in which interpreters are kept that have imported large packages already; without it each run imports them anew. */
  readonly cacheFolder?: string;
  /** The person's cache of the Hugging Face hub: seen read-only by programs that have packages. */
  readonly hubCache?: string;
  /** What `vramscope models add` fetched: a folder in the layout of such a cache, seen read-only. */
  readonly models?: string;
  /** Whether the result has the files that the program wrote; otherwise they are gone with it. */
  readonly saveFiles?: boolean;
  /** Whether the result has the autograd graph as it is when the first backward begins. */
  readonly recordGraph?: boolean;
  /**
   * Index of an event of an earlier run of the same program: right after it, this run looks who holds what is allocated. Runs are
   * deterministic, so the event is the same one.
   */
  readonly holdersAt?: number;
  /** Changes to the program, to measure what they would save; see {@link CHANGES}. */
  readonly changes?: readonly ProgramChange[];
  /**
   * Sizes of the program by name, for {@link RunResult.formulas}: `B` when the program calls it so, `B=batch_size`, `C=512` for
   * every number 512 in it, each also with `@LINE`. The program then runs some dozens of times more, at other sizes.
   */
  readonly symbols?: readonly string[];
  /** Gets the program's output as it comes. A program that prints much waits now and then for the last promise that was returned. */
  readonly onOutput?: (stream: OutputStream, text: string) => unknown;
  /** Other ranks of the program run beside it: answers what it asks of them (`RankQuestion`), now or later. */
  readonly askRanks?: (question: unknown) => unknown;
  /** Aborting it ends the program, with status `interrupted`. */
  readonly signal?: AbortSignal;
  /** Gets `packages` when an interpreter is made ready with the program's packages, `python` when the interpreter starts, `warm` or `cold` when it is there, `program` when the program starts. */
  readonly onProgress?: (phase: string) => void;
}

/** A line of the program. */
export interface StopPlace {
  readonly file: string;
  readonly line: number;
  /** The program was found there. Otherwise it is the last line of which the recorder knows, and it stopped there or later. */
  readonly isExact: boolean;
}

export type RunStatus =
  | "ok"
  | "out_of_memory"
  | "python_error"
  | "unsupported_op"
  | "timeout"
  | "interrupted"
  | "system_exit"
  | "host_out_of_memory"
  | "host_fault"
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

/** What a program wrote, within limits. */
export interface WrittenFiles {
  /** Paths relative to where the program ran, or below `system-tmp/` for `/tmp`, with slashes; what lies in the project, but not below, is under `project/`. */
  readonly files: readonly (readonly [path: string, bytes: Uint8Array])[];
  /** How many more there were than the limits allow. */
  readonly leftOut: number;
}

/** What happened in a run. */
/** What happened on one of several GPUs of a process. */
export interface GpuRun {
  /** Its number, as the program knows it. */
  readonly gpu: number;
  readonly trace: Trace;
  readonly stats: RunStats;
}

export interface RunResult {
  /** Grows when a field changes its meaning or goes away. */
  readonly schemaVersion: 1;
  readonly status: RunStatus;
  /** Exit status of the Python program. */
  readonly exitStatus: number;
  /** Traceback without our frames, or null. */
  readonly errorText: string | null;
  /** What the program printed; of a long text the end. `onOutput` hears all of it. */
  readonly stdout: string;
  readonly stderr: string;
  /** How many characters were printed before those that are kept. */
  readonly outputLeftOut: Readonly<Record<OutputStream, number>>;
  /** Every allocation; up to where it stopped when the program did not finish. */
  readonly trace: Trace;
  readonly stats: RunStats;
  /** Each GPU where the process used several, {@link trace} being that of the fullest; else empty. */
  readonly gpus: readonly GpuRun[];
  /** Where a program that did not come to its end was, as far as that is known, or null. */
  readonly stoppedAt: StopPlace | null;
  /** The program's thread took its trace with it: the figures are not known, whatever {@link stats} says. */
  readonly traceLost: boolean;
  /** With {@link RunOptions.holdersAt}: who held what then; null when the program did not come so far. */
  readonly holders?: HolderTable | null;
  readonly gpu: GpuRow;
  /** The version whose rules applied. */
  readonly torch: string;
  /** What the program wrote, with {@link RunOptions.saveFiles}. */
  readonly files?: WrittenFiles;
  /** With {@link RunOptions.recordGraph}: the graph, or null when no backward ran. */
  readonly graph?: AutogradGraph | null;
  /** With {@link RunOptions.symbols}: the closed forms of its memory. */
  readonly formulas?: Formulas;
  /** Wall time of the whole run. */
  readonly seconds: number;
}
