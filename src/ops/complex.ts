/** Complex numbers in backward formulas: conjugates of factors, real gradients for real inputs. */

import { isComplex } from "../tensor/dtype.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { BackwardContext, Ops } from "./row.ts";

/** The conjugate as a lazy view; real tensors and numbers as they are. */
export const conj = <T>(o: Ops, t: T): T => (t instanceof Tensor && isComplex(t.dtype) ? (o.conj(t) as T & Tensor) : t);

/** The gradient that a real input takes of a complex one: its real part (handle_r_to_c). */
export const realFor = (c: BackwardContext, input: string, grad: Tensor): Tensor =>
  isComplex(grad.dtype) && !isComplex(c.meta[input].dtype) ? c.ops.real(grad) : grad;
