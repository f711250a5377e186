/** Advanced indexing: reading and writing the places that lists of index tensors and masks name. */

import { type DType, BOOL, INT64, UINT8 } from "../tensor/dtype.ts";
import { sameShape, TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type IndexPlan, planIndex } from "./index-shape.ts";
import { maskOps } from "./indexing-masks.ts";
import { selectionOps } from "./indexing-select.ts";
import { nonzeroTemporaries } from "./device-scans.ts";
import { bitsOf, radixSortBytes } from "./radix-sort.ts";
import { type BackwardContext, d, defineOps, type Derivative, type Kernel } from "./row.ts";
import { indexed } from "./values-selection.ts";
import { written } from "./values-written.ts";
import { taken } from "./values-placed.ts";

type Indices = readonly (Tensor | null)[];

/** Positions of a mask's true elements, and the counters that find them. */
function maskTemporaries(k: Kernel, plan: IndexPlan): void {
  for (const { mask, hits, known } of plan.masks) {
    if (!known) k.assume("data_dependent_size", { rule: "every element of the mask is true" });
    nonzeroTemporaries(k, mask, () => k.scratch(hits * mask.rank * INT64.itemBytes, "nonzero_positions"));
  }
}

const isPosition = (t: Tensor | null): t is Tensor => t !== null && t.dtype !== BOOL && t.dtype !== UINT8;

/** The indices as the kernel takes them: broadcast, on the device, int64, and all with the same strides. */
function prepared(k: Kernel, self: Tensor, indices: Indices, plan: IndexPlan): void {
  const o = k.ops;
  let list: Tensor[] = indices
    .filter(isPosition)
    .map((t) => (sameShape(t.sizes, plan.common) ? t : o.expand(t, plan.common)));
  list = list.map((t) => o.to(t, null, self.device));
  list = list.map((t) => o.to(t, INT64));
  if (self.isCuda && list.some((t) => !sameShape(t.strides, list[0].strides))) for (const t of list) o.contiguous(t);
}

/** What `prepared` would take, where it happens inside a kernel. */
function preparedTemporaries(k: Kernel, self: Tensor, indices: Indices, plan: IndexPlan): void {
  for (const index of indices.filter(isPosition)) {
    if (index.device !== self.device) k.scratch(index.nbytes, "index_to_device");
    if (index.dtype !== INT64) k.scratch(plan.indexNumel * INT64.itemBytes, "index_as_int64");
  }
}

/** Whether no dimension between two indices is left whole (hasContiguousSubspace in IndexUtils). */
function areAdjacent(indices: Indices): boolean {
  const places = indices.flatMap((index, at) => (index === null ? [] : [at]));
  return places.length === 0 || places.at(-1)! - places[0]! + 1 === places.length;
}

/**
 * Sorting the places brings equal ones together (index_put_with_sort_kernel in cuda/Indexing.cu): first one linear index
 * out of all, then what the sort takes. Sizes and order as in a real trace (PyTorch 2.11: 512 and 2,048 places).
 */
function accumulateTemporaries(
  k: Kernel,
  self: Tensor,
  indices: Indices,
  values: Tensor,
  plan: IndexPlan,
  checked: boolean,
): void {
  const bytes = plan.indexNumel * INT64.itemBytes;
  if (bytes === 0) return;
  if (!self.isContiguous) k.scratch(self.nbytes, "index_put_self");
  const count = indices.filter(isPosition).length + plan.masks.reduce((n, { mask }) => n + mask.rank, 0);
  for (let i = 0; i < count; i++) {
    if (checked) for (const what of ["index_put_largest", "index_put_smallest"]) k.scratch(INT64.itemBytes, what)();
    const wrapped = k.scratch(bytes, "index_put_wrapped");
    const term = k.scratch(bytes, i === 0 ? "index_put_linear_index" : "index_put_term");
    wrapped();
    if (i > 0) term();
  }
  const wanted = plan.sizes.reduce((n, s) => n * s, values.dtype.itemBytes);
  if (!values.isContiguous || values.nbytes < wanted) k.scratch(wanted, "index_put_values");
  // indices that lie apart bring their dimensions to the front, and the kernel writes a copy in that order
  if (!areAdjacent(indices)) k.scratch(self.nbytes, "index_put_transposed");
  for (const what of ["index_put_sorted", "index_put_order", "index_put_range"]) k.scratch(bytes, what);
  const slice = plan.sizes.reduce((n, s) => n * s, 1) / plan.indexNumel;
  const bits = bitsOf((self.numel - 1) / slice);
  k.scratch(radixSortBytes(plan.indexNumel, INT64.itemBytes, INT64.itemBytes, k, bits), "index_put_sort")();
}

function put(k: Kernel, self: Tensor, indices: Indices, values: Tensor, accumulate: boolean, checked = true): void {
  const plan = planIndex(self, indices, k);
  // one value through one mask is a masked fill, which needs no positions
  const only = indices.filter((t) => t !== null);
  if (!accumulate && values.numel === 1 && only.length === 1 && plan.masks.length === 1) return;
  if (!k.temporaries) return;
  if (values.device !== self.device) k.scratch(values.nbytes, "index_put_value");
  maskTemporaries(k, plan);
  preparedTemporaries(k, self, indices, plan);
  if (accumulate) accumulateTemporaries(k, self, indices, values, plan, checked);
}

const like = (meta: { sizes: readonly number[]; dtype: DType; device: string }, o: BackwardContext["ops"]): Tensor =>
  o.zeros(meta.sizes, meta.dtype, meta.device);

/** Overwritten places get no gradient; the values get what arrives there. */
const putDerivatives: readonly Derivative[] = [
  d("self", "indices", ({ grad, saved, args, meta, ops: o }) =>
    args.accumulate ? grad : o.index_put(grad, saved.indices, like(meta.values, o), false),
  ),
  d("values", "indices", ({ grad, saved, ops: o }) => o.index(grad, saved.indices)),
];

export const indexingOps = defineOps([
  {
    schema: "index(Tensor self, Tensor?[] indices) -> Tensor",
    python: "none",
    mixedDevices: true,
    evidence: "TensorAdvancedIndexing.cpp",
    values: indexed,
    forward: ({ self, indices }, k) => {
      const plan = planIndex(self, indices, k);
      maskTemporaries(k, plan);
      prepared(k, self, indices, plan);
      return k.output(plan.sizes, self.dtype, plan.strides, self.device);
    },
    derivatives: [
      d("self", "indices", ({ grad, saved, meta, ops: o }) =>
        o._index_put_impl_(
          o.new_zeros(grad, meta.self.sizes, meta.self.dtype, meta.self.device),
          saved.indices,
          grad,
          true,
          true,
        ),
      ),
    ],
  },
  {
    schema: "index_put_(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    evidence: "native_functions.yaml: index_put_; case tensors/indexing-and-assignment",
    values: written,
    mutates: ["self"],
    writesPart: true,
    mixedDevices: true,
    autocast: "promote",
    node: "IndexPutBackward0",
    forward: ({ self, indices, values, accumulate }, k) => {
      put(k, self, indices, values, accumulate);
      return self;
    },
    derivatives: putDerivatives,
  },
  {
    schema:
      "_index_put_impl_(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor",
    mutates: ["self"],
    writesPart: true,
    mixedDevices: true,
    python: "none",
    node: "IndexPutImplBackward0",
    evidence:
      "native_functions.yaml: _index_put_impl_; seen in a real trace (PyTorch 2.11, float32 and autocast language model)",
    values: written,
    forward: ({ self, indices, values, accumulate, unsafe }, k) => {
      put(k, self, indices, values, accumulate, !unsafe);
      return self;
    },
    derivatives: putDerivatives,
  },
  {
    schema: "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    inside: "clone",
    evidence: "derivatives.yaml: index_put; case indexing/take-and-put",
    values: written,
    mixedDevices: true,
    autocast: "promote",
    node: "IndexPutBackward0",
    forward: ({ self, indices, values, accumulate }, k) => {
      const out = k.like(self);
      put(k, out, indices, values, accumulate);
      return out;
    },
    derivatives: putDerivatives,
  },
  {
    // x[...]: a new tensor object on the same bytes
    schema: "alias(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: alias; case inference/speculative-decoding",
    python: "none",
    forward: ({ self }, k) => k.view(self, self.sizes, self.strides),
    derivatives: [d("self", "", ({ grad }) => grad)],
  },
  {
    schema: "put_(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
    evidence: "native_functions.yaml: put_; case indexing/take-and-put",
    mutates: ["self"],
    python: "method",
    forward: ({ self }) => self,
    node: "PutBackward0",
    derivatives: [
      d("self", "index", ({ grad, saved, args, meta, ops: o }) =>
        args.accumulate ? grad : o.put(grad, saved.index, like(meta.source, o), false),
      ),
      d("source", "index", ({ grad, saved, meta, ops: o }) => o.reshape(o.take(grad, saved.index), meta.source.sizes)),
    ],
  },
  {
    schema: "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
    inside: "clone",
    evidence: "derivatives.yaml: put; case indexing/take-and-put",
    forward: ({ self }, k) => k.like(self),
    derivatives: [
      d("self", "index", ({ grad, saved, args, meta, ops: o }) =>
        args.accumulate ? grad : o.put(grad, saved.index, like(meta.source, o), false),
      ),
      d("source", "index", ({ grad, saved, meta, ops: o }) => o.reshape(o.take(grad, saved.index), meta.source.sizes)),
    ],
  },
  {
    values: taken,
    schema: "take(Tensor self, Tensor index) -> Tensor",
    evidence: "derivatives.yaml: take; case indexing/take-and-put",
    forward: ({ self, index }, k) => k.output(index.sizes, self.dtype),
    derivatives: [
      d("self", "index self", ({ grad, saved, ops: o }) => o.put_(o.zeros_like(saved.self), saved.index, grad, true)),
    ],
  },
  {
    schema: "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
    evidence: "native_functions.yaml: take_along_dim; case indexing/take-and-put",
    composite: ({ self, indices, dim }, o, c) => {
      // newer versions bring negative positions into range first
      const positive = (size: number, t: Tensor): Tensor => (c.rules.takeAlongDimWraps ? o.remainder(t, size) : t);
      if (dim === null) return o.gather(o.view(self, [-1]), 0, o.view(indices, [-1]));
      if (self.rank !== indices.rank)
        throw new TorchError(
          `torch.take_along_dim(): input and indices should have the same number of dimensions, but got ${self.rank} dimensions for input, and ${indices.rank} dimensions for indices`,
        );
      const at = wrapDim(dim, self.rank);
      const around = (t: Tensor, u: Tensor): number[] =>
        t.sizes.map((s, i) => (i === at ? s : Math.max(s, u.sizes[i])));
      const index = o.expand(indices, around(indices, self));
      const source = o.expand(self, around(self, indices));
      return o.gather(source, at, positive(self.sizes[at], index));
    },
  },
  ...selectionOps,
  ...maskOps,
]);
