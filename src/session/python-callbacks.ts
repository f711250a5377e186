/** What a session calls of Python: custom functions, hooks, policies, operators of subclasses. */

import type { CompiledOp } from "../ops/registry.ts";
import type { Args } from "../ops/row.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";

/** What Python offers to the engine; set by the bridge. */
export interface PythonCallbacks {
  call(id: number, tensors: readonly (Tensor | null)[]): readonly (Tensor | null)[];
  drop(id: number): void;
  pack(hook: number, tensor: Tensor): number;
  unpack(hook: number, packed: number): Tensor;
  /** Whether selective checkpointing keeps this operator's result. */
  keeps(policy: number, op: string): boolean;
  /** Runs an operator on tensors of a subclass; the results are owned by the caller. */
  operator(op: CompiledOp, args: Args): readonly (Tensor | null)[];
}

/** A session without Python. */
export const noPython: PythonCallbacks = {
  call: () => [],
  drop: () => {},
  pack: () => 0,
  keeps: () => false,
  operator: () => [],
  unpack: () => {
    throw new TorchError("no Python runs in this session");
  },
};
