/** Parts of a tensor by number or by where they begin (aten/src/ATen/native/TensorShape.cpp, tensor_split and its kin). */

import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type OpRow, type Ops } from "./row.ts";

function checkSplit(self: Tensor): void {
  if (self.rank === 0)
    throw new TorchError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
}

function parts(self: Tensor, ends: readonly (number | null)[], dim: number, o: Ops): Tensor[] {
  return ends.map((end, i) => o.slice(self, dim, i === 0 ? 0 : ends[i - 1], end, 1));
}

/** Where parts of one size begin; of a lone number, how many there are. */
const equalParts = (size: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.max(1, Math.floor((size * (i + 1)) / (count + 1))));

/** Along a fixed dimension: `hsplit`, `vsplit`, `dsplit`. */
const along = (name: string, least: number, dimOf: (self: Tensor) => number): OpRow[] => {
  const check = (self: Tensor): number => {
    if (self.rank < least)
      throw new TorchError(
        `torch.${name} requires a tensor with at least ${least} dimension, but got a tensor with ${self.rank} dimensions!`,
      );
    return dimOf(self);
  };
  return [
    {
      schema: `${name}.int(Tensor self, int sections) -> Tensor[]`,
      evidence: `native_functions.yaml: ${name}.int; case overloads/views-joins-powers-and-draws`,
      composite: ({ self, sections }, o) => {
        const dim = check(self);
        if (sections === 0 || self.sizes[dim] % sections !== 0)
          throw new TorchError(
            `torch.${name} attempted to split along dimension ${dim}, but the size of the dimension ${self.sizes[dim]} is not divisible by the split_size ${sections}!`,
          );
        return o.tensor_split_sections(self, sections, dim);
      },
    },
    {
      schema: `${name}.array(Tensor self, int[] indices) -> Tensor[]`,
      evidence: `native_functions.yaml: ${name}.array`,
      composite: ({ self, indices }, o) => o.tensor_split_indices(self, indices, check(self)),
    },
  ];
};

export const splits = defineOps([
  {
    schema: "tensor_split.sections(Tensor self, int sections, int dim=0) -> Tensor[]",
    evidence: "native_functions.yaml: tensor_split.sections; case overloads/views-joins-powers-and-draws",
    composite: ({ self, sections, dim }, o) => {
      checkSplit(self);
      if (sections <= 0) throw new TorchError(`number of sections must be larger than 0, got ${sections}`);
      const at = wrapDim(dim, self.rank);
      const size = self.sizes[at];
      const ends: number[] = [];
      for (let i = 0, end = 0; i < sections; i++)
        ends.push((end += Math.floor(size / sections) + (i < size % sections ? 1 : 0)));
      return parts(self, ends, at, o);
    },
  },
  {
    schema: "tensor_split.indices(Tensor self, int[] indices, int dim=0) -> Tensor[]",
    evidence: "native_functions.yaml: tensor_split.indices; case overloads/views-joins-powers-and-draws",
    composite: ({ self, indices, dim }, o) => {
      checkSplit(self);
      return parts(self, [...indices, null], wrapDim(dim, self.rank), o);
    },
  },
  {
    schema:
      "tensor_split.tensor_indices_or_sections(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]",
    evidence:
      "native_functions.yaml: tensor_split.tensor_indices_or_sections; case overloads/views-joins-powers-and-draws",
    mixedDevices: true,
    composite: ({ self, tensor_indices_or_sections: numbers, dim }, o, c) => {
      if (numbers.rank > 1)
        throw new TorchError(
          `tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with ${numbers.rank} dims`,
        );
      const known: readonly number[] | null = numbers.values;
      if (!known) c.assume("data_dependent_size", { rule: "parts of one size" });
      const size = self.sizes[wrapDim(dim, self.rank)];
      const sectionSizes = known ?? equalParts(size, numbers.numel);
      return numbers.rank === 0
        ? o.tensor_split_sections(self, sectionSizes[0], dim)
        : o.tensor_split_indices(self, sectionSizes, dim);
    },
  },
  ...along("hsplit", 1, (self) => (self.rank === 1 ? 0 : 1)),
  ...along("vsplit", 2, () => 0),
  ...along("dsplit", 3, () => 2),
]);
