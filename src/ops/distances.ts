/** Distances between all rows of two matrices, or of one: cdist and pdist. */

import { broadcast, sameShape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { batchOf } from "./matrix-shape.ts";
import { d, defineOps, type Ops } from "./row.ts";

/** Beyond this many rows the Euclidean distance goes through a product (cdist_impl in Distance.cpp). */
const MANY_ROWS = 25;

/** A batch of matrices in the shape of the joint batch; a copy when that repeats or reorders them. */
function spread(o: Ops, t: Tensor, batch: readonly number[]): Tensor {
  const n = batch.reduce((x, y) => x * y, 1);
  if (n === 1) return t;
  const matrix = t.sizes.slice(-2);
  return o.view(o.contiguous(o.expand(t, [...batch, ...matrix])), [n, ...matrix]);
}

export const distanceOps = defineOps([
  {
    schema: "cdist(Tensor x1, Tensor x2, float p=2.0, int? compute_mode=None) -> Tensor",
    evidence: "native_functions.yaml: cdist; case tensors/iterative-algorithms",
    python: "none",
    autocast: "float32",
    composite: ({ x1, x2, p, compute_mode }, o) => {
      for (const [name, t] of [
        ["X1", x1],
        ["X2", x2],
      ])
        if (t.rank < 2) throw new TorchError(`cdist only supports at least 2D tensors, ${name} got: ${t.rank}D`);
      if (x1.size(-1) !== x2.size(-1))
        throw new TorchError(`X1 and X2 must have the same number of columns. X1: ${x1.size(-1)} X2: ${x2.size(-1)}`);
      const mode = compute_mode ?? 0;
      const many = x1.size(-2) > MANY_ROWS || x2.size(-2) > MANY_ROWS;
      if (p !== 2 || (mode !== 1 && !(mode === 0 && many)))
        return o._cdist_forward(o.contiguous(x1), o.contiguous(x2), p);
      const batch = broadcast(batchOf(x1), batchOf(x2));
      const dist: Tensor = o._euclidean_dist(spread(o, x1, batch), spread(o, x2, batch));
      const sizes = [...batch, x1.size(-2), x2.size(-2)];
      return sameShape(dist.sizes, sizes) ? dist : o.view(dist, sizes);
    },
  },
  {
    // squares of the norms ride along in one product of [-2 x, |x|^2, 1] and [y, 1, |y|^2]
    schema: "_euclidean_dist(Tensor x1, Tensor x2) -> Tensor",
    python: "none",
    evidence: "Distance.cpp; recorded order of allocations",
    forward: ({ x1, x2 }, k) => {
      const o = k.ops;
      const norm = (x: Tensor): Tensor => {
        const squares = o.pow(x, 2);
        const sum = o.sum_dim_IntList(squares, [-1], true);
        k.drop(squares);
        return sum;
      };
      const norm1 = norm(x1);
      const ones1 = o.ones_like(norm1);
      const norm2 = norm(x2);
      const ones2 = o.ones_like(norm2);
      const scaled = o.mul(x1, -2);
      const left = o.cat([scaled, norm1, ones1], -1);
      for (const t of [ones1, norm1, scaled]) k.drop(t);
      const right = o.cat([x2, ones2, norm2], -1);
      for (const t of [norm2, ones2]) k.drop(t);
      return o.sqrt_(o.clamp_min_(o.matmul(left, o.transpose(right, -2, -1)), 0));
    },
    derivatives: [
      d("x1 x2", "x1 x2 result", ({ grad, saved: { x1, x2, result }, statement, needs, ops: o }) => {
        if (!needs.x1 && !needs.x2) return [null, null];
        const ratio: Tensor = o.div(grad, result);
        statement(() => o.masked_fill_(ratio, o.eq(result, 0), 0));
        const first = o.matmul(ratio, x2);
        const onX1 = o.sub(o.mul(x1, o.sum_dim_IntList(ratio, [-1], true)), first);
        const second = o.matmul(o.transpose(ratio, -2, -1), x1);
        return [onX1, o.sub(o.mul(x2, o.unsqueeze(o.sum_dim_IntList(ratio, [-2], false), -1)), second)];
      }),
    ],
  },
  {
    schema: "_cdist_forward(Tensor x1, Tensor x2, float p) -> Tensor",
    evidence: "derivatives.yaml: _cdist_forward; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ x1, x2 }, k) => k.output([...broadcast(batchOf(x1), batchOf(x2)), x1.size(-2), x2.size(-2)], x1.dtype),
    derivatives: [
      d("x1", "x1 x2 result", ({ grad, saved: { x1, x2, result }, args, ops: o }) =>
        o._cdist_backward(o.contiguous(grad), x1, x2, args.p, result),
      ),
      d("x2", "x1 x2 result", ({ grad, saved: { x1, x2, result }, args, ops: o }) => {
        const dist = o.contiguous(o.transpose(result, -2, -1));
        return o._cdist_backward(o.contiguous(o.transpose(grad, -2, -1)), x2, x1, args.p, dist);
      }),
    ],
  },
  {
    schema: "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
    evidence: "native_functions.yaml: _cdist_backward; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ x1, x2 }, k) => {
      const batch = broadcast(batchOf(x1), batchOf(x2));
      const out = k.output([...batch, x1.size(-2), x1.size(-1)], x1.dtype);
      // one partial gradient per pair of rows
      k.scratch(out.numel * x2.size(-2) * x1.dtype.itemBytes, "cdist_pairs");
      return out;
    },
  },
  {
    schema: "pdist(Tensor self, float p=2.0) -> Tensor",
    evidence: "native_functions.yaml: pdist; case linear-algebra/factorizations-and-solvers",
    python: "function",
    autocast: "float32",
    composite: ({ self, p }, o) => o._pdist_forward(o.contiguous(self), p),
  },
  {
    schema: "_pdist_forward(Tensor self, float p=2.0) -> Tensor",
    evidence: "derivatives.yaml: _pdist_forward; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ self }, k) => k.output([(self.sizes[0] * (self.sizes[0] - 1)) / 2], self.dtype),
    derivatives: [
      d("self", "self result", ({ grad, saved, args, ops: o }) =>
        o._pdist_backward(grad, saved.self, args.p, saved.result),
      ),
    ],
  },
  {
    schema: "_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor",
    evidence: "native_functions.yaml: _pdist_backward; case linear-algebra/factorizations-and-solvers",
    python: "none",
    forward: ({ self }, k) => {
      const out = k.output(self.sizes, self.dtype);
      k.scratch(Math.max(self.sizes[0] - 1, 0) * self.nbytes, "pdist_pairs");
      return out;
    },
  },
]);
