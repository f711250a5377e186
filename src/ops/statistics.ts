/** Statistics of rows, finite differences and choices of elements: functions that PyTorch writes in other operators. */

import { BOOL, INT64, isComplex, promoteTypes } from "../tensor/dtype.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, type CompositeContext, defineOps, type OpRow, type Ops } from "./row.ts";
import { numberOf } from "./values.ts";

/** Reads a truth value on the host (at::is_scalar_tensor_true). */
const isTrue = (t: Tensor, o: Ops): void => void o.all(o._equal_eq(t, o.new_ones(t, [], BOOL)));

/** One weight for each observation, none of them negative, which is read on the host. */
function checkWeights(name: string, w: Tensor, observations: number, o: Ops, c: CompositeContext): void {
  if (w.rank > 1)
    throw new TorchError(
      `cov(): expected ${name} to have one or fewer dimensions but got ${name} with ${w.rank} dimensions`,
    );
  if (w.numel !== observations)
    throw new TorchError(
      `cov(): expected ${name} to have the same numel as there are observations in the input but got ${w.numel} != ${observations}`,
    );
  if (observations > 0) c.statement(() => isTrue(o.ge(o.min(w), 0), o));
}

/** Covariance of rows (Correlation.cpp: cov). */
function covariance(a: Args, o: Ops, c: CompositeContext): Tensor {
  const { self, correction, fweights, aweights } = a;
  if (self.rank > 2)
    throw new TorchError(
      `cov(): expected input to have two or fewer dimensions but got an input with ${self.rank} dimensions`,
    );
  const seen: Tensor = self.rank < 2 ? o.view(self, [1, -1]) : self;
  for (const [name, w] of Object.entries({ fweights, aweights } as Record<string, Tensor | null>))
    if (w) checkWeights(name, w, seen.sizes[1], o, c);
  let weights: Tensor | null = fweights;
  if (aweights) weights = weights ? o.mul(weights, aweights) : aweights;
  const made = (n: number): Tensor => o.scalar_tensor({ scalar: "int", value: n }, INT64, self.device);
  const weighted = (rows: Tensor): Tensor => (weights ? o.mul(rows, weights) : rows);
  const total = weights ? o.sum(weights) : made(seen.sizes[1]);
  if (weights) c.statement(() => isTrue(o.ne(total, 0), o));
  const mean = c.statement(() => o.div(o.sum_dim_IntList(weighted(seen), [1]), total));
  const divisor = c.statement(() => {
    if (!weights) return made(seen.sizes[1] - correction);
    if (!aweights || correction === 0) return o.sub(total, correction);
    return o.sub(total, o.div(o.mul(o.sum(o.mul(weights, aweights)), correction), total));
  });
  c.statement(() => isTrue(o.le(divisor, 0), o));
  const rows = o.sub(seen, o.unsqueeze(mean, 1));
  const product = c.statement(() => o.mm(rows, o.conj(o.t(weighted(rows)))));
  return c.statement(() => o.squeeze(o.div(product, divisor)));
}

/** Correlation of rows (Correlation.cpp: corrcoef). */
function correlation({ self }: Args, o: Ops, c: CompositeContext): Tensor {
  if (self.rank > 2)
    throw new TorchError(
      `corrcoef(): expected input to have two or fewer dimensions but got an input with ${self.rank} dimensions`,
    );
  const found = o.cov(self);
  if (found.rank === 0) return o.div(found, found);
  // the diagonal is a view: the first covariance lives as long
  const along = o.diagonal(found);
  const deviation = c.statement(() => o.sqrt(isComplex(along.dtype) ? o.real(along) : along));
  const byRow = c.statement(() => o.div(found, o.view(deviation, [-1, 1])));
  const both = o.div(byRow, o.view(deviation, [1, -1]));
  c.drop(byRow);
  return isComplex(both.dtype) ? both : o.clamp(both, -1, 1);
}

/** All choices of `r` elements, whose number is known (Itertools.cpp: combinations, _triu_mask). */
function choices({ self, r, with_replacement: again }: Args, o: Ops, c: CompositeContext): Tensor {
  if (self.rank !== 1) throw new TorchError(`Expect a 1D vector, but got shape [${self.sizes.join(", ")}]`);
  if (r < 0) throw new TorchError(`Expect a non-negative number, but got ${r}`);
  if (r === 0) return o.empty([0], self.dtype, self.device);
  const n = self.numel;
  const count = chosenOf(again ? n + r - 1 : n, r);
  const positions = c.statement(() => {
    const steps = o.arange({ scalar: "int", value: n }, INT64, self.device);
    const all = Array.from({ length: r }, () => n);
    const grids = all.map((_, at) =>
      o.expand(
        o.view(
          steps,
          all.map((_, i) => (i === at ? -1 : 1)),
        ),
        all,
      ),
    );
    const kept = o.full(all, { scalar: "bool", value: 1 }, BOOL, self.device);
    for (let i = 0; i + 1 < r; i++)
      c.statement(() => void o.mul_(kept, again ? o.le(grids[i], grids[i + 1]) : o.lt(grids[i], grids[i + 1])));
    return o.nonzero_static(kept, count);
  });
  return c.statement(() => o.contiguous(o.index(self, [positions])));
}

/** How many ways there are to choose `r` of `n`. */
function chosenOf(n: number, r: number): number {
  let ways = 1;
  for (let i = 1; i <= r; i++) ways = (ways * (n - r + i)) / i;
  return Math.round(ways);
}

/** Powers of a vector's elements, a row for each (TensorFactories.cpp: vander). */
function powers({ x, N, increasing }: Args, o: Ops, c: CompositeContext): Tensor {
  if (x.rank !== 1) throw new TorchError("x must be a one-dimensional tensor.");
  const n: number = N ?? x.sizes[0];
  if (n < 0) throw new TorchError("N must be non-negative.");
  const out = o.empty([x.sizes[0], n], promoteTypes(x.dtype, INT64), x.device);
  if (n > 0) o.fill_(o.select(out, 1, 0), 1);
  const later = (): Tensor => o.slice(out, 1, 1, null);
  if (n > 1) {
    o.copy_(later(), o.unsqueeze(x, 1));
    c.statement(() => void o.copy_(later(), o.cumprod(later(), 1)));
  }
  return increasing ? out : o.flip(out, [1]);
}

/** Differences of two slices of `t` over a number. */
const between = (o: Ops, c: CompositeContext, late: () => Tensor, early: () => Tensor, by: number): Tensor =>
  c.statement(() => o.div(o.sub(late(), early()), by));

/** Over steps of one length (ReduceOps.cpp: gradient_helper_float). */
function overSteps(t: Tensor, step: number, dim: number, order: number, o: Ops, c: CompositeContext): Tensor {
  const part =
    (start: number, end: number | null = null) =>
    (): Tensor =>
      o.slice(t, dim, start, end, 1);
  const centre = between(o, c, part(2), part(0, -2), step);
  /** `4 a - 3 b - c` over two steps, of `[a, b, c]` in the order of the formula. */
  const end = (form: (four: Tensor, three: Tensor) => Tensor, four: () => Tensor, three: () => Tensor): Tensor =>
    c.statement(() => o.div(form(o.mul(four(), 4), o.mul(three(), 3)), 2 * step));
  const first =
    order === 1
      ? between(o, c, part(1, 2), part(0, 1), step)
      : end((four, three) => o.sub(o.sub(four, three), part(2, 3)()), part(1, 2), part(0, 1));
  const last =
    order === 1
      ? between(o, c, part(-1), part(-2, -1), step)
      : end((four, three) => o.add(o.sub(three, four), part(-3, -2)()), part(-2, -1), part(-1));
  return c.statement(() => o.cat([first, o.div(centre, 2), last], dim));
}

/** Over coordinates (ReduceOps.cpp: gradient_helper). */
function overCoordinates(t: Tensor, at: Tensor, dim: number, order: number, o: Ops, c: CompositeContext): Tensor {
  if (order === 2) throw new TorchError("vramscope does not simulate torch.gradient with coordinates and edge_order=2");
  const part =
    (start: number, end: number | null = null) =>
    (): Tensor =>
      o.slice(t, dim, start, end, 1);
  const shape = t.sizes.map((_, i) => (i === wrapDim(dim, t.rank) ? -1 : 1));
  const gaps = o.diff(at);
  const left = o.reshape(o.slice(gaps, 0, 0, -1, 1), shape);
  const right = o.reshape(o.slice(gaps, 0, 1, null, 1), shape);
  const a = c.statement(() => o.div(o.neg(right), o.mul(left, o.add(left, right))));
  const b = c.statement(() => o.div(o.sub(right, left), o.mul(left, right)));
  const d = c.statement(() => o.div(left, o.mul(right, o.add(left, right))));
  const centre = c.statement(() => o.add(o.add(o.mul(a, part(0, -2)()), o.mul(b, part(1, -1)())), o.mul(d, part(2)())));
  const first = c.statement(() => o.div(o.sub(part(1, 2)(), part(0, 1)()), o.select(gaps, 0, 0)));
  const last = c.statement(() => o.div(o.sub(part(-1)(), part(-2, -1)()), o.select(gaps, 0, -1)));
  return o.cat([first, centre, last], dim);
}

/** Central differences, and one-sided ones at the ends: one row for each way to say steps and dimensions. */
const gradientOf = (overload: string, parameters: string): OpRow => ({
  schema: `gradient.${overload}(Tensor self, *, ${parameters}, int edge_order=1) -> Tensor[]`,
  evidence: `native_functions.yaml: gradient.${overload}; case overloads/finite-differences`,
  composite: ({ self, spacing = null, dim, edge_order: order }, o, c) => {
    const dims: number[] = dim === null ? self.sizes.map((_: number, i: number) => i) : [dim].flat();
    const steps: unknown[] = Array.isArray(spacing) ? spacing : dims.map(() => spacing ?? 1);
    if (order !== 1 && order !== 2) throw new TorchError("torch.gradient only supports edge_order=1 and edge_order=2.");
    if (steps.length !== dims.length)
      throw new TorchError(
        `torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = ${self.rank}', since dim argument was not given, but got a list of length ${steps.length}`,
      );
    const numbers = !overload.startsWith("tensor");
    return dims.map((along, i) =>
      c.statement(() =>
        numbers
          ? overSteps(self, numberOf(steps[i]), along, order, o, c)
          : overCoordinates(self, steps[i] as Tensor, along, order, o, c),
      ),
    );
  },
});

export const statisticsOps = defineOps([
  {
    schema: "nanmean(Tensor self, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    evidence: "native_functions.yaml: nanmean; case overloads/functions-made-of-other-operators",
    composite: ({ self, dim, keepdim, dtype }, o, c) => {
      const count = c.statement(() => {
        const seen = o.detach(self);
        return o.sum_dim_IntList(o.logical_not_(o.ne(seen, seen)), dim, keepdim);
      });
      return c.statement(() => o.div(o.nansum(self, dim, keepdim, dtype), count));
    },
  },
  {
    schema: "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor",
    evidence: "native_functions.yaml: cov; case overloads/functions-made-of-other-operators",
    takesOut: false,
    composite: covariance,
  },
  {
    schema: "corrcoef(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: corrcoef; case overloads/functions-made-of-other-operators",
    takesOut: false,
    composite: correlation,
  },
  {
    schema: "combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor",
    evidence: "native_functions.yaml: combinations; case overloads/finite-differences",
    python: "function",
    takesOut: false,
    composite: choices,
  },
  {
    schema: "vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
    evidence: "native_functions.yaml: vander; case overloads/finite-differences",
    python: "function",
    takesOut: false,
    composite: powers,
  },
  gradientOf("scalarint", "Scalar? spacing=None, int? dim=None"),
  gradientOf("scalararray", "Scalar spacing, int[] dim"),
  gradientOf("array", "int[] dim"),
  gradientOf("scalarrayint", "Scalar[] spacing, int? dim=None"),
  gradientOf("scalarrayarray", "Scalar[] spacing, int[] dim"),
  gradientOf("tensorarrayint", "Tensor[] spacing, int? dim=None"),
  gradientOf("tensorarray", "Tensor[] spacing, int[] dim"),
]);
