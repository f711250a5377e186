/** Builders for element-wise rows: result by at::TensorIterator, no temporaries. */

import { BOOL, type DType, isIntegral } from "../tensor/dtype.ts";
import { commonShape, isScalar, type Operand, outputStrides, resultType } from "../tensor/iterator.ts";
import { sameShape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, type Derivative, type Kernel, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import { ofTruths } from "./values-elementwise.ts";

/** What a kernel writes into must not share memory with itself, nor in part with what it reads (MemoryOverlap.cpp). */
function checkOverlap(target: Tensor, operands: readonly Tensor[]): void {
  const fail = (what: string): never => {
    throw new TorchError(
      `unsupported operation: ${what} a single memory location. Please clone() the tensor before performing the operation.`,
    );
  };
  if (target.isNonOverlappingAndDense) {
    for (const t of operands) {
      if (t === target || t.storage !== target.storage || !t.isNonOverlappingAndDense) continue;
      const same = t.offset === target.offset && t.numel === target.numel;
      const apart = t.offset >= target.offset + target.numel || target.offset >= t.offset + t.numel;
      if (same ? !sameShape(t.strides, target.strides) : !apart)
        fail("some elements of the input tensor and the written-to tensor refer to");
    }
    return;
  }
  if (target.sizes.some((size, i) => size > 1 && target.strides[i] === 0))
    fail("more than one element of the written-to tensor refers to");
}

/** The result of an element-wise kernel over these operands, with the given dtype. */
export function elementwise(k: Kernel, operands: readonly (Operand | null)[], dtype?: DType): Tensor {
  const present = operands.filter((x): x is Operand => x !== null);
  const tensors = present.filter((x): x is Tensor => !isScalar(x));
  if (k.target) checkOverlap(k.target, tensors);
  const shape = commonShape(tensors);
  const type = dtype ?? resultType(present, k.defaultDtype);
  // strides follow operands of the result's rank; numbers on the CPU do not take part
  return k.output(shape, type, outputStrides(shape, tensors));
}

/** Integers become the default float, as in every function with a float result. */
export const floatResult = (operands: readonly Operand[], { defaultDtype }: Kernel): DType => {
  const type = resultType(operands, defaultDtype);
  return isIntegral(type) ? defaultDtype : type;
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
  readonly aliases?: OpRow["aliases"];
  readonly special?: OpRow["special"];
  readonly values?: OpRow["values"];
}

/** `name(Tensor self) -> Tensor`. */
export function unary(name: string, derivative: Derivative | null, options: UnaryOptions = {}): OpRow {
  return {
    schema: `${name}(Tensor self) -> Tensor`,
    evidence: `${derivative ? "derivatives" : "native_functions"}.yaml: ${name}`,
    forward: ({ self }, k) =>
      elementwise(k, [self], options.dtype ?? (options.float ? floatResult([self], k) : self.dtype)),
    derivatives: derivative ? [derivative] : undefined,
    inplace: options.inplace ?? true,
    autocast: options.autocast,
    python: options.python,
    node: options.node,
    aliases: options.aliases,
    special: options.special,
    values: options.values,
  };
}

/** `name(Tensor self, Operand other) -> Tensor` with a bool result. */
export function comparison(
  name: string,
  holds: (x: number, y: number) => boolean,
  decides?: (x: number) => boolean,
): OpRow {
  return {
    schema: `${name}(Tensor self, Operand other) -> Tensor`,
    evidence: `native_functions.yaml: ${name}`,
    forward: ({ self, other }, k) => elementwise(k, [self, other], BOOL),
    inplace: true,
    values: ofTruths(holds, decides),
  };
}

/** A function that PyTorch has no gradient for: its results need one, and backward says that there is none. */
export const missing = (name: string, of = "self"): Derivative => ({
  ...d(of, "", () => {
    throw new TorchError(`derivative for aten::${name} is not implemented`);
  }),
  refuses: true,
});

/** A backward kernel: one output like the common shape of its tensors. */
export function backwardKernel(schema: string, tensors: readonly string[]): OpRow {
  return {
    schema,
    evidence: `native_functions.yaml: ${operatorName(schema)}`,
    forward: (a, k) =>
      elementwise(
        k,
        tensors.map((n) => a[n] as Tensor),
      ),
    python: "none",
  };
}

/** A row of two operands, the second a tensor or a number. */
export const binary = (
  name: string,
  rest: Omit<OpRow, "schema" | "forward">,
  result?: (x: Operand[]) => DType,
): OpRow => ({
  schema: `${name}(Tensor self, Operand other) -> Tensor`,
  evidence: `${rest.derivatives ? "derivatives" : "native_functions"}.yaml: ${name}`,
  forward: ({ self, other }, k) => elementwise(k, [self, other], result?.([self, other])),
  inplace: true,
  ...rest,
});
