/** Views of a part of a tensor: slices, single indices, diagonals, windows and pieces, and their gradients. */

import { INT64 } from "../tensor/dtype.ts";
import { TorchError, wrapDim, type Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { nodeName } from "./node-names.ts";
import { d, defineOps, type Kernel, type OpRow } from "./row.ts";
import { selectGradient, sliceGradient } from "./values-written.ts";

/** Python's slice bounds on a dimension. */
export function sliceBounds(size: number, start: number | null, end: number | null): [number, number] {
  let from = start ?? 0;
  let to = end ?? size;
  if (from < 0) from += size;
  if (to < 0) to += size;
  from = Math.min(Math.max(from, 0), size);
  to = Math.min(Math.max(to, from), size);
  return [from, to];
}

/** Whether a geometry may have a place twice (FunctionsManual.cpp: _maybe_overlapping_memory). */
function seenTwice(sizes: readonly number[], strides: readonly number[]): boolean {
  const order = sizes.map((_, i) => i).filter((i) => sizes[i] !== 1);
  order.sort((a, b) => strides[a] - strides[b]);
  let reach = 0;
  for (const i of order) {
    if (strides[i] <= reach) return true;
    reach += strides[i] * (sizes[i] - 1);
  }
  return false;
}

export const partViews = defineOps([
  {
    schema: "slice(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
    evidence: "derivatives.yaml: slice; case allocator/growing-buffers",
    forward: ({ self, dim, start, end, step }, k) => {
      if (self.rank === 0) throw new TorchError("slice() cannot be applied to a 0-dim tensor.");
      const at = wrapDim(dim, self.rank);
      if (step <= 0) throw new TorchError("step must be greater than zero", "ValueError");
      const [from, to] = sliceBounds(self.sizes[at], start, end);
      const sizes = [...self.sizes];
      const strides = [...self.strides];
      sizes[at] = Math.ceil((to - from) / step);
      strides[at] = self.strides[at] * step;
      return k.view(self, sizes, strides, self.offset + from * self.strides[at]);
    },
    python: "none",
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) =>
        o.slice_backward(grad, meta.self.sizes, args.dim, args.start, args.end, args.step),
      ),
    ],
  },
  {
    values: sliceGradient,
    schema: "slice_backward(Tensor grad, int[] sizes, int dim, int? start, int? end, int step) -> Tensor",
    evidence: "derivatives.yaml: slice_backward; case indexing/unpacking-and-integers",
    inside: "zeros",
    python: "none",
    forward: ({ grad, sizes }, k) => k.output(sizes, grad.dtype),
    derivatives: [d("grad", "", ({ grad, args, ops: o }) => o.slice(grad, args.dim, args.start, args.end, args.step))],
  },
  {
    schema: "select(Tensor self, int dim, int index) -> Tensor",
    evidence: "derivatives.yaml: select; case training/datasets-and-loaders",
    forward: ({ self, dim, index }, k) => {
      if (self.rank === 0) throw new TorchError("select() cannot be applied to a 0-dim tensor.", "IndexError");
      const at = wrapDim(dim, self.rank);
      const size = self.sizes[at];
      if (index < -size || index >= size)
        throw new TorchError(
          `select(): index ${index} out of range for tensor of size [${self.sizes.join(", ")}] at dimension ${dim}`,
          "IndexError",
        );
      const i = index < 0 ? index + size : index;
      const drop = (list: readonly number[]): number[] => list.filter((_, x) => x !== at);
      return k.view(self, drop(self.sizes), drop(self.strides), self.offset + i * self.strides[at]);
    },
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) => o.select_backward(grad, meta.self.sizes, args.dim, args.index)),
    ],
  },
  {
    values: selectGradient,
    schema: "select_backward(Tensor grad, int[] sizes, int dim, int index) -> Tensor",
    evidence: "derivatives.yaml: select_backward; case indexing/unpacking-and-integers",
    inside: "zeros",
    python: "none",
    forward: ({ grad, sizes }, k) => k.output(sizes, grad.dtype),
    derivatives: [d("grad", "", ({ grad, args, ops: o }) => o.select(grad, args.dim, args.index))],
  },
  {
    schema: "as_strided(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
    evidence: "derivatives.yaml: as_strided; case indexing/sliding-windows",
    forward: ({ self, size, stride, storage_offset }, k) => k.view(self, size, stride, storage_offset ?? self.offset),
    derivatives: [
      d("self", "", ({ grad, meta, args, statement, ops: o }) => {
        const { sizes } = meta.self;
        const full = o.new_zeros(grad, sizes);
        const place = (t: Tensor): Tensor => o.as_strided(t, args.size, args.stride, args.storage_offset ?? 0);
        // where elements are seen more than once, they are summed by their numbers (FunctionsManual.cpp: as_strided_backward)
        if (seenTwice(args.size, args.stride)) {
          const indices = o.arange(full.numel, INT64, grad.device);
          const flat = o.view(full, [-1]);
          statement(() => o.index_add_(flat, 0, o.reshape(place(indices), [-1]), o.reshape(grad, [-1])) as Tensor);
        } else o.copy_(place(full), grad);
        return full;
      }),
    ],
  },
  {
    schema: "diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    evidence: "derivatives.yaml: diagonal; case tensors/views-keep-storage",
    forward: ({ self, offset, dim1, dim2 }, k) => {
      const a = wrapDim(dim1, self.rank);
      const b = wrapDim(dim2, self.rank);
      if (a === b) throw new TorchError(`diagonal dimensions cannot be identical ${dim1}, ${dim2}`);
      const length = Math.max(
        0,
        offset >= 0 ? Math.min(self.sizes[a], self.sizes[b] - offset) : Math.min(self.sizes[a] + offset, self.sizes[b]),
      );
      const rest = (list: readonly number[]): number[] => list.filter((_, i) => i !== a && i !== b);
      const shift = offset >= 0 ? offset * self.strides[b] : -offset * self.strides[a];
      return k.view(
        self,
        [...rest(self.sizes), length],
        [...rest(self.strides), self.strides[a] + self.strides[b]],
        self.offset + (length ? shift : 0),
      );
    },
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) => {
        const full = o.zeros(meta.self.sizes, grad.dtype, grad.device);
        o.copy_(o.diagonal(full, args.offset, args.dim1, args.dim2), grad);
        return full;
      }),
    ],
  },
  {
    schema: "unfold(Tensor self, int dimension, int size, int step) -> Tensor",
    evidence: "derivatives.yaml: unfold; case indexing/sliding-windows",
    forward: ({ self, dimension, size, step }, k) => {
      const at = wrapDim(dimension, self.rank);
      const most = self.rank ? self.sizes[at] : 1;
      if (size > most)
        throw new TorchError(`maximum size for tensor at dimension ${at} is ${most} but size is ${size}`);
      if (step <= 0) throw new TorchError(`step is ${step} but must be > 0`);
      const sizes = [...self.sizes, size];
      const strides = [...self.strides, self.rank === 0 ? 1 : self.strides[at]];
      sizes[at] = Math.floor((most - size) / step) + 1;
      strides[at] = step * (self.rank ? self.strides[at] : 1);
      return k.view(self, sizes, strides);
    },
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) =>
        o.unfold_backward(grad, meta.self.sizes, args.dimension, args.size, args.step),
      ),
    ],
  },
  {
    schema: "unfold_backward(Tensor grad_in, int[] input_sizes, int dim, int size, int step) -> Tensor",
    evidence: "derivatives.yaml: unfold_backward; case indexing/sliding-windows",
    python: "none",
    forward: ({ grad_in, input_sizes, dim, size, step }, k) => {
      const out = k.output(input_sizes, grad_in.dtype);
      const length = input_sizes[wrapDim(dim, input_sizes.length)] ?? 1;
      // overlapping windows are summed by the positions along the dimension (UnfoldBackward.h)
      if (step < size) k.scratch(INT64.itemBytes * length, "positions");
      else if (!k.rules.unfoldCopiesApart) {
        k.scratch(INT64.itemBytes * (Math.floor((length - size) / step) + 1), "positions_of_windows");
        k.scratch(INT64.itemBytes * size, "positions_within");
      }
      return out;
    },
    derivatives: [d("grad_in", "", ({ grad, args, ops: o }) => o.unfold(grad, args.dim, args.size, args.step))],
  },
  {
    schema: "unbind(Tensor self, int dim=0) -> Tensor[]",
    evidence: "derivatives.yaml: unbind; case recurrent/stepwise-inference",
    forward: ({ self, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      const drop = (list: readonly number[]): number[] => list.filter((_, i) => i !== at);
      return Array.from({ length: self.sizes[at] }, (_, i) =>
        k.view(self, drop(self.sizes), drop(self.strides), self.offset + i * self.strides[at]),
      );
    },
    derivatives: [
      d("self", "", ({ grads, meta, args, ops: o }) => {
        const known = grads.find((g) => g !== null) as Tensor;
        const missing = (): Tensor => o.expand(o.zeros([], known.dtype, known.device), known.sizes);
        return o.stack(
          Array.from(
            { length: meta.self.sizes[wrapDim(args.dim, meta.self.sizes.length)] },
            (_, i) => grads[i] ?? missing(),
          ),
          args.dim,
        );
      }),
    ],
  },
  ...splits("split", false),
  ...splits("unsafe_split", true),
  {
    schema: "chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
    evidence: "native_functions.yaml: chunk; case tensors/views-keep-storage",
    composite: ({ self, chunks, dim }, o) => {
      const size = self.sizes[wrapDim(dim, self.rank)];
      if (chunks <= 0) throw new TorchError(`chunk expects \`chunks\` to be greater than 0, got: ${chunks}`);
      const each = Math.ceil(size / chunks);
      if (each === 0) return o.split_with_sizes(self, new Array(chunks).fill(0), dim);
      return o.split_Tensor(self, each, dim);
    },
  },
  {
    schema: "unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
    evidence: "native_functions.yaml: unsafe_chunk; case autograd/broadcast-and-contracted-operands",
    composite: ({ self, chunks, dim }, o) =>
      o.unsafe_split_Tensor(self, Math.ceil(self.sizes[wrapDim(dim, self.rank)] / chunks), dim),
  },
]);

/** cat of the parts' gradients, zeros where none came (split_with_sizes_backward). */
function joinSplits(
  grads: readonly (Tensor | null)[],
  splits: readonly number[],
  dim: number,
  sizes: Shape,
  // oxlint-disable-next-line typescript/no-explicit-any
  o: any,
): Tensor {
  const known = grads.find((g) => g !== null) as Tensor;
  const at = wrapDim(dim, sizes.length);
  const parts = splits.map((size, i) => {
    const shape = [...sizes];
    shape[at] = size;
    return grads[i] ?? o.zeros(shape, known.dtype, known.device);
  });
  return o.cat(parts, dim);
}

/** `split.Tensor` and `split_with_sizes`, or their unsafe forms, whose parts autograd does not see as views of one tensor. */
function splits(name: string, unsafe: boolean): OpRow[] {
  const part = (k: Kernel, self: Tensor, at: number, from: number, size: number): Tensor => {
    const sizes = [...self.sizes];
    sizes[at] = size;
    return k.view(self, sizes, self.strides, self.offset + from * self.strides[at], unsafe);
  };
  return [
    {
      schema: `${name}_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]`,
      evidence: `derivatives.yaml: ${name}_with_sizes${unsafe ? "" : "; case recurrent/packing-by-hand"}`,
      forward: ({ self, split_sizes, dim }, k) => {
        const at = wrapDim(dim, self.rank);
        const total = split_sizes.reduce((x: number, y: number) => x + y, 0);
        if (total !== self.sizes[at])
          throw new TorchError(
            `split_with_sizes expects split_sizes to sum exactly to ${self.sizes[at]} (input tensor's size at dimension ${dim}), but got split_sizes=[${split_sizes.join(", ")}]`,
          );
        let from = 0;
        return split_sizes.map((size: number) => {
          const made = part(k, self, at, from, size);
          from += size;
          return made;
        });
      },
      node: nodeName(`${name}_with_sizes`),
      derivatives: [
        d("self", "", ({ grads, meta, args, ops: o }) =>
          joinSplits(grads, args.split_sizes, args.dim, meta.self.sizes, o),
        ),
      ],
    },
    {
      schema: `${name}.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]`,
      evidence: `derivatives.yaml: ${name}.Tensor; case ${unsafe ? "autograd/broadcast-and-contracted-operands" : "tensors/views-keep-storage"}`,
      python: unsafe ? "both" : "none",
      node: nodeName(name),
      forward: ({ self, split_size, dim }, k) => {
        const at = wrapDim(dim, self.rank);
        return evenly(self.sizes[at], split_size).map((size, i) => part(k, self, at, i * split_size, size));
      },
      derivatives: [
        d("self", "", ({ grads, meta, args, ops: o }) => {
          const at = wrapDim(args.dim, meta.self.sizes.length);
          return joinSplits(grads, evenly(meta.self.sizes[at], args.split_size), args.dim, meta.self.sizes, o);
        }),
      ],
    },
  ];
}

/** Sizes of parts that are equal but for the last; one part at least. */
function evenly(total: number, each: number): number[] {
  const count = Math.max(1, Math.ceil(total / each));
  return Array.from({ length: count }, (_, i) => Math.min(each, total - i * each));
}
