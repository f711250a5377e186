/** Norms, ranks and condition numbers of matrices, written in vector norms and singular values. */

import { TorchError, wrapDim } from "../tensor/shape.ts";
import { isScalar } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, defineOps, type Ops } from "./row.ts";

/** The two dimensions of the matrices at the end. */
function atEnd(o: Ops, self: Tensor, rows: number, columns: number): Tensor {
  const rest = self.sizes.map((_, i) => i).filter((i) => i !== rows && i !== columns);
  const order = [...rest, rows, columns];
  return order.every((at, i) => at === i) ? self : o.permute(self, order);
}

function matrixNorm(o: Ops, a: Args, ord: number | "fro" | "nuc"): Tensor {
  if (a.self.rank < 2) throw new TorchError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
  if (typeof ord === "string" && ord !== "fro" && ord !== "nuc")
    throw new TorchError(`linalg.matrix_norm: Order ${ord as string} not supported.`);
  const self: Tensor = a.dtype ? o.to(a.self, a.dtype) : a.self;
  const [rows, columns] = (a.dim ?? [-2, -1]).map((i: number) => wrapDim(i, self.rank));
  if (ord === "fro") return o.linalg_vector_norm(self, 2, [rows, columns], a.keepdim);
  if (ord === "nuc" || Math.abs(ord) === 2) {
    const values = o.linalg_svdvals(atEnd(o, self, rows, columns));
    const reduced: Tensor =
      ord === "nuc" ? o.sum_dim_IntList(values, [-1], false) : o[ord > 0 ? "amax" : "amin"](values, [-1], false);
    if (!a.keepdim) return reduced;
    const [first, second] = [rows, columns].sort((x: number, y: number) => x - y);
    return o.unsqueeze(o.unsqueeze(reduced, first), second);
  }
  // 1: largest sum of a column; infinity: of a row
  const summed = Math.abs(ord) === 1 ? rows : columns;
  let kept = Math.abs(ord) === 1 ? columns : rows;
  if (!a.keepdim && summed < kept) kept -= 1;
  const sums = o.linalg_vector_norm(self, 1, [summed], a.keepdim);
  return o[ord > 0 ? "amax" : "amin"](sums, [kept], a.keepdim);
}

const order = (value: unknown): number =>
  isScalar(value as never) ? (value as { value: number }).value : (value as number);

export const matrixNormOps = defineOps([
  {
    schema:
      "linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    evidence: "native_functions.yaml: linalg_matrix_norm",
    python: "none",
    composite: (a, o) => matrixNorm(o, a, order(a.ord)),
  },
  {
    schema:
      "linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2,-1], bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    evidence: "native_functions.yaml: linalg_matrix_norm.str_ord; case linear-algebra/factorizations-and-solvers",
    python: "none",
    composite: (a, o) => matrixNorm(o, a, a.ord),
  },
  {
    schema:
      "linalg_norm(Tensor self, Scalar? ord=None, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    evidence: "native_functions.yaml: linalg_norm; case tensors/broadcasting-and-selection",
    python: "none",
    composite: (a, o) => {
      const matrix =
        a.ord !== null && ((a.dim !== null && a.dim.length === 2) || (a.dim === null && a.self.rank === 2));
      if (matrix) return matrixNorm(o, a, order(a.ord));
      return o.linalg_vector_norm(a.self, a.ord ?? 2, a.dim, a.keepdim, a.dtype);
    },
  },
  {
    schema:
      "linalg_norm.ord_str(Tensor self, str ord, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    evidence: "native_functions.yaml: linalg_norm.ord_str; case modules/errors",
    python: "none",
    composite: (a, o) => matrixNorm(o, a, a.ord),
  },
  {
    schema: "linalg_matrix_rank(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor",
    evidence: "native_functions.yaml: linalg_matrix_rank",
    python: "none",
    composite: ({ self, hermitian }, o) => {
      const values: Tensor = hermitian ? o.abs(o.linalg_eigvalsh(self)) : o.linalg_svdvals(self);
      const largest = o.amax(values, [-1], true);
      return o.sum_dim_IntList(o.gt(values, o.mul(largest, 1e-6)), [-1], false);
    },
  },
  {
    schema: "linalg_cond(Tensor self, Scalar? p=None) -> Tensor",
    evidence: "native_functions.yaml: linalg_cond; case linear-algebra/factorizations-and-solvers",
    python: "none",
    composite: (a, o) => {
      const p = a.p === null ? 2 : order(a.p);
      if (Math.abs(p) === 2) {
        const values = o.linalg_svdvals(a.self);
        const largest = o.narrow(values, -1, 0, 1);
        const smallest = o.narrow(values, -1, values.size(-1) - 1, 1);
        return o.squeeze_dim(p > 0 ? o.div(largest, smallest) : o.div(smallest, largest), -1);
      }
      const inverse = o.linalg_inv(a.self);
      return o.mul(o.linalg_matrix_norm(a.self, p), o.linalg_matrix_norm(inverse, p));
    },
  },
  {
    schema: "linalg_multi_dot(Tensor[] tensors) -> Tensor",
    evidence: "native_functions.yaml: linalg_multi_dot; case products/addends-batches-and-vectors",
    python: "none",
    autocast: "low",
    composite: ({ tensors }, o) => bestOrder(tensors, o),
  },
]);

/** Products in the order with the fewest multiplications (matrix_chain_multiplication). */
function bestOrder(list: readonly Tensor[], o: Ops): Tensor {
  const first = list[0].rank === 1;
  const last = list[list.length - 1].rank === 1;
  const matrices = list.map((t, i) => {
    if (t.rank === 2) return t;
    return o.unsqueeze(t, i === 0 ? 0 : -1) as Tensor;
  });
  const n = matrices.length;
  const p = [matrices[0].sizes[0], ...matrices.map((t) => t.sizes[1])];
  const cost: number[][] = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const cut: number[][] = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let length = 2; length <= n; length++)
    for (let i = 0; i + length <= n; i++) {
      const j = i + length - 1;
      cost[i][j] = Infinity;
      for (let k = i; k < j; k++) {
        const c = cost[i][k] + cost[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
        if (c < cost[i][j]) [cost[i][j], cut[i][j]] = [c, k];
      }
    }
  // the right factor first, as C++ evaluates the arguments
  const multiply = (i: number, j: number): Tensor => {
    if (i === j) return matrices[i];
    const right = multiply(cut[i][j] + 1, j);
    return o.mm(multiply(i, cut[i][j]), right);
  };
  const sizes = [...(first ? [] : [p[0]]), ...(last ? [] : [p[n]])];
  return o.view(multiply(0, n - 1), sizes);
}
