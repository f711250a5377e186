/** Counts of values: bincount and histc (cuda/SummaryOps.cu). */

import { FLOAT32, FLOAT64, INT64 } from "../tensor/dtype.ts";
import { numel } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type Kernel } from "./row.ts";
import { counts } from "./values-selection.ts";

/** The smallest and largest value, which the host reads, and which once were given back at once and now live as long as the counting. */
function readBounds(self: Tensor, k: Kernel): void {
  if (!k.temporaries) return;
  if (k.rules.histogramsKeepBounds) return void k.ops.aminmax(self);
  k.statement(() => void k.ops.min(self));
  k.statement(() => void k.ops.max(self));
}

export const histogramOps = defineOps([
  {
    schema: "bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
    evidence: "native_functions.yaml: bincount",
    values: counts,
    forward: ({ self, weights, minlength }, k) => {
      const known: readonly number[] | null = self.values;
      if (!known) k.assume("data_dependent_size", { rule: "minlength, or the number of elements" });
      if (self.numel) readBounds(self, k);
      const most = known ? Math.max(-1, ...known) : (minlength || numel(self.sizes)) - 1;
      const bins = self.numel ? Math.max(minlength, k.readBack(most, self) + 1) : minlength;
      if (!weights) return k.output([bins], INT64);
      const exact = weights.dtype === FLOAT32 || weights.dtype === FLOAT64;
      const out = k.output([bins], exact ? weights.dtype : FLOAT64);
      if (!exact) k.scratch(weights.numel * FLOAT64.itemBytes, "bincount_weights");
      return out;
    },
  },
  {
    schema: "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
    evidence: "native_functions.yaml: histc; case tensors/reductions-sorts-and-scans",
    forward: ({ self, bins, min, max }, k) => {
      const out = k.output([bins], self.dtype);
      if (min.value === max.value && self.numel) readBounds(self, k);
      return out;
    },
  },
]);
