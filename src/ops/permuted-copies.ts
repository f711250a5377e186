/** Copies whose elements stand in another order: flip, roll. */

import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, d, defineOps, type Kernel, type OpRow } from "./row.ts";
import { flipped, rolled } from "./values-selection.ts";

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
  {
    ...permutedCopy(
      "rot90",
      ", int k=1, int[] dims=[0,1]",
      [d("self", "", ({ grad, args, ops: o }) => o.rot90(grad, -args.k, args.dims))],
      ({ self, dims }) => {
        if (dims.length !== 2) throw new TorchError(`expected total rotation dims == 2, but got dims = ${dims.length}`);
        if (dims[0] === dims[1] || Math.abs(dims[0] - dims[1]) === self.rank)
          throw new TorchError(
            `expected rotation dims to be different, but got dim0 = ${dims[0]} and dim1 = ${dims[1]}`,
          );
      },
      // flipped, and turned as a view where the angle is odd
      (a, k) => {
        const whole = k.like(a.self);
        if (a.k % 2 === 0) return whole;
        const turned = k.ops.transpose(whole, a.dims[0], a.dims[1]);
        return k.view(whole, turned.sizes, turned.strides, 0, true);
      },
    ),
    evidence: "derivatives.yaml: rot90; case tensors/copies-and-shapes",
    inside: ({ k }) => (k % 4 === 0 ? "clone" : "flip"),
  },
  {
    ...permutedCopy(
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
    values: rolled,
  },
]);
