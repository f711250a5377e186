/** What putting the entries of sparse tensors in order takes (cuda/SparseCUDATensor.cu in sparse/). */

import { INT64 } from "../tensor/dtype.ts";
import { uniquePairsBytes } from "./device-scans.ts";
import { mergeSortPairsBytes } from "./radix-sort.ts";
import { d, defineOps } from "./row.ts";

export const sparseOps = defineOps([
  {
    // every entry is taken to be at a place of its own: values decide that
    schema: "_coalesced_entries(Tensor indices, Tensor values) -> (Tensor entries, Tensor hashed)",
    as: "_coalesce",
    python: "none",
    forward: ({ indices, values }, k) => {
      const [dimensions, entries] = indices.sizes as [number, number];
      const bytes = entries * INT64.itemBytes;
      // one number for each place, where it was, and where runs of equal ones begin
      if (dimensions !== 1) k.scratch(bytes, "sparse_places");
      const hashed = dimensions === 1 ? k.output(indices.sizes, INT64) : null;
      k.scratch(bytes, "sparse_order");
      k.scratch(bytes, "sparse_runs");
      k.scratch(mergeSortPairsBytes(entries, INT64.itemBytes, INT64.itemBytes), "sort_library")();
      k.scratch(uniquePairsBytes(entries), "library_scan")();
      const kept = k.output(values.sizes, values.dtype);
      return [kept, hashed ?? k.output(indices.sizes, INT64)];
    },
    derivatives: [d("values", "", ({ grad }) => grad)],
    evidence: "_coalesce_sparse_cuda; scratch as recorded with the host code of PyTorch 2.14",
  },
]);
