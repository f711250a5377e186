/** Over which dimensions a reduction goes, and what PyTorch checks before it (ReduceOpsUtils.h). */

import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";

/** All dimensions when the list is null or empty, else the wrapped ones. */
export function reducedDims(self: Tensor | { sizes: readonly number[] }, dims: readonly number[] | null): number[] {
  const rank = self.sizes.length;
  if (dims === null || dims.length === 0) return Array.from({ length: rank }, (_, i) => i);
  const wrapped = dims.map((i) => wrapDim(i, rank));
  const twice = wrapped.find((i, at) => wrapped.indexOf(i) !== at);
  if (twice !== undefined) throw new TorchError(`dim ${twice} appears multiple times in the list of dims`);
  return wrapped;
}

/** An extreme over nothing does not exist. */
export function checkNotEmpty(name: string, self: Tensor, dim: number | readonly number[] | null): void {
  if (self.numel > 0) return;
  if (dim === null || (typeof dim !== "number" && dim.length === 0))
    throw new TorchError(
      `${name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.`,
      "IndexError",
    );
  for (const i of typeof dim === "number" ? [dim] : dim)
    if (self.sizes[wrapDim(i, self.rank)] === 0)
      throw new TorchError(`${name}(): Expected reduction dim ${i} to have non-zero size.`, "IndexError");
}

/** What is left of a shape; reduced dimensions stay with size one where they are kept. */
export function reducedShape(self: Tensor, dims: readonly number[], keepdim: boolean): number[] {
  const drop = new Set(dims);
  const sizes: number[] = [];
  self.sizes.forEach((s, i) => {
    if (!drop.has(i)) sizes.push(s);
    else if (keepdim) sizes.push(1);
  });
  return sizes;
}
