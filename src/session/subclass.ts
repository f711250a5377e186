/**
 * Tensor subclasses whose operators Python runs (`__torch_dispatch__`): geometry without memory of its own, over whatever the
 * Python object holds. Autograd, autocast and composites see an ordinary tensor; a leaf operator on one goes to Python
 * instead of its kernel, as below autograd in PyTorch (c10/core/PythonDispatcher, DispatchKey::Python).
 */

import type { CompiledOp } from "../ops/registry.ts";
import type { Args } from "../ops/row.ts";
import type { DType } from "../tensor/dtype.ts";
import type { Shape } from "../tensor/shape.ts";
import { Storage, Tensor, type DeviceType } from "../tensor/tensor.ts";
import type { Session } from "./session.ts";

/** Subclass tensors that live, so that programs without any pay one comparison per operator. */
export class Subclasses {
  private alive = 0;
  /** Told of each that is gone. */
  onEnd: (tensor: Tensor) => void = () => {};
  /** Told of each that became a gradient: whoever made it knows where its memory is. */
  onGradient: (tensor: Tensor) => void = () => {};
  private readonly hook = {
    forget: (tensor: Tensor): void => {
      this.alive--;
      this.onEnd(tensor);
    },
  };

  get any(): boolean {
    return this.alive > 0;
  }

  /** A tensor of this geometry without memory, in the running scope. */
  make(session: Session, sizes: Shape, strides: Shape, dtype: DType, device: DeviceType): Tensor {
    const tensor = new Tensor(new Storage(session.memory, device, 0), sizes, strides, 0, dtype);
    tensor.subclass = this.hook;
    tensor.isInference = session.inferenceMode;
    this.alive++;
    session.pool.add(tensor);
    return tensor;
  }

  /** Whether Python runs this call. */
  takes(op: CompiledOp, args: Args): boolean {
    if (this.alive === 0) return false;
    for (const { name } of op.tensorArgs) {
      const value = args[name];
      if (Array.isArray(value) ? value.some(isSubclass) : isSubclass(value)) return true;
    }
    return false;
  }
}

const isSubclass = (value: unknown): boolean => value instanceof Tensor && value.subclass !== null;
