/** Selection along one dimension: index_select, index_add and their like, gather and the scatter family. */

import { wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type BackwardContext, d, defineOps, type Derivative, type OpRow, type Ops } from "./row.ts";

/** What a source gets back from rows added or copied along a dimension. */
const sourceGradient = (c: BackwardContext): Tensor => {
  const { grad, saved, args, meta, ops: o } = c;
  const { sizes } = meta.source;
  if (sizes.length === 0) return o.index_select(grad, args.dim, o.squeeze_dim(saved.index, 0));
  return o.expand(o.index_select(grad, args.dim, saved.index), sizes);
};

const filled: Derivative = d("self", "index", ({ grad, saved, args, ops: o }) => o.index_fill(grad, args.dim, saved.index, 0));

const zerosLike = (meta: { sizes: readonly number[] }, grad: Tensor, o: Ops): Tensor =>
  o.zeros(meta.sizes, grad.dtype.name, grad.device);

/** scatter_reduce and index_reduce share their gradient's shape: masks of the places that won, counts, and a gather. */
function reduceBackward(c: BackwardContext, sourceName: string): (Tensor | null)[] {
  const { grad, saved, args, needs, ops: o } = c;
  const { index, self, result } = saved;
  const source = saved[sourceName] as Tensor;
  const along = sourceName === "src";
  const take = (t: Tensor): Tensor => (along ? o.gather(t, args.dim, index) : o.index_select(t, args.dim, index));
  const add = (t: Tensor, s: Tensor): Tensor =>
    along ? o.scatter_add(t, args.dim, index, s) : o.index_add(t, args.dim, index, s);
  let own: Tensor | null = null;
  let other: Tensor | null = null;
  switch (args.reduce) {
    case "sum":
      own = needs.self ? grad : null;
      other = needs[sourceName] ? take(grad) : null;
      break;
    case "prod":
      own = needs.self ? o.div(o.mul(grad, result), self) : null;
      other = needs[sourceName] ? o.div(take(o.mul(grad, result)), source) : null;
      break;
    case "mean": {
      const ones = args.include_self ? o.ones_like(grad) : o.zeros_like(grad);
      const count = o.masked_fill_(add(ones, o.ones_like(source)), o.eq(ones, 0), 1);
      own = needs.self ? o.div(grad, count) : null;
      other = needs[sourceName] ? o.div(take(grad), take(count)) : null;
      break;
    }
    default: {
      const selfWins = o.eq(self, result);
      const sourceWins = o.eq(source, take(result));
      const winners = add(o.to(selfWins, grad.dtype.name), o.to(sourceWins, grad.dtype.name));
      const shared = o.div(grad, winners);
      own = needs.self ? o.mul(selfWins, shared) : null;
      other = needs[sourceName] ? o.mul(sourceWins, take(shared)) : null;
    }
  }
  if (!args.include_self && own) own = along ? o.scatter(own, args.dim, index, 0) : o.index_fill(own, args.dim, index, 0);
  return [own, other];
}

const scattered = (schema: string, derivatives: readonly Derivative[], node: string, rest: Partial<OpRow> = {}): OpRow => ({
  schema,
  forward: ({ self }, k) => k.output(self.sizes, self.dtype),
  inplace: true,
  derivatives,
  node,
  ...rest,
});

export const selectionOps = defineOps([
  {
    schema: "index_select(Tensor self, int dim, Tensor index) -> Tensor",
    forward: ({ self, dim, index }, k) => {
      const sizes = [...self.sizes];
      if (sizes.length) sizes[wrapDim(dim, self.rank)] = index.numel;
      return k.output(sizes, self.dtype);
    },
    derivatives: [
      d("self", "index", ({ grad, saved, meta, args, ops: o }) =>
        o.index_add_(zerosLike(meta.self, grad, o), args.dim, saved.index, grad),
      ),
    ],
  },
  scattered(
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
    [
      d("self", "", ({ grad }) => grad),
      d("source", "index", (c) =>
        c.args.alpha.value === 1 ? sourceGradient(c) : c.ops.mul(sourceGradient(c), c.args.alpha),
      ),
    ],
    "IndexAddBackward0",
  ),
  scattered(
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
    [filled, d("source", "index", sourceGradient)],
    "IndexCopyBackward0",
  ),
  {
    schema: "index_fill(Tensor self, int dim, Tensor index, Operand value) -> Tensor",
    mixedDevices: true,
    inplace: true,
    forward: ({ self }, k) => k.like(self),
    derivatives: [
      filled,
      d("value", "index", ({ grad, saved, args, ops: o }) => o.sum(o.index_select(grad, args.dim, o._unique(saved.index)))),
    ],
  },
  scattered(
    "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor",
    [d("self source", "self source index result", (c) => reduceBackward(c, "source"))],
    "IndexReduceBackward0",
  ),
  {
    schema: "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    forward: ({ self, index }, k) => k.output(index.sizes, self.dtype),
    derivatives: [
      d("self", "self index", ({ grad, saved, args, ops: o }) =>
        o.scatter_add_(zerosLike(saved.self, grad, o), args.dim, saved.index, grad),
      ),
    ],
  },
  scattered(
    "scatter(Tensor self, int dim, Tensor index, Operand src, *, str? reduce=None) -> Tensor",
    [
      d("self", "index", ({ grad, saved, args, ops: o }) => o.scatter(grad, args.dim, saved.index, 0)),
      d("src", "index", ({ grad, saved, args, ops: o }) => o.gather(grad, args.dim, saved.index)),
    ],
    "ScatterBackward0",
  ),
  scattered(
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    [
      d("self", "", ({ grad }) => grad),
      d("src", "index", ({ grad, saved, args, ops: o }) => o.gather(grad, args.dim, saved.index)),
    ],
    "ScatterAddBackward0",
    { autocast: "promote" },
  ),
  scattered(
    "scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor",
    [d("self src", "self src index result", (c) => reduceBackward(c, "src"))],
    "ScatterReduceBackward0",
  ),
]);
