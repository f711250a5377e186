/** LU factors of matrices: made, unpacked, differentiated, and systems that are solved with them. */

import { INT32, INT64 } from "../tensor/dtype.ts";
import { broadcast, type Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { batchOf, columnMajor, mH } from "./matrix-shape.ts";
import { type BackwardContext, d, defineOps, type Kernel, type Ops } from "./row.ts";
import { factorsLu, matricesOf, solvesWithLu, status } from "./solver-workspace.ts";

export const pivotsOf = (k: Kernel, a: Tensor): Tensor =>
  k.output([...batchOf(a), Math.min(a.size(-2), a.size(-1))], INT32);
export const infoOf = (k: Kernel, a: Tensor): Tensor => k.output(batchOf(a), INT32);

/** The check of a library's status word: one bool, read on the host. */
export const checked = (o: Ops, info: Tensor): void => void o.any(info);

/** Gradient through L and U of a square matrix (lu_backward). */
function luBackward({ grads, saved: { P, L, U }, args, ops: o, statement }: BackwardContext): Tensor {
  const [, gradL, gradU] = grads;
  const inner = (): Tensor =>
    statement((): Tensor => {
      const fromL = gradL ? statement(() => o.tril(o.matmul(mH(o, L), gradL), -1) as Tensor) : null;
      const fromU = gradU ? statement(() => o.triu(o.matmul(gradU, mH(o, U))) as Tensor) : null;
      return fromL && fromU ? o.add(fromL, fromU) : ((fromL ?? fromU) as Tensor);
    });
  const right = (): Tensor => statement(() => o.linalg_solve_triangular(mH(o, U), inner(), false, false) as Tensor);
  const left = (): Tensor => statement(() => o.linalg_solve_triangular(mH(o, L), right(), true, true, true) as Tensor);
  return args.pivot ? statement(() => o.matmul(P, left()) as Tensor) : left();
}

export const luOps = defineOps([
  {
    schema:
      "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)",
    evidence: "native_functions.yaml: linalg_lu_factor_ex; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ A }, k) => {
      const found = [k.output(A.sizes, A.dtype, columnMajor(A.sizes)), pivotsOf(k, A), infoOf(k, A)];
      factorsLu(k, A);
      return found;
    },
  },
  {
    schema: "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
    evidence: "derivatives.yaml: linalg_lu; BatchLinearAlgebra.cpp: linalg_lu_out; test/record: ops-linalg, lu",
    python: "none",
    forward: ({ A, pivot }, k) => {
      const [batch, m, n] = [batchOf(A), A.size(-2), A.size(-1)];
      const rank = Math.min(m, n);
      const parts = [
        k.output(pivot ? [...batch, m, m] : [0], A.dtype),
        k.output([...batch, m, rank], A.dtype, columnMajor([...batch, m, rank])),
        k.output([...batch, rank, n], A.dtype, columnMajor([...batch, rank, n])),
      ];
      const copy = k.scratch(A.nbytes, "solver_matrix");
      k.scratch(matricesOf(A) * rank * INT32.itemBytes, "lu_pivots");
      status(k, A);
      factorsLu(k, A);
      copy();
      if (pivot && batch.length > 0) k.scratch(m * INT64.itemBytes, "lu_unpack_positions");
      if (pivot) k.scratch(matricesOf(A) * m * INT64.itemBytes, "lu_unpack_permutations");
      return parts;
    },
    notDifferentiable: ["P"],
    derivatives: [d("A", "P L U", luBackward)],
  },
  {
    schema: "linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
    evidence: "native_functions.yaml: linalg_lu_factor",
    python: "none",
    composite: ({ A, pivot }, o) => {
      const [lu, pivots, info] = o.linalg_lu_factor_ex(A, pivot);
      checked(o, info);
      return [lu, pivots];
    },
  },
  {
    schema:
      "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
    evidence: "BatchLinearAlgebra.cpp: lu_unpack_out; case linear-algebra/lu-unpack",
    forward: ({ LU_data: lu, unpack_data, unpack_pivots }, k) => {
      const [batch, m, n] = [batchOf(lu), lu.size(-2), lu.size(-1)];
      const rank = Math.min(m, n);
      const made = (wanted: boolean, sizes: Shape) => k.output(wanted ? [...batch, ...sizes] : [0], lu.dtype);
      const parts = [made(unpack_pivots, [m, m]), made(unpack_data, [m, rank]), made(unpack_data, [rank, n])];
      if (unpack_pivots) {
        k.scratch(m * INT64.itemBytes, "lu_unpack_positions");
        if (batch.length > 0) k.scratch(batch.reduce((a, b) => a * b, m) * INT64.itemBytes, "lu_unpack_permutations");
      }
      return parts;
    },
  },
  {
    schema: "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor",
    evidence: "native_functions.yaml: linalg_lu_solve; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ LU, B, left, adjoint }, k) => {
      const sizes = [...broadcast(batchOf(LU), batchOf(B)), ...B.sizes.slice(-2)];
      const out = k.output(sizes, B.dtype, left ? columnMajor(sizes) : undefined);
      solvesWithLu(k, LU, out.nbytes, sizes[sizes.length - (left ? 1 : 2)], adjoint);
      return out;
    },
  },
]);
