/** Slices whose norm is too large, scaled down to it: renorm and its gradient (ReduceOps and Normalization.cpp: renorm_out). */

import { accumulateType } from "../tensor/dtype.ts";
import { wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { normBackward } from "./norm-gradient.ts";
import { d, defineOps, type Ops } from "./row.ts";

const others = (self: { rank: number }, dim: number): number[] => {
  const kept = wrapDim(dim, self.rank);
  return Array.from({ length: self.rank }, (_, i) => i).filter((i) => i !== kept);
};

/** One norm for each slice, in the type in which sums are kept. */
const normsOf = (o: Ops, self: Tensor, p: number, dim: number): Tensor => {
  const wide = accumulateType(self.dtype);
  return o.linalg_vector_norm(self, p, others(self, dim), true, wide === self.dtype ? null : wide);
};

export const renormOps = defineOps([
  {
    schema: "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
    evidence: "derivatives.yaml: renorm; case autograd/masked-and-windowed-functions",
    inplace: true,
    forward: ({ self, p, dim }, k) => {
      const out = k.like(self);
      if (!k.temporaries) return out;
      const norm = normsOf(k.ops, self, p.value, dim);
      if (norm.dtype !== self.dtype) k.scratch(norm.numel * self.dtype.itemBytes, "renorm_factor");
      return out;
    },
    derivatives: [
      d("self", "self", ({ grad, saved: { self }, args, statement, ops: o }) => {
        const dims = others(self, args.dim);
        const norm = normsOf(o, self, args.p.value, args.dim);
        const slope = statement(() => {
          const summed = statement(() => o.sum_dim_IntList(o.mul(self, grad), dims, true, norm.dtype));
          return normBackward(o, self, summed, norm, args.p.value, dims, statement);
        });
        const inverse = statement(() => o.reciprocal(o.add(norm, 1e-7)));
        const scaled = statement(() => {
          const rest = o.sub(grad, o.mul(inverse, slope));
          return o.mul(o.mul(inverse, args.maxnorm), rest);
        });
        return statement(() => o.where_self(o.gt(norm, args.maxnorm), o.to(scaled, grad.dtype), grad));
      }),
    ],
  },
]);
