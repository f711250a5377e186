/**
 * Gradients of the gradients of activations: their backward kernels with derivatives, and the spelled-out gradients that
 * create_graph uses where the fused kernel has none (torch/csrc/autograd/FunctionsManual.cpp). C++ compiled by GCC
 * evaluates the operands of one expression from the last to the first; the order of calls here follows it.
 */

import type { Tensor } from "../tensor/tensor.ts";
import { minus, over } from "./cpp-expressions.ts";
import { backwardKernel } from "./pointwise.ts";
import { d, named, type BackwardContext, type Derivative, type OpRow } from "./row.ts";

/** silu: grad * s * (1 + x * (1 - s)) with s = sigmoid(x). */
export function siluGradient({ grad, saved: { self }, ops: o }: BackwardContext): Tensor {
  const s = o.sigmoid(self);
  const slope = o.add(o.mul(self, minus(o, 1, s)), 1);
  return o.mul(o.mul(grad, s), slope);
}

/** mish: grad * (t + x * s * (1 - t^2)) with t = tanh(log(1 + e^x)). */
export function mishGradient({ grad, saved: { self }, ops: o }: BackwardContext): Tensor {
  const s = o.sigmoid(self);
  const t = o.tanh(o.log1p(o.exp(self)));
  const rest = minus(o, 1, o.mul(t, t));
  return o.mul(grad, o.add(t, o.mul(o.mul(self, s), rest)));
}

const zeroScalar = ({ saved, ops: o }: BackwardContext): Tensor => o.zeros([], saved.self.dtype, saved.self.device);

/** gelu: second derivative of the exact form. */
function geluExact(c: BackwardContext): Tensor {
  const { grad, saved, ops: o } = c;
  const square = o.mul(saved.self, saved.self);
  const density = c.statement(() => o.mul(o.exp(o.mul(square, -0.5)), 0.3989422804014327));
  const slope = c.statement(() => {
    const lower = o.mul(square, density);
    return o.sub(o.mul(density, 2), lower);
  });
  return o.mul(o.mul(saved.grad, grad), slope);
}

/** gelu: second derivative of the tanh form, one full-size tensor per factor. */
function geluTanh(c: BackwardContext): Tensor {
  const { grad, saved, ops: o } = c;
  const x: Tensor = saved.self;
  const beta = 0.7978845608028654;
  const kappa = 0.044715;
  const inner = c.statement(() => o.mul(o.add(x, o.mul(o.pow(x, 3), kappa)), beta));
  const tanh = o.tanh(inner);
  const sech = c.statement(() => over(o, 1, o.cosh(inner)));
  const half = o.mul(x, 0.5);
  const rest = c.statement(() => minus(o, 1, o.mul(tanh, tanh)));
  const slope = c.statement(() => o.mul(o.add(o.mul(o.mul(x, x), 3 * kappa), 1), beta));
  const curve = c.statement(() => o.mul(o.mul(x, 6 * kappa), beta));
  const bend = c.statement(() => o.mul(o.mul(o.mul(o.mul(o.neg(tanh), sech), sech), slope), slope));
  const first = c.statement(() => o.mul(o.mul(rest, slope), 0.5));
  const second = c.statement(() => o.mul(o.mul(bend, half), 2));
  const third = c.statement(() => o.mul(o.mul(rest, curve), half));
  const sum = o.add(o.add(o.mul(first, 2), second), third);
  return o.mul(o.mul(grad, saved.grad), sum);
}

const zerosLikeGrad = d("self", "", ({ grad, ops: o }) => o.zeros_like(grad));

/** Second formula of each backward kernel; the first is always the kernel again. */
const ofInput: Record<string, Derivative> = {
  tanh_backward: d("output", "grad output", ({ grad, saved: { grad: g, output }, ops: o }) =>
    o.mul(grad, o.mul(o.mul(output, -2), g)),
  ),
  sigmoid_backward: d("output", "grad output", ({ grad, saved: { grad: g, output }, ops: o }) => {
    const slope = o.add(o.mul(output, -2), 1);
    return o.mul(o.mul(grad, g), slope);
  }),
  threshold_backward: zerosLikeGrad,
  hardtanh_backward: zerosLikeGrad,
  leaky_relu_backward: zerosLikeGrad,
  softshrink_backward: zerosLikeGrad,
  hardshrink_backward: zerosLikeGrad,
  gelu_backward: d("self", "grad self", (c) => (c.args.approximate === "tanh" ? geluTanh(c) : geluExact(c))),
  hardswish_backward: d("self", "grad self", (c) => {
    const { grad, saved, ops: o } = c;
    const zero = zeroScalar(c);
    const inside = o.div(o.mul(grad, saved.grad), 3);
    const below = o.lt(saved.self, 3);
    return o.where_self(o.logical_and(o.gt(saved.self, -3), below), inside, zero);
  }),
  softplus_backward: d("self", "grad self", (c) => {
    const { grad, saved, args, ops: o } = c;
    const product = o.mul(grad, saved.grad);
    const x = o.mul(saved.self, args.beta);
    const inside = o.to(o.lt(x, args.threshold), grad.dtype);
    return o.mul(o.mul(o.sigmoid_backward(product, o.sigmoid(x)), inside), args.beta);
  }),
  elu_backward: d("self", "grad self", (c) => {
    const { grad, saved, args, ops: o } = c;
    const inside = o.to(o.lt(saved.self, 0), grad.dtype);
    const product = o.mul(o.mul(grad, saved.grad), args.input_scale);
    return o.mul(o.elu_backward(product, args.alpha, args.scale, args.input_scale, args.is_result, saved.self), inside);
  }),
  log_sigmoid_backward: d("self", "grad self", ({ grad, saved, ops: o }) => {
    const product = o.mul(grad, saved.grad);
    const s = o.sigmoid(saved.self);
    return o.mul(o.mul(product, o.sub(s, 1)), s);
  }),
};

/** A backward kernel that can be differentiated again where PyTorch's can. */
export function doubleBackward(schema: string, tensors: readonly string[]): OpRow {
  const row = backwardKernel(schema, tensors);
  const name = schema.slice(0, schema.indexOf("("));
  const second = ofInput[name];
  if (!second) return row;
  const names = [...schema.matchAll(/(\w+)(?:,|\))/g)].map((m) => m[1]);
  const again = d("grad", tensors.filter((n) => n !== "grad").join(" "), (c) =>
    named(c.ops, name)(...names.map((n) => (n === "grad" ? c.grad : (c.saved[n] ?? c.args[n])))),
  );
  return { ...row, derivatives: [again, second] };
}

/** A zero-dimensional zero beside a mask where the weight does not reach. */
export const preluDoubleBackward: readonly Derivative[] = [
  d("grad", "self weight", (c) => {
    const { grads, saved, ops: o } = c;
    const [fromInput, fromWeight] = grads;
    if (!fromInput) {
      const reached = o.mul(fromWeight as Tensor, saved.self);
      const zero = zeroScalar(c);
      return o.where_self(o.ge(saved.self, 0), zero, reached);
    }
    const scaled = o.mul(fromInput, saved.weight);
    const other = fromWeight ? o.add(scaled, o.mul(fromWeight, saved.self)) : scaled;
    return o.where_self(o.ge(saved.self, 0), fromInput, other);
  }),
  d("self", "grad self", (c) => {
    const { grads, saved, ops: o } = c;
    if (!grads[1]) return o.zeros_like(saved.self);
    const reached = o.mul(saved.grad, grads[1]);
    const zero = zeroScalar(c);
    return o.where_self(o.ge(saved.self, 0), zero, reached);
  }),
  d("weight", "grad self", (c) => {
    const { grads, saved, ops: o } = c;
    if (!grads[0]) return o.zeros_like(saved.self);
    const reached = o.mul(saved.grad, grads[0]);
    const zero = zeroScalar(c);
    return o.where_self(o.ge(saved.self, 0), zero, reached);
  }),
];

export const gluDoubleBackward: readonly Derivative[] = [
  d("grad", "self", (c) => {
    const { grad, saved, args, ops: o } = c;
    const at = args.dim < 0 ? args.dim + saved.self.rank : args.dim;
    const sizes = saved.self.sizes.map((s: number, i: number) => (i === at ? s / 2 : s));
    const both = c.statement(() =>
      o.mul(grad, o.glu_backward(o.ones(sizes, saved.self.dtype, saved.self.device), saved.self, args.dim)),
    );
    return o.add(o.narrow(both, at, 0, sizes[at]), o.narrow(both, at, sizes[at], sizes[at]));
  }),
  d("self", "grad self", (c) => {
    const { grad, saved, args, ops: o } = c;
    const at = args.dim < 0 ? args.dim + saved.self.rank : args.dim;
    const size = saved.self.sizes[at] / 2;
    const half = (t: Tensor, part: number): Tensor => o.narrow(t, at, part * size, size);
    const gate = o.sigmoid(half(saved.self, 1));
    const rest = minus(o, 1, gate);
    const slope = o.mul(gate, rest);
    const halfGrad = o.mul(half(grad, 0), saved.grad);
    const toFirst = c.statement(() => o.mul(o.mul(half(grad, 1), saved.grad), slope));
    const bend = c.statement(() => {
      const lower = o.mul(gate, slope);
      return o.sub(o.mul(slope, rest), lower);
    });
    const toSecond = c.statement(() => {
      const straight = o.mul(halfGrad, slope);
      const curved = o.mul(o.mul(o.mul(half(grad, 1), half(saved.self, 0)), saved.grad), bend);
      return o.add(curved, straight);
    });
    return o.cat([toFirst, toSecond], at);
  }),
];
