/**
 * The part of at::TensorIterator that decides results: common shape, computed dtype and output strides.
 * Mirrors aten/src/ATen/TensorIterator.cpp (compute_shape, compute_types, reorder_dimensions).
 */

import {
  BOOL,
  COMPLEX64,
  type DType,
  FLOAT32,
  INT64,
  KIND_COMPLEX,
  KIND_FLOAT,
  promoteTypes,
  toComplex,
} from "./dtype.ts";
import {
  broadcast,
  contiguousStrides,
  isNonOverlappingAndDense,
  sameShape,
  type Shape,
  stridesInOrder,
} from "./shape.ts";
import type { Tensor } from "./tensor.ts";

/** A Python number as an operand; its kind takes part in promotion, its width does not. */
export interface Scalar {
  readonly scalar: "bool" | "int" | "float" | "complex";
  readonly value: number;
}

/** A number as a tensor of its own kind (scalar_to_tensor): an H100 recorded eight bytes for the base of a power of float32. */
export const NUMBER_BYTES: Readonly<Record<Scalar["scalar"], number>> = { bool: 1, int: 8, float: 8, complex: 16 };
export type Operand = Tensor | Scalar;

export const isScalar = (x: Operand): x is Scalar => "scalar" in x;

const scalarDtype: Record<Scalar["scalar"], DType> = { bool: BOOL, int: INT64, float: FLOAT32, complex: COMPLEX64 };

/** The dtype of an operation on these operands (at::result_type with wrapped numbers). */
export function resultType(operands: readonly Operand[], defaultFloat: DType = FLOAT32): DType {
  let dims: DType | null = null;
  let zeros: DType | null = null;
  let wrapped: DType | null = null;
  for (const x of operands) {
    if (isScalar(x) || x.wrappedNumber) {
      let d = isScalar(x) ? scalarDtype[x.scalar] : x.dtype;
      if (d.kind === KIND_FLOAT) d = defaultFloat;
      if (d.kind === KIND_COMPLEX) d = toComplex(defaultFloat);
      wrapped = wrapped ? promoteTypes(wrapped, d) : d;
    } else if (x.sizes.length === 0) zeros = zeros ? promoteTypes(zeros, x.dtype) : x.dtype;
    else dims = dims ? promoteTypes(dims, x.dtype) : x.dtype;
  }
  const combine = (higher: DType | null, lower: DType | null): DType | null => {
    if (!higher) return lower;
    if (!lower || lower.kind <= higher.kind) return higher;
    if (lower.kind === KIND_COMPLEX && higher.kind === KIND_FLOAT) return toComplex(higher);
    return lower;
  };
  const result = combine(combine(dims, zeros), wrapped);
  return result ?? defaultFloat;
}

/** The shape that all operands broadcast to. */
export function commonShape(tensors: readonly Tensor[]): Shape {
  let shape: Shape = tensors[0].sizes;
  for (let i = 1; i < tensors.length; i++)
    if (!sameShape(shape, tensors[i].sizes)) shape = broadcast(shape, tensors[i].sizes);
  return shape;
}

/** Strides of a freshly made output of an element-wise operation on `tensors`. */
export function outputStrides(shape: Shape, tensors: readonly Tensor[]): number[] {
  const first = tensors[0];
  if (tensors.every((t) => sameShape(t.sizes, shape) && t.isContiguous)) return contiguousStrides(shape);
  if (
    tensors.every((t) => sameShape(t.sizes, shape) && sameShape(t.strides, first.strides)) &&
    isNonOverlappingAndDense(first.sizes, first.strides)
  )
    return [...first.strides];
  return stridesInOrder(shape, dimensionOrder(shape, tensors));
}

/** Dimensions from slowest to fastest, by the first operand whose strides tell (reorder_dimensions). */
function dimensionOrder(shape: Shape, tensors: readonly Tensor[]): number[] {
  const rank = shape.length;
  const strides = tensors.map((t) => {
    const pad = rank - t.sizes.length;
    return shape.map((_, i) => (i < pad || (t.sizes[i - pad] === 1 && shape[i] !== 1) ? 0 : t.strides[i - pad]));
  });
  const perm = Array.from({ length: rank }, (_, i) => rank - 1 - i);
  const shouldSwap = (dim0: number, dim1: number): number => {
    for (const s of strides) {
      const s0 = s[dim0];
      const s1 = s[dim1];
      if (s0 === 0 || s1 === 0) continue;
      if (s0 < s1) return -1;
      if (s0 > s1) return 1;
      if (shape[dim0] > shape[dim1]) return 1;
    }
    return 0;
  };
  for (let i = 1; i < rank; i++) {
    let dim1 = i;
    for (let dim0 = i - 1; dim0 >= 0; dim0--) {
      const c = shouldSwap(perm[dim0], perm[dim1]);
      if (c > 0) {
        [perm[dim0], perm[dim1]] = [perm[dim1], perm[dim0]];
        dim1 = dim0;
      } else if (c < 0) break;
    }
  }
  return perm.reverse();
}
