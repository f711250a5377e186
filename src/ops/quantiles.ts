/** Quantiles: sorted rows read at fractional ranks (quantile_compute in aten/src/ATen/native/Sorting.cpp). */

import { FLOAT32, FLOAT64, INT64 } from "../tensor/dtype.ts";
import { isScalar } from "../tensor/iterator.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, type CompositeContext, defineOps, type OpRow, type Ops } from "./row.ts";

/** The input with the dimension to reduce at the end; all of it as one row without a dimension. */
function rowsOf(o: Ops, self: Tensor, at: number | null): Tensor {
  if (at === null) return o.flatten(self);
  return at === self.rank - 1 ? self : o.transpose(o.unsqueeze(self, -1), at, -1);
}

/** Fractional positions in each sorted row; rows with a NaN point behind their end. */
function ranks(o: Ops, c: CompositeContext, source: Tensor, q: Tensor, ignoresNan: boolean): Tensor {
  const points = (): Tensor => (c.rules.quantileRanksInDouble ? o.to(q, FLOAT64) : q);
  if (ignoresNan) {
    const rank = c.statement(() => {
      const last = o.sub(o.sum_dim_IntList(o.logical_not_(o.isnan(source)), [-1], true), 1);
      return o.mul(points(), last) as Tensor;
    });
    c.statement(() => o.masked_fill_(rank, o.lt(rank, 0), 0));
    return rank;
  }
  const last = source.size(-1) - 1;
  const sizes = [...source.sizes.slice(0, -1), q.numel];
  const [scaled, bad] = c.statement((): [Tensor, Tensor] => [
    o.expand(o.mul(points(), last), sizes),
    o.expand(o.any(o.isnan(source), [-1], true), sizes),
  ]);
  const rank = o.masked_fill(scaled, bad, last);
  c.drop(scaled);
  c.drop(bad);
  return rank;
}

function quantile(a: Args, o: Ops, c: CompositeContext, ignoresNan: boolean): Tensor {
  const self: Tensor = a.self;
  if (isScalar(a.q) && (a.q.value < 0 || a.q.value > 1))
    throw new TorchError(`quantile() q must be in the range [0, 1] but got ${a.q.value}`);
  const q: Tensor = isScalar(a.q) ? o.scalar_tensor(a.q, self.dtype, self.device) : a.q;
  if (self.dtype !== FLOAT32 && self.dtype !== FLOAT64)
    throw new TorchError("quantile() input tensor must be either float or double dtype");
  const at = a.dim === null ? null : wrapDim(a.dim, self.rank);
  const rows = rowsOf(o, self, at);
  const points = q.rank ? q : (o.unsqueeze(q, 0) as Tensor);
  const late = c.rules.quantileRanksInDouble;
  const sort = (): Tensor => c.statement(() => o.sort(rows)[0] as Tensor);
  const early = late ? rows : sort();
  const rank = ranks(o, c, early, points, ignoresNan);
  if (a.interpolation === "lower") o.floor_(rank);
  else if (a.interpolation === "higher") o.ceil_(rank);
  else if (a.interpolation === "nearest") o.round_(rank);
  const between = a.interpolation === "linear" || a.interpolation === "midpoint";
  const weightsOf = (): Tensor => {
    if (a.interpolation === "midpoint") return o.full_like(rank, 0.5, self.dtype);
    return c.statement(() => o.to(o.sub(rank, below), self.dtype) as Tensor);
  };
  const below: Tensor = o.to(rank, INT64);
  let values: Tensor;
  if (late) {
    const weights = between ? weightsOf() : null;
    const above = between ? (o.to(o.ceil_(rank), INT64) as Tensor) : null;
    const sorted = sort();
    values = o.gather(sorted, -1, below);
    if (weights && above) c.statement(() => o.lerp_(values, o.gather(sorted, -1, above), weights));
  } else {
    values = o.gather(early, -1, below);
    if (between) {
      const weights = weightsOf();
      const above = o.to(o.ceil_(rank), INT64);
      o.lerp_(values, o.gather(early, -1, above), weights);
    }
  }
  const kept = self.sizes.map((s, i) => (at === null || i === at ? 1 : s));
  const shape = a.keepdim ? kept : at === null ? [] : self.sizes.filter((_, i) => i !== at);
  // the points go in front; what is left of their dimension goes in place
  const ordered = q.rank === 0 ? values : o.transpose(o.unsqueeze(values, 0), 0, -1);
  return o._squeezed(o.reshape(ordered, [...(q.rank === 0 ? [] : [q.numel]), ...shape, 1]), -1);
}

const row = (name: string, ignoresNan: boolean): OpRow => ({
  schema: `${name}(Tensor self, Operand q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor`,
  evidence: "Sorting.cpp: quantile_compute",
  composite: (a, o, c) => quantile(a, o, c, ignoresNan),
});

export const quantileOps = defineOps([row("quantile", false), row("nanquantile", true)]);
