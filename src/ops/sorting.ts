/** Order: sort, topk, order statistics, quantiles, unique values, and search in sorted sequences. */

import { reductionScratch } from "./reduce-buffers.ts";
import { reducedDims } from "./reduce-dims.ts";
import { nodeName } from "./node-names.ts";
import { BOOL, INT32, INT64 } from "../tensor/dtype.ts";
import { isScalar } from "../tensor/iterator.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { quantileOps } from "./quantiles.ts";
import { bitsOf, radixScratchIsKnown, radixSortBytes, segmentedSortBytes } from "./radix-sort.ts";
import { restoreDims } from "./reduce.ts";
import { type Args, type BackwardContext, d, defineOps, type Kernel, type OpRow } from "./row.ts";
import { topkTemporaries } from "./topk-blocks.ts";
import { uniqueOps } from "./unique-values.ts";
import { inOrder, largestFirst } from "./values-selection.ts";
import { extremes, middle as middleValues, mostFrequent, ofRank } from "./values-normalized.ts";
import { bucketed, searched } from "./values-placed.ts";

/** The gradient goes to the places whose values were taken (value_selecting_reduction_backward). */
export const selectionBackward = (keepdim: (args: Args) => boolean): ReturnType<typeof d> =>
  d("self", "indices", ({ grad, saved, meta, args, ops: o }) => {
    const { sizes } = meta.self;
    const lift = !keepdim(args) && sizes.length > 0;
    const g = lift ? o.unsqueeze(grad, args.dim) : grad;
    const i = lift ? o.unsqueeze(saved.indices, args.dim) : saved.indices;
    return o.scatter_src_(o.zeros(sizes, grad.dtype, grad.device), args.dim, i, g);
  });

/** Rows up to this length are sorted in place in their results (should_use_small_sort in Sort.cpp). */
const SMALL_SORT = 4096;

/** From this length on rows are sorted one by one, and below this number of rows all at once, by value and then by row. */
const LONG_ROW = 1_000_000;
const FEW_ROWS = 128;
/** A row and a place in it, as two 32-bit integers. */
const PLACE_BYTES = 2 * INT32.itemBytes;

/**
 * What a sort takes besides its results (sort_cuda_kernel in cuda/Sort.cpp, do_launch_stable_sort_kernel in cuda/SortStable.cu), with CUB's scratch.
 * Sizes and order as recorded with the host code of PyTorch 2.13.
 */
function sortTemporaries(k: Kernel, self: Tensor, dim: number): void {
  const length = self.rank ? self.sizes[dim] : 1;
  if (self.numel === 0 || !k.temporaries) return;
  if (length <= SMALL_SORT) return k.scratch(length * INT64.itemBytes, "sort_positions")();
  const rows = self.numel / length;
  const keyBytes = self.dtype.itemBytes;
  // sorted in copies whose rows lie together (sort_cuda_kernel in cuda/Sort.cpp)
  if (self.strides[dim] !== 1) {
    k.scratch(self.nbytes, "sort_input");
    k.scratch(self.nbytes, "sort_values");
    k.scratch(self.numel * INT64.itemBytes, "sort_indices");
  }
  if (!radixScratchIsKnown(keyBytes, k.gpu)) k.assume("library_scratch", { library: "CUB" });
  if (rows === 1 || length >= LONG_ROW) {
    k.scratch(length * INT64.itemBytes, "sort_positions");
    const bytes = radixSortBytes(length, keyBytes, INT64.itemBytes, k);
    for (let row = 0; row < rows; row++) k.scratch(bytes, "sort_library")();
  } else if (rows < FEW_ROWS) {
    k.scratch(self.numel * PLACE_BYTES, "sort_segments_in");
    k.scratch(self.numel * PLACE_BYTES, "sort_segments_out");
    const keys = k.scratch(self.nbytes, "sort_keys");
    k.scratch(radixSortBytes(self.numel, keyBytes, PLACE_BYTES, k), "sort_library")();
    keys();
    k.scratch(radixSortBytes(self.numel, PLACE_BYTES, 0, k, bitsOf(rows)), "sort_library")();
  } else {
    k.scratch(self.numel * INT64.itemBytes, "sort_positions");
    k.scratch(segmentedSortBytes(self.numel, keyBytes, INT64.itemBytes), "sort_library")();
  }
}

/** Shape of a reduction along `dim` that leaves `size` there (0: the dimension goes). */
function along(self: Tensor, dim: number, size: number): number[] {
  const sizes = [...self.sizes];
  if (sizes.length === 0) return sizes;
  const at = wrapDim(dim, self.rank);
  if (size > 0) sizes[at] = size;
  else sizes.splice(at, 1);
  return sizes;
}

/** Rows longer than this are sorted one after the other to find what is most frequent (launch_apply_mode_kernel in cuda/TensorModeKernel.cu). */
const LONG_MODE = 2048;

/** One value per row and where it was. */
const statistic = (name: string, args: string, node: string, copies = false): OpRow => ({
  schema: `${name}(Tensor self, ${args}bool keepdim=False) -> (Tensor values, Tensor indices)`,
  evidence: `derivatives.yaml: ${name}`,
  node,
  forward: ({ self, dim, keepdim, k: nth }, k) => {
    const sizes = along(self, dim, keepdim ? 1 : 0);
    const size = self.rank ? self.sizes[wrapDim(dim, self.rank)] : 1;
    if (nth !== undefined && (nth < 1 || nth > size))
      throw new TorchError(
        `${name}(): selected number k out of range for dimension ${wrapDim(dim, Math.max(self.rank, 1))}`,
      );
    const values = k.output(sizes, self.dtype);
    const indices = k.output(sizes, INT64);
    // each row is read in its order: rows along another dimension are copied (mode_kernel_impl in cuda/TensorModeKernel.cpp)
    const rows = self.rank ? k.ops.transpose(self, dim, -1) : self;
    const long = copies && size > LONG_MODE;
    if (long || (copies && !rows.isContiguous)) k.scratch(self.numel * self.dtype.itemBytes, `${name}_contiguous`);
    if (long) {
      k.scratch(size * INT64.itemBytes, `${name}_positions`);
      k.scratch(radixSortBytes(size, self.dtype.itemBytes, INT64.itemBytes, k), "sort_library")();
    }
    return [values, indices];
  },
  derivatives: [selectionBackward((a) => a.keepdim)],
});

/** The middle of everything: sorted, read at one place, which counts the NaNs or is the last where there is one (median_impl in cuda/Sorting.cpp). */
const middle = (name: string): OpRow => ({
  schema: `${name}(Tensor self) -> Tensor`,
  evidence: `derivatives.yaml: ${name}`,
  forward: ({ self }, k) => {
    if (!k.temporaries || self.numel === 0) return k.output([], self.dtype);
    const o = k.ops;
    const sorted = k.statement(() => o.sort(o.flatten(self))[0]);
    if (name === "median") {
      const last = o.isnan(o.select(sorted, 0, -1));
      const out = k.output([], self.dtype);
      k.drop(last);
      return out;
    }
    const place = k.statement(() => o.to(o.div(o.rsub(o.sum(o.isnan(sorted)), self.numel - 1), 2), INT64));
    const out = k.output([], self.dtype);
    k.drop(place);
    return out;
  },
  derivatives: [
    d("self", "self result", ({ grad, saved: { self, result }, ops: o }: BackwardContext) => {
      const nan = o.logical_and_(o.isnan(self), o.isnan(result));
      const mask = o.logical_or_(nan, o.eq(self, result));
      return o.mul(mask, o.div(grad, o.sum(mask)));
    }),
  ],
});

const intType = (a: Args) => (a.out_int32 ? INT32 : INT64);

export const sortingOps = defineOps([
  {
    schema:
      "sort(Tensor self, int dim=-1, bool descending=False, *, bool? stable=None) -> (Tensor values, Tensor indices)",
    evidence: "derivatives.yaml: sort; case sorting/other-dimensions-and-strides",
    values: inOrder,
    forward: ({ self, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      const values = k.like(self);
      const indices = k.like(self, INT64);
      sortTemporaries(k, self, at);
      return [values, indices];
    },
    node: ({ stable }) => nodeName("sort", stable === null ? 0 : 1),
    derivatives: [selectionBackward(() => true)],
  },
  {
    schema: "argsort(Tensor self, int dim=-1, bool descending=False, *, bool? stable=None) -> Tensor",
    evidence: "native_functions.yaml: argsort; case sorting/ranks-by-argsort",
    composite: ({ self, dim, descending, stable }, o) => o.sort(self, dim, descending, stable)[1],
  },
  {
    schema: "msort(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: msort; case sorting/order-statistics",
    composite: ({ self }, o) => o.sort(self, 0, false)[0],
  },
  {
    schema:
      "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    evidence: "derivatives.yaml: topk; case sorting/topk-in-16-bits",
    values: largestFirst,
    forward: (a, k) => {
      const self: Tensor = a.self;
      const at = wrapDim(a.dim, self.rank);
      const length = self.rank ? self.sizes[at] : 1;
      if (a.k < 0 || a.k > length) throw new TorchError("selected index k out of range");
      const sizes = self.sizes.map((s, i) => (i === at ? a.k : s));
      const values = k.output(sizes, self.dtype);
      const indices = k.output(sizes, INT64);
      if (!self.isContiguous) k.scratch(self.nbytes, "topk_contiguous");
      topkTemporaries(k, self, length);
      return [values, indices];
    },
    derivatives: [selectionBackward(() => true)],
  },
  { ...statistic("kthvalue", "int k, int dim=-1, ", "KthvalueBackward0"), values: ofRank },
  { ...statistic("mode", "int dim=-1, ", "ModeBackward0", true), values: mostFrequent },
  { ...statistic("median.dim", "int dim, ", "MedianBackward1"), values: middleValues },
  statistic("nanmedian.dim", "int dim, ", "NanmedianBackward1"),
  { ...middle("median"), values: middleValues },
  middle("nanmedian"),
  ...quantileOps,
  ...uniqueOps,
  {
    values: searched,
    schema:
      "searchsorted(Tensor sorted_sequence, Operand self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
    evidence: "native_functions.yaml: searchsorted; case sorting/buckets-and-searchsorted",
    python: "function",
    forward: (a, k) => {
      const sizes = isScalar(a.self) ? [] : a.self.sizes;
      const out = k.output(sizes, intType(a), undefined, a.sorted_sequence.device);
      // what is read in order is copied into it (searchsorted_pre_check, searchsorted_maybe_trim_input_tensors in BucketizationUtils.h)
      for (const t of [a.self, a.sorted_sequence, a.sorter])
        if (t && !isScalar(t) && !t.isContiguous) k.scratch(t.numel * t.dtype.itemBytes, "searchsorted_contiguous");
      return out;
    },
  },
  {
    values: bucketed,
    schema: "bucketize(Operand input, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    evidence: "native_functions.yaml: bucketize; case sorting/buckets-and-searchsorted",
    python: "function",
    forward: (a, k) => {
      const { input } = a;
      if (isScalar(input)) return k.output([], intType(a), undefined, a.boundaries.device);
      const out = k.output(input.sizes, intType(a));
      if (!input.isContiguous) k.scratch(input.nbytes, "searchsorted_contiguous");
      return out;
    },
  },
  {
    values: extremes,
    schema: "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    evidence: "derivatives.yaml: aminmax; case sorting/extremes-with-indices",
    gradientSince: "2.12",
    forward: ({ self, dim, keepdim }, k) => {
      const sizes = dim === null ? (keepdim ? self.sizes.map(() => 1) : []) : along(self, dim, keepdim ? 1 : 0);
      const min = k.output(sizes, self.dtype);
      const max = k.output(sizes, self.dtype);
      const dims = reducedDims(self, dim === null ? null : [dim]);
      // all of them in one row (ReduceAllOps.cpp: aminmax)
      if (dim === null && !self.isContiguous) k.scratch(self.nbytes, "aminmax_contiguous");
      reductionScratch(k, self, dims, { accumulatorBytes: 2 * self.dtype.itemBytes });
      return [min, max];
    },
    derivatives: [
      d("self", "self min max", ({ grads, saved: { self, min, max }, args, statement, ops: o }) => {
        const dims = args.dim === null ? [] : [wrapDim(args.dim, self.rank)];
        const lift = (t: Tensor): Tensor => (args.dim === null ? t : restoreDims(o, t, self.rank, dims, args.keepdim));
        const sharedBy = (grad: Tensor, mask: Tensor): Tensor =>
          statement(() => o.mul(o.div(lift(grad), o.sum_dim_IntList(mask, dims, true)), mask));
        const share = (grad: Tensor | null, value: Tensor): Tensor | null =>
          grad && sharedBy(grad, o.eq(lift(value), self));
        const low = statement(() => share(grads[0], min));
        return statement(() => {
          const high = share(grads[1], max);
          return low && high ? o.add(low, high) : (low ?? high);
        });
      }),
    ],
  },
  {
    schema: "trapezoid(Tensor y, Tensor? x=None, *, Scalar dx=1, int dim=-1) -> Tensor",
    evidence: "native_functions.yaml: trapezoid; case tensors/splitting-stacking-and-distances",
    aliases: ["trapz"],
    python: "function",
    composite: ({ y, x, dx, dim }, o) => {
      if (!x) {
        const ends = o.mul(o.add(o.select(y, dim, 0), o.select(y, dim, -1)), 0.5);
        return o.mul(o.sub(o.sum_dim_IntList(y, [dim]), ends), dx);
      }
      const last = x.rank - 1;
      const widths = o.sub(o.slice(x, last, 1, null), o.slice(x, last, 0, -1));
      return o.div(o.sum_dim_IntList(o.mul(o.add(o.slice(y, dim, 0, -1), o.slice(y, dim, 1, null)), widths), [dim]), 2);
    },
  },
  {
    schema: "cumulative_trapezoid(Tensor y, Tensor? x=None, *, Scalar dx=1, int dim=-1) -> Tensor",
    evidence: "native_functions.yaml: cumulative_trapezoid; case autograd/masked-and-windowed-functions",
    python: "function",
    composite: ({ y, x, dx, dim }, o) => {
      const both = o.add(o.slice(y, dim, 0, -1), o.slice(y, dim, 1, null));
      if (!x) return o.cumsum(o.mul(both, dx.value / 2), dim);
      const last = x.rank - 1;
      const right = o.slice(x, last, 1, null);
      return o.div(o.cumsum(o.mul(both, o.sub(right, o.slice(x, last, 0, -1))), dim), 2);
    },
  },
  {
    schema: "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
    evidence: "native_functions.yaml: diff; case tensors/splitting-stacking-and-distances",
    composite: ({ self, n, dim, prepend, append }, o, c) => {
      if (n < 0) throw new TorchError(`order must be non-negative but got ${n}`);
      const at = wrapDim(dim, self.rank);
      const parts = [prepend, self, append].filter((t) => t !== null);
      let x: Tensor = parts.length > 1 ? o.cat(parts, at) : self;
      for (let i = 0; i < n; i++) {
        const size = x.sizes[at];
        const last = x;
        x = c.statement(() => {
          const low = o.narrow(last, at, 0, size - 1);
          return (x.dtype === BOOL ? o.logical_xor : o.sub)(o.narrow(last, at, 1, size - 1), low);
        });
        if (i > 0) c.drop(last);
      }
      return n === 0 ? o.copy_(o.zeros_like(x), x) : x;
    },
  },
]);
