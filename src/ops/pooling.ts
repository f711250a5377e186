/** Pooling over windows: maximum with its positions, and averages. Adaptive pooling is in pooling-adaptive.ts. */

import { INT64 } from "../tensor/dtype.ts";
import { type Layout, suggestedStrides } from "../tensor/memory-format.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { adaptivePoolingOps } from "./pooling-adaptive.ts";
import { d, defineOps, named, type Args, type OpRow, type Ops } from "./row.ts";

/** One number for all dimensions, one for each, or none at all: the default. */
const spread = (
  value: number | readonly number[] | null,
  n: number,
  fallback?: readonly number[],
): readonly number[] => {
  const list = typeof value === "number" ? [value] : (value ?? []);
  if (list.length === 0 && fallback) return fallback;
  return list.length === 1 ? new Array<number>(n).fill(list[0]) : list;
};

/** pooling_output_shape in aten/src/ATen/native/Pool.h. */
function pooledSize(
  size: number,
  kernel: number,
  stride: number,
  pad: number,
  dilation: number,
  ceil: boolean,
): number {
  const room = size + 2 * pad - dilation * (kernel - 1) - 1 + (ceil ? stride - 1 : 0);
  const count = Math.floor(room / stride) + 1;
  return ceil && (count - 1) * stride >= size + pad ? count - 1 : count;
}

function pooledShape(a: Args, n: number): number[] {
  const self: Tensor = a.self;
  const kernel = spread(a.kernel_size, n);
  const stride = spread(a.stride, n, kernel);
  const padding = spread(a.padding, n);
  const dilation = spread(a.dilation ?? 1, n);
  padding.forEach((p, i) => {
    if (p > kernel[i] / 2)
      throw new TorchError(
        `pad should be at most half of effective kernel size, but got pad=${p}, kernel_size=${kernel[i]} and dilation=${dilation[i]}`,
      );
  });
  const spatial = self.sizes
    .slice(-n)
    .map((size, i) => pooledSize(size, kernel[i], stride[i], padding[i], dilation[i], a.ceil_mode));
  if (spatial.some((s) => s < 1))
    throw new TorchError(
      `Given input size: (${self.sizes.slice(-n - 1).join("x")}). Calculated output size: (${[self.sizes[self.rank - n - 1], ...spatial].join("x")}). Output size is too small`,
    );
  return [...self.sizes.slice(0, -n), ...spatial];
}

/** Kernels of channels-last images keep that layout; whatever lies in no order is copied first. */
const layoutOf = (
  self: Layout & { isContiguous: boolean; nbytes: number },
  k: { scratch(bytes: number, what: string): void },
): void => {
  const want = suggestedStrides(self.sizes, self);
  if (self.sizes.some((s, i) => s !== 1 && self.strides[i] !== want[i])) k.scratch(self.nbytes, "pooling_layout");
};

const windows = "int[] kernel_size, int[] stride=[], int[] padding=0";

const maxWithIndices = (n: number): OpRow[] => [
  {
    schema: `max_pool${n}d_with_indices(Tensor self, ${windows}, int[] dilation=1, bool ceil_mode=False) -> (Tensor result0, Tensor result1)`,
    evidence: `native_functions.yaml: max_pool${n}d_with_indices; case pooling/every-pooling-layer`,
    python: "none",
    node: `MaxPool${n}DWithIndicesBackward0`,
    forward: (a, k) => {
      const sizes = pooledShape(a, n);
      const strides = suggestedStrides(sizes, a.self);
      const out = k.output(sizes, a.self.dtype, strides);
      const indices = k.output(sizes, INT64, strides);
      layoutOf(a.self, k);
      return [out, indices];
    },
    derivatives: [
      d("self", "self result1", ({ grad, saved, args: a, ops: o }) =>
        named(o, `max_pool${n}d_with_indices_backward`)(
          grad,
          saved.self,
          a.kernel_size,
          a.stride,
          a.padding,
          a.dilation,
          a.ceil_mode,
          saved.result1,
        ),
      ),
    ],
  },
  {
    schema: `max_pool${n}d_with_indices_backward(Tensor grad_output, Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode, Tensor indices) -> Tensor`,
    evidence: `derivatives.yaml: max_pool${n}d_with_indices_backward; case pooling/every-pooling-layer`,
    python: "none",
    forward: ({ grad_output, self }, k) => {
      const out = k.output(self.sizes, grad_output.dtype, suggestedStrides(self.sizes, self));
      layoutOf(grad_output, k);
      return out;
    },
    derivatives: [
      d("grad_output", "indices", ({ grad, saved, rules, ops: o }) =>
        readAt(grad, saved.indices, n, o, rules.maxUnpoolGradientCopies),
      ),
      d("self", "", ({ meta: { self }, ops: o }) => o.zeros(self.sizes, self.dtype, self.device)),
    ],
  },
  {
    schema: `max_pool${n}d(Tensor self, ${windows}, int[] dilation=1, bool ceil_mode=False) -> Tensor`,
    evidence: `native_functions.yaml: max_pool${n}d; case pooling/every-pooling-layer`,
    python: "function",
    composite: (a, o) => {
      if (a.self.rank !== n + 1 && a.self.rank !== n + 2)
        throw new TorchError(`non-empty ${n + 1}D or ${n + 2}D (batch mode) tensor expected for input`);
      return named(o, `max_pool${n}d_with_indices`)(
        a.self,
        a.kernel_size,
        a.stride,
        a.padding,
        a.dilation,
        a.ceil_mode,
      )[0];
    },
  },
];

/** Values at the positions that a maximum had (max_pool_double_backward). */
const readAt = (gradOutput: Tensor, indices: Tensor, n: number, o: Ops, copies: boolean): Tensor => {
  const grad = copies ? o.contiguous(gradOutput) : gradOutput;
  const flat = [...indices.sizes.slice(0, -n), -1];
  return o.view(
    o.gather(o.reshape(grad, [...grad.sizes.slice(0, -n), -1]), -1, o.reshape(indices, flat)),
    indices.sizes,
  );
};

const averageRow = (n: number): OpRow[] => [
  {
    schema: `avg_pool${n}d(Tensor self, ${windows}, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor`,
    evidence: `native_functions.yaml: avg_pool${n}d; case pooling/average-pooling`,
    python: "nn",
    forward: (a, k) => {
      const sizes = pooledShape(a, n);
      const out = k.output(sizes, a.self.dtype, suggestedStrides(sizes, a.self));
      layoutOf(a.self, k);
      return out;
    },
    node: `AvgPool${n}DBackward0`,
    derivatives: [
      d("self", "self", ({ grad, saved, args: a, ops: o }) =>
        named(o, `avg_pool${n}d_backward`)(
          grad,
          saved.self,
          a.kernel_size,
          a.stride,
          a.padding,
          a.ceil_mode,
          a.count_include_pad,
          a.divisor_override,
        ),
      ),
    ],
  },
  {
    schema: `avg_pool${n}d_backward(Tensor grad_output, Tensor self, ${windows}, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor`,
    evidence: `derivatives.yaml: avg_pool${n}d_backward; case pooling/average-pooling`,
    python: "none",
    forward: ({ grad_output, self }, k) => {
      const out = k.output(self.sizes, grad_output.dtype, suggestedStrides(self.sizes, self));
      layoutOf(grad_output, k);
      return out;
    },
    derivatives: [
      d("grad_output", "", ({ grad, args: a, ops: o }) =>
        named(o, `avg_pool${n}d`)(
          grad,
          a.kernel_size,
          a.stride,
          a.padding,
          a.ceil_mode,
          a.count_include_pad,
          a.divisor_override,
        ),
      ),
      d("self", "", ({ meta: { self }, ops: o }) => o.zeros(self.sizes, self.dtype, self.device)),
    ],
  },
];

const unpool = (n: number, extra: string): OpRow => ({
  schema: `max_unpool${n}d(Tensor self, Tensor indices, int[] output_size${extra}) -> Tensor`,
  evidence: `derivatives.yaml: max_unpool${n}d`,
  python: "none",
  node: `MaxUnpool${n}DBackward0`,
  forward: ({ self, indices, output_size }, k) => {
    for (const t of [self, indices])
      if (!t.isContiguous) k.scratch(t.numel * t.dtype.itemBytes, "max_unpool_contiguous");
    return k.output([...self.sizes.slice(0, -n), ...output_size], self.dtype);
  },
  derivatives: [
    d("self", "indices", ({ grad, saved, rules, ops: o }) =>
      readAt(grad, saved.indices, n, o, rules.maxUnpoolGradientCopies),
    ),
  ],
});

const asImage = (a: Args, o: Ops): [Tensor, number[], number[], number[]] => [
  o.unsqueeze(a.self, -2),
  [1, ...spread(a.kernel_size, 1)],
  [1, ...spread(a.stride, 1, spread(a.kernel_size, 1))],
  [0, ...spread(a.padding, 1)],
];

export const poolingOps = defineOps([
  ...maxWithIndices(2),
  ...maxWithIndices(3),
  ...averageRow(2),
  ...averageRow(3),
  {
    schema: `max_pool1d_with_indices(Tensor self, ${windows}, int[] dilation=1, bool ceil_mode=False) -> (Tensor result0, Tensor result1)`,
    evidence: "native_functions.yaml: max_pool1d_with_indices; case pooling/temporal-pooling",
    python: "none",
    composite: (a, o) => {
      const [out, indices] = o.max_pool2d_with_indices(...asImage(a, o), [1, ...spread(a.dilation, 1)], a.ceil_mode);
      return [o.squeeze_dim(out, -2), o.squeeze_dim(indices, -2)];
    },
  },
  {
    schema: `max_pool1d(Tensor self, ${windows}, int[] dilation=1, bool ceil_mode=False) -> Tensor`,
    evidence: "native_functions.yaml: max_pool1d; case pooling/temporal-pooling",
    python: "function",
    composite: (a, o) =>
      o.max_pool1d_with_indices(a.self, a.kernel_size, a.stride, a.padding, a.dilation, a.ceil_mode)[0],
  },
  {
    schema: `avg_pool1d(Tensor self, ${windows}, bool ceil_mode=False, bool count_include_pad=True) -> Tensor`,
    evidence: "native_functions.yaml: avg_pool1d; case pooling/average-pooling",
    python: "function",
    composite: (a, o) => {
      if (a.self.rank !== 2 && a.self.rank !== 3)
        throw new TorchError(
          `Expected 2 to 3 dimensions, but got ${a.self.rank}-dimensional tensor for argument #1 'self' (while checking arguments for avg_pool1d)`,
        );
      return o.squeeze_dim(o.avg_pool2d(...asImage(a, o), a.ceil_mode, a.count_include_pad), -2);
    },
  },
  unpool(2, ""),
  unpool(3, ", int[] stride, int[] padding"),
  ...adaptivePoolingOps,
]);
