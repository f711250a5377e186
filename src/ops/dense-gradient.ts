/** The copy that a backward kernel makes of a gradient which does not lie densely in the layout that it suggests (grad_output.contiguous() in C++). */

import { suggestedStrides } from "../tensor/memory-format.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Kernel } from "./row.ts";

/** Takes the copy for as long as the kernel runs. */
export function readDensely(k: Kernel, grad: Tensor, what: string): void {
  const dense = suggestedStrides(grad.sizes, grad);
  if (grad.strides.some((stride, i) => grad.sizes[i] > 1 && stride !== dense[i]))
    k.scratch(grad.numel * grad.dtype.itemBytes, what);
}
