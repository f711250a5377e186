/** Views that PyTorch writes in other views: in the shape of another tensor, with axes moved or exchanged, in one row. */

import { TorchError } from "../tensor/shape.ts";
import { defineOps, type OpRow } from "./row.ts";

const asOther = (name: string, view: "view" | "reshape" | "expand"): OpRow => ({
  schema: `${name}(Tensor self, Tensor other) -> Tensor`,
  evidence: `native_functions.yaml: ${name}; case overloads/views-joins-powers-and-draws`,
  python: "method",
  composite: ({ self, other }, o) => o[view](self, other.sizes),
});

const exchange = (name: string, first: string, second: string): OpRow => ({
  schema: `${name}(Tensor self, int ${first}, int ${second}) -> Tensor`,
  evidence: `native_functions.yaml: ${name}; case overloads/views-joins-powers-and-draws`,
  composite: (a, o) => o.transpose(a.self, a[first], a[second]),
});

const flipped = (name: string, dim: number): OpRow => ({
  schema: `${name}(Tensor self) -> Tensor`,
  evidence: `native_functions.yaml: ${name}; case overloads/views-joins-powers-and-draws`,
  composite: ({ self }, o) => {
    if (self.rank <= dim) throw new TorchError(`Input must be >= ${dim + 1}-d.`);
    return o.flip(self, [dim]);
  },
});

export const viewForms = defineOps([
  asOther("view_as", "view"),
  asOther("reshape_as", "reshape"),
  asOther("expand_as", "expand"),
  {
    schema: "broadcast_to(Tensor self, int[] size) -> Tensor",
    evidence: "native_functions.yaml: broadcast_to; case overloads/views-joins-powers-and-draws",
    composite: ({ self, size }, o) => o.expand(self, size),
  },
  exchange("swapaxes", "axis0", "axis1"),
  exchange("swapdims", "dim0", "dim1"),
  {
    schema: "adjoint(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: adjoint; case overloads/views-joins-powers-and-draws",
    composite: ({ self }, o) => o.conj(o.transpose(self, -2, -1)),
  },
  {
    schema: "ravel(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: ravel; case overloads/views-joins-powers-and-draws",
    composite: ({ self }, o) => o.view(o.contiguous(self), [-1]),
  },
  {
    schema: "tile(Tensor self, int[] dims) -> Tensor",
    evidence: "native_functions.yaml: tile; case overloads/views-joins-powers-and-draws",
    composite: ({ self, dims }, o) =>
      o.repeat(self, [...new Array(Math.max(0, self.rank - dims.length)).fill(1), ...dims]),
  },
  flipped("flipud", 0),
  flipped("fliplr", 1),
]);
