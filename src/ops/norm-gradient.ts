/** The gradient of vector norms. */

import type { Tensor } from "../tensor/tensor.ts";
import type { Ops } from "./row.ts";

/** Gradient of the p-norm (norm_backward in FunctionsManual.cpp). */
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
    const mask = o.eq(abs, norm);
    const count = o.sum_dim_IntList(mask, dims, true);
    return o.mul(o.mul(o.sgn(self), mask), o.div(grad, count));
  }
  if (p < 1) {
    const scaled = statement(() => o.mul(o.sgn(self), o.masked_fill_(o.pow_(o.abs(self), p - 1), o.eq(self, 0), 0)));
    return statement(() => o.mul(o.mul(scaled, grad), o.pow(norm, 1 - p)));
  }
  const scaled = statement((): Tensor =>
    p < 2 ? o.mul(o.sgn(self), o.pow_(o.abs(self), p - 1)) : o.mul(self, o.pow_(o.abs(self), p - 2)),
  );
  const factor = statement((): Tensor => o.div(grad, o.pow(norm, p - 1)));
  statement(() => o.masked_fill_(factor, o.eq(norm, 0), 0) as Tensor);
  return o.mul(scaled, factor);
}
