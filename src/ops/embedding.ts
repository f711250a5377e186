/** Look-ups in tables: embedding, embedding_bag and one_hot, and the gradients that scatter back into the table. */

import { typeName } from "../tensor/cxx-names.ts";
import { accumulateType, INT32, INT64 } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { scanBytes, uniqueByKeyBytes, uniqueBytes } from "./device-scans.ts";
import { bitsOf, radixSortBytes } from "./radix-sort.ts";
import { d, defineOps, type Kernel } from "./row.ts";
import { addedRows, embeddedRows } from "./values-selection.ts";

/** Up to here the gradient is added without sorting the indices. */
const UNSORTED_INDICES = 3072;
/** Rows that one partial sum of the sorting kernel covers. */
const ROWS_PER_PARTIAL = 10;
const INDEX_BYTES = 8;
const MODE_MAX = 2;

/** Sorting kernel (EmbeddingBackwardKernel.cu): indices sorted with where they came from, then sums of each run of equal ones. */
function sortedIndices(k: Kernel, indices: Tensor, rows: number, byFrequency: boolean): void {
  const count = indices.numel;
  const keyBytes = indices.dtype.itemBytes;
  k.scratch(count * keyBytes, "embedding_sorted_indices");
  k.scratch(count * keyBytes, "embedding_original_indices");
  const range = k.scratch(count * keyBytes, "embedding_range");
  const bits = k.rules.embeddingSortsByBits ? bitsOf(rows) : 8 * keyBytes;
  k.scratch(radixSortBytes(count, keyBytes, keyBytes, k, bits), "sort_library")();
  range();
  if (byFrequency) k.scratch(count * keyBytes, "embedding_counts");
}

function segmentSums(k: Kernel, indices: Tensor, rows: number, width: number, itemBytes: number): void {
  const count = indices.numel;
  const indexBytes = indices.dtype.itemBytes;
  const segments = Math.min(count, rows);
  const partials = Math.floor(count / ROWS_PER_PARTIAL) + segments;
  k.scratch(count * indexBytes, "embedding_segment_offsets");
  k.scratch(INDEX_BYTES, "embedding_segment_count");
  const firsts = k.scratch(count * indexBytes, "embedding_first_indices");
  k.scratch(uniqueByKeyBytes(count, k.rules), "library_scan")();
  firsts();
  k.scratch(segments * indexBytes, "embedding_partials_per_segment");
  k.scratch(segments * indexBytes, "embedding_partials_per_segment_offset");
  k.scratch(scanBytes(segments, indexBytes, k.rules), "library_scan")();
  k.scratch(INDEX_BYTES, "embedding_partial_count");
  k.scratch(partials * indexBytes, "embedding_partial_offsets");
  k.scratch(partials * width * itemBytes, "embedding_partial_sums");
}

const bagArguments =
  "Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False";
const bagResults = "(Tensor output, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices)";

function bags({ weight, indices, offsets, mode, include_last_offset }: Record<string, unknown>, k: Kernel): Tensor[] {
  const table = weight as Tensor;
  const starts = offsets as Tensor;
  const count = starts.sizes[0] - (include_last_offset ? 1 : 0);
  const width = table.sizes[1];
  const sizes = k.output(starts.sizes, starts.dtype);
  const offset2bag = k.output((indices as Tensor).sizes, starts.dtype);
  return [
    k.output([count, width], table.dtype),
    offset2bag,
    sizes,
    k.output(mode === MODE_MAX ? [count, width] : [0], starts.dtype),
  ];
}

export const embeddingOps = defineOps([
  {
    schema:
      "embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
    values: embeddedRows,
    inside: "index_select",
    python: "function",
    forward: ({ weight, indices }, k) => {
      if (weight.rank !== 2) throw new TorchError("'weight' must be 2-D");
      if (indices.dtype !== INT64 && indices.dtype !== INT32)
        throw new TorchError(
          `Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got ${typeName(indices)} instead (while checking arguments for embedding)`,
        );
      // index_select over the flattened indices, seen in their shape
      if (indices.rank !== 1) k.ops.reshape(indices, [-1]);
      return k.output([...indices.sizes, weight.sizes[1]], weight.dtype);
    },
    derivatives: [
      d("weight", "indices", ({ grad, saved, meta, args, ops: o }) => {
        const rows = meta.weight.sizes[0];
        const name = args.sparse ? "embedding_sparse_backward" : "embedding_dense_backward";
        return o[name](grad, saved.indices, rows, args.padding_idx, args.scale_grad_by_freq);
      }),
    ],
    evidence: "aten/src/ATen/native/Embedding.cpp embedding; reference 4.2",
  },
  {
    schema:
      "embedding_dense_backward(Tensor grad_output, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq) -> Tensor",
    values: addedRows,
    python: "none",
    forward: (a, k) => {
      const { grad_output, indices } = a;
      const width = grad_output.sizes[grad_output.rank - 1];
      const count = indices.numel;
      if (!indices.isContiguous) k.scratch(indices.nbytes, "contiguous_indices");
      if (!grad_output.isContiguous) k.scratch(grad_output.nbytes, "contiguous_grad");
      const sorts = count > UNSORTED_INDICES || a.scale_grad_by_freq;
      if (sorts) sortedIndices(k, indices, a.num_weights, a.scale_grad_by_freq);
      const out = k.output([a.num_weights, width], grad_output.dtype);
      if (sorts) segmentSums(k, indices, a.num_weights, width, accumulateType(grad_output.dtype).itemBytes);
      return out;
    },
    node: "EmbeddingDenseBackwardBackward0",
    derivatives: [
      d("grad_output", "indices", ({ grad, saved: { indices }, args, ops: o }) => {
        const rows = o.index_select(grad, 0, o.reshape(indices, [-1]));
        if (args.padding_idx >= 0) o.masked_fill_(rows, o.reshape(o.eq(indices, args.padding_idx), [-1, 1]), 0);
        return o.view(rows, [...indices.sizes, grad.sizes[1]]);
      }),
    ],
    evidence: "aten/src/ATen/native/cuda/Embedding.cu embedding_dense_backward_cuda; reference 5.5",
  },
  {
    schema:
      "embedding_sparse_backward(Tensor grad_output, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq) -> Tensor",
    evidence: "native_functions.yaml: embedding_sparse_backward",
    python: "none",
    forward: (a, k) => {
      k.assume("sparse_gradient_as_dense");
      return k.output([a.num_weights, a.grad_output.sizes[a.grad_output.rank - 1]], a.grad_output.dtype);
    },
  },
  {
    // shrinks rows that are too long, in place; the kernel sorts the indices to see each row once
    schema: "embedding_renorm_(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor",
    evidence: "native_functions.yaml: embedding_renorm_; case modules/less-common-losses-and-layers",
    mutates: ["self"],
    python: "function",
    forward: ({ self, indices }, k) => {
      if (!k.temporaries) return self;
      const n = indices.numel;
      const sorted = k.statement(() => k.ops.sort(k.ops.flatten(k.ops.contiguous(indices)))[0]);
      k.scratch(n * indices.dtype.itemBytes, "embedding_unique_indices");
      k.scratch(INDEX_BYTES, "embedding_unique_count");
      k.scratch(uniqueBytes(n, indices.dtype.itemBytes, k.rules), "library_scan")();
      k.drop(sorted);
      return self;
    },
  },
  {
    schema: `embedding_bag(${bagArguments}, int? padding_idx=None) -> ${bagResults}`,
    python: "function",
    composite: (a, o) => {
      const name = a.weight.requiresGrad ? "_embedding_bag" : "_embedding_bag_forward_only";
      return o[name](
        a.weight,
        o.contiguous(a.indices),
        o.contiguous(a.offsets),
        a.scale_grad_by_freq,
        a.mode,
        a.sparse,
        a.per_sample_weights,
        a.include_last_offset,
        a.padding_idx ?? -1,
      );
    },
    evidence: "aten/src/ATen/native/EmbeddingBag.cpp embedding_bag",
  },
  {
    schema: `_embedding_bag_forward_only(${bagArguments}, int padding_idx=-1) -> ${bagResults}`,
    evidence: "native_functions.yaml: _embedding_bag_forward_only; case embeddings/bags",
    python: "none",
    forward: bags,
  },
  {
    schema: `_embedding_bag(${bagArguments}, int padding_idx=-1) -> ${bagResults}`,
    evidence: "derivatives.yaml: _embedding_bag; case embeddings/bags",
    python: "none",
    forward: bags,
    node: "EmbeddingBagBackward0",
    derivatives: [
      d("per_sample_weights", "weight indices offsets offset2bag", ({ grad, saved: s, args, ops: o }) =>
        o._embedding_bag_per_sample_weights_backward(grad, s.weight, s.indices, s.offsets, s.offset2bag, args.mode),
      ),
      d(
        "weight",
        "indices offsets offset2bag bag_size maximum_indices per_sample_weights",
        ({ grad, saved: s, meta, args, ops: o }) =>
          o._embedding_bag_backward(
            grad,
            s.indices,
            s.offset2bag,
            s.bag_size,
            s.maximum_indices,
            meta.weight.sizes[0],
            args.mode,
            s.per_sample_weights,
          ),
      ),
    ],
  },
  {
    schema:
      "_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, int num_weights, int mode, Tensor? per_sample_weights) -> Tensor",
    python: "none",
    forward: (a, k) => {
      const { grad, indices, num_weights } = a;
      const width = grad.sizes[1];
      if (!grad.isContiguous) k.scratch(grad.nbytes, "contiguous_grad");
      const sorts = a.mode !== MODE_MAX;
      if (sorts) sortedIndices(k, indices, num_weights, false);
      const out = k.output([num_weights, width], grad.dtype);
      if (sorts) segmentSums(k, indices, num_weights, width, accumulateType(grad.dtype).itemBytes);
      return out;
    },
    evidence: "aten/src/ATen/native/cuda/EmbeddingBag.cu",
  },
  {
    schema:
      "_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode) -> Tensor",
    evidence: "native_functions.yaml: _embedding_bag_per_sample_weights_backward; case embeddings/bags",
    python: "none",
    forward: ({ grad, indices }, k) => k.output(indices.sizes, grad.dtype),
  },
  {
    schema: "one_hot(Tensor self, int num_classes=-1) -> Tensor",
    evidence: "native_functions.yaml: one_hot; case embeddings/lookup-and-gradient",
    composite: ({ self, num_classes }, o, c) => {
      let classes = num_classes;
      if (classes === -1) {
        // the largest value decides; without values it counts as zero
        c.statement(() => {
          o.max(self);
          return null;
        });
        if (!self.values) c.assume("data_dependent_size", { rule: "the largest class is 0" });
        classes = c.readBack(Math.max(0, ...(self.values ?? [])), self) + 1;
      }
      const out = o.zeros([...self.sizes, classes], INT64, self.device);
      return o.scatter_value_(out, -1, o.unsqueeze(self, -1), 1);
    },
    python: "function",
  },
]);
