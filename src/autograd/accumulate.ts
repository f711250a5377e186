/** AccumulateGrad: puts a gradient into a leaf's `.grad` (torch/csrc/autograd/functions/accumulate_grad.h). */

import type { Tensor } from "../tensor/tensor.ts";
import type { AutogradHost } from "./host.ts";
import { FIRST, Node } from "./node.ts";

export class AccumulateGrad extends Node {
  readonly variable: Tensor;

  /** Holds the leaf; the leaf knows this node without holding it. */
  constructor(host: AutogradHost, variable: Tensor) {
    super(host, "torch::autograd::AccumulateGrad", FIRST);
    this.variable = variable.retain();
    variable.gradAccumulator = this;
    this.results.push({
      sizes: variable.sizes,
      strides: variable.strides,
      dtype: variable.dtype,
      device: variable.device,
    });
  }

  override apply(grads: readonly (Tensor | null)[]): (Tensor | null)[] {
    const grad = grads[0];
    if (grad) {
      accumulate(this.host, this.variable, grad, 1 + (this.postHooks.length > 0 ? 1 : 0));
      for (const id of this.variable.postAccumulateHooks?.ids ?? []) this.host.callPython(id, [this.variable]);
    }
    return [];
  }

  /** A leaf's hooks belong to the tensor: the accumulator comes and goes with graphs. */
  override hooksOn(): readonly number[] {
    return this.variable.hooks?.ids ?? [];
  }

  override get heldLeaf(): Tensor {
    return this.variable;
  }

  protected override dispose(): void {
    this.variable.gradAccumulator = null;
    this.variable.release();
  }
}

/** Adds `grad` to the leaf's gradient: takes it over, copies it or adds in place. */
function accumulate(host: AutogradHost, variable: Tensor, grad: Tensor, expectedRefs: number): void {
  const old = variable.grad;
  const createGraph = host.gradEnabled;
  if (!old) {
    const stolen = !createGraph && grad.refs <= expectedRefs && obeysLayout(grad, variable);
    if (stolen) variable.grad = host.alias(grad);
    else
      variable.grad = host.own(() =>
        createGraph ? host.ops.clone(grad) : copyInLayout(host, grad, variable),
      ) as Tensor;
    host.becameGradient(variable.grad);
  } else if (!createGraph) {
    host.scope(() => void host.ops.add_(old, grad));
  } else {
    variable.grad = host.own(() => host.ops.add(old, grad) as Tensor);
    host.becameGradient(variable.grad);
    old.release();
  }
}

/** True when `grad` has the strides that the parameter's gradient should have (utils::obeys_layout_contract). */
function obeysLayout(grad: Tensor, variable: Tensor): boolean {
  if (!variable.isNonOverlappingAndDense) return grad.isContiguous;
  return grad.sizes.every((size, i) => size === 1 || grad.strides[i] === variable.strides[i]);
}

function copyInLayout(host: AutogradHost, grad: Tensor, variable: Tensor): Tensor {
  if (!variable.isNonOverlappingAndDense) return host.ops.clone(grad, "contiguous_format");
  const result = host.ops.new_empty_strided(grad, variable.sizes, variable.strides, grad.dtype, grad.device) as Tensor;
  host.ops.copy_(result, grad);
  return result;
}
