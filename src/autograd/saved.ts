/** A tensor kept for backward (torch/csrc/autograd/saved_variable.cpp). */

import { TorchError } from "../tensor/shape.ts";
import type { Tensor, VersionCounter } from "../tensor/tensor.ts";
import type { AutogradHost } from "./host.ts";
import type { Node } from "./node.ts";

export class SavedTensor {
  private tensor: Tensor | null = null;
  private readonly host: AutogradHost;
  private readonly isOutput: boolean;
  private readonly outputNr: number;
  private readonly requiresGrad: boolean;
  private readonly counter: VersionCounter;
  private readonly versionAtSave: number;
  private packed = -1;
  private unpackHook = -1;
  private released = false;

  /** Holds `tensor`; an output is held through an alias so that node and result do not keep each other alive. */
  constructor(host: AutogradHost, tensor: Tensor, isOutput: boolean) {
    this.host = host;
    this.isOutput = isOutput && !(tensor.isLeaf && tensor.requiresGrad);
    this.outputNr = tensor.outputNr;
    this.requiresGrad = tensor.requiresGrad;
    this.counter = tensor.version;
    this.versionAtSave = tensor.version.value;
    host.becameSaved(tensor);
    const hooks = host.savedTensorHooks;
    if (hooks) {
      this.unpackHook = hooks.unpack;
      this.packed = host.packPython(hooks.pack, tensor);
    } else this.tensor = this.isOutput ? host.alias(tensor) : tensor.retain();
  }

  /** The tensor, owned by the caller. `node` is the node it belongs to: an output gets it back as grad_fn. */
  unpack(node: Node): Tensor {
    if (this.released)
      throw new TorchError(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
      );
    if (this.packed >= 0) return this.host.unpackPython(this.unpackHook, this.packed);
    const tensor = this.tensor as Tensor;
    if (this.counter.value !== this.versionAtSave)
      throw new TorchError(
        `one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [${tensor.sizes.join(", ")}]], which is output ${this.outputNr} of ${node.name}, is at version ${this.counter.value}; expected version ${this.versionAtSave} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).`,
      );
    if (!this.isOutput) return tensor.retain();
    const result = this.host.alias(tensor);
    if (this.requiresGrad) {
      result.requiresGrad = true;
      node.retain();
      result.gradFn = node;
      result.outputNr = this.outputNr;
    }
    result.version = this.counter;
    return result;
  }

  /** The tensor without taking a reference, for reports; null when packed by a hook or released. */
  peek(): Tensor | null {
    return this.tensor;
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    if (this.packed >= 0) {
      const id = this.packed;
      this.packed = -2;
      this.host.dropPython(id);
    }
    const t = this.tensor;
    this.tensor = null;
    t?.release();
  }
}
