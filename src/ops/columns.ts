/** Patches of an image as columns and back: im2col, col2im. */

import { contiguousStrides, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, type Kernel } from "./row.ts";

/** How many windows there are along each side. */
const windowCounts = (size: readonly number[], a: Record<string, readonly number[]>): number[] =>
  size.map((s, i) => Math.floor((s + 2 * a.padding[i] - a.dilation[i] * (a.kernel_size[i] - 1) - 1) / a.stride[i]) + 1);

/** The result begins as large as the input and is resized: what is smaller keeps the larger memory (im2col_cuda, col2im_cuda). */
function resized(k: Kernel, self: Tensor, sizes: readonly number[]): Tensor {
  const contiguous = (): void => {
    if (!self.isContiguous) k.scratch(self.numel * self.dtype.itemBytes, "columns_contiguous");
  };
  if (product(sizes) <= self.numel && k.temporaries && k.target === null) {
    const whole = k.output([self.numel], self.dtype);
    contiguous();
    return k.view(whole, sizes, contiguousStrides(sizes), 0, true);
  }
  const first = k.scratch(self.numel * self.dtype.itemBytes, "columns_before_resize");
  contiguous();
  const out = k.output(sizes, self.dtype);
  first();
  return out;
}

const product = (list: readonly number[]): number => list.reduce((x, y) => x * y, 1);

export const columnOps = defineOps([
  {
    schema: "im2col(Tensor self, int[] kernel_size, int[] dilation, int[] padding, int[] stride) -> Tensor",
    evidence: "derivatives.yaml: im2col; case convolutions/one-three-dimensions-and-transposed",
    python: "none",
    forward: (a, k) => {
      const { self } = a;
      if (self.rank !== 3 && self.rank !== 4)
        throw new TorchError(
          `Expected 3D or 4D (batch mode) tensor for input with possible 0 batch size and non-zero dimensions, but got: [${self.sizes.join(", ")}]`,
        );
      const blocks = windowCounts(self.sizes.slice(-2), a as Record<string, number[]>);
      if (blocks.some((b) => b < 1))
        throw new TorchError(
          `Given input with spatial size (${self.sizes.slice(-2).join(", ")}), kernel_size=(${a.kernel_size.join(", ")}), dilation=(${a.dilation.join(", ")}), padding=(${a.padding.join(", ")}), calculated shape of the array of sliding blocks as (${blocks.join(", ")}), but its components must be at least one.`,
        );
      const rows = self.sizes[self.rank - 3] * product(a.kernel_size);
      return resized(k, self, [...self.sizes.slice(0, -3), rows, product(blocks)]);
    },
    derivatives: [
      d("self", "", ({ grad, meta, args: a, ops: o }) =>
        o.col2im(grad, meta.self.sizes.slice(-2), a.kernel_size, a.dilation, a.padding, a.stride),
      ),
    ],
  },
  {
    schema:
      "col2im(Tensor self, int[] output_size, int[] kernel_size, int[] dilation, int[] padding, int[] stride) -> Tensor",
    evidence: "derivatives.yaml: col2im; case convolutions/one-three-dimensions-and-transposed",
    python: "none",
    forward: (a, k) => {
      const { self } = a;
      const lead = self.sizes.slice(0, -2);
      const rows = self.sizes[self.rank - 2];
      const area = product(a.kernel_size);
      if (rows % area !== 0)
        throw new TorchError(
          `Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=${rows} and kernel_size=(${a.kernel_size.join(", ")}).`,
        );
      const blocks = product(windowCounts(a.output_size, a as Record<string, number[]>));
      if (self.sizes[self.rank - 1] !== blocks)
        throw new TorchError(
          `Given output_size=(${a.output_size.join(", ")}), kernel_size=(${a.kernel_size.join(", ")}), dilation=(${a.dilation.join(", ")}), padding=(${a.padding.join(", ")}), stride=(${a.stride.join(", ")}), expected size of input's dimension 2 to match the calculated number of sliding blocks, but got input.size(2)=${self.sizes[self.rank - 1]}.`,
        );
      return resized(k, self, [...lead, rows / area, ...a.output_size]);
    },
    derivatives: [
      d("self", "", ({ grad, args: a, ops: o }) => o.im2col(grad, a.kernel_size, a.dilation, a.padding, a.stride)),
    ],
  },
]);
