/** Reductions over dimensions, and their block-partial buffers. */

import { cxxName } from "../tensor/cxx-names.ts";
import { BOOL, type DType, dtype, FLOAT32, INT64, isFloating, isIntegral, toReal, UINT8 } from "../tensor/dtype.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { nodeName } from "./node-names.ts";
import { normBackward } from "./norm-gradient.ts";
import { accumulator, type ReductionKernel, reductionScratch, summing } from "./reduce-buffers.ts";
import { checkNotEmpty, reducedDims, reducedShape } from "./reduce-dims.ts";
import { type Args, type BackwardContext, d, defineOps, type Kernel, named, type OpRow, type Ops } from "./row.ts";
import type { TorchRules } from "../torch/changes.ts";
import {
  allTrue,
  countOf,
  largest,
  meanOf,
  placeOf,
  productOf,
  smallest,
  someTrue,
  sumOf,
} from "./values-selection.ts";
import type { ValueRule } from "./values.ts";
import { logSumOfExponentials, sumOfNumbers, vectorNorm } from "./values-normalized.ts";

/** Result of a reduction kernel and the buffers that it takes for a moment (Reduce.cuh). */
export function reduce(
  k: Kernel,
  self: Tensor,
  dims: readonly number[],
  keepdim: boolean,
  type: DType,
  kernel: number | ReductionKernel,
  readsInput?: (k: Kernel, self: Tensor, type: DType) => void,
): Tensor {
  const out = k.output(reducedShape(self, dims, keepdim), type);
  readsInput?.(k, self, type);
  const asked = typeof kernel === "number" ? { accumulatorBytes: kernel } : kernel;
  reductionScratch(k, self, dims, asked);
  return out;
}

/** Sums read their input in the type of the sum, but for 16-bit floats (make_reduction_from_ty in ReduceOps.cpp). */
function castToSum(k: Kernel, self: Tensor, type: DType): void {
  if (self.dtype !== type && !(self.dtype.itemBytes === 2 && isFloating(self.dtype) && type === FLOAT32))
    k.scratch(self.numel * type.itemBytes, "sum_cast_input");
}

/** A gradient with the reduced dimensions put back (size one each). */
export function restoreDims(o: Ops, t: Tensor, rank: number, dims: readonly number[], keepdim: boolean): Tensor {
  if (keepdim || rank === 0) return t;
  let result = t;
  for (const i of [...dims].sort((a, b) => a - b)) result = o.unsqueeze(result, i);
  return result;
}

const expandBack = (c: BackwardContext, dims: readonly number[], keepdim: boolean): Tensor => {
  const { sizes } = c.meta.self;
  return c.ops.expand(restoreDims(c.ops, c.grad, sizes.length, dims, keepdim), sizes);
};

export const sumType = (a: Args): DType => (a.dtype ? a.dtype : isIntegral(a.self.dtype) ? INT64 : a.self.dtype);

function meanType(a: Args): DType {
  const { self } = a;
  if (a.dtype) return a.dtype;
  if (!isIntegral(self.dtype)) return self.dtype;
  throw new TorchError(
    `mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ${cxxName(self.dtype)}`,
  );
}

const product = (sizes: readonly number[], dims: readonly number[]): number => dims.reduce((n, i) => n * sizes[i], 1);

/** `name(self, dim, keepdim)` with values and int64 indices. */
const withIndices = (name: string, values: ValueRule): OpRow => ({
  values,
  schema: `${name}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)`,
  evidence: `derivatives.yaml: ${name}.dim; case overloads/reductions`,
  node: `${name[0].toUpperCase()}${name.slice(1)}Backward0`,
  forward: ({ self, dim, keepdim }, k) => {
    checkNotEmpty(name, self, dim);
    const dims = self.rank ? [wrapDim(dim, self.rank)] : [];
    const shape = reducedShape(self, dims, keepdim);
    const values = k.output(shape, self.dtype);
    const indices = k.output(shape, INT64);
    reductionScratch(k, self, dims, { accumulatorBytes: 16 });
    return [values, indices];
  },
  derivatives: [
    d("self", "indices", ({ grad, saved, meta, args, ops: o }) => {
      const { sizes } = meta.self;
      const at = sizes.length ? wrapDim(args.dim, sizes.length) : 0;
      const lift = !args.keepdim && sizes.length > 0;
      const g = lift ? o.unsqueeze(grad, at) : grad;
      const i = lift ? o.unsqueeze(saved.indices, at) : saved.indices;
      return o.scatter_src_(o.zeros(sizes, grad.dtype, grad.device), args.dim, i, g);
    }),
  ],
});

/** The extreme over everything, its gradient shared by all places that reach it. */
const overAll = (name: string, values: ValueRule): OpRow => ({
  values,
  schema: `${name}(Tensor self) -> Tensor`,
  evidence: `derivatives.yaml: ${name}; case overloads/reductions`,
  node: `${name[0].toUpperCase()}${name.slice(1)}Backward1`,
  forward: ({ self }, k) => {
    // its numbers in one row (ReduceAllOps.cpp: min, max)
    if (!self.isContiguous) k.scratch(self.nbytes, `${name}_contiguous`);
    return reduce(k, self, reducedDims(self, null), false, self.dtype, self.dtype.itemBytes);
  },
  derivatives: [
    d("self", "self result", ({ grad, saved: { self, result }, ops: o }) => {
      const nan = o.logical_and_(o.isnan(self), o.isnan(result));
      const mask = o.logical_or_(nan, o.eq(self, result));
      return o.mul(mask, o.div(grad, o.sum(mask)));
    }),
  ],
});

/** The larger or smaller of two, element by element (BinaryOps.cpp: max, min). */
const ofPair = (name: string): OpRow => ({
  schema: `${name}.other(Tensor self, Tensor other) -> Tensor`,
  evidence: `native_functions.yaml: ${name}.other; case overloads/reductions`,
  composite: ({ self, other }, o) => named(o, `${name}imum`)(self, other),
  outFrom: [`${name}imum`],
});

const extremeOver = (name: string, values: ValueRule): OpRow => ({
  values,
  schema: `${name}(Tensor self, int[] dim=[], bool keepdim=False) -> Tensor`,
  evidence: `derivatives.yaml: ${name}; case overloads/reductions`,
  forward: ({ self, dim, keepdim }, k) => {
    checkNotEmpty(name, self, dim);
    return reduce(k, self, reducedDims(self, dim), keepdim, self.dtype, self.dtype.itemBytes);
  },
  derivatives: [
    d("self", "self result", ({ grad, saved: { self, result }, args, ops: o }) => {
      const dims = reducedDims(self, args.dim);
      const g = restoreDims(o, grad, self.rank, dims, args.keepdim);
      const mask = o.eq(restoreDims(o, result, self.rank, dims, args.keepdim), self);
      return o.mul(o.div(g, o.sum_dim_IntList(mask, dims, true)), mask);
    }),
  ],
});

const truth = (name: string, values: ValueRule): OpRow => ({
  values,
  schema: `${name}(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor`,
  evidence: `native_functions.yaml: ${name}; case overloads/reductions`,
  forward: ({ self, dim, keepdim }, k) => {
    const type = self.dtype === UINT8 ? self.dtype : BOOL;
    // values of the input's type are combined (and_kernel_impl, or_kernel_impl)
    if (self.numel !== 1)
      return reduce(
        k,
        self,
        reducedDims(self, dim),
        keepdim,
        type,
        k.rules.truthCombinesBytes ? 1 : self.dtype.itemBytes,
      );
    // a single element is converted and copied (allany_impl in ReduceOps.cpp)
    const out = k.output(reducedShape(self, reducedDims(self, dim), keepdim), type);
    if (self.dtype !== BOOL) k.scratch(1, "truth_value");
    return out;
  },
});

const argument = (name: string, values: ValueRule): OpRow => ({
  values,
  schema: `${name}(Tensor self, int? dim=None, bool keepdim=False) -> Tensor`,
  evidence: `native_functions.yaml: ${name}`,
  mostDistinct: ({ self, dim }) => (dim === null ? self.numel : self.sizes[wrapDim(dim, self.rank)]!),
  forward: ({ self, dim, keepdim }, k) => {
    checkNotEmpty(name, self, dim);
    return reduce(k, self, reducedDims(self, dim === null ? null : [dim]), keepdim, INT64, 16);
  },
});

const sumRow = (schema: string, node: string): OpRow => ({
  schema,
  node,
  autocast: "float32-dtype",
  evidence: "Reduce.cuh; seen in a real trace (PyTorch 2.11, language model)",
  forward: (a, k) => {
    const type = sumType(a);
    return reduce(
      k,
      a.self,
      reducedDims(a.self, a.dim ?? null),
      a.keepdim ?? false,
      type,
      summing(a.self, type),
      castToSum,
    );
  },
  derivatives: [
    d("self", "", (c) =>
      expandBack(c, reducedDims(c.meta.self, c.args.dim ?? null), c.args.keepdim ?? c.args.dim === undefined),
    ),
  ],
});

/** The generated code once kept the whole tensor for the number of its elements (`self.sym_numel()` in derivatives.yaml). */
const keptWhere = (applies: (rules: TorchRules) => boolean) => [{ applies, name: "self" }] as const;

export const reductions = defineOps([
  {
    schema: "hash_tensor(Tensor self, int[] dim=[], *, bool keepdim=False, int mode=0) -> Tensor",
    evidence: "native_functions.yaml: hash_tensor; case elementwise/hash-of-tensors",
    since: "2.9",
    forward: ({ self, dim, keepdim, mode }, k) => {
      if (mode !== 0) throw new TorchError(`Unknown hash_tensor mode: ${mode}`);
      return reduce(k, self, reducedDims(self, dim), keepdim, dtype("uint64"), self.dtype === BOOL ? 1 : 8);
    },
  },
  {
    ...sumRow("sum(Tensor self, *, dtype? dtype=None) -> Tensor", "SumBackward0"),
    values: sumOf,
    takesOut: false,
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.expand(grad, meta.self.sizes))],
  },
  {
    ...sumRow(
      "sum.dim_IntList(Tensor self, int[]? dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
      "SumBackward1",
    ),
    values: sumOf,
  },
  {
    ...sumRow(
      "nansum(Tensor self, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
      "NansumBackward0",
    ),
    autocast: undefined,
    values: sumOfNumbers,
    forward: (a, k) => reduce(k, a.self, reducedDims(a.self, a.dim), a.keepdim, sumType(a), accumulator(sumType(a))),
    derivatives: [
      d("self", "self", (c) =>
        c.ops.mul(
          expandBack(c, reducedDims(c.meta.self, c.args.dim), c.args.keepdim),
          c.ops.logical_not(c.ops.isnan(c.saved.self)),
        ),
      ),
    ],
  },
  {
    schema: "mean(Tensor self, *, dtype? dtype=None) -> Tensor",
    evidence: "derivatives.yaml: mean; case pooling/ceil-dilation-and-padding",
    values: meanOf,
    forward: (a, k) => reduce(k, a.self, reducedDims(a.self, null), false, meanType(a), summing(a.self, a.self.dtype)),
    derivatives: [
      d(
        "self",
        "",
        ({ grad, meta, ops: o }) =>
          o.div(o.expand(grad, meta.self.sizes), product(meta.self.sizes, reducedDims(meta.self, null))),
        keptWhere((rules) => rules.meanSavesInput),
      ),
    ],
  },
  {
    schema: "mean.dim(Tensor self, int[]? dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    evidence: "derivatives.yaml: mean.dim; case sorting/ranks-by-argsort",
    values: meanOf,
    node: "MeanBackward1",
    forward: (a, k) =>
      reduce(k, a.self, reducedDims(a.self, a.dim), a.keepdim, meanType(a), summing(a.self, a.self.dtype)),
    derivatives: [
      d(
        "self",
        "",
        (c) => {
          const dims = reducedDims(c.meta.self, c.args.dim);
          return c.ops.div(expandBack(c, dims, c.args.keepdim), product(c.meta.self.sizes, dims));
        },
        keptWhere((rules) => rules.meanOfDimensionsSavesInput),
      ),
    ],
  },
  withIndices("max", largest),
  withIndices("min", smallest),
  overAll("max", largest),
  overAll("min", smallest),
  ofPair("max"),
  ofPair("min"),
  extremeOver("amax", largest),
  extremeOver("amin", smallest),
  argument("argmax", placeOf(Math.max)),
  argument("argmin", placeOf(Math.min)),
  truth("any", someTrue),
  truth("all", allTrue),
  {
    schema: "count_nonzero(Tensor self, int[]? dim=None) -> Tensor",
    evidence: "native_functions.yaml: count_nonzero; case elementwise/promotion-of-dtypes",
    values: countOf,
    forward: ({ self, dim }, k) => {
      k.scratch(self.numel, "count_nonzero_mask");
      return reduce(
        k,
        self,
        reducedDims(self, dim),
        false,
        INT64,
        8,
        () => void k.scratch(self.numel * INT64.itemBytes, "sum_cast_input"),
      );
    },
  },
  {
    schema: "prod(Tensor self, int? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    evidence: "derivatives.yaml: prod; case tensors/einops",
    values: productOf,
    autocast: "float32-dtype",
    node: ({ dim }) => nodeName("prod", dim === null ? 0 : 1),
    forward: (a, k) =>
      reduce(k, a.self, reducedDims(a.self, a.dim === null ? null : [a.dim]), a.keepdim, sumType(a), 4),
    derivatives: [
      // Where zeros are decides the form; values are not known, so there are none. What looks for them is made.
      d("self", "self result", ({ grad: gradOutput, saved: { self, result }, args, ops: o, statement }) => {
        const grad = o.to(gradOutput, self.dtype);
        if (self.rank === 0) return grad;
        if (args.dim === null) {
          statement(() => void o._none_found(o.eq(self, 0)));
          return o.mul(grad, o.div(result, self));
        }
        const dims = reducedDims(self, [args.dim]);
        const g = restoreDims(o, grad, self.rank, dims, args.keepdim);
        const r = restoreDims(o, result, self.rank, dims, args.keepdim);
        const zeros = o.eq(self, 0);
        const perSlice = o.sum_dim_IntList(zeros, [args.dim], true);
        statement(() => void o.sum(perSlice));
        return o.mul(g, o.div(r, self));
      }),
    ],
  },
  {
    values: logSumOfExponentials,
    schema: "logsumexp(Tensor self, int[] dim, bool keepdim=False) -> Tensor",
    special: ["logsumexp"],
    inside: "sum",
    evidence: "derivatives.yaml: logsumexp; case elementwise/promotion-of-dtypes",
    autocast: "float32",
    // at::native::logsumexp: the maxima, without infinite ones; the sum of the shifted exponentials is the result
    forward: ({ self, dim, keepdim }, k) => {
      const dims = reducedDims(self, dim);
      const o = k.ops;
      const input = isIntegral(self.dtype) ? o.to(self, FLOAT32) : self;
      if (self.numel === 0) return k.output(reducedShape(self, dims, keepdim), input.dtype);
      const top = o.amax(input, dims, true);
      k.statement(() => {
        o.masked_fill_(top, o.eq(o.abs(top), Infinity), 0);
        return null;
      });
      o.exp_(o.sub(input, top));
      return reduce(k, input, dims, keepdim, input.dtype, summing(input, input.dtype));
    },
    derivatives: [
      d("self", "self result", ({ grad, saved: { self, result }, args, ops: o }) => {
        const dims = reducedDims(self, args.dim);
        const g = restoreDims(o, grad, self.rank, dims, args.keepdim);
        const r = restoreDims(o, result, self.rank, dims, args.keepdim);
        return o.mul(g, o.exp(o.sub(self, r)));
      }),
    ],
  },
  {
    schema:
      "linalg_vector_norm(Tensor self, Scalar ord=2, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    values: vectorNorm,
    evidence: "derivatives.yaml: linalg_vector_norm; case sorting/ranks-by-argsort",
    autocast: "float32-dtype",
    forward: (a, k) => {
      if (isIntegral(a.self.dtype))
        throw new TorchError(
          `linalg.vector_norm: Expected a floating point or complex tensor as input. Got ${cxxName(a.self.dtype)}`,
        );
      const type = a.dtype ?? toReal(a.self.dtype);
      return reduce(k, a.self, reducedDims(a.self, a.dim), a.keepdim, type, 4);
    },
    python: "none",
    node: "LinalgVectorNormBackward0",
    derivatives: [
      d("self", "self result", ({ grad, saved, args, statement, ops: o }) => {
        const { self } = saved;
        const dims = reducedDims(self, args.dim);
        const g = restoreDims(o, grad, self.rank, dims, args.keepdim);
        const norm = restoreDims(o, saved.result, self.rank, dims, args.keepdim);
        return normBackward(o, self, g, norm, args.ord.value, dims, statement);
      }),
    ],
  },
]);
