/** How losses are reduced, and the shapes that a reduced loss leaves behind in memory. */

import type { DType } from "../tensor/dtype.ts";
import { commonShape, outputStrides } from "../tensor/iterator.ts";
import { contiguousStrides, numel, type Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Reduced, reductionScratch, summing } from "./reduce-buffers.ts";
import type { Kernel, Ops } from "./row.ts";

export const REDUCTION_NONE = 0;
export const REDUCTION_MEAN = 1;
export const REDUCTION_SUM = 2;

/** apply_loss_reduction. */
export function reduced(o: Ops, loss: Tensor, reduction: number): Tensor {
  if (reduction === REDUCTION_MEAN) return o.mean(loss);
  if (reduction === REDUCTION_SUM) return o.sum(loss);
  return loss;
}

/** The partial sums of a loss's mean or sum. */
function reduceAll(k: Kernel, loss: Reduced): void {
  const every = loss.sizes.map((_, i) => i);
  reductionScratch(k, loss, every, summing(loss, loss.dtype));
}

/**
 * A loss whose result was made in the shape of its elements and then shrunk to a number: the number keeps the memory of
 * all elements. The reduction reads an unreduced loss of its own.
 */
export function shrunkLoss(k: Kernel, input: Tensor, target: Tensor, reduction: number): Tensor {
  const shape = commonShape([input, target]);
  const whole = k.output(shape, input.dtype, outputStrides(shape, [input, target]));
  if (reduction === REDUCTION_NONE) return whole;
  k.scratch(whole.nbytes, "unreduced_loss");
  reduceAll(k, whole);
  return shrink(k, whole);
}

/** A loss that is reduced to a number and then written over its own elements (binary_cross_entropy_out_cuda in cuda/Loss.cu). */
export function resizedLoss(k: Kernel, input: Tensor, reduction: number): Tensor {
  const whole = k.output(input.sizes, input.dtype);
  if (reduction === REDUCTION_NONE) return whole;
  k.scratch(input.dtype.itemBytes, "reduced_loss");
  reduceAll(k, whole);
  return shrink(k, whole);
}

/** The same memory seen as a number. */
export const shrink = (k: Kernel, whole: Tensor): Tensor => k.view(whole, [], [], 0, true);

/** A loss whose elements are a temporary. */
export function freshLoss(k: Kernel, shape: Shape, dtype: DType, reduction: number, strides?: Shape): Tensor {
  if (reduction === REDUCTION_NONE) return k.output(shape, dtype, strides);
  k.scratch(numel(shape) * dtype.itemBytes, "unreduced_loss");
  const out = k.output([], dtype);
  reduceAll(k, { sizes: shape, strides: strides ?? contiguousStrides(shape), numel: numel(shape), dtype });
  return out;
}
