/** What the page and its Python worker say to each other. */

import type { FromTask, Task } from "../../../src/python/tasks.ts";

export type ToPython =
  /** Gets an interpreter ready; `base` is the address of its parts, with a slash at the end. */
  { readonly type: "load"; readonly base: string; readonly cold: boolean } | Task;

export type FromPython =
  | FromTask
  /** Bytes of Python's parts that have arrived. */
  | { readonly type: "fetched"; readonly bytes: number; readonly totalBytes: number }
  | { readonly type: "loaded"; readonly warm: boolean; readonly seconds: number };
