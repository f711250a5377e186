/** A tensor kept for backward (torch/csrc/autograd/saved_variable.cpp). */

import { TorchError } from "../tensor/shape.ts";
import { typeName } from "../tensor/cxx-names.ts";
import type { Tensor, VersionCounter } from "../tensor/tensor.ts";
import type { SavedEnd } from "../trace/model.ts";
import type { AutogradHost } from "./host.ts";
import type { Edge, Node } from "./node.ts";

/** What a node says whose saved values are gone. */
export const freedError = (): TorchError =>
  new TorchError(
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
  );

export class SavedTensor {
  private tensor: Tensor | null = null;
  private readonly host: AutogradHost;
  private readonly isOutput: boolean;
  private readonly outputNr: number;
  private readonly requiresGrad: boolean;
  private readonly leaf: boolean;
  private readonly counter: VersionCounter;
  private readonly versionAtSave: number;
  private packed = -1;
  private unpackHook = -1;
  private released = false;
  /** Under which number the trace knows it, or -1. */
  private record = -1;
  /** Of a packed input: where its gradient goes, held; what unpacking gives leads there again. */
  private edge: Edge | null = null;

  /** Holds `tensor` for `node`, whose formula calls it `slot`; an output is held through an alias so that node and result do not keep each other alive. */
  constructor(node: Node, host: AutogradHost, tensor: Tensor, isOutput: boolean, slot: string) {
    this.host = host;
    this.isOutput = isOutput && !(tensor.isLeaf && tensor.requiresGrad);
    this.outputNr = tensor.outputNr;
    this.requiresGrad = tensor.requiresGrad;
    this.leaf = tensor.isLeaf;
    this.counter = tensor.version;
    this.versionAtSave = tensor.version.value;
    const hooks = host.savedTensorHooks;
    if (hooks) {
      this.unpackHook = hooks.unpack;
      this.packed = host.packPython(hooks.pack, tensor);
      if (tensor.requiresGrad && !this.isOutput) this.edge = heldEdge(host, tensor);
    } else {
      this.tensor = this.isOutput ? host.alias(tensor) : tensor.retain();
      this.record = host.becameSaved(tensor, node, slot);
    }
  }

  /** The tensor, owned by the caller. `node` is the node it belongs to: an output gets it back as grad_fn. */
  unpack(node: Node): Tensor {
    if (this.released) throw freedError();
    if (this.packed >= 0) return this.unpackThroughHook(node);
    const tensor = this.tensor as Tensor;
    if (this.counter.value !== this.versionAtSave)
      throw this.changedError(tensor, this.isOutput ? node : (tensor.gradFn as Node | null));
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

  /** What PyTorch says of a tensor that was changed in place since; `owner` has made it as it is now, if anything that autograd knows. */
  private changedError(tensor: Tensor, owner: Node | null): TorchError {
    const { rules } = this.host;
    const name = rules.shortNodeNamesInErrors ? owner?.name.replace(/Backward\d+$/, "") : owner?.name;
    const which = name === undefined ? "" : `, which is output ${this.outputNr} of ${name},`;
    const call = rules.anomalyHintChecksNan ? "True, check_nan=False" : "True";
    return new TorchError(
      `one of the variables needed for gradient computation has been modified by an inplace operation: [${typeName(tensor)} [${tensor.sizes.join(", ")}]]${which} is at version ${this.counter.value}; expected version ${this.versionAtSave} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(${call}).`,
    );
  }

  /** What the hook gives back takes the place of the saved tensor in the graph. */
  private unpackThroughHook(node: Node): Tensor {
    const data = this.host.unpackPython(this.unpackHook, this.packed);
    if (!this.requiresGrad) return data;
    const result = this.host.alias(data);
    data.release();
    result.requiresGrad = true;
    if (this.isOutput) {
      node.retain();
      result.gradFn = node;
      result.outputNr = this.outputNr;
    } else if (this.edge && this.leaf) result.gradAccumulator = this.edge.node;
    else if (this.edge) {
      this.edge.node.retain();
      result.gradFn = this.edge.node;
      result.outputNr = this.edge.inputNr;
    }
    return result;
  }

  /** The tensor without taking a reference, for reports; null when packed by a hook or released. */
  peek(): Tensor | null {
    return this.tensor;
  }

  /** What Python's pack hook made of the tensor, or -1. */
  get packedObject(): number {
    return this.packed;
  }

  release(end: SavedEnd): void {
    if (this.released) return;
    this.released = true;
    if (this.record >= 0) this.host.savedEnded(this.record, end);
    if (this.packed >= 0) {
      const id = this.packed;
      this.packed = -2;
      this.host.dropPython(id);
    }
    const { edge, tensor } = this;
    this.edge = null;
    this.tensor = null;
    edge?.node.release();
    tensor?.release();
  }
}

/** The edge of a tensor with a reference to its node. */
function heldEdge(host: AutogradHost, tensor: Tensor): Edge | null {
  const fresh = !tensor.gradFn && !tensor.gradAccumulator;
  const edge = host.edgeOf(tensor);
  // a new accumulator comes with a reference
  if (edge && !fresh) edge.node.retain();
  return edge;
}
