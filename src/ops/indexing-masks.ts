/** Results whose size depends on values: nonzero, masked selection and scattering. */

import { INT64 } from "../tensor/dtype.ts";
import { broadcast, sameShape, type Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { nonzeroTemporaries, scanBytes } from "./device-scans.ts";
import { maskHits } from "./index-shape.ts";
import { d, defineOps, type Kernel } from "./row.ts";
import { chosen, positions } from "./values-selection.ts";
import { maskedScattered } from "./values-placed.ts";

/** How many elements of `mask` are taken to be true. */
function hits(k: Kernel, mask: Tensor): number {
  const found = maskHits(mask, k);
  if (!found.known) k.assume("data_dependent_size", { rule: "every element counts" });
  else if (mask.storage.contents?.drawn) k.assume("drawn_value");
  return found.hits;
}

/** Places that one block of nonzero_static goes through; there are no more blocks than multiprocessors, which then take several turns. */
const STATIC_PLACES = 8192;

function staticBlocks(items: number, processors: number): number {
  const tiles = Math.ceil(items / STATIC_PLACES);
  return Math.max(1, Math.ceil(tiles / Math.max(1, Math.ceil(tiles / processors))));
}

const size = (sizes: Shape): number => sizes.reduce((n, s) => n * s, 1);

export const maskOps = defineOps([
  {
    // counted first, then written as one row of positions per dimension and seen transposed
    schema: "nonzero(Tensor self) -> Tensor",
    forward: ({ self }, k) => {
      const n = hits(k, self);
      return nonzeroTemporaries(k, self, () => k.output([n, self.rank], INT64, [1, n]));
    },
    evidence: "Nonzero.cu",
    values: positions,
  },
  {
    // where the mask is taken to be false everywhere: what looking for its places takes
    schema: "_none_found(Tensor self) -> Tensor",
    as: "nonzero",
    python: "none",
    forward: ({ self }, k) => nonzeroTemporaries(k, self, () => k.output([0, self.rank], INT64, [1, 0])),
    evidence: "Nonzero.cu",
  },
  {
    schema: "nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor",
    since: "2.1",
    forward: ({ self, size }, k) => {
      const out = k.output([size, self.rank], INT64, [1, size]);
      if (out.numel === 0) return out;
      if (!self.isContiguous) k.scratch(self.numel * self.dtype.itemBytes, "nonzero_contiguous");
      const blocks = staticBlocks(self.numel, k.gpu.smCount);
      k.scratch(blocks * 4, "nonzero_block_counts");
      k.scratch(blocks * INT64.itemBytes, "nonzero_block_sums");
      return out;
    },
    evidence: "Nonzero.cu: nonzero_static_cuda_out_impl; counters as recorded with the host code of PyTorch 2.14",
  },
  {
    schema: "argwhere(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: argwhere; case elementwise/less-common-functions",
    composite: ({ self }, o) => o.nonzero(self),
  },
  {
    schema: "nonzero_numpy(Tensor self) -> Tensor[]",
    evidence: "native_functions.yaml: nonzero_numpy; case models/pinn-nerf-scan-and-graph",
    composite: ({ self }, o) => o.unbind(o.nonzero(self.rank ? self : o.unsqueeze(self, 0)), 1),
    python: "none",
  },
  {
    schema: "masked_select(Tensor self, Tensor mask) -> Tensor",
    evidence: "derivatives.yaml: masked_select",
    values: chosen,
    forward: ({ self, mask }, k) => {
      const shape = broadcast(self.sizes, mask.sizes);
      const n = hits(k, mask) * (size(shape) / Math.max(mask.numel, 1));
      const whole = shape.length ? k.ops.expand(mask, shape) : k.ops.unsqueeze(mask, 0);
      nonzeroTemporaries(k, whole, () => k.scratch(n * whole.rank * INT64.itemBytes, "nonzero_positions"));
      return k.output([n], self.dtype);
    },
    derivatives: [
      d("self", "self mask", ({ grad, saved: { self, mask }, ops: o }) =>
        o.masked_scatter_(o.zeros_like(o.expand(self, broadcast(self.sizes, mask.sizes))), mask, grad),
      ),
    ],
  },
  {
    values: maskedScattered,
    schema: "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
    inside: "clone",
    evidence: "derivatives.yaml: masked_scatter; case tensors/errors-of-shapes-and-types",
    forward: ({ self, mask, source }, k) => {
      const out = k.output(broadcast(mask.sizes, self.sizes), self.dtype);
      k.scratch(out.numel * INT64.itemBytes, "masked_scatter_positions");
      for (const t of [mask, source])
        if (!t.isContiguous || (t === mask && !sameShape(t.sizes, out.sizes)))
          k.scratch((t === mask ? out : t).numel * t.dtype.itemBytes, "masked_scatter_contiguous");
      k.scratch(scanBytes(out.numel, INT64.itemBytes, k.rules), "library_scan")();
      return out;
    },
    inplace: true,
    derivatives: [
      d("self", "mask", ({ grad, saved, ops: o }) => o.masked_fill(grad, saved.mask, 0)),
      d("source", "mask", ({ grad, saved, meta, ops: o }) =>
        o.masked_scatter_backward(grad, saved.mask, meta.source.sizes),
      ),
    ],
  },
  {
    // the selected gradients at the front of the source, zeros behind them
    schema: "masked_scatter_backward(Tensor grad_output, Tensor mask, int[] sizes) -> Tensor",
    evidence: "native_functions.yaml: masked_scatter_backward",
    python: "none",
    composite: ({ grad_output, mask, sizes }, o) => {
      const wanted = size(sizes);
      let selected: Tensor = o.masked_select(grad_output, mask);
      if (selected.numel > wanted) selected = o.narrow(selected, 0, 0, wanted);
      else if (selected.numel < wanted)
        selected = o.cat([selected, o.zeros([wanted - selected.numel], selected.dtype, selected.device)]);
      return o.view(selected, sizes);
    },
  },
]);
