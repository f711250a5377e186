/** The product of three operands over one dimension after the other, which bilinear layers are made of (_trilinear in Linear.cpp). */

import type { Tensor } from "../tensor/tensor.ts";
import { sumProduct } from "./einsum.ts";
import { type Args, d, type Kernel, type OpRow } from "./row.ts";

/** An operand in all dimensions, of size one where it has none. */
function expanded(t: Tensor, dims: readonly number[], k: Kernel): Tensor {
  let all = t;
  for (const dim of [...dims].sort((a, b) => a - b)) all = k.ops.unsqueeze(all, dim);
  return all;
}

/** What each slice adds lives until it is added. */
function addSlices(
  { sumdim, unroll_dim: unrolled, expand3 }: Args,
  operands: readonly Tensor[],
  out: Tensor,
  k: Kernel,
): void {
  const o = k.ops;
  const slices = Math.max(...operands.map((t) => t.sizes[unrolled]));
  const slice = (t: Tensor, at: number): Tensor => o.narrow(t, unrolled, t.sizes[unrolled] === 1 ? 0 : at, 1);
  const summed = sumdim.filter((dim: number) => dim !== unrolled);
  const before = summed.filter((dim: number) => expand3.includes(dim));
  const after = summed.filter((dim: number) => !expand3.includes(dim));
  for (let at = 0; at < slices; at++)
    k.statement(() => {
      const [first, second, third] = operands.map((t) => slice(t, at)) as [Tensor, Tensor, Tensor];
      const term = sumProduct(sumProduct(first, second, before, o, k), third, after, o, k);
      o.add_(sumdim.includes(unrolled) ? out : o.narrow(out, unrolled, at, 1), term);
      return null;
    });
}

export const trilinear: OpRow = {
  schema:
    "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor",
  evidence: "derivatives.yaml: _trilinear; case products/bilinear",
  inside: "zeros",
  python: "none",
  forward: (a, k) => {
    const operands = [expanded(a.i1, a.expand1, k), expanded(a.i2, a.expand2, k), expanded(a.i3, a.expand3, k)];
    const whole = operands[0]!.sizes.map((_, dim) =>
      a.sumdim.includes(dim) ? 1 : Math.max(...operands.map((t) => t.sizes[dim]!)),
    );
    const out = k.output(
      whole.filter((_, dim) => !a.sumdim.includes(dim)),
      a.i1.dtype,
    );
    if (operands.every((t) => t.numel > 0)) addSlices(a, operands, k.ops.view(out, whole), k);
    return out;
  },
  derivatives: [
    d("i1 i2 i3", "i1 i2 i3", ({ grad, saved: { i1, i2, i3 }, args: a, needs, ops: o }) => [
      needs.i1 ? o._trilinear(grad, i2, i3, a.sumdim, a.expand2, a.expand3, a.expand1, a.unroll_dim) : null,
      needs.i2 ? o._trilinear(i1, grad, i3, a.expand1, a.sumdim, a.expand3, a.expand2, a.unroll_dim) : null,
      needs.i3 ? o._trilinear(i1, i2, grad, a.expand1, a.expand2, a.sumdim, a.expand3, a.unroll_dim) : null,
    ]),
  ],
};
