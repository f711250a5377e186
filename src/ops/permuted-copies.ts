/** Copies whose elements stand in another order: flip, roll. */

import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, d, defineOps, type Kernel, type OpRow } from "./row.ts";
import { flipped } from "./values-selection.ts";

const permutedCopy = (
  name: string,
  args: string,
  back: OpRow["derivatives"],
  check: (a: Args) => void,
  forward: (a: Args, k: Kernel) => Tensor = ({ self }, k) => k.like(self),
): OpRow => ({
  schema: `${name}(Tensor self${args}) -> Tensor`,
  evidence: `derivatives.yaml: ${name}`,
  forward: (a, k) => {
    check(a);
    return forward(a, k);
  },
  derivatives: back,
});

export const permutedCopies = defineOps([
  {
    ...permutedCopy(
      "flip",
      ", int[] dims",
      [d("self", "", ({ grad, args, ops: o }) => o.flip(grad, args.dims))],
      ({ self, dims }) => {
        const wrapped = dims.map((i: number) => wrapDim(i, self.rank));
        if (new Set(wrapped).size < wrapped.length) throw new TorchError("duplicate value in the list of dims");
      },
    ),
    values: flipped,
  },
  permutedCopy(
    "roll",
    ", int[] shifts, int[] dims=[]",
    [
      d("self", "", ({ grad, args, ops: o }) =>
        o.roll(
          grad,
          args.shifts.map((s: number) => -s),
          args.dims,
        ),
      ),
    ],
    ({ shifts, dims }) => {
      if (shifts.length === 0) throw new TorchError("`shifts` required");
      if (dims.length ? dims.length !== shifts.length : shifts.length > 1)
        throw new TorchError(`shifts and dimensions must align. shifts: ${shifts.length}, dims:${dims.length}`);
    },
    // one dimension after the other, of a dense copy (roll_cuda, roll_common)
    ({ self, shifts }, k) => {
      const bytes = self.numel * self.dtype.itemBytes;
      const dense = self.isContiguous ? () => {} : k.scratch(bytes, "roll_contiguous");
      for (let step = 1; step < shifts.length; step++) {
        k.scratch(bytes, "roll_step");
        if (step === 1) dense();
      }
      const result = k.like(self);
      dense();
      return result;
    },
  ),
]);
