/** Tensors put together: in a new dimension, or along rows, columns or depth after they got the dimensions for it (TensorShape.cpp: stack, hstack and its kin). */

import { type DType, promoteTypes } from "../tensor/dtype.ts";
import { stackedStrides } from "../tensor/memory-format.ts";
import { sameShape, TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { realOf } from "./complex.ts";
import { d, defineOps, type OpRow, type Ops } from "./row.ts";
import { joined } from "./values-selection.ts";

/** As atleast_1d, _2d and _3d give dimensions to a tensor: two in front of a row, the third behind. */
function atLeast(rank: number, t: Tensor, o: Ops): Tensor {
  if (t.rank >= rank) return t;
  if (t.rank === 0) return o.reshape(t, new Array<number>(rank).fill(1));
  if (rank === 2) return o.unsqueeze(t, 0);
  return t.rank === 1 ? o.unsqueeze(o.unsqueeze(t, 0), -1) : o.unsqueeze(t, -1);
}

const stacked = (name: string, rank: number, dimOf: (first: Tensor) => number, more: Partial<OpRow> = {}): OpRow => ({
  schema: `${name}(Tensor[] tensors) -> Tensor`,
  evidence: `native_functions.yaml: ${name}; case overloads/views-joins-powers-and-draws`,
  python: "function",
  outFrom: ["cat"],
  composite: ({ tensors }, o) => {
    const raised: Tensor[] = tensors.map((t: Tensor) => atLeast(rank, t, o));
    return o.cat(raised, raised.length > 0 ? dimOf(raised[0]) : 0);
  },
  ...more,
});

export const stacks = defineOps([
  {
    schema: "stack(Tensor[] tensors, int dim=0) -> Tensor",
    evidence: "derivatives.yaml: stack; case training/datasets-and-loaders; case tensors/joins-with-channels-last",
    values: joined,
    inside: "cat",
    forward: ({ tensors, dim }, k) => {
      if (tensors.length === 0) throw new TorchError("stack expects a non-empty TensorList");
      const first: Tensor = tensors[0];
      let type: DType = first.dtype;
      for (const t of tensors) {
        type = promoteTypes(type, t.dtype);
        if (!sameShape(t.sizes, first.sizes))
          throw new TorchError(
            `stack expects each tensor to be equal size, but got [${first.sizes.join(", ")}] at entry 0 and [${t.sizes.join(", ")}] at entry ${tensors.indexOf(t)}`,
          );
      }
      const at = wrapDim(dim, first.rank + 1);
      const sizes = [...first.sizes];
      sizes.splice(at, 0, tensors.length);
      return k.output(sizes, type, stackedStrides(sizes, at, tensors));
    },
    python: "function",
    // one selection for each, and of what was real the real part (FunctionsManual.cpp: stack_tensors_backward)
    derivatives: [
      d("tensors", "", ({ grad, meta, args, ops: o }) =>
        (meta.tensors as { dtype: DType }[]).map(({ dtype }, i) => realOf(o, o.select(grad, args.dim, i), dtype)),
      ),
    ],
  },
  stacked("hstack", 1, (first) => (first.rank === 1 ? 0 : 1)),
  stacked("vstack", 2, () => 0, { aliases: ["row_stack"] }),
  stacked("dstack", 3, () => 2),
  {
    schema: "column_stack(Tensor[] tensors) -> Tensor",
    evidence: "native_functions.yaml: column_stack; case overloads/views-joins-powers-and-draws",
    python: "function",
    outFrom: ["cat"],
    composite: ({ tensors }, o) =>
      o.cat(
        tensors.map((t: Tensor) => (t.rank > 1 ? t : o.reshape(t, [t.numel, 1]))),
        1,
      ),
  },
]);
