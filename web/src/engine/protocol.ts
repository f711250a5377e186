/** What the page and its Python worker say to each other. */

import type { FromTask, Task } from "../../../src/python/tasks.ts";

/** The files of one package: where in a blob each lies, by its path below the folder of packages. */
export interface PackedFiles {
  readonly blob: Blob;
  readonly files: readonly (readonly [path: string, from: number, bytes: number])[];
}

export interface OwnInterpreter {
  /** The packed memory that it begins with; null for the one that comes with the page. */
  readonly snapshot: Blob | null;
  /** It imports packages and hands over its memory, instead of running a program. */
  readonly freeze: boolean;
}

export type ToPython =
  /** Gets an interpreter ready; `base` is the address of its parts, with a slash at the end. */
  | ({ readonly type: "load"; readonly base: string; readonly cold: boolean } & OwnInterpreter)
  /** What programs find installed; before the task. */
  | { readonly type: "packages"; readonly packages: readonly PackedFiles[] }
  | Task;

export type FromPython =
  | FromTask
  /** Bytes of Python's parts that have arrived. */
  | { readonly type: "fetched"; readonly bytes: number; readonly totalBytes: number }
  | { readonly type: "loaded"; readonly warm: boolean; readonly seconds: number };
