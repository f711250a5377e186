/** Shapes of matrices and batches of them, as LAPACK-like kernels lay them out. */

import { isComplex } from "../tensor/dtype.ts";
import { contiguousStrides, type Shape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Ops } from "./row.ts";

/** Everything before the last two dimensions. */
export const batchOf = (t: Tensor): Shape => t.sizes.slice(0, -2);

/** Each matrix column by column, the batch row-major (batched_matrix_contiguous_strides). */
export function columnMajor(sizes: Shape): number[] {
  const strides = contiguousStrides(sizes);
  const n = sizes.length;
  if (n >= 2) {
    strides[n - 2] = 1;
    strides[n - 1] = Math.max(sizes[n - 2], 1);
  }
  return strides;
}

/** The conjugate transpose as a view. */
export const mH = (o: Ops, t: Tensor): Tensor => {
  const flipped = o.transpose(t, -2, -1);
  return isComplex(t.dtype) ? o.conj(flipped) : flipped;
};

export function needMatrix(a: Tensor, name: string): void {
  if (a.rank < 2) throw new TorchError(`${name}: The input tensor A must have at least 2 dimensions.`);
}

export function needSquare(a: Tensor, name: string): void {
  needMatrix(a, name);
  if (a.size(-1) !== a.size(-2))
    throw new TorchError(
      `${name}: A must be batches of square matrices, but they are ${a.size(-2)} by ${a.size(-1)} matrices`,
    );
}

/** Shapes under which a Kronecker product is an element-wise product, and the shape that it has in the end. */
export function elementwiseProductViews(self: Tensor, other: Tensor): [number[], number[], number[]] {
  const rank = Math.max(self.rank, other.rank);
  const padded = (t: Tensor): number[] => [...new Array<number>(rank - t.rank).fill(1), ...t.sizes];
  const a = padded(self);
  const b = padded(other);
  return [a.flatMap((s) => [s, 1]), b.flatMap((s) => [1, s]), a.map((s, i) => s * b[i])];
}
