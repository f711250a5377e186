/** Factorisations of matrices: Cholesky, QR, SVD, eigenvalues, pseudo-inverse and least squares. */

import { FLOAT64, INT32, INT64, toComplex, toReal } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { batchOf, columnMajor, mH, needMatrix, needSquare } from "./matrix-shape.ts";
import { type BackwardContext, d, defineOps, type Kernel, type Ops } from "./row.ts";
import {
  factorsCholesky,
  findsEigenvalues,
  findsSingularValues,
  looksAtStatus,
  makesQ,
  multipliesByQ,
  reflects,
  status,
} from "./solver-workspace.ts";

const columns = (k: Kernel, sizes: readonly number[], like: Tensor): Tensor =>
  k.output(sizes, like.dtype, columnMajor(sizes));

/** Scratch of the solver library has no rule; the input copied into its layout is the least that it takes. */
function solverScratch(k: Kernel, a: Tensor): void {
  k.scratch(a.nbytes, "solver_matrix");
  if (k.temporaries) k.assume("library_workspace", { library: "cuSOLVER" });
}

/** Least squares by reflections (linalg_lstsq_gels). */
function leastSquares(k: Kernel, a: Tensor): void {
  const copy = k.scratch(a.nbytes, "solver_matrix");
  const scales = k.scratch(a.rank === 2 ? least(a) * a.dtype.itemBytes : a.nbytes, "qr_scales");
  reflects(k, a);
  if (a.rank === 2) multipliesByQ(k, a);
  scales();
  copy();
  looksAtStatus(k, a);
}

type Statement = BackwardContext["statement"];

/** Each line's products die with it, as in C++ (cholesky_backward). */
function choleskyBackward(grad: Tensor, upper: boolean, factor: Tensor, o: Ops, statement: Statement): Tensor {
  const l = upper ? mH(o, factor) : factor;
  const g = upper ? mH(o, grad) : grad;
  const half = (): Tensor =>
    statement(() => {
      const inner = statement(() => {
        const lower = statement(() => o.tril(o.matmul(mH(o, l), g)) as Tensor);
        return o.mul(o.add(lower, mH(o, o.tril(lower, -1))), 0.5) as Tensor;
      });
      return o.linalg_solve_triangular(mH(o, l), inner, true, true) as Tensor;
    });
  return statement(() => o.linalg_solve_triangular(l, half(), false, false) as Tensor);
}

/** Twice the Hermitian part, its diagonal counted once. */
function symmetrized(o: Ops, t: Tensor): Tensor {
  const sum = o.add(t, mH(o, t));
  o.mul_(o.diagonal(sum, 0, -2, -1), 0.5);
  return sum;
}

function qrBackward({ grads, saved: { Q, R }, ops: o, statement, drop }: BackwardContext): Tensor {
  const [gradQ, gradR] = grads;
  const inner = statement((): Tensor => {
    const fromQ = gradQ ? (o.matmul(mH(o, Q), gradQ) as Tensor) : null;
    const fromR = gradR ? (o.matmul(gradR, mH(o, R)) as Tensor) : null;
    return fromQ && fromR ? o.sub(fromR, fromQ) : (fromR ?? o.neg(fromQ as Tensor));
  });
  let g = statement(() => o.matmul(Q, symmetrized(o, o.triu(inner))) as Tensor);
  drop(inner);
  if (gradQ) {
    const sum = o.add(g, gradQ);
    drop(g);
    g = sum;
  }
  return o.linalg_solve_triangular(mH(o, R), g, false, false);
}

/** Gradient through singular values and vectors (svd_backward). */
function svdBackward({ grads, saved: { U, S, Vh }, ops: o }: BackwardContext): Tensor {
  const [gU, gS, gVh] = grads;
  if (!gU && !gVh) {
    const tall = U.size(-2) >= Vh.size(-1);
    const values = gS as Tensor;
    return tall ? o.matmul(U, o.mul(o.unsqueeze(values, -1), Vh)) : o.matmul(o.mul(U, o.unsqueeze(values, -2)), Vh);
  }
  const e = (): Tensor => {
    const squares = o.mul(S, S);
    const gaps = o.sub(o.unsqueeze(squares, -2), o.unsqueeze(squares, -1));
    o.fill_(o.diagonal(gaps, 0, -2, -1), 1);
    return gaps;
  };
  const skew = (t: Tensor): Tensor => o.sub(t, mH(o, t));
  const gaps = e();
  let inner: Tensor | null = null;
  if (gU) inner = o.mul(o.div(skew(o.matmul(mH(o, U), gU)), gaps), o.unsqueeze(S, -2));
  if (gVh) {
    const fromV = o.mul(o.unsqueeze(S, -1), o.div(skew(o.matmul(Vh, mH(o, gVh))), gaps));
    inner = inner ? o.add(inner, fromV) : fromV;
  }
  if (gS) inner = o.add(inner as Tensor, o.diag_embed(gS));
  return o.matmul(U, o.matmul(inner as Tensor, Vh));
}

/** Gradient through eigenvalues and eigenvectors of a Hermitian matrix (linalg_eig_backward). */
function eighBackward({ grads, saved, ops: o, statement }: BackwardContext): Tensor {
  const [gL, gV] = grads;
  const { eigenvalues: L, eigenvectors: V } = saved;
  if (!gV) return o.matmul(o.mul(V, o.unsqueeze(gL as Tensor, -2)), mH(o, V));
  const product = o.matmul(mH(o, V), gV);
  const skew: Tensor = statement(() => o.mul(o.sub(product, mH(o, product)), 0.5));
  statement(() => {
    const gaps = o.sub(o.unsqueeze(L, -2), o.unsqueeze(L, -1));
    o.fill_(o.diagonal(gaps, 0, -2, -1), 1);
    o.div_(skew, gaps);
  });
  if (gL) o.copy_(o.diagonal(skew, 0, -2, -1), gL);
  return o.matmul(V, o.matmul(skew, mH(o, V)));
}

/** Gradient of the pseudo-inverse; the smaller of two equal forms, its terms made from the last to the first (pinv_backward). */
function pinvBackward(grad: Tensor, inverse: Tensor, a: Tensor, o: Ops): Tensor {
  const inverseH = mH(o, inverse);
  const gradH = mH(o, grad);
  if (a.size(-2) <= a.size(-1)) {
    const k = o.matmul(gradH, inverse);
    const kh = o.matmul(k, inverseH);
    const square = o.matmul(inverseH, inverse);
    const fourth = o.matmul(square, o.sub(gradH, o.matmul(k, a)));
    const third = o.matmul(o.matmul(a, inverse), kh);
    const first = o.neg(mH(o, o.matmul(inverse, k)));
    return o.add(o.sub(o.add(first, kh), third), fourth);
  }
  const k = o.matmul(inverse, gradH);
  const hk = o.matmul(inverseH, k);
  const fourth = o.matmul(o.matmul(hk, inverse), a);
  const second = o.matmul(o.matmul(o.sub(gradH, o.matmul(a, k)), inverse), inverseH);
  const first = o.neg(mH(o, o.matmul(k, inverse)));
  return o.sub(o.add(o.add(first, second), hk), fourth);
}

const least = (a: Tensor): number => Math.min(a.size(-1), a.size(-2));

export const factorizationOps = defineOps([
  {
    schema: "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
    evidence: "derivatives.yaml: linalg_cholesky_ex; case linear-algebra/factorizations-and-solvers",
    python: "none",
    likely: [null, 0], // who asks whether a factorization went wrong gets the answer of most
    forward: ({ self }, k) => {
      needSquare(self, "linalg.cholesky");
      const factor = columns(k, self.sizes, self);
      const info = k.output(batchOf(self), INT32);
      factorsCholesky(k, self);
      return [factor, info];
    },
    derivatives: [
      d("self", "L", ({ grad, saved, args, ops: o, statement }) =>
        choleskyBackward(grad, args.upper, saved.L, o, statement),
      ),
    ],
  },
  {
    schema: "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
    evidence: "native_functions.yaml: linalg_cholesky; case modules/errors",
    python: "none",
    composite: ({ self, upper }, o) => {
      const [factor, info] = o.linalg_cholesky_ex(self, upper);
      o.any(info);
      return factor;
    },
  },
  {
    schema: "cholesky(Tensor self, bool upper=False) -> Tensor",
    evidence: "BatchLinearAlgebra.cpp: cholesky, like linalg_cholesky",
    composite: ({ self, upper }, o) => o.linalg_cholesky(self, upper),
  },
  {
    schema: "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
    evidence: "derivatives.yaml: cholesky_solve; case linear-algebra/factorizations-and-solvers",
    inside: "_cholesky_solve_helper",
    forward: ({ self, input2 }, k) => {
      if (self.rank === 2) status(k, self);
      const out = columns(k, [...batchOf(self), input2.size(-1), self.size(-1)], self);
      k.scratch(input2.nbytes, "solver_matrix");
      return out;
    },
    derivatives: [
      d("self input2", "self input2 result", ({ grad, saved: { input2, result }, args, needs, statement, ops: o }) => {
        const onSelf = o.cholesky_solve(grad, input2, args.upper);
        if (!needs.input2) return [onSelf, null];
        const onFactor = statement(() => {
          const sum = statement(() => {
            const common: Tensor = o.matmul(onSelf, mH(o, result));
            return o.add(common, mH(o, common)) as Tensor;
          });
          return o.neg(args.upper ? o.matmul(input2, sum) : o.matmul(sum, input2)) as Tensor;
        });
        return [needs.self ? onSelf : null, onFactor];
      }),
    ],
  },
  {
    schema: "cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
    evidence: "native_functions.yaml: cholesky_inverse; case linear-algebra/factorizations-and-solvers",
    forward: ({ self }, k) => columns(k, self.sizes, self),
  },
  {
    schema: "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)",
    evidence: "derivatives.yaml: linalg_qr; case overloads/functions-made-of-other-operators",
    python: "none",
    forward: ({ A, mode }, k) => {
      needMatrix(A, "linalg.qr");
      const [m, n] = [A.size(-2), A.size(-1)];
      const rank = mode === "complete" ? m : least(A);
      const q = mode === "r" ? k.output([0], A.dtype) : columns(k, [...batchOf(A), m, rank], A);
      const r = columns(k, [...batchOf(A), rank, n], A);
      k.scratch(batchOf(A).reduce((all, size) => all * size, least(A)) * A.dtype.itemBytes, "qr_scales");
      reflects(k, A);
      if (mode !== "r") makesQ(k, A);
      return [q, r];
    },
    derivatives: [d("A", "Q R", qrBackward)],
  },
  {
    schema: "qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
    evidence: "BatchLinearAlgebra.cpp: qr calls linalg_qr",
    composite: ({ self, some }, o) => o.linalg_qr(self, some ? "reduced" : "complete"),
  },
  {
    schema:
      "_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
    evidence: "derivatives.yaml: _linalg_svd; case overloads/functions-made-of-other-operators",
    python: "none",
    node: "LinalgSvdBackward0",
    forward: ({ A, full_matrices, compute_uv }, k) => {
      const [m, n, rank] = [A.size(-2), A.size(-1), least(A)];
      // cuSOLVER writes V by columns, of which Vh is the transpose: row by row
      const side = (sizes: number[], byRows: boolean): Tensor =>
        compute_uv && !byRows ? columns(k, sizes, A) : k.output(compute_uv ? sizes : [0], A.dtype);
      const u = side([...batchOf(A), m, full_matrices ? m : rank], false);
      const vh = side([...batchOf(A), full_matrices ? n : rank, n], A.isCuda);
      const s = k.output([...batchOf(A), rank], toReal(A.dtype));
      if (A.numel > 0) status(k, A);
      const copy = k.scratch(A.nbytes, "solver_matrix");
      findsSingularValues(k, A);
      copy();
      looksAtStatus(k, A);
      return [u, s, vh];
    },
    derivatives: [d("A", "U S Vh", svdBackward)],
  },
  {
    schema: "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
    evidence: "native_functions.yaml: linalg_svd; case overloads/functions-made-of-other-operators",
    python: "none",
    composite: ({ A, full_matrices, driver }, o) => {
      needMatrix(A, "linalg.svd");
      return o._linalg_svd(A, full_matrices, true, driver);
    },
  },
  {
    // gradients need the vectors, so they are computed when one may be asked for
    schema: "linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
    evidence: "native_functions.yaml: linalg_svdvals; case linear-algebra/factorizations-and-solvers",
    python: "none",
    composite: ({ A, driver }, o, c) => o._linalg_svd(A, false, c.gradEnabled && A.requiresGrad, driver)[1],
  },
  {
    schema: "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
    evidence: "native_functions.yaml: svd; case linear-algebra/factorizations-and-solvers",
    composite: ({ self, some, compute_uv }, o) => {
      if (compute_uv) {
        const [u, s, vh] = o.linalg_svd(self, !some);
        return [u, s, mH(o, vh)];
      }
      const s = o.linalg_svdvals(self);
      const zeros = (n: number): Tensor => o.zeros([...batchOf(self), n, n], self.dtype, self.device);
      return [zeros(self.size(-2)), s, zeros(self.size(-1))];
    },
  },
  {
    schema: "_linalg_eigh(Tensor A, str UPLO='L', bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)",
    evidence: "derivatives.yaml: _linalg_eigh; case linear-algebra/factorizations-and-solvers",
    python: "none",
    node: "LinalgEighBackward0",
    forward: ({ A, compute_v }, k) => {
      needSquare(A, "linalg.eigh");
      const vectors = compute_v ? columns(k, A.sizes, A) : k.output([0], A.dtype);
      const values = k.output(A.sizes.slice(0, -1), toReal(A.dtype));
      status(k, A);
      findsEigenvalues(k, A);
      looksAtStatus(k, A);
      return [values, vectors];
    },
    derivatives: [d("A", "eigenvalues eigenvectors", eighBackward)],
  },
  {
    schema: "linalg_eigh(Tensor A, str UPLO='L') -> (Tensor eigenvalues, Tensor eigenvectors)",
    evidence: "native_functions.yaml: linalg_eigh; case modules/errors",
    python: "none",
    composite: ({ A, UPLO }, o) => o._linalg_eigh(A, UPLO, true),
  },
  {
    schema: "linalg_eigvalsh(Tensor A, str UPLO='L') -> Tensor",
    evidence: "native_functions.yaml: linalg_eigvalsh; case linear-algebra/factorizations-and-solvers",
    python: "none",
    composite: ({ A, UPLO }, o, c) => o._linalg_eigh(A, UPLO, c.gradEnabled && A.requiresGrad)[0],
  },
  {
    schema: "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
    evidence: "native_functions.yaml: linalg_eig; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ self }, k) => {
      needSquare(self, "linalg.eig");
      const type = toComplex(self.dtype);
      const values = k.output(self.sizes.slice(0, -1), type);
      const vectors = k.output(self.sizes, type, columnMajor(self.sizes));
      solverScratch(k, self);
      return [values, vectors];
    },
  },
  {
    schema: "linalg_eigvals(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: linalg_eigvals",
    python: "none",
    composite: ({ self }, o) => o.linalg_eig(self)[0],
  },
  {
    schema: "geqrf(Tensor self) -> (Tensor a, Tensor tau)",
    python: "function",
    forward: ({ self }, k) => [
      columns(k, self.sizes, self),
      k.output([...batchOf(self), Math.min(self.size(-2), self.size(-1))], self.dtype),
    ],
    evidence: "aten/src/ATen/native/BatchLinearAlgebra.cpp geqrf",
  },
  {
    schema: "linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
    evidence: "native_functions.yaml: linalg_householder_product; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ input }, k) => columns(k, input.sizes, input),
  },
  {
    // from the singular values and vectors, those too small dropped
    schema: "linalg_pinv(Tensor A, *, float? rtol=None, float? atol=None, bool hermitian=False) -> Tensor",
    evidence: "derivatives.yaml: linalg_pinv; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ A, rtol, atol }, k) => {
      const o = k.ops;
      const low = atol === null ? o.zeros([], FLOAT64, A.device) : o.full([], atol, FLOAT64, A.device);
      const relative = o.full([], rtol ?? 0, FLOAT64, A.device);
      const [u, s, vh] = o._linalg_svd(A, false, true);
      const scaled = o.mul(o.unsqueeze(relative, -1), o.narrow(s, -1, 0, 1));
      const limit = o.maximum(o.unsqueeze(low, -1), scaled);
      k.drop(scaled);
      const zero = o.zeros([], s.dtype, s.device);
      const reciprocal = o.reciprocal(s);
      const keep = o.gt(s, limit);
      const inverted = o.where_self(keep, reciprocal, zero);
      for (const t of [keep, reciprocal, zero]) k.drop(t);
      return o.matmul(o.mul(mH(o, vh), o.unsqueeze(inverted, -2)), mH(o, u));
    },
    node: "LinalgPinvBackward0",
    derivatives: [d("A", "result A", ({ grad, saved: { result, A }, ops: o }) => pinvBackward(grad, result, A, o))],
  },
  {
    schema: "pinverse(Tensor self, float rcond=1e-15) -> Tensor",
    evidence: "native_functions.yaml: pinverse; case linear-algebra/factorizations-and-solvers",
    composite: ({ self, rcond }, o) => o.linalg_pinv(self, rcond, 0),
  },
  {
    schema:
      "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
    evidence: "derivatives.yaml: linalg_lstsq",
    python: "none",
    forward: ({ self, b }, k) => {
      const [m, n] = [self.size(-2), self.size(-1)];
      const vector = b.rank === self.rank - 1;
      const tail = vector ? [] : [b.size(-1)];
      status(k, self);
      // the right side's rows are as many as the longer side, of which the solution is the first
      const rows = k.temporaries ? Math.max(m, n) : n;
      const buffer = k.output([...batchOf(self), rows, ...tail], b.dtype);
      const solution = rows === n ? buffer : k.view(buffer, [...batchOf(self), n, ...tail], buffer.strides, 0, true);
      leastSquares(k, self);
      const residuals = k.output(m > n ? [...batchOf(self), ...tail] : [0], toReal(self.dtype));
      return [solution, residuals, k.output([0], INT64), k.output([0], toReal(self.dtype))];
    },
    derivatives: [
      d("self b", "self b solution", ({ grad, saved: { self, b, solution }, needs, ops: o }) => {
        const inverse = o.linalg_pinv(self);
        const lift = (t: Tensor): Tensor => (b.rank === self.rank - 1 ? o.unsqueeze(t, -1) : t);
        const onB = o.matmul(mH(o, inverse), lift(grad));
        const onA = needs.self ? o.neg(o.matmul(onB, mH(o, lift(solution)))) : null;
        return [onA, needs.b ? o.reshape(onB, b.sizes) : null];
      }),
    ],
  },
]);
