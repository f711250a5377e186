/** Matrices put along the diagonal of a larger one (block_diag in TensorShape.cpp). */

import { resultType } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps } from "./row.ts";

/** A vector stands as one row, a number as a row of one. */
const asMatrix = (sizes: readonly number[]): readonly number[] =>
  sizes.length === 2 ? sizes : [1, sizes.length === 1 ? sizes[0] : 1];

export const blockOps = defineOps([
  {
    schema: "block_diag(Tensor[] tensors) -> Tensor",
    inside: "zeros",
    evidence: "derivatives.yaml: block_diag; case autograd/gradients-of-views",
    python: "none",
    forward: ({ tensors }, k) => {
      const parts = tensors.map((t: Tensor) => asMatrix(t.sizes));
      const total = (at: number): number => parts.reduce((n: number, part: readonly number[]) => n + part[at], 0);
      return k.output([total(0), total(1)], resultType(tensors));
    },
    derivatives: [
      d("tensors", "", ({ grad, meta, ops: o }) => {
        let row = 0;
        let column = 0;
        return meta.tensors.map(({ sizes }: { sizes: number[] }) => {
          const [rows, columns] = asMatrix(sizes);
          const part = o.narrow(o.narrow(grad, 0, row, rows), 1, column, columns);
          row += rows;
          column += columns;
          return part;
        });
      }),
    ],
  },
]);
