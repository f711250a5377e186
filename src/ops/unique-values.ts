/** Different values of a tensor, of the whole or slice by slice, and what finding them takes (cuda/Unique.cu, cuda/UniqueCub.cu). */

import { BOOL, type DType, INT64, isFloating } from "../tensor/dtype.ts";
import { wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import {
  runLengthBytes,
  scanBytes,
  sumBytes,
  truncatingScanBytes,
  uniqueBytes,
  uniqueSlicesBytes,
} from "./device-scans.ts";
import { mergeSortBytes, radixScratchIsKnown, radixSortBytes } from "./radix-sort.ts";
import { defineOps, type Kernel, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import { distinctValues, runsOfValues } from "./values-selection.ts";

/** How many different values there are, or runs of them: known for small constants, else as many as there can be. */
function distinct(k: Kernel, self: Tensor, most: number, consecutive: boolean): number {
  const { values } = self;
  if (!values) k.assume("data_dependent_size", { rule: "all values differ" });
  const runs = () => values!.filter((value, i) => i === 0 || value !== values![i - 1]).length;
  const bound = consecutive ? most : Math.min(most, self.storage.mostDistinct);
  return k.readBack(values ? (consecutive && most === values.length ? runs() : new Set(values).size) : bound, self);
}

/** All elements in order, with their places where the inverse is asked for (cuda/Unique.cu: UniqueFunctor). */
function sortedFirst(k: Kernel, self: Tensor, places: boolean): void {
  if (!self.isContiguous) k.scratch(self.numel * self.dtype.itemBytes, "unique_contiguous");
  k.scratch(self.numel * self.dtype.itemBytes, "unique_sorted");
  if (!radixScratchIsKnown(self.dtype.itemBytes, k.gpu)) k.assume("library_scratch", { library: "CUB" });
  const { itemBytes } = self.dtype;
  if (!places)
    return k.scratch(
      radixSortBytes(self.numel, itemBytes, 0, k, 8 * itemBytes, isFloating(self.dtype)),
      "sort_library",
    )();
  k.scratch(self.numel * INT64.itemBytes, "unique_order");
  const order = k.scratch(self.numel * INT64.itemBytes, "unique_range");
  k.scratch(radixSortBytes(self.numel, self.dtype.itemBytes, INT64.itemBytes, k), "sort_library")();
  order();
}

/** Which run each element is in: whether it begins one, and the sums of that (compute_unique). */
function placesOfRuns(k: Kernel, n: number, itemBytes: number): void {
  const begins = k.scratch(n * itemBytes, "unique_begins");
  k.scratch(truncatingScanBytes(n, k.rules), "library_scan")();
  begins();
}

/** Of truth values there are two: counted, not sorted (unique_cuda_template<bool> in cuda/Unique.cu). */
function bothTruths(k: Kernel, self: Tensor, found: number, inverse: boolean, counts: boolean): Tensor[] {
  const trues = k.scratch(4, "unique_trues");
  k.scratch(sumBytes(self.numel, k), "library_scan")();
  const output = k.view(k.output([2], BOOL), [found], [1], 0, true);
  const counted = k.output([2], INT64);
  const places = k.output(inverse ? self.sizes : [0], INT64);
  trues();
  return [output, places, counts ? k.view(counted, [found], [1], 0, true) : k.output([0], INT64)];
}

/** Slices put in order by their positions (unique_dim_cuda_template in cuda/Unique.cu, with Thrust's scratch as recorded for sm_80). */
function uniqueSlices(
  k: Kernel,
  self: Tensor,
  dim: number,
  consecutive: boolean,
  inverse: boolean,
  counts: boolean,
): Tensor {
  const n = self.sizes[dim];
  const bytes = n * INT64.itemBytes;
  if (dim !== 0 || !self.isContiguous) k.scratch(self.numel * self.dtype.itemBytes, "unique_contiguous");
  k.scratch(bytes, "unique_order");
  if (!consecutive) k.scratch(mergeSortBytes(n, INT64.itemBytes), "sort_library")();
  const places = k.output(inverse ? [n] : [0], INT64);
  if (inverse) {
    const begins = k.scratch(bytes, "unique_begins");
    k.scratch(255, "library_scan")();
    k.scratch(scanBytes(n, INT64.itemBytes, k.rules), "library_scan")();
    begins();
  }
  const range = k.scratch(counts ? bytes + INT64.itemBytes : 0, "unique_range");
  k.scratch(uniqueSlicesBytes(n), "library_scan")();
  range();
  return places;
}

const uniqueRow = (schema: string, inverse: string, consecutive = false): OpRow => ({
  schema: `${schema} -> (Tensor output, Tensor inverse_indices, Tensor counts)`,
  evidence: `native_functions.yaml: ${operatorName(schema)}`,
  python: "none",
  forward: (a, k) => {
    const self: Tensor = a.self;
    const dim: number | null = a.dim === null || a.dim === undefined ? null : wrapDim(a.dim, self.rank);
    const n = dim === null ? self.numel : self.sizes[dim];
    const found = distinct(k, self, n, consecutive);
    if (dim === null && self.dtype === BOOL && !consecutive)
      return bothTruths(k, self, found, a[inverse], a.return_counts);
    // made for as many as there are elements, and made smaller without giving memory back (compute_unique)
    const first = (type: DType): Tensor => k.view(k.output([n], type), [found], [1], 0, true);
    if (dim === null) {
      if (consecutive && !self.isContiguous) k.scratch(self.numel * self.dtype.itemBytes, "unique_contiguous");
      if (!consecutive) sortedFirst(k, self, a[inverse]);
      const places = k.output(a[inverse] ? self.sizes : [0], INT64);
      if (a[inverse]) placesOfRuns(k, n, consecutive ? 4 : INT64.itemBytes);
      const output = first(self.dtype);
      k.scratch(INT64.itemBytes, "unique_length");
      const counts = a.return_counts ? first(INT64) : k.output([0], INT64);
      k.scratch(a.return_counts ? runLengthBytes(n) : uniqueBytes(n, self.dtype.itemBytes, k.rules), "library_scan")();
      return [output, places, counts];
    }
    const places = uniqueSlices(k, self, dim, consecutive, a[inverse], a.return_counts);
    const sizes = self.sizes.map((s, i) => (i === dim ? found : s));
    return [k.output(sizes, self.dtype), places, k.output(a.return_counts ? [found] : [0], INT64)];
  },
});

export const uniqueOps = defineOps([
  {
    ...uniqueRow(
      "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False)",
      "return_inverse",
    ),
    values: distinctValues,
  },
  uniqueRow(
    "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False)",
    "return_inverse",
  ),
  {
    ...uniqueRow(
      "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None)",
      "return_inverse",
      true,
    ),
    values: runsOfValues,
  },
  {
    schema: "_unique(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: _unique",
    python: "none",
    composite: ({ self }, o) => o._unique2(self, false)[0],
  },
]);
