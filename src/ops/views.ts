/** Views of the whole tensor: another shape, order or rank on the same storage, and their gradients. */

import { contiguousStrides, inferSize, TorchError, viewStrides, wrapDim, type Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { nodeName } from "./node-names.ts";
import { d, defineOps } from "./row.ts";

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

export const views = defineOps([
  {
    schema: "view(Tensor self, int[] size) -> Tensor",
    evidence: "derivatives.yaml: view; case pooling/without-gradients",
    forward: ({ self, size }, k) => {
      const shape = inferSize(size, self.numel);
      const strides = viewStrides(self.sizes, self.strides, shape);
      if (!strides)
        throw new TorchError(
          "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
        );
      return k.view(self, shape, strides);
    },
    python: "method",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.reshape(grad, meta.self.sizes))],
  },
  {
    // an alias that autograd does not see as a view: the product behind it belongs to nobody else
    schema: "_unsafe_view(Tensor self, int[] size) -> Tensor",
    evidence: "derivatives.yaml: _unsafe_view; case indexing/cache-written-by-slices",
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
    // in place on what an operator has just made and nobody else has: no view of anything
    schema: "_squeezed(Tensor self, int dim) -> Tensor",
    as: "squeeze_",
    evidence: "recorded from 2.0 to 2.14; case autograd/broadcast-and-contracted-operands",
    forward: ({ self, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      const keep = self.sizes.map((_: number, i: number) => i).filter((i: number) => i !== at);
      const { sizes, strides } = self;
      return k.view(
        self,
        keep.map((i: number) => sizes[i]),
        keep.map((i: number) => strides[i]),
        self.offset,
        true,
      );
    },
    python: "none",
    node: nodeName("squeeze", 4),
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.reshape(grad, meta.self.sizes))],
  },
  {
    schema: "_reshape_alias(Tensor self, int[] size, int[] stride) -> Tensor",
    evidence: "derivatives.yaml: _reshape_alias; case autograd/broadcast-and-contracted-operands",
    forward: ({ self, size, stride }, k) => k.view(self, size, stride, self.offset),
    python: "none",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.reshape(grad, meta.self.sizes))],
  },
  {
    schema: "reshape(Tensor self, int[] shape) -> Tensor",
    evidence: "native_functions.yaml: reshape; case pooling/without-gradients",
    composite: ({ self, shape }, o, c) => {
      const sizes = inferSize(shape, self.numel);
      if (self.isContiguous && c.rules.reshapeViewsContiguous) return o.view(self, sizes);
      const strides = viewStrides(self.sizes, self.strides, sizes);
      // at::isTensorSubclassLike: subclasses see a view (reshape_symint in TensorShape.cpp)
      if (strides) return self.subclass ? o.view(self, sizes) : o._reshape_alias(self, sizes, strides);
      return o._unsafe_view(o.clone(self, "contiguous_format"), sizes);
    },
  },
  {
    schema: "permute(Tensor self, int[] dims) -> Tensor",
    evidence: "derivatives.yaml: permute; case tensors/views-keep-storage",
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
    evidence: "derivatives.yaml: transpose; case sorting/other-dimensions-and-strides",
    forward: ({ self, dim0, dim1 }, k) => {
      if (self.rank === 0) return k.view(self, [], []);
      const order = swapped(self.rank, wrapDim(dim0, self.rank), wrapDim(dim1, self.rank));
      return k.view(self, ...permuted(self, order));
    },
    derivatives: [d("self", "", ({ grad, args, ops: o }) => o.transpose(grad, args.dim0, args.dim1))],
  },
  {
    schema: "t(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: t; case products/workspaces-of-threads",
    forward: ({ self }, k) => {
      if (self.rank > 2) throw new TorchError(`t() expects a tensor with <= 2 dimensions, but self is ${self.rank}D`);
      return self.rank < 2 ? k.view(self, self.sizes, self.strides) : k.view(self, ...permuted(self, [1, 0]));
    },
    node: "TBackward0",
    derivatives: [d("self", "", ({ grad, ops: o }) => o.t(grad))],
  },
  {
    schema: "expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor",
    evidence: "derivatives.yaml: expand; case autograd/hooks-on-tensors-and-nodes",
    forward: ({ self, size }, k) => {
      const { sizes, strides } = expandedStrides(self, size);
      return k.view(self, sizes, strides);
    },
    python: "method",
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.sum_to_size(grad, meta.self.sizes))],
  },
  {
    schema: "squeeze(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: squeeze; case tensors/copies-and-shapes",
    forward: ({ self }, k) => {
      const keep = self.sizes.map((_: number, i: number) => i).filter((i: number) => self.sizes[i] !== 1);
      return k.view(self, ...permuted(self, keep));
    },
    derivatives: [d("self", "", ({ grad, meta, ops: o }) => o.view_or_reshape(grad, meta.self.sizes))],
  },
  {
    schema: "squeeze.dim(Tensor self, int dim) -> Tensor",
    evidence: "derivatives.yaml: squeeze.dim; case pooling/average-pooling",
    forward: ({ self, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      const keep = self.sizes.map((_: number, i: number) => i).filter((i: number) => i !== at || self.sizes[i] !== 1);
      return k.view(self, ...permuted(self, keep));
    },
    node: "SqueezeBackward1",
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
    evidence: "derivatives.yaml: squeeze.dims; case elementwise/less-common-functions",
    forward: ({ self, dim }, k) => {
      const drop = new Set(dim.map((i: number) => wrapDim(i, self.rank)));
      const keep = self.sizes
        .map((_: number, i: number) => i)
        .filter((i: number) => !drop.has(i) || self.sizes[i] !== 1);
      return k.view(self, ...permuted(self, keep));
    },
    node: "SqueezeBackward2",
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) =>
        args.dim.length ? o.view_or_reshape(grad, meta.self.sizes) : grad,
      ),
    ],
  },
  {
    // squeeze's gradient gets its dimensions of size one back, one view
    schema: "view_or_reshape(Tensor self, int[] size) -> Tensor",
    evidence: "case elementwise/less-common-functions",
    as: "view",
    composite: ({ self, size }, o) => o.reshape(self, size),
    python: "none",
  },
  {
    schema: "unsqueeze(Tensor self, int dim) -> Tensor",
    evidence: "derivatives.yaml: unsqueeze; case sorting/kth-values-and-modes",
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
    schema: "detach(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: detach; case optimizers/every-scheduler",
    onlyRenames: true,
    forward: ({ self }, k) => k.view(self, self.sizes, self.strides, self.offset, true),
    python: "function",
  },
  {
    schema: "sum_to_size(Tensor self, int[] size) -> Tensor",
    evidence: "native_functions.yaml: sum_to_size; case autocast/weight-cache",
    composite: ({ self, size }, o) => {
      if (size.length === 0) return o.sum(self);
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
