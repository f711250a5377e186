/** The node of a compiled function in the autograd graph: it keeps what the cut says, and its backward takes memory as inductor's code does. */

import { keepsGraph } from "../autograd/engine.ts";
import { Node } from "../autograd/node.ts";
import { SavedTensor } from "../autograd/saved.ts";
import type { TensorMeta } from "../ops/row.ts";
import type { Session } from "../session/session.ts";
import { sameShape, storageBytes } from "../tensor/shape.ts";
import { Tensor, type Storage } from "../tensor/tensor.ts";
import type { SavedEnd } from "../trace/model.ts";
import type { Step } from "./plan.ts";
import { play, taken } from "./play.ts";
import { rootOf, type Value } from "./value.ts";

/** Where a gradient lies: in the memory of a value, or null where there is none. */
export interface GradientPlace {
  readonly value: Value;
  readonly meta: TensorMeta;
  readonly offset: number;
}

export class CompiledNode extends Node {
  private readonly session: Session;
  private readonly steps: readonly Step[];
  private readonly gradients: readonly (GradientPlace | null)[];
  private readonly tangents: readonly Value[];
  private readonly kept = new Map<Value, SavedTensor>();

  constructor(
    session: Session,
    steps: readonly Step[],
    gradients: readonly (GradientPlace | null)[],
    tangents: readonly Value[],
  ) {
    super(session, "CompiledFunctionBackward");
    this.session = session;
    this.steps = steps;
    this.gradients = gradients;
    this.tangents = tangents;
  }

  keep(value: Value, tensor: Tensor): void {
    const slot = `saved_tensors[${this.kept.size}]`;
    this.kept.set(value, new SavedTensor(this, this.host, tensor, true, slot));
  }

  override apply(grads: readonly (Tensor | null)[]): (Tensor | null)[] {
    const { session } = this;
    const memory = new Map<Value, Storage>();
    for (const [value, saved] of this.kept) {
      const tensor = saved.unpack(this);
      memory.set(value, tensor.storage);
      tensor.storage.retain();
      tensor.release();
    }
    if (!keepsGraph()) for (const saved of this.kept.values()) saved.release("backward");
    // PyTorch makes zeros where no gradient came, and the call holds all of them (python_function.cpp: PyNode::apply)
    // and compiled code reads gradients of the layout that it was made for (runtime_wrappers.py: coerce_to_expected_memory_format)
    for (const [i, meta] of this.results.entries()) {
      const grad = grads[i];
      const tangent = this.tangents[i];
      if (grad && tangent && !sameShape(grad.strides, meta.strides)) memory.set(tangent, this.filled(meta));
    }
    const zeros = this.results.flatMap((meta, i) => (grads[i] ? [] : [this.filled(meta)]));
    play(session, this.steps, memory);
    const made = this.gradients.map((place) => {
      const storage = place && memory.get(rootOf(place.value));
      if (!place || !storage) return null;
      return new Tensor(storage, place.meta.sizes, place.meta.strides, place.offset, place.meta.dtype);
    });
    for (const storage of [...memory.values(), ...zeros]) storage.release();
    return made;
  }

  private filled({ sizes, strides, dtype, device }: TensorMeta): Storage {
    const { session } = this;
    const storage = taken(session, device, storageBytes(sizes, strides, dtype.itemBytes));
    session.memory.describe(storage, dtype.name, sizes);
    return storage;
  }

  override releaseVariables(end: SavedEnd): void {
    for (const saved of this.kept.values()) saved.release(end);
  }

  override keptTensors(): [string, SavedTensor][] {
    return [...this.kept.values()].map((saved, i) => [`saved_tensors[${i}]`, saved]);
  }
}
