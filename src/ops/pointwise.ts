/** Builders for element-wise rows: result by at::TensorIterator, no temporaries. */

import { BOOL, type DType, FLOAT32, isIntegral } from "../tensor/dtype.ts";
import { commonShape, isScalar, type Operand, outputStrides, resultType } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Derivative, Kernel, OpRow } from "./row.ts";

/** The result of an element-wise kernel over these operands, with the given dtype. */
export function elementwise(k: Kernel, operands: readonly (Operand | null)[], dtype?: DType): Tensor {
  const present = operands.filter((x): x is Operand => x !== null);
  const tensors = present.filter((x): x is Tensor => !isScalar(x));
  const shape = commonShape(tensors);
  const type = dtype ?? resultType(present);
  // strides follow operands of the result's rank; numbers on the CPU do not take part
  return k.output(shape, type, outputStrides(shape, tensors));
}

/** Integers become the default float, as in every function with a float result. */
export const floatResult = (operands: readonly Operand[]): DType => {
  const type = resultType(operands);
  return isIntegral(type) ? FLOAT32 : type;
};

export interface UnaryOptions {
  /** Integers give floats. */
  readonly float?: boolean;
  /** Result dtype whatever the input. */
  readonly dtype?: DType;
  readonly autocast?: OpRow["autocast"];
  readonly inplace?: boolean;
  readonly python?: OpRow["python"];
  readonly node?: OpRow["node"];
}

/** `name(Tensor self) -> Tensor`. */
export function unary(name: string, derivative: Derivative | null, options: UnaryOptions = {}): OpRow {
  return {
    schema: `${name}(Tensor self) -> Tensor`,
    forward: ({ self }, k) =>
      elementwise(k, [self], options.dtype ?? (options.float ? floatResult([self]) : self.dtype)),
    derivatives: derivative ? [derivative] : undefined,
    inplace: options.inplace ?? true,
    autocast: options.autocast,
    python: options.python,
    node: options.node,
  };
}

/** `name(Tensor self, Operand other) -> Tensor` with a bool result. */
export function comparison(name: string): OpRow {
  return {
    schema: `${name}(Tensor self, Operand other) -> Tensor`,
    forward: ({ self, other }, k) => elementwise(k, [self, other], BOOL),
    inplace: true,
  };
}

/** A backward kernel: one output like the common shape of its tensors. */
export function backwardKernel(schema: string, tensors: readonly string[]): OpRow {
  return {
    schema,
    forward: (a, k) =>
      elementwise(
        k,
        tensors.map((n) => a[n] as Tensor),
      ),
    python: "none",
  };
}
