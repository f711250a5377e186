/** Running sums, products, logarithms of sums and extremes along one dimension. */

import { INT64 } from "../tensor/dtype.ts";
import { contiguousStrides, inferDenseStrides, sameShape, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { scanBytes } from "./device-scans.ts";
import { sumType } from "./reduce.ts";
import { type Args, d, defineOps, type Kernel, type OpRow } from "./row.ts";
import { running } from "./values-selection.ts";
import { runningExtreme } from "./values-placed.ts";

const EXTREMES = { cummax: runningExtreme((x, y) => x > y), cummin: runningExtreme((x, y) => x < y) };

/** Whether the kernel reads `self`, or its copy in another dtype, as it lies: copies keep the order of dimensions. */
function liesInOrder(self: Tensor, converted: boolean): boolean {
  if (self.isContiguous || !converted || self.isNonOverlappingAndDense) return self.isContiguous;
  return sameShape(inferDenseStrides(self.sizes, self.strides), contiguousStrides(self.sizes));
}

/**
 * What a scan takes beside its result `out`: `self` in the result's dtype, a contiguous result where the target is none, a contiguous input, and
 * the library's states where everything lies along one dimension (ReduceOps.cpp: impl_func_cum_ops; cuda/ScanKernels.cpp; cuda/ScanUtils.cuh: scan_dim).
 */
function alongOne({ self, dim }: Args, out: Tensor, k: Kernel, library = true): void {
  const { numel } = self;
  if (numel === 0 || self.rank === 0) return;
  const bytes = numel * out.dtype.itemBytes;
  const converted = self.dtype !== out.dtype;
  if (converted) k.scratch(bytes, "copy_target_dtype");
  if (!out.isContiguous) k.scratch(bytes, "copy_contiguous");
  if (!liesInOrder(self, converted)) k.scratch(bytes, "copy_contiguous");
  if (library && numel === self.size(dim)) k.scratch(scanBytes(numel, out.dtype.itemBytes, k.rules), "library_scan")();
}

const scan = (name: string, rest: Partial<OpRow>): OpRow => ({
  schema: `${name}(Tensor self, int dim, *, dtype? dtype=None) -> Tensor`,
  evidence: `derivatives.yaml: ${name}; case elementwise/running-sums-of-every-layout`,
  autocast: "float32-dtype",
  forward: (a, k) => {
    wrapDim(a.dim, a.self.rank);
    const out = k.output(a.self.sizes, sumType(a), undefined);
    alongOne(a, out, k);
    return out;
  },
  inplace: true,
  ...rest,
});

export const cumulativeOps = defineOps([
  scan("cumsum", {
    values: running((x, y) => x + y, 0),
    derivatives: [
      d("self", "", ({ grad, meta, args, ops: o }) => {
        const g = o.to(grad, meta.self.dtype);
        if (g.numel <= 1 || meta.self.sizes[wrapDim(args.dim, meta.self.sizes.length)] === 1) return g;
        return o.flip(o.cumsum(o.flip(g, [args.dim]), args.dim), [args.dim]);
      }),
    ],
  }),
  scan("cumprod", {
    values: running((x, y) => x * y, 1),
    derivatives: [
      d("self", "self result", (c) => {
        const { args, ops: o } = c;
        const { self, result } = c.saved;
        const grad = o.to(c.grad, self.dtype);
        if (self.numel <= 1) return grad;
        const w = o.mul(result, grad);
        // whether the input has zeros is looked at on the host; without any the short form will do
        const zero = o.eq(self, 0);
        c.statement(() => void o.any(zero));
        const later = c.statement(() => o.flip(o.cumsum(o.flip(w, [args.dim]), args.dim), [args.dim]));
        return o.div(later, self);
      }),
    ],
  }),
  {
    schema: "logcumsumexp(Tensor self, int dim) -> Tensor",
    evidence: "derivatives.yaml: logcumsumexp; case elementwise/special-functions",
    forward: (a, k) => {
      const out = k.output(a.self.sizes, a.self.dtype);
      alongOne(a, out, k);
      return out;
    },
    // FunctionsManual.cpp logcumsumexp_backward: gradients above and below zero apart, as logarithms
    derivatives: [
      d("self", "self result", (c) => {
        const { grad, args, saved, ops: o } = c;
        if (grad.numel === 0 || grad.rank === 0) return grad;
        const summed = (x: Tensor): Tensor =>
          c.statement(() => o.flip(o.logcumsumexp(o.flip(x, [args.dim]), args.dim), [args.dim]));
        const magnitude = c.statement(() => o.log(o.abs(grad)));
        const least = c.rules.logcumsumexpFillsByTensor ? o.scalar_tensor(-1e38, grad.dtype, grad.device) : null;
        const where = (mask: Tensor): Tensor =>
          least ? o.where_self(mask, magnitude, least) : o.masked_fill(magnitude, mask, -1e38);
        const above = c.statement(() => where(o.gt(grad, 0)));
        const below = c.statement(() => where(o.lt(grad, 0)));
        const side = (x: Tensor): Tensor => c.statement(() => o.exp(o.add(summed(o.sub(x, saved.result)), saved.self)));
        const positive = side(above);
        return o.sub(positive, side(below));
      }),
    ],
  },
  ...Object.entries(EXTREMES).map(([name, values]): OpRow => ({
    values,
    schema: `${name}(Tensor self, int dim) -> (Tensor values, Tensor indices)`,
    evidence: `derivatives.yaml: ${name}; case elementwise/running-sums-of-every-layout`,
    forward: (a, k) => {
      const found = [k.output(a.self.sizes, a.self.dtype), k.output(a.self.sizes, INT64)];
      alongOne(a, found[0], k, false);
      return found;
    },
    derivatives: [
      d("self", "indices", ({ grad, saved, meta, args, ops: o }) =>
        o.scatter_add_(o.zeros(meta.self.sizes, grad.dtype, grad.device), args.dim, saved.indices, grad),
      ),
    ],
  })),
]);
