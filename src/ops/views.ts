/** Views: new geometry on the same storage, and their gradients. */

import { dtype as dtypeOf, isComplex, toComplex, toReal } from "../tensor/dtype.ts";
import { cxxName } from "../tensor/cxx-names.ts";
import {
  contiguousStrides,
  inferSize,
  sameShape,
  type Shape,
  TorchError,
  viewStrides,
  wrapDim,
} from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, type Kernel, type OpRow } from "./row.ts";

const permuted = (t: Tensor, dims: readonly number[]): [number[], number[]] => [
  dims.map((i) => t.sizes[i]),
  dims.map((i) => t.strides[i]),
];

function swapped(rank: number, a: number, b: number): number[] {
  const order = Array.from({ length: rank }, (_, i) => i);
  [order[a], order[b]] = [order[b], order[a]];
  return order;
}

function expandedStrides(self: Tensor, size: Shape): { sizes: number[]; strides: number[] } {
  const pad = size.length - self.rank;
  if (pad < 0)
    throw new TorchError(
      `expand(torch.cuda.FloatTensor{[${self.sizes.join(", ")}]}, size=[${size.join(", ")}]): the number of sizes provided (${size.length}) must be greater or equal to the number of dimensions in the tensor (${self.rank})`,
    );
  const sizes: number[] = [];
  const strides: number[] = new Array(size.length);
  for (let i = size.length - 1; i >= 0; i--) {
    const own = i - pad;
    if (size[i] === -1 && own < 0)
      throw new TorchError(
        `The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ${i}`,
      );
    const have = own >= 0 ? self.sizes[own] : 1;
    const want = size[i] === -1 ? have : size[i];
    if (have !== want && have !== 1)
      throw new TorchError(
        `The expanded size of the tensor (${want}) must match the existing size (${have}) at non-singleton dimension ${i}.  Target sizes: [${size.join(", ")}].  Tensor sizes: [${self.sizes.join(", ")}]`,
      );
    sizes[i] = want;
    if (own >= 0) strides[i] = have === want ? self.strides[own] : 0;
    else strides[i] = want === 1 && i + 1 < size.length ? sizes[i + 1] * strides[i + 1] : 0;
  }
  return { sizes, strides };
}

/** Sizes and strides of the dimensions that hold more than one element. */
const places = (sizes: Shape, strides: Shape): number[] => sizes.flatMap((s, i) => (s === 1 ? [] : [s, strides[i]]));

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

/** A view whose values are the conjugated or negated ones of its base. */
function lazily(base: Tensor, k: Kernel): Tensor {
  const view = k.view(base, base.sizes, base.strides);
  view.unresolved = !base.unresolved;
  return view;
}

export const views = defineOps([
  {
    schema: "view(Tensor self, int[] size) -> Tensor",
    forward: ({ self, size }, k) => {
      const shape = inferSize(size, self.numel);
      const strides = viewStrides(self.sizes, self.strides, shape);
      if (!strides)
        throw new TorchError(
          "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
        );
      return k.view(self, shape, strides);
    },
    python: "none",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.reshape(grad, meta.self.sizes))],
  },
  {
    // an alias that autograd does not see as a view: the product behind it belongs to nobody else
    schema: "_unsafe_view(Tensor self, int[] size) -> Tensor",
    forward: ({ self, size }, k) => {
      const shape = inferSize(size, self.numel);
      return k.view(
        self,
        shape,
        viewStrides(self.sizes, self.strides, shape) ?? contiguousStrides(shape),
        self.offset,
        true,
      );
    },
    python: "none",
    node: "UnsafeViewBackward0",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.reshape(grad, meta.self.sizes))],
  },
  {
    schema: "reshape(Tensor self, int[] shape) -> Tensor",
    composite: ({ self, shape }, o) => {
      const sizes = inferSize(shape, self.numel);
      if (viewStrides(self.sizes, self.strides, sizes)) return o.view(self, sizes);
      return o._unsafe_view(o.clone(self, "contiguous_format"), sizes);
    },
  },
  {
    schema: "permute(Tensor self, int[] dims) -> Tensor",
    forward: ({ self, dims }, k) => {
      if (dims.length !== self.rank)
        throw new TorchError(
          `permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ${self.rank} is not equal to len(dims) = ${dims.length}`,
        );
      const order = dims.map((i: number) => wrapDim(i, self.rank));
      if (new Set(order).size !== order.length) throw new TorchError("permute(): duplicate dims are not allowed.");
      return k.view(self, ...permuted(self, order));
    },
    derivatives: [
      d("self", "", ({ grad, args, ops: o }) => {
        const n = args.dims.length;
        const back = new Array<number>(n);
        args.dims.forEach((x: number, i: number) => (back[x < 0 ? x + n : x] = i));
        return o.permute(grad, back);
      }),
    ],
  },
  {
    schema: "transpose(Tensor self, int dim0, int dim1) -> Tensor",
    forward: ({ self, dim0, dim1 }, k) => {
      if (self.rank === 0) return k.view(self, [], []);
      const order = swapped(self.rank, wrapDim(dim0, self.rank), wrapDim(dim1, self.rank));
      return k.view(self, ...permuted(self, order));
    },
    derivatives: [d("self", "", ({ grad, args, ops: o }) => o.transpose(grad, args.dim0, args.dim1))],
  },
  {
    schema: "t(Tensor self) -> Tensor",
    forward: ({ self }, k) => {
      if (self.rank > 2) throw new TorchError(`t() expects a tensor with <= 2 dimensions, but self is ${self.rank}D`);
      return self.rank < 2 ? k.view(self, self.sizes, self.strides) : k.view(self, ...permuted(self, [1, 0]));
    },
    node: "TBackward0",
    derivatives: [d("self", "", ({ grad, ops: o }) => o.t(grad))],
  },
  {
    schema: "expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor",
    forward: ({ self, size }, k) => {
      const { sizes, strides } = expandedStrides(self, size);
      return k.view(self, sizes, strides);
    },
    python: "none",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.sum_to_size(grad, meta.self.sizes))],
  },
  {
    schema: "squeeze(Tensor self) -> Tensor",
    forward: ({ self }, k) => {
      const keep = self.sizes.map((_: number, i: number) => i).filter((i: number) => self.sizes[i] !== 1);
      return k.view(self, ...permuted(self, keep));
    },
    python: "none",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.view_or_reshape(grad, meta.self.sizes))],
  },
  {
    schema: "squeeze.dim(Tensor self, int dim) -> Tensor",
    forward: ({ self, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      const keep = self.sizes.map((_: number, i: number) => i).filter((i: number) => i !== at || self.sizes[i] !== 1);
      return k.view(self, ...permuted(self, keep));
    },
    node: "SqueezeBackward1",
    python: "none",
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) => {
        const { sizes } = meta.self;
        if (sizes.length === 0) return grad;
        const at = wrapDim(args.dim, sizes.length);
        return sizes[at] === 1 ? o.unsqueeze(grad, at) : grad;
      }),
    ],
  },
  {
    schema: "squeeze.dims(Tensor self, int[] dim) -> Tensor",
    forward: ({ self, dim }, k) => {
      const drop = new Set(dim.map((i: number) => wrapDim(i, self.rank)));
      const keep = self.sizes
        .map((_: number, i: number) => i)
        .filter((i: number) => !drop.has(i) || self.sizes[i] !== 1);
      return k.view(self, ...permuted(self, keep));
    },
    node: "SqueezeBackward2",
    python: "none",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.view_or_reshape(grad, meta.self.sizes))],
  },
  {
    // squeeze's gradient gets its dimensions of size one back, one view
    schema: "view_or_reshape(Tensor self, int[] size) -> Tensor",
    as: "view",
    composite: ({ self, size }, o) => o.reshape(self, size),
    python: "none",
  },
  {
    schema: "unsqueeze(Tensor self, int dim) -> Tensor",
    forward: ({ self, dim }, k) => {
      const at = wrapDim(dim, self.rank + 1);
      const sizes = [...self.sizes];
      const strides = [...self.strides];
      const stride = at < self.rank ? self.sizes[at] * self.strides[at] : 1;
      sizes.splice(at, 0, 1);
      strides.splice(at, 0, stride);
      return k.view(self, sizes, strides);
    },
    derivatives: [
      d("self", "", ({ grad, args, ops: o }) => o.squeeze_dim(grad, args.dim < 0 ? args.dim + grad.rank : args.dim)),
    ],
  },
  {
    schema: "slice(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
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
    schema: "slice_backward(Tensor grad, int[] sizes, int dim, int? start, int? end, int step) -> Tensor",
    inside: "zeros",
    python: "none",
    forward: ({ grad, sizes }, k) => k.output(sizes, grad.dtype),
    derivatives: [d("grad", "", ({ grad, args, ops: o }) => o.slice(grad, args.dim, args.start, args.end, args.step))],
  },
  {
    schema: "select(Tensor self, int dim, int index) -> Tensor",
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
    python: "method",
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) => o.select_backward(grad, meta.self.sizes, args.dim, args.index)),
    ],
  },
  {
    schema: "select_backward(Tensor grad, int[] sizes, int dim, int index) -> Tensor",
    inside: "zeros",
    python: "none",
    forward: ({ grad, sizes }, k) => k.output(sizes, grad.dtype),
    derivatives: [d("grad", "", ({ grad, args, ops: o }) => o.select(grad, args.dim, args.index))],
  },
  {
    schema: "as_strided(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
    forward: ({ self, size, stride, storage_offset }, k) => k.view(self, size, stride, storage_offset ?? self.offset),
    derivatives: [
      d("self", "", ({ grad, meta, args, rules, ops: o }) => {
        const { sizes, strides } = meta.self;
        const from = args.storage_offset ?? 0;
        // another spelling of the same places: dimensions of one do not count
        const plain = from === 0 && !rules.asStridedGradientCopies;
        if (plain && sameShape(places(sizes, strides), places(args.size, args.stride))) return o.reshape(grad, sizes);
        const full = o.zeros(sizes, grad.dtype.name, grad.device);
        o.copy_(o.as_strided(full, args.size, args.stride, args.storage_offset ?? 0), grad);
        return full;
      }),
    ],
  },
  {
    schema: "diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
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
        const full = o.zeros(meta.self.sizes, grad.dtype.name, grad.device);
        o.copy_(o.diagonal(full, args.offset, args.dim1, args.dim2), grad);
        return full;
      }),
    ],
  },
  {
    schema: "unfold(Tensor self, int dimension, int size, int step) -> Tensor",
    forward: ({ self, dimension, size, step }, k) => {
      const at = wrapDim(dimension, self.rank);
      const most = self.rank ? self.sizes[at] : 1;
      if (size > most)
        throw new TorchError(`maximum size for tensor at dimension ${at} is ${most} but size is ${size}`);
      if (step <= 0) throw new TorchError(`step is ${step} but must be > 0`);
      const sizes = [...self.sizes, size];
      const strides = [...self.strides, self.rank === 0 ? 1 : self.strides[at]];
      sizes[at] = Math.floor((self.sizes[at] - size) / step) + 1;
      strides[at] = step * self.strides[at];
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
    python: "none",
    forward: ({ grad_in, input_sizes }, k) => k.output(input_sizes, grad_in.dtype),
    derivatives: [d("grad_in", "", ({ grad, args, ops: o }) => o.unfold(grad, args.dim, args.size, args.step))],
  },
  {
    schema: "unbind(Tensor self, int dim=0) -> Tensor[]",
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
        const missing = (): Tensor => o.expand(o.zeros([], known.dtype.name, known.device), known.sizes);
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
  {
    schema: "split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
    forward: ({ self, split_sizes, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      const total = split_sizes.reduce((x: number, y: number) => x + y, 0);
      if (total !== self.sizes[at])
        throw new TorchError(
          `split_with_sizes expects split_sizes to sum exactly to ${self.sizes[at]} (input tensor's size at dimension ${dim}), but got split_sizes=[${split_sizes.join(", ")}]`,
        );
      let from = 0;
      return split_sizes.map((size: number) => {
        const sizes = [...self.sizes];
        sizes[at] = size;
        const part = k.view(self, sizes, self.strides, self.offset + from * self.strides[at]);
        from += size;
        return part;
      });
    },
    node: "SplitWithSizesBackward0",
    derivatives: [
      d("self", "", ({ grads, meta, args, ops: o }) =>
        joinSplits(grads, args.split_sizes, args.dim, meta.self.sizes, o),
      ),
    ],
  },
  {
    schema: "split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]",
    python: "none",
    node: "SplitBackward0",
    forward: ({ self, split_size, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      const n = Math.max(1, Math.ceil(self.sizes[at] / split_size));
      return Array.from({ length: n }, (_, i) => {
        const sizes = [...self.sizes];
        sizes[at] = Math.min(split_size, self.sizes[at] - i * split_size);
        return k.view(self, sizes, self.strides, self.offset + i * split_size * self.strides[at]);
      });
    },
    derivatives: [
      d("self", "", ({ grads, meta, args, ops: o }) => {
        const at = wrapDim(args.dim, meta.self.sizes.length);
        const total = meta.self.sizes[at];
        const n = Math.max(1, Math.ceil(total / args.split_size));
        const sizes = Array.from({ length: n }, (_, i) => Math.min(args.split_size, total - i * args.split_size));
        return joinSplits(grads, sizes, args.dim, meta.self.sizes, o);
      }),
    ],
  },
  {
    schema: "chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
    composite: ({ self, chunks, dim }, o) => {
      const size = self.sizes[wrapDim(dim, self.rank)];
      if (chunks <= 0) throw new TorchError(`chunk expects \`chunks\` to be greater than 0, got: ${chunks}`);
      const each = Math.ceil(size / chunks);
      if (each === 0) return o.split_with_sizes(self, new Array(chunks).fill(0), dim);
      return o.split_Tensor(self, each, dim);
    },
  },
  {
    schema: "detach(Tensor self) -> Tensor",
    onlyRenames: true,
    forward: ({ self }, k) => k.view(self, self.sizes, self.strides, self.offset, true),
    python: "none",
  },
  {
    schema: "view_as_real(Tensor self) -> Tensor",
    forward: ({ self }, k) => {
      if (!isComplex(self.dtype)) throw new TorchError("view_as_real is only supported for complex tensors");
      if (self.unresolved)
        throw new TorchError(
          "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.",
        );
      const strides = [...self.strides.map((s: number) => 2 * s), 1];
      return k.view(self, [...self.sizes, 2], strides, self.offset * 2, false, toReal(self.dtype));
    },
    derivatives: [d("self", "", ({ grad, ops: o }) => o.view_as_complex(o.contiguous(grad)))],
  },
  {
    schema: "view_as_complex(Tensor self) -> Tensor",
    forward: ({ self }, k) => {
      if (!["float16", "float32", "float64"].includes(self.dtype.name))
        throw new TorchError(
          `view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ${cxxName(self.dtype)}`,
        );
      if (self.rank === 0) throw new TorchError("Input tensor must have one or more dimensions");
      if (self.size(-1) !== 2) throw new TorchError("Tensor must have a last dimension of size 2");
      if (self.strides[self.rank - 1] !== 1) throw new TorchError("Tensor must have a last dimension with stride 1");
      const strides = self.strides.slice(0, -1);
      if (strides.some((s: number) => s % 2))
        throw new TorchError("Tensor must have a stride divisible by 2 for all but last dimension");
      const halved = strides.map((s: number) => s / 2);
      return k.view(self, self.sizes.slice(0, -1), halved, self.offset / 2, false, toComplex(self.dtype));
    },
    derivatives: [d("self", "", ({ grad, ops: o }) => o.view_as_real(o.contiguous(grad)))],
  },
  {
    schema: "real(Tensor self) -> Tensor",
    composite: ({ self }, o) =>
      isComplex(self.dtype) ? o.select(o.view_as_real(self.unresolved ? o._conj(self) : self), -1, 0) : self,
    python: "function",
  },
  {
    schema: "imag(Tensor self) -> Tensor",
    composite: ({ self }, o) => {
      if (!isComplex(self.dtype)) throw new TorchError("imag is not implemented for tensors with non-complex dtypes.");
      if (!self.unresolved) return o.select(o.view_as_real(self), -1, 1);
      return o._neg_view(o.select(o.view_as_real(o._conj(self)), -1, 1));
    },
    python: "function",
  },
  {
    schema: "conj(Tensor self) -> Tensor",
    composite: ({ self }, o) => (isComplex(self.dtype) ? o._conj(self) : self),
  },
  {
    schema: "_conj(Tensor self) -> Tensor",
    forward: ({ self }, k) => lazily(self, k),
    python: "none",
    derivatives: [d("self", "", ({ grad, ops: o }) => o.conj(grad))],
  },
  {
    schema: "_neg_view(Tensor self) -> Tensor",
    forward: ({ self }, k) => lazily(self, k),
    python: "none",
    derivatives: [d("self", "", ({ grad, ops: o }) => o.neg(grad))],
  },
  {
    schema: "conj_physical(Tensor self) -> Tensor",
    composite: ({ self }, o) => (isComplex(self.dtype) ? o._conj_physical(self) : self),
  },
  {
    schema: "_conj_physical(Tensor self) -> Tensor",
    readsUnresolved: true,
    forward: ({ self }, k) => k.like(self),
    python: "none",
    derivatives: [d("self", "", ({ grad, ops: o }) => o._conj_physical(grad))],
  },
  ...["resolve_conj", "resolve_neg"].map((name): OpRow => ({
    schema: `${name}(Tensor self) -> Tensor`,
    composite: ({ self }, o) =>
      self.unresolved && isComplex(self.dtype) === (name === "resolve_conj") ? o.clone(self) : self,
  })),
  {
    // the same bytes as another dtype
    schema: "view.dtype(Tensor self, dtype? dtype) -> Tensor",
    forward: ({ self, dtype }, k) => {
      const type = dtypeOf(dtype);
      const ratio = self.dtype.itemBytes / type.itemBytes;
      const sizes = [...self.sizes];
      const strides = [...self.strides];
      if (ratio !== 1 && sizes.length) {
        sizes[sizes.length - 1] *= ratio;
        for (let i = 0; i < strides.length - 1; i++) strides[i] *= ratio;
      }
      return k.view(self, sizes, strides, self.offset * ratio, false, type);
    },
    python: "none",
  },
  {
    schema: "sum_to_size(Tensor self, int[] size) -> Tensor",
    composite: ({ self, size }, o) => {
      if (size.length === 0) return sameShape(self.sizes, size) ? self : o.sum(self);
      const pad = self.rank - size.length;
      const dims: number[] = [];
      for (let i = 0; i < pad; i++) dims.push(i);
      for (let i = pad; i < self.rank; i++) if (size[i - pad] === 1 && self.sizes[i] !== 1) dims.push(i);
      let result: Tensor = self;
      if (dims.length) result = o.sum_dim_IntList(self, dims, true);
      return pad > 0 ? o.view(result, size) : result;
    },
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
    return grads[i] ?? o.zeros(shape, known.dtype.name, known.device);
  });
  return o.cat(parts, dim);
}
