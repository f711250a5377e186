/** Tensors put together along rows, columns or depth, after they got the dimensions for it (TensorShape.cpp: hstack and its kin). */

import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type OpRow, type Ops } from "./row.ts";

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
