/**
 * Expressions of C++ in which formulas are written. A number before a tensor, `1 - x` or `1 / x`, fills a new tensor and goes on in place
 * (TensorOperators.h), so that a trace names the operator or node around it. Of a product, the second factor is made first.
 */

import type { Scalar } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Ops } from "./row.ts";

const filled = (o: Ops, number: number | Scalar, like: Tensor): Tensor => o.fill_(o.empty_like(like), number);

/** `number - t` */
export const minus = (o: Ops, number: number | Scalar, t: Tensor): Tensor => o.sub_(filled(o, number, t), t);

/** `number / t` */
export const over = (o: Ops, number: number | Scalar, t: Tensor): Tensor => o.div_(filled(o, number, t), t);

/** `-t * factor` */
export const timesNegative = (o: Ops, t: Tensor, factor: () => Tensor): Tensor => {
  const right = factor();
  return o.mul(o.neg(t), right);
};
