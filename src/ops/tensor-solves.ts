/** Solves of tensors as matrices, and the solve that answers with its status: composites of the solves of matrices. */

import type { Shape } from "../tensor/shape.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type Ops } from "./row.ts";

const product = (sizes: Shape): number => sizes.reduce((all, size) => all * size, 1);

/** The named dimensions last, in their order. */
function movedToEnd(o: Ops, a: Tensor, dims: readonly number[]): Tensor {
  const last = dims.map((dim) => wrapDim(dim, a.rank));
  const order = [...a.sizes.keys()].filter((dim) => !last.includes(dim));
  return o.permute(a, [...order, ...last]);
}

export const tensorSolveOps = defineOps([
  {
    schema:
      "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)",
    evidence: "native_functions.yaml: linalg_solve_ex; PyTorch's samples of linalg.solve_ex",
    python: "none",
    composite: ({ A, B, left, check_errors }, o) => {
      const [result, , , info] = o._linalg_solve_ex(A, B, left, check_errors);
      return [result, info];
    },
  },
  {
    schema: "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor",
    evidence: "BatchLinearAlgebra.cpp linalg_tensorsolve; PyTorch's samples of linalg.tensorsolve",
    python: "none",
    composite: ({ self, other, dims }, o) => {
      const a: Tensor = dims === null || dims.length === 0 ? self : movedToEnd(o, self, dims);
      const sizes = a.sizes.slice(other.rank);
      const columns = product(sizes);
      if (columns !== product(other.sizes))
        throw new TorchError(
          "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim])",
        );
      const solved: Tensor = o.linalg_solve(o.reshape(a, [columns, columns]), o.flatten(other));
      return o.reshape(solved, sizes);
    },
  },
  {
    schema: "linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
    evidence: "LinearAlgebra.cpp linalg_tensorinv; PyTorch's samples of linalg.tensorinv",
    python: "none",
    composite: ({ self, ind }, o) => {
      if (ind <= 0) throw new TorchError("Expected a strictly positive integer for 'ind'");
      const [start, end] = [self.sizes.slice(0, ind), self.sizes.slice(ind)];
      const side = product(end);
      if (side !== product(start))
        throw new TorchError(
          "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind])",
        );
      return o.reshape(o.linalg_inv(o.reshape(self, [side, side])), [...end, ...start]);
    },
  },
]);
