/** What the main thread and the worker say to each other. */

import type { HostListing } from "./host-files.ts";
import type { Machine } from "../session/machine.ts";
import type { PassPolicy } from "../session/passes.ts";
import type { HolderTable } from "../session/holders.ts";
import type { Trace } from "../trace/model.ts";
import type { AutogradGraph } from "../autograd/graph-view.ts";
import type { PackedTrace } from "../trace/packed.ts";
import type { ProgramPlace } from "./program-place.ts";
import type { GpuRun, OutputStream, PackageChoice, RunStats, RunStatus, StopPlace, WrittenFiles } from "./run-types.ts";

export interface WorkerRequest extends ProgramPlace {
  readonly script: string;
  readonly source: string;
  /** It holds bytes, as `escapedBytes` puts them, instead of text. */
  readonly sourceIsEscaped: boolean;
  /** The module's name where it runs as one. */
  readonly module: string | null;
  readonly argv: readonly string[];
  readonly machine: Machine;
  readonly packages: PackageChoice;
  /** What folders hold that are looked into at once, by their paths inside: sent along, so that the thread need not ask and wait. */
  readonly listings: Readonly<Record<string, HostListing>>;
  /** Files that are copied in, by absolute path inside. */
  readonly files: readonly (readonly [string, Uint8Array])[];
  /** One byte that the main thread sets to the number of a signal to stop the program; null where threads share no memory. */
  readonly interrupt: SharedArrayBuffer | null;
  readonly timeoutSeconds: number | null;
  readonly saveFiles: boolean;
  readonly recordGraph: boolean;
  /** Index of the event after which to look who holds what, or null. */
  readonly holdersAt: number | null;
  /** Names of modules of python/vramscope_changes, each with the lines of the script that it is about. */
  readonly changes: readonly (readonly [name: string, lines: readonly number[]])[];
  /** What files hold that are not there: name and specification. */
  readonly data: readonly (readonly [name: string, spec: string])[];
  /** Which passes of loops run. */
  readonly passes: PassPolicy;
  /** Whether other ranks of the program run beside it. */
  readonly together: boolean;
  readonly cold: boolean;
}

/** What a program's thread says at the end. */
export interface ProgramEnd {
  readonly status: RunStatus;
  readonly exitStatus: number;
  readonly errorText: string | null;
  readonly holders?: HolderTable | null;
  readonly files?: WrittenFiles;
  readonly graph?: AutogradGraph | null;
  /** Number of the GPU that the program used first; without it 0. */
  readonly firstGpu?: number;
}

/** What its host makes of it. */
export interface ProgramResult extends ProgramEnd {
  readonly trace: Trace;
  readonly stats: RunStats;
  readonly gpus: readonly GpuRun[];
  readonly stoppedAt: StopPlace | null;
  readonly traceLost: boolean;
}

export type FromWorker =
  | { readonly type: "progress"; readonly phase: string }
  | { readonly type: "output"; readonly stream: OutputStream; readonly text: string }
  | ({
      readonly type: "result";
      /** Null where it lies in shared memory. */
      readonly trace: PackedTrace | null;
    } & ProgramEnd)
  | { readonly type: "failed"; readonly message: string };
