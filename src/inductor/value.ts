/** One value of a graph that torch.compile was given: what a node of torch.fx is, with the storage it has and where the program made it. */

import type { GpuName, Storage, Tensor } from "../tensor/tensor.ts";
import type { Kind } from "./kinds.ts";

/** What a call took beside its results, and what is to be done when it runs. */
export interface Call {
  readonly scratch: number[];
  readonly later: (() => void)[];
}

export interface Value {
  readonly index: number;
  /** The operator that made it; empty for inputs. */
  readonly name: string;
  readonly kind: Kind | "input";
  readonly bytes: number;
  /** Numbers that a kernel goes over to make it. */
  readonly domain: number;
  readonly inputs: readonly Value[];
  readonly users: Value[];
  readonly isBackward: boolean;
  /** An input that costs nothing to keep: a parameter or a buffer. */
  readonly isFree: boolean;
  readonly isTangent: boolean;
  readonly call: Call | null;
  /** Others that the same call makes have the same number: if one is made in forward, so are all. */
  readonly group: number;
  /** The storage that it has while nothing has memory; null for what only kernels see. */
  readonly storage: Storage | null;
  readonly tensor: Tensor | null;
  readonly device: GpuName;
  readonly dtype: string;
  readonly sizes: readonly number[];
  /** What decides of backward beside the operator: whether its graph is recorded, and whether hooks take what it saves. */
  readonly mode: string;
  readonly frame: number;
  readonly op: number;
  readonly module: number;
}

/** The value that a view looks into; itself for others. */
export function rootOf(value: Value): Value {
  let at = value;
  while (at.kind === "view" && at.inputs.length > 0) at = at.inputs[0]!;
  return at;
}
