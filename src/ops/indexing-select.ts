/** Selection along one dimension: index_select, index_add and their like, gather and the scatter family. */

import { nodeByOperand, nodeName } from "./node-names.ts";
import { missing } from "./pointwise.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Kernel } from "./row.ts";
import { operatorName } from "./schema.ts";
import { checkGather, checkIndexAdd, checkIndexCopy, checkScatter } from "./index-checks.ts";
import { type Args, type BackwardContext, d, defineOps, type Derivative, type OpRow, type Ops } from "./row.ts";
import { gathered, scatteredValues, selectedRows, scatterAdded } from "./values-selection.ts";
import { slicesChanged } from "./values-placed.ts";
import { numberOf } from "./values.ts";

/** What a source gets back from rows added or copied along a dimension. */
const sourceGradient = (c: BackwardContext): Tensor => {
  const { grad, saved, args, meta, ops: o } = c;
  const { sizes } = meta.source;
  if (sizes.length === 0) return o.index_select(grad, args.dim, o.squeeze_dim(saved.index, 0));
  return o.expand(o.index_select(grad, args.dim, saved.index), sizes);
};

const filled: Derivative = d("self", "index", ({ grad, saved, args, ops: o }) =>
  o.index_fill(grad, args.dim, saved.index, 0),
);

const zerosLike = (meta: { sizes: readonly number[] }, grad: Tensor, o: Ops): Tensor => o.new_zeros(grad, meta.sizes);

/** scatter_reduce and index_reduce share their gradient's shape: masks of the places that won, counts, and a gather. */
function reduceBackward(c: BackwardContext, sourceName: string): (Tensor | null)[] {
  const { grad, saved, args, needs, ops: o } = c;
  const { index, self, result } = saved;
  const source = saved[sourceName] as Tensor;
  const along = sourceName === "src";
  const take = (t: Tensor): Tensor => (along ? o.gather(t, args.dim, index) : o.index_select(t, args.dim, index));
  const add = (t: Tensor, s: Tensor): Tensor =>
    along ? o.scatter_add(t, args.dim, index, s) : o.index_add(t, args.dim, index, s);
  const combine = (t: Tensor, s: Tensor): Tensor =>
    o[along ? "scatter_reduce_two" : "index_reduce"](t, args.dim, index, s, args.reduce, args.include_self);
  const type = self.dtype;
  const sides: Record<string, () => [Tensor, Tensor]> = {
    sum: () => [grad, take(grad)],
    prod: () => {
      const { statement } = c;
      const filled = statement(() => o.masked_fill(self, o.eq(self, 0), 1));
      const product = combine(filled, source);
      const own = statement(() => o.div(o.mul(grad, product), filled));
      const zero = o.eq(source, 0);
      const zeros = statement(() => take(add(o.zeros_like(self), o.to(zero, type))));
      const single = statement(() => o.bitwise_and(zero, o.eq(zeros, 1)));
      const without = o.masked_fill(source, single, 1);
      const rest = combine(self, without);
      const other = statement(() => {
        const divisor = o.masked_fill(source, zero, 1);
        const elsewhere = o.div(take(o.mul(grad, result)), divisor);
        return o.where_self(single, take(o.mul(grad, rest)), elsewhere);
      });
      if (c.gradEnabled) statement(() => void o.any(o.gt(zeros, 1)));
      return [own, other];
    },
    mean: () => {
      const start = args.include_self ? o.ones_like(grad) : o.zeros_like(grad);
      const count = c.statement(() => add(start, o.ones_like(source)));
      c.drop(start);
      c.statement(() => o.masked_fill_(count, o.eq(count, 0), 1));
      const own = o.div(grad, count);
      const perSource = take(count);
      return [own, o.div(take(grad), perSource)];
    },
    // the gradient is shared by all places that reach the extreme
    extreme: () => {
      const value = take(result);
      const selfWins = c.statement(() => o.to(o.eq(self, result), type));
      const sourceWins = c.statement(() => o.to(o.eq(source, value), type));
      const shared = o.div(grad, add(selfWins, sourceWins));
      // scatter_reduce compares once more, index_reduce multiplies with what it has
      const won = (mine: Tensor, best: Tensor, kept: Tensor): Tensor => (along ? o.eq(mine, best) : kept);
      const own = c.statement(() => o.mul(won(self, result, selfWins), shared));
      const forSource = c.statement(() => {
        const taken = take(shared);
        return o.mul(won(source, value, sourceWins), taken);
      });
      return [own, forSource];
    },
  };
  const kind = args.reduce === "add" ? "sum" : args.reduce === "multiply" ? "prod" : args.reduce;
  let [own, other] = c.statement(sides[kind] ?? sides.extreme);
  if (!args.include_self)
    own = along ? o.scatter_value(own, args.dim, index, 0) : o.index_fill(own, args.dim, index, 0);
  return [needs.self ? own : null, needs[sourceName] ? other : null];
}

/**
 * What a mean divides by, made beside the result: ones, counts and the mask of those that are zero (scatter_reduce_two and
 * index_reduce_func_cuda_impl, of which the second has its ones only while it counts).
 */
function countScratch({ self, src, source, reduce }: Args, k: Kernel): void {
  if (reduce !== "mean") return;
  const bytes = (t: Tensor): number => t.numel * t.dtype.itemBytes;
  const ones = k.scratch(bytes(src ?? source), "reduce_ones");
  k.scratch(bytes(self), "reduce_counts");
  if (source) ones();
  k.scratch(self.numel, "reduce_mask");
}

const scattered = (
  schema: string,
  derivatives: readonly Derivative[],
  node: NonNullable<OpRow["node"]>,
  rest: Partial<OpRow> = {},
  /** Its checks; what comes back holds those for which the result is there already. */
  check: (a: Args, k: Kernel) => void | (() => void) = () => {},
): OpRow => ({
  schema,
  evidence: `derivatives.yaml: ${operatorName(schema)}`,
  forward: (a, k) => {
    const later = check(a, k);
    const out = k.output(a.self.sizes, a.self.dtype);
    later?.();
    countScratch(a, k);
    return out;
  },
  inplace: true,
  derivatives,
  node,
  ...rest,
});

/** A scatter that adds or multiplies, for which PyTorch has no gradient. */
const combined = (schema: string): OpRow =>
  scattered(
    schema,
    [missing("scatter")],
    nodeName("scatter"),
    { evidence: `native_functions.yaml: ${operatorName(schema)}; case overloads/scatters-fills-and-steps` },
    ({ self, dim, index, src = null, reduce }, { rules }) => {
      if (reduce !== "add" && reduce !== "multiply")
        throw new TorchError("reduce argument must be either add or multiply.");
      checkScatter(rules, self, dim, index, src);
    },
  );

export const selectionOps = defineOps([
  {
    schema: "index_select(Tensor self, int dim, Tensor index) -> Tensor",
    evidence: "derivatives.yaml: index_select; case indexing/reordering-a-beam",
    values: selectedRows,
    forward: ({ self, dim, index }, k) => {
      const sizes = [...self.sizes];
      if (index.rank > 1) throw new TorchError("index_select(): Index is supposed to be a vector", "IndexError");
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
      d("source", "index source", (c) =>
        c.args.alpha.value === 1 ? sourceGradient(c) : c.ops.mul(sourceGradient(c), c.args.alpha),
      ),
    ],
    "IndexAddBackward0",
    { values: slicesChanged("source", (before, sourceValue, a) => before + sourceValue * numberOf(a.alpha)) },
    ({ self, dim, index, source }) => checkIndexAdd(self, dim, index, source),
  ),
  scattered(
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
    [filled, d("source", "index source", sourceGradient)],
    "IndexCopyBackward0",
    { writesPart: true, values: slicesChanged("source", (_, sourceValue) => sourceValue) },
    ({ self, dim, index, source }) => {
      wrapDim(dim, self.rank);
      return () => checkIndexCopy(self, dim, index, source);
    },
  ),
  {
    values: slicesChanged("value", (_, sourceValue) => sourceValue),
    schema: "index_fill(Tensor self, int dim, Tensor index, Operand value) -> Tensor",
    inside: "clone",
    evidence: "derivatives.yaml: index_fill; case tensors/indexing-and-assignment",
    mixedDevices: true,
    inplace: true,
    node: nodeByOperand("index_fill", 1, 0, "value"),
    forward: ({ self, index }, k) => {
      const out = k.like(self);
      if (index.rank > 1) throw new TorchError(`Index should have dimension 1 or 0 (got ${index.rank})`);
      return out;
    },
    derivatives: [
      filled,
      d("value", "index", ({ grad, saved, args, ops: o }) =>
        o.sum(o.index_select(grad, args.dim, o._unique(saved.index))),
      ),
    ],
  },
  scattered(
    "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor",
    [d("self source", "self source index result", (c) => reduceBackward(c, "source"))],
    "IndexReduceBackward0",
  ),
  {
    schema: "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    evidence: "derivatives.yaml: gather; case sorting/topk-in-16-bits",
    values: gathered,
    forward: ({ self, dim, index }, k) => {
      wrapDim(dim, self.rank);
      const out = k.output(index.sizes, self.dtype);
      checkGather(k.rules, self, dim, index);
      return out;
    },
    derivatives: [
      d("self", "self index", ({ grad, saved, args, ops: o }) =>
        o.scatter_add_(zerosLike(saved.self, grad, o), args.dim, saved.index, grad),
      ),
    ],
  },
  scattered(
    "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    [
      d("self", "index", ({ grad, saved, args, ops: o }) => o.scatter_value(grad, args.dim, saved.index, 0)),
      d("src", "index", ({ grad, saved, args, ops: o }) => o.gather(grad, args.dim, saved.index)),
    ],
    nodeName("scatter", 0),
    { values: scatteredValues },
    ({ self, dim, index, src }, { rules }) => checkScatter(rules, self, dim, index, src),
  ),
  scattered(
    "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    [d("self", "index", ({ grad, saved, args, ops: o }) => o.scatter_value(grad, args.dim, saved.index, 0))],
    nodeName("scatter", 1),
    { values: scatteredValues },
    ({ self, dim, index }, { rules }) => checkScatter(rules, self, dim, index, null),
  ),
  combined("scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"),
  combined("scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"),
  scattered(
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    [
      d("self", "", ({ grad }) => grad),
      d("src", "index", ({ grad, saved, args, ops: o }) => o.gather(grad, args.dim, saved.index)),
    ],
    "ScatterAddBackward0",
    { autocast: "promote", values: scatterAdded },
    ({ self, dim, index, src }, { rules }) => checkScatter(rules, self, dim, index, src),
  ),
  scattered(
    "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor",
    [d("self src", "self src index result", (c) => reduceBackward(c, "src"))],
    "ScatterReduceBackward0",
    {},
    ({ self, dim, index, src }, { rules }) => checkScatter(rules, self, dim, index, src),
  ),
]);
