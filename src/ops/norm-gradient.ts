/** The gradient of vector norms. */

import type { Tensor } from "../tensor/tensor.ts";
import type { Ops } from "./row.ts";

/** Gradient of the p-norm (norm_backward in FunctionsManual.cpp); C++ makes the second factor of a product first. */
export function normBackward(
  o: Ops,
  self: Tensor,
  grad: Tensor,
  norm: Tensor,
  p: number,
  dims: readonly number[],
  statement: <T>(run: () => T) => T = (run) => run(),
): Tensor {
  if (p === 0) return o.zeros_like(self);
  if (p === 1) return o.mul(o.sgn(self), grad);
  if (p === 2) return o.mul(grad, o.masked_fill_(o.div(self, norm), o.eq(norm, 0), 0));
  if (p === Infinity || p === -Infinity) {
    const abs = o.abs(self);
    const mask = statement(() => {
      const largest = o.eq(abs, norm);
      return o.logical_or(largest, o.isnan(abs));
    });
    return statement(() => {
      const share = o.mul(o.div(grad, o.sum_dim_IntList(mask, dims, true)), mask);
      return o.mul(o.sgn(self), share);
    });
  }
  if (p < 1) {
    const scaled = statement(() => {
      const steep = o.masked_fill_(o.pow_(o.abs(self), p - 1), o.eq(self, 0), 0);
      return o.mul(o.sgn(self), steep);
    });
    return statement(() => {
      const outer = o.pow(norm, 1 - p);
      return o.mul(o.mul(scaled, grad), outer);
    });
  }
  const scaled = statement((): Tensor => {
    const steep = o.pow_(o.abs(self), p < 2 ? p - 1 : p - 2);
    return o.mul(p < 2 ? o.sgn(self) : self, steep);
  });
  const factor = statement((): Tensor => o.div(grad, o.pow(norm, p - 1)));
  statement(() => o.masked_fill_(factor, o.eq(norm, 0), 0) as Tensor);
  return o.mul(scaled, factor);
}
