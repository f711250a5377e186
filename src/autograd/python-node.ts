/** The node of a custom `torch.autograd.Function`: backward is a registered Python function. */

import type { Tensor } from "../tensor/tensor.ts";
import type { AutogradHost } from "./host.ts";
import type { SavedEnd } from "../trace/model.ts";
import { Node } from "./node.ts";
import { SavedTensor } from "./saved.ts";

export class PythonNode extends Node {
  /** Id of the Python object (the ctx with its backward). */
  private readonly callback: number;
  private saved: SavedTensor[] = [];

  constructor(host: AutogradHost, name: string, callback: number) {
    super(host, name);
    this.callback = callback;
  }

  save(tensors: readonly (Tensor | null)[], outputs: readonly Tensor[]): void {
    for (const t of tensors) {
      if (!t) continue;
      const slot = `saved_tensors[${this.saved.length}]`;
      this.saved.push(new SavedTensor(this, this.host, t, outputs.includes(t), slot));
    }
  }

  /** ctx.saved_tensors, owned by the caller. */
  unpackAll(): Tensor[] {
    return this.saved.map((s) => s.unpack(this));
  }

  peekAll(): readonly SavedTensor[] {
    return this.saved;
  }

  /** Runs where no gradient came, too: the function is given zeros then, unless it asked for None (PyNode::apply). */
  override apply(grads: readonly (Tensor | null)[]): (Tensor | null)[] {
    return [...this.host.callPython(this.callback, grads)];
  }

  override get takesGradients(): boolean {
    return this.host.rules.customFunctionTakesGradients;
  }

  override releaseVariables(end: SavedEnd): void {
    for (const s of this.saved) s.release(end);
  }

  override keptTensors(): [string, SavedTensor][] {
    return this.saved.map((s, i) => [`saved_tensors[${i}]`, s]);
  }

  override get callbacks(): readonly number[] {
    return [this.callback];
  }

  protected override dispose(): void {
    this.host.dropPython(this.callback);
  }
}
