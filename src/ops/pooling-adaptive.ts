/** Pooling to a given size: adaptive averages and maxima, and fractional maxima. */

import { INT64 } from "../tensor/dtype.ts";
import { channelsLastStrides } from "../tensor/shape.ts";
import { looksChannelsLast, suggestedStrides } from "../tensor/memory-format.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { readDensely } from "./dense-gradient.ts";
import { d, defineOps, named, type OpRow } from "./row.ts";

const pooled = (self: Tensor, size: readonly number[], n: number): number[] => {
  const list = size.length === 1 ? new Array<number>(n).fill(size[0]) : size;
  return [...self.sizes.slice(0, -n), ...list.map((s, i) => (s < 0 ? self.sizes[self.rank - n + i] : s))];
};

/** A single place is the mean; larger results have a kernel of their own. */
const average = (n: number): OpRow[] => [
  {
    schema: `adaptive_avg_pool${n}d(Tensor self, int[] output_size) -> Tensor`,
    python: "none",
    composite: ({ self, output_size }, o) => {
      const sizes = pooled(self, output_size, n);
      if (sizes.slice(-n).some((s) => s !== 1)) return named(o, `_adaptive_avg_pool${n}d`)(self, output_size);
      const dims = Array.from({ length: n }, (_, i) => -1 - i);
      const mean = o.mean_dim(self, dims, true);
      return looksChannelsLast(self) ? o.as_strided(mean, sizes, channelsLastStrides(sizes)) : mean;
    },
    evidence: "AdaptiveAveragePooling.cpp",
  },
  {
    schema: `_adaptive_avg_pool${n}d(Tensor self, int[] output_size) -> Tensor`,
    evidence: `native_functions.yaml: _adaptive_avg_pool${n}d; case pooling/every-pooling-layer`,
    python: "none",
    node: `AdaptiveAvgPool${n}DBackward0`,
    forward: ({ self, output_size }, k) => {
      const sizes = pooled(self, output_size, n);
      return k.output(sizes, self.dtype, suggestedStrides(sizes, self));
    },
    derivatives: [
      d("self", "self", ({ grad, saved, ops: o }) => named(o, `_adaptive_avg_pool${n}d_backward`)(grad, saved.self)),
    ],
  },
  {
    schema: `_adaptive_avg_pool${n}d_backward(Tensor grad_output, Tensor self) -> Tensor`,
    evidence: `native_functions.yaml: _adaptive_avg_pool${n}d_backward; case pooling/every-pooling-layer`,
    python: "none",
    forward: ({ grad_output, self }, k) => {
      const result = k.output(self.sizes, grad_output.dtype, suggestedStrides(self.sizes, self));
      readDensely(k, grad_output, "adaptive_pool_grad_contiguous");
      return result;
    },
  },
];

const maximum = (name: string, n: number, args: string, node: string): OpRow[] => [
  {
    schema: `${name}(Tensor self, ${args}) -> (Tensor result0, Tensor result1)`,
    evidence: `derivatives.yaml: ${name}`,
    python: "none",
    node,
    forward: ({ self, output_size }, k) => {
      const sizes = pooled(self, output_size, n);
      const strides = n === 2 ? suggestedStrides(sizes, self) : undefined;
      const out = k.output(sizes, self.dtype, strides);
      return [out, k.output(sizes, INT64, strides)];
    },
    derivatives: [
      d("self", "self result1", ({ grad, saved, ops: o }) =>
        named(o, `${name}_backward`)(grad, saved.self, saved.result1),
      ),
    ],
  },
  {
    schema: `${name}_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor`,
    evidence: `native_functions.yaml: ${name}_backward`,
    python: "none",
    forward: ({ grad_output, self }, k) =>
      k.output(self.sizes, grad_output.dtype, n === 2 ? suggestedStrides(self.sizes, self) : undefined),
  },
];

export const adaptivePoolingOps = defineOps([
  ...average(2),
  ...average(3),
  {
    schema: "adaptive_avg_pool1d(Tensor self, int[] output_size) -> Tensor",
    evidence: "native_functions.yaml: adaptive_avg_pool1d; case pooling/temporal-pooling",
    python: "function",
    composite: ({ self, output_size }, o) =>
      o.squeeze_dim(o.adaptive_avg_pool2d(o.unsqueeze(self, -2), [1, ...output_size]), -2),
  },
  ...maximum("adaptive_max_pool2d", 2, "int[] output_size", "AdaptiveMaxPool2DBackward0"),
  ...maximum("adaptive_max_pool3d", 3, "int[] output_size", "AdaptiveMaxPool3DBackward0"),
  {
    schema: "adaptive_max_pool1d(Tensor self, int[] output_size) -> (Tensor result0, Tensor result1)",
    evidence: "native_functions.yaml: adaptive_max_pool1d; case pooling/temporal-pooling",
    python: "function",
    composite: ({ self, output_size }, o) => {
      const [out, indices] = o.adaptive_max_pool2d(o.unsqueeze(self, -2), [1, ...output_size]);
      return [o.squeeze_dim(out, -2), o.squeeze_dim(indices, -2)];
    },
  },
  ...maximum(
    "fractional_max_pool2d",
    2,
    "int[] kernel_size, int[] output_size, Tensor random_samples",
    "FractionalMaxPool2DBackward0",
  ),
  ...maximum(
    "fractional_max_pool3d",
    3,
    "int[] kernel_size, int[] output_size, Tensor random_samples",
    "FractionalMaxPool3DBackward0",
  ),
]);
