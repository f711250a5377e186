/** Complex numbers in backward formulas: conjugates of factors, real gradients for real inputs. */

import { type DType, isComplex } from "../tensor/dtype.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { BackwardContext, Ops } from "./row.ts";

/** The conjugate as a lazy view; real tensors and numbers as they are. */
export const conj = <T>(o: Ops, t: T): T => (t instanceof Tensor && isComplex(t.dtype) ? (o.conj(t) as T & Tensor) : t);

/** The gradient that an input of this dtype takes: of a complex one its real part, as a view, if the input is real (handle_r_to_c). */
export const realOf = (o: Ops, grad: Tensor, dtype: DType): Tensor =>
  isComplex(grad.dtype) && !isComplex(dtype) ? o.real(grad) : grad;

/** The gradient that an input takes, by its name. */
export const realFor = (c: BackwardContext, input: string, grad: Tensor): Tensor =>
  realOf(c.ops, grad, c.meta[input].dtype);
