/** Windows of signals, made of steps on their device (TensorFactories.cpp). */

import { type DType, isFloating } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, defineOps, type Ops, type OpRow } from "./row.ts";

/** The window from its steps 0, 1, 2 ... */
type FromSteps = (steps: Tensor, o: Ops, a: Args, last: number) => Tensor;

/** A periodic window is one longer, and its last element lies behind what the result shows. */
const window = (name: string, fromSteps: FromSteps, parameters = ""): OpRow => ({
  schema: `${name}(int window_length, bool periodic=True${parameters}, *, dtype? dtype=None, device? device=None) -> Tensor`,
  evidence: `native_functions.yaml: ${name}; case tensors/windows`,
  factory: "default",
  takesOut: false,
  python: "function",
  composite: (a, o, c) => {
    const { window_length: length, periodic, device } = a;
    const dtype = (a.dtype ?? c.defaultDtype) as DType;
    if (!isFloating(dtype)) throw new TorchError(`${name} expects floating point dtypes, got: ${dtype.name}`);
    if (length < 0)
      throw new TorchError(`${name} requires non-negative window_length, got window_length=${String(length)}`);
    if (length === 0) return o.empty([0], dtype, device);
    if (length === 1) return o.ones([1], dtype, device);
    const all = length + (periodic ? 1 : 0);
    const made = fromSteps(o.arange(all, dtype, device), o, a, all - 1);
    return periodic ? o.narrow(made, 0, 0, length) : made;
  },
});

/** `alpha - beta * cos(2 pi n / last)`, all in the memory of the steps. */
const raisedCosine =
  (of: (a: Args) => readonly [alpha: number, beta: number]): FromSteps =>
  (steps, o, a, last) => {
    const [alpha, beta] = of(a);
    o.mul_(steps, (2 * Math.PI) / last);
    return o.add_(o.mul_(o.cos_(steps), -beta), alpha);
  };

export const windows = defineOps([
  window("bartlett_window", (steps, o, _, last) => {
    o.mul_(steps, 2 / last);
    const half = Math.floor(last / 2) + 1;
    o.add_(o.mul_(o.narrow(steps, 0, half, last + 1 - half), -1), 2);
    return steps;
  }),
  window("blackman_window", (steps, o, _, last) => {
    o.mul_(steps, Math.PI / last);
    const first = o.mul_(o.cos_(o.mul(steps, 4)), 0.08);
    const second = o.mul_(o.cos_(o.mul(steps, 2)), 0.5);
    return o.add(o.sub(first, second), 0.42);
  }),
  window(
    "hann_window",
    raisedCosine(() => [0.5, 0.5]),
  ),
  window(
    "hamming_window",
    raisedCosine((a) => [a.alpha, a.beta]),
    ", float alpha=0.54, float beta=0.46",
  ),
  window(
    "kaiser_window",
    // a kernel of its own writes a second tensor from the steps
    (steps, o) => o.empty(steps.sizes, steps.dtype, steps.device),
    ", float beta=12.0",
  ),
]);
