/** What the autograd layer needs from the session that runs it. */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";
import type { Ops } from "../ops/row.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { SavedEnd } from "../trace/model.ts";
import type { Edge, Node } from "./node.ts";
import type { RangeRecorder } from "./ranges.ts";

export interface AutogradHost {
  readonly ops: Ops;
  readonly rules: TorchRules;
  readonly gpu: GpuRow;
  readonly temporaries: boolean;
  /** What the host reads where the device has this number. */
  readBack(number: number, from: Tensor): number;
  /** Told what runs inside what, or null. */
  readonly ranges: RangeRecorder | null;
  /** Grad mode of the running thread. */
  gradEnabled: boolean;
  /** Runs `work`; the tensors that it returns are owned by the caller, all others that it made are given back. */
  own<T extends Tensor | null | readonly (Tensor | null)[]>(work: () => T): T;
  /** Runs `work`; what it returns stays with the surrounding scope, all others that it made are given back. */
  scope<T>(work: () => T): T;
  /** Gives back a tensor of the running scope before its end. */
  drop(tensor: Tensor): void;
  /** A new tensor object on the same storage, owned by the caller, outside of any graph. */
  alias(tensor: Tensor): Tensor;
  /** The next sequence number of the running thread. */
  nextSequence(): number;
  /** Where the gradient of a tensor goes, or null. */
  edgeOf(tensor: Tensor): Edge | null;
  /** Runs `work` as the device's backward thread. */
  asBackwardThread<T>(work: () => T): T;
  /** Where the program is: index of a frame in the trace. */
  readonly frame: number;
  readonly module: number;
  /** Number of the current stream. */
  stream: number;
  /** The name by which programs know a device. */
  shownName(device: Tensor["device"]): string;
  /** Runs a node's `work`, with operators attributed to the module whose forward made it. */
  inNode<T>(node: Node, work: () => T): T;
  /** Calls a registered Python function with tensors; it returns tensors or null. */
  callPython(id: number, tensors: readonly (Tensor | null)[]): readonly (Tensor | null)[];
  /** Lets Python forget a registered object. */
  dropPython(id: number): void;
  /** The active pair of saved-tensor hooks, or null. */
  readonly savedTensorHooks: { readonly pack: number; readonly unpack: number } | null;
  /** Python's pack hook: returns the id of what it made of the tensor. */
  packPython(pack: number, tensor: Tensor): number;
  /** Python's unpack hook: the tensor for a packed object. Owned by the caller. */
  unpackPython(unpack: number, packed: number): Tensor;
  /** The tensor became the gradient of a leaf. */
  becameGradient(tensor: Tensor): void;
  /** A node keeps the tensor under the name `slot` for backward; returns a number for {@link savedEnded}, -1 off the device. */
  becameSaved(tensor: Tensor, node: Node, slot: string): number;
  /** What {@link becameSaved} gave this number is let go. */
  savedEnded(saved: number, end: SavedEnd): void;
}
