/** Counts of values: bincount and histc (cuda/SummaryOps.cu). */

import { INT64 } from "../tensor/dtype.ts";
import { numel } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type Kernel } from "./row.ts";
import { counts } from "./values-selection.ts";

/** The smallest and largest value, which the host reads, and which live as long as the counting. */
const readBounds = (self: Tensor, k: Kernel): void => void (k.temporaries && k.ops.aminmax(self));

export const histogramOps = defineOps([
  {
    schema: "bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
    evidence: "native_functions.yaml: bincount",
    values: counts,
    forward: ({ self, weights, minlength }, k) => {
      const known: readonly number[] | null = self.values;
      if (!known) k.assume("data_dependent_size", { rule: "minlength, or the number of elements" });
      if (self.numel) readBounds(self, k);
      const bins = known ? Math.max(minlength, ...known.map((v) => v + 1)) : minlength || numel(self.sizes);
      return k.output([bins], weights ? weights.dtype : INT64);
    },
  },
  {
    schema: "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
    evidence: "native_functions.yaml: histc; case basics-x02",
    forward: ({ self, bins, min, max }, k) => {
      const out = k.output([bins], self.dtype);
      if (min.value === max.value && self.numel) readBounds(self, k);
      return out;
    },
  },
]);
