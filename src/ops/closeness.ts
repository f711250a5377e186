/** Whether two tensors are equal or close: as a tensor, and as an answer that the host reads. */

import { cxxName } from "../tensor/cxx-names.ts";
import { BOOL, isComplex, isFloating, isIntegral } from "../tensor/dtype.ts";
import { sameShape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { comparison } from "./pointwise.ts";
import { defineOps, type Kernel } from "./row.ts";

const known = (k: Kernel, holds: boolean): Tensor =>
  k.ops.scalar_tensor({ scalar: "bool", value: Number(holds) }, BOOL, "cpu");

/** The same elements in the same order: nothing is compared. */
const isAlias = (a: Tensor, b: Tensor): boolean =>
  a.storage === b.storage && a.offset === b.offset && sameShape(a.strides, b.strides);

function notNegative(name: string, tolerance: number): void {
  if (tolerance < 0) throw new TorchError(`${name} must be greater than or equal to zero, but got ${tolerance}`);
}

export const closeness = defineOps([
  {
    // what `equal` compares with, before the host reads whether all of it holds
    ...comparison("eq", (x, y) => x === y),
    schema: "_equal_eq(Tensor self, Tensor other) -> Tensor",
    as: "equal",
    inplace: false,
    python: "none",
    evidence: "cuda/Equal.cpp: cuda_equal; case overloads/answers-that-the-host-reads",
  },
  {
    schema: "equal(Tensor self, Tensor other) -> bool",
    evidence: "cuda/Equal.cpp: cuda_equal; case overloads/answers-that-the-host-reads",
    forward: ({ self, other }, k) => {
      if (!sameShape(self.sizes, other.sizes)) return known(k, false);
      if (self.numel === 0) return known(k, true);
      // on the host a number that is none differs from itself, where numbers are known
      if (isAlias(self, other) && (self.isCuda || self.storage.contents === null)) return known(k, true);
      return k.ops.all(k.ops._equal_eq(self, other));
    },
  },
  {
    schema: "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
    evidence: "native_functions.yaml: isclose; case tensors/splitting-stacking-and-distances",
    composite: ({ self, other, rtol, atol, equal_nan }, o, c) => {
      if (self.dtype !== other.dtype)
        throw new TorchError(`${cxxName(self.dtype)} did not match ${cxxName(other.dtype)}`);
      notNegative("rtol", rtol);
      notNegative("atol", atol);
      const close = o.eq(self, other);
      if (equal_nan && (isFloating(self.dtype) || isComplex(self.dtype)))
        c.statement(() => {
          const unknown = o.isnan(other);
          return o.logical_or_(close, o.logical_and_(o.isnan(self), unknown)) as Tensor;
        });
      if (rtol === 0 && atol === 0) return close;
      // whole numbers are measured in the default dtype
      const left = self.dtype === BOOL ? o.to(self, c.defaultDtype) : self;
      const right = isIntegral(self.dtype) ? o.to(other, c.defaultDtype) : other;
      const allowed = c.statement(() => o.add(o.abs(o.mul(right, rtol)), atol));
      const actual = c.statement(() => o.abs(o.sub(left, right)));
      o.logical_or_(close, o.logical_and_(o.isfinite(actual), o.le(actual, allowed)));
      return close;
    },
  },
  {
    schema: "allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool",
    evidence: "native_functions.yaml: allclose; case overloads/answers-that-the-host-reads",
    forward: ({ self, other, rtol, atol, equal_nan }, k) =>
      k.ops.all(k.ops.isclose(self, other, rtol, atol, equal_nan)),
  },
]);
