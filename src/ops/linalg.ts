/** Linear algebra: triangular and LU solves, inverse, determinants, powers and norms of matrices. Factorisations are in factorizations.ts. */

import { INT64, INT32 } from "../tensor/dtype.ts";
import { broadcast, type Shape, TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { distanceOps } from "./distances.ts";
import { factorizationOps } from "./factorizations.ts";
import { fourierOps } from "./fourier.ts";
import { checked, infoOf, luOps, pivotsOf } from "./lu-factors.ts";
import { matrixNormOps } from "./matrix-norms.ts";
import { batchOf, columnMajor, elementwiseProductViews, mH, needSquare } from "./matrix-shape.ts";
import { type BackwardContext, d, defineOps, type Kernel, type Ops } from "./row.ts";
import {
  brief,
  factorsLu,
  matricesOf,
  permutationSign,
  pointsAtBatch,
  solvesWithLu,
  status,
} from "./solver-workspace.ts";
import { tensorSolveOps } from "./tensor-solves.ts";
import { diagonalSum } from "./values-normalized.ts";

/** True when the right side is a vector per matrix (linalg_solve_is_vector_rhs). */
const vectorRight = (a: Tensor, b: Shape): boolean =>
  b.length === 1 || (a.rank - 1 === b.length && b.every((s, i) => s === a.sizes[i]));

/** Gradient through the solution with the factors at hand: the adjoint system, then an outer product. */
function solveBackward({ grad, saved, args, needs, statement, ops: o }: BackwardContext): (Tensor | null)[] {
  const { A, LU, pivots, result } = saved;
  const vector = vectorRight(A, result.sizes);
  const lift = (t: Tensor): Tensor => (vector ? o.unsqueeze(t, -1) : t);
  const onB: Tensor = o.linalg_lu_solve(LU, pivots, lift(grad), args.left, true);
  let onA: Tensor | null = null;
  if (needs.A) {
    const x = lift(result);
    onA = statement(() => o.neg(args.left ? o.matmul(onB, mH(o, x)) : o.matmul(mH(o, x), onB)) as Tensor);
  }
  return [onA, vector ? o.squeeze_dim(onB, -1) : onB];
}

/** A diagonal filled with `value`, solved with the factors of a matrix: gradients of determinants. */
function determinantBackward(c: BackwardContext, value: Tensor, shifts: boolean): Tensor {
  const { A, LU, pivots } = c.saved;
  const o = c.ops;
  const right = o.zeros(A.sizes, A.dtype, A.device);
  o.copy_(o.diagonal(right, 0, -2, -1), o.unsqueeze(value, -1));
  // zeros on the diagonal become a tiny number, so that singular matrices have a gradient too
  if (!shifts) return o.linalg_lu_solve(LU, pivots, right, true, !A.isContiguous);
  const factors = c.statement(() => {
    const zero = o.eq(o.diagonal(LU, 0, -2, -1), 0);
    const shift = c.statement(() => {
      const tiny = o.scalar_tensor(1e-38, LU.dtype, LU.device);
      return o.where_self(zero, tiny, o.scalar_tensor(0, LU.dtype, LU.device)) as Tensor;
    });
    return o.add(LU, o.diag_embed(shift)) as Tensor;
  });
  return o.linalg_lu_solve(factors, pivots, right, true, !A.isContiguous);
}

function power(o: Ops, self: Tensor, n: number): Tensor {
  if (n === 0) {
    const out = o.clone(self);
    o.copy_(out, o.eye(self.size(-2), null, self.dtype, self.device));
    return out;
  }
  if (n === 1) return o.clone(self);
  const base: Tensor = n < 0 ? o.linalg_inv(self) : self;
  let left = Math.abs(n);
  if (left === 1) return base;
  if (left === 2) return o.matmul(base, base);
  if (left === 3) return o.matmul(o.matmul(base, base), base);
  let square: Tensor | null = null;
  let result: Tensor | null = null;
  while (left > 0) {
    square = square ? (o.matmul(square, square) as Tensor) : base;
    if (left % 2 === 1) result = result ? (o.matmul(result, square) as Tensor) : square;
    left = Math.floor(left / 2);
  }
  return result as Tensor;
}

/** The factors of a determinant, their status and the product of the diagonal, times the permutation's sign (_linalg_det, _linalg_slogdet). */
function determinantFactors(k: Kernel, a: Tensor): [Tensor, Tensor] {
  const found: [Tensor, Tensor] = [k.output(a.sizes, a.dtype, columnMajor(a.sizes)), pivotsOf(k, a)];
  status(k, a);
  factorsLu(k, a);
  return found;
}

export const linalgOps = defineOps([
  {
    schema:
      "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor",
    evidence: "derivatives.yaml: linalg_solve_triangular; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ self, B }, k) => {
      needSquare(self, "linalg.solve_triangular");
      const sizes = [...broadcast(batchOf(self), batchOf(B)), ...B.sizes.slice(-2)];
      const out = k.output(sizes, B.dtype, columnMajor(sizes));
      pointsAtBatch(k, out);
      return out;
    },
    derivatives: [
      d("self B", "self result", ({ grad, saved: { self, result }, args: a, needs, statement, ops: o }) => {
        const onB: Tensor = o.linalg_solve_triangular(mH(o, self), grad, !a.upper, a.left, a.unitriangular);
        if (!needs.self) return [null, onB];
        const full = statement(
          () => o.neg(a.left ? o.matmul(onB, mH(o, result)) : o.matmul(mH(o, result), onB)) as Tensor,
        );
        return [o[a.upper ? "triu" : "tril"](full, a.unitriangular ? (a.upper ? 1 : -1) : 0), needs.B ? onB : null];
      }),
    ],
  },
  ...luOps,
  {
    schema:
      "_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)",
    evidence: "derivatives.yaml: _linalg_solve_ex; case modules/errors",
    python: "none",
    forward: ({ A, B, left }, k) => {
      needSquare(A, "linalg.solve");
      const vector = vectorRight(A, B.sizes);
      const sizes = vector ? B.sizes : [...broadcast(batchOf(A), batchOf(B)), ...B.sizes.slice(-2)];
      const result = k.output(sizes, B.dtype, vector || !left ? undefined : columnMajor(sizes));
      const lu = k.output(A.sizes, A.dtype, left ? columnMajor(A.sizes) : undefined);
      const rest = [pivotsOf(k, A), infoOf(k, A)];
      factorsLu(k, A);
      solvesWithLu(k, A, result.nbytes, vector ? 1 : sizes[sizes.length - (left ? 1 : 2)], false);
      return [result, lu, ...rest];
    },
    node: "LinalgSolveExBackward0",
    derivatives: [d("A B", "A LU pivots result", solveBackward)],
  },
  {
    schema: "linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
    evidence: "native_functions.yaml: linalg_solve; case modules/errors",
    python: "none",
    composite: ({ A, B, left }, o) => {
      const [result, , , info] = o._linalg_solve_ex(A, B, left);
      checked(o, info);
      return result;
    },
  },
  {
    schema: "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
    evidence: "derivatives.yaml: linalg_inv_ex; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ A }, k) => {
      needSquare(A, "linalg.inv");
      const inverse = k.output(A.sizes, A.dtype, columnMajor(A.sizes));
      const info = infoOf(k, A);
      k.scratch(A.nbytes, "inverse_factors");
      k.scratch(matricesOf(A) * A.size(-1) * INT32.itemBytes, "inverse_pivots");
      factorsLu(k, A);
      solvesWithLu(k, A, A.nbytes, A.size(-1), false);
      return [inverse, info];
    },
    derivatives: [
      d("A", "inverse", ({ grad, saved: { inverse }, ops: o }) =>
        o.neg(o.matmul(mH(o, inverse), o.matmul(grad, mH(o, inverse)))),
      ),
    ],
  },
  {
    schema: "linalg_inv(Tensor A) -> Tensor",
    evidence: "native_functions.yaml: linalg_inv; case modules/errors",
    python: "none",
    composite: ({ A }, o) => {
      const [inverse, info] = o.linalg_inv_ex(A);
      checked(o, info);
      return inverse;
    },
  },
  {
    schema: "inverse(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: inverse",
    composite: ({ self }, o) => o.linalg_inv(self),
  },
  {
    schema: "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)",
    evidence: "derivatives.yaml: _linalg_det; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ A }, k) => {
      needSquare(A, "linalg.det");
      const result = k.output(batchOf(A), A.dtype);
      const factors = determinantFactors(k, A);
      k.scratch(result.nbytes, "determinant_product");
      permutationSign(k, A);
      return [result, ...factors];
    },
    node: "LinalgDetBackward0",
    derivatives: [d("A", "A LU pivots result", (c) => determinantBackward(c, c.ops.mul(c.grad, c.saved.result), true))],
  },
  {
    schema: "linalg_det(Tensor A) -> Tensor",
    evidence: "native_functions.yaml: linalg_det; case linear-algebra/factorizations-and-solvers",
    python: "none",
    composite: ({ A }, o) => o._linalg_det(A)[0],
  },
  {
    schema: "det(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: det; case linear-algebra/factorizations-and-solvers",
    composite: ({ self }, o) => o._linalg_det(self)[0],
  },
  {
    schema: "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
    evidence: "derivatives.yaml: _linalg_slogdet; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ A }, k) => {
      needSquare(A, "linalg.slogdet");
      const sign = k.output(batchOf(A), A.dtype);
      const log = k.output(batchOf(A), A.dtype);
      const factors = determinantFactors(k, A);
      const diagonalBytes = matricesOf(A) * A.size(-1) * A.dtype.itemBytes;
      const permutation = permutationSign(k, A);
      const signs = k.scratch(diagonalBytes, "diagonal_signs");
      brief(k, sign.nbytes, "determinant_product");
      signs();
      permutation();
      brief(k, diagonalBytes, "diagonal_logarithms");
      return [sign, log, ...factors];
    },
    node: "LinalgSlogdetBackward0",
    derivatives: [
      d("A", "A LU pivots sign", (c) =>
        c.grads[1]
          ? determinantBackward(c, c.grads[1], false)
          : c.ops.zeros(c.saved.A.sizes, c.saved.A.dtype, c.saved.A.device),
      ),
    ],
  },
  {
    schema: "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
    evidence: "native_functions.yaml: linalg_slogdet; case linear-algebra/factorizations-and-solvers",
    python: "none",
    composite: ({ A }, o) => o._linalg_slogdet(A).slice(0, 2),
  },
  {
    schema: "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
    evidence: "native_functions.yaml: slogdet; case linear-algebra/factorizations-and-solvers",
    composite: ({ self }, o) => o._linalg_slogdet(self).slice(0, 2),
  },
  {
    schema: "logdet(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: logdet; case linear-algebra/factorizations-and-solvers",
    composite: ({ self }, o) => {
      const [sign, log] = o._linalg_slogdet(self);
      return o.where_ScalarSelf(o.eq(sign, -1), Number.NaN, log);
    },
  },
  {
    schema: "linalg_matrix_power(Tensor self, int n) -> Tensor",
    evidence: "native_functions.yaml: linalg_matrix_power; case linear-algebra/factorizations-and-solvers",
    python: "none",
    composite: ({ self, n }, o) => power(o, self, n),
  },
  {
    schema: "matrix_power(Tensor self, int n) -> Tensor",
    evidence: "native_functions.yaml: matrix_power; case products/addends-batches-and-vectors",
    composite: ({ self, n }, o) => power(o, self, n),
  },
  {
    schema: "linalg_matrix_exp(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: linalg_matrix_exp; case linear-algebra/factorizations-and-solvers",
    python: "none",
    // Taylor polynomials of up to degree 18 keep a few powers of the matrix at once
    forward: ({ self }, k) => {
      needSquare(self, "linalg.matrix_exp");
      const out = k.output(self.sizes, self.dtype);
      k.cublasWorkspace();
      k.scratch(5 * self.nbytes, "matrix_exp_powers");
      return out;
    },
    derivatives: [
      // the exponential of a block matrix of twice the size (differential_analytic_matrix_function)
      d("self", "self", ({ grad, saved: { self }, ops: o }) => {
        const n = self.size(-1);
        const block = o.zeros([...batchOf(self), 2 * n, 2 * n], grad.dtype, grad.device);
        const part = (row: number, column: number): Tensor => o.narrow(o.narrow(block, -2, row, n), -1, column, n);
        const flipped = mH(o, self);
        o.copy_(part(0, 0), flipped);
        o.copy_(part(n, n), flipped);
        o.copy_(part(0, n), grad);
        return o.narrow(o.narrow(o.linalg_matrix_exp(block), -2, 0, n), -1, n, n);
      }),
    ],
  },
  {
    schema: "matrix_exp(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: matrix_exp; case linear-algebra/factorizations-and-solvers",
    composite: ({ self }, o) => o.linalg_matrix_exp(self),
  },
  {
    values: diagonalSum,
    schema: "trace(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: trace; case elementwise/less-common-functions",
    forward: ({ self }, k) => {
      if (self.rank !== 2) throw new TorchError("trace: expected a matrix");
      return k.output([], self.dtype);
    },
    derivatives: [
      d("self", "", ({ grad, meta, ops: o, rules, statement }) => {
        const { sizes } = meta.self;
        const flat = o.zeros([sizes[0] * sizes[1]], grad.dtype, grad.device);
        statement(() => {
          const step = sizes[1] + 1;
          const end = rules.traceGradientEndsAtDiagonal ? Math.min(...sizes) * step : sizes[0] * sizes[1];
          const positions = o.arange_start_step(0, end, step, INT64, grad.device);
          o.index_fill_(flat, 0, positions, grad);
          return null;
        });
        return o.view(flat, sizes);
      }),
    ],
  },
  {
    schema: "kron(Tensor self, Tensor other) -> Tensor",
    evidence: "native_functions.yaml: kron; case products/addends-batches-and-vectors",
    composite: ({ self, other }, o) => {
      const [left, right, sizes] = elementwiseProductViews(self, other);
      return o._unsafe_view(o.mul(o.reshape(self, left), o.reshape(other, right)), sizes);
    },
  },
  {
    schema: "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
    evidence: "derivatives.yaml: linalg_cross; case autocast/cross-and-refused-loss",
    python: "none",
    forward: ({ self, other }, k) => k.output(broadcast(self.sizes, other.sizes), self.dtype),
    derivatives: [
      d("self", "other", ({ grad, saved, args, ops: o }) => o.linalg_cross(saved.other, grad, args.dim)),
      d("other", "self", ({ grad, saved, args, ops: o }) => o.linalg_cross(grad, saved.self, args.dim)),
    ],
  },
  {
    schema: "cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
    evidence: "native_functions.yaml: cross; case autocast/cross-and-refused-loss",
    autocast: "promote",
    composite: ({ self, other, dim }, o) => {
      const at = dim ?? self.sizes.indexOf(3);
      if (dim === null && at === -1) throw new TorchError("no dimension of size 3 in input");
      return o.linalg_cross(self, other, wrapDim(at, self.rank));
    },
  },
  ...factorizationOps,
  ...tensorSolveOps,
  ...matrixNormOps,
  ...distanceOps,
  ...fourierOps,
]);
