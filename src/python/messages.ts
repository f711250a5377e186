/** What the main thread and the worker say to each other. */

import type { MachineOverrides } from "../session/create.ts";
import type { Trace } from "../trace/model.ts";
import type { PackedTrace } from "../trace/packed.ts";
import type { OutputStream, RunStats, RunStatus } from "./run-types.ts";

export interface WorkerRequest {
  readonly script: string;
  readonly source: string;
  readonly argv: readonly string[];
  readonly gpu: string;
  readonly torch: string;
  readonly kernelTemporaries: boolean;
  readonly attention: "auto" | "math";
  readonly env: Readonly<Record<string, string>>;
  /** Files that the program may read, by absolute path inside. */
  readonly files: readonly (readonly [string, Uint8Array])[];
  /** sys.path entries before the standard library. */
  readonly searchPath: readonly string[];
  readonly workingDirectory: string;
  /** Beginnings of paths inside and what people know them by. */
  readonly shownPaths: readonly (readonly [inside: string, shown: string])[];
  /** One byte that the main thread sets to the number of a signal to stop the program. */
  readonly interrupt: SharedArrayBuffer;
  readonly timeoutSeconds: number | null;
  readonly cold: boolean;
  /** Overrides of the machine that only the conformance corpus uses. */
  readonly machine?: MachineOverrides;
}

export interface ProgramResult {
  readonly status: RunStatus;
  readonly exitStatus: number;
  readonly errorText: string | null;
  readonly trace: Trace;
  readonly stats: RunStats;
}

export type FromWorker =
  | { readonly type: "progress"; readonly phase: string }
  | { readonly type: "output"; readonly stream: OutputStream; readonly text: string }
  | ({ readonly type: "result"; readonly trace: PackedTrace } & Omit<ProgramResult, "trace">)
  | { readonly type: "failed"; readonly message: string };
