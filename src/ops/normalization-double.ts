/**
 * Gradients of the gradients of layer_norm and batch_norm (layer_norm_double_backward and batchnorm_double_backward in
 * torch/csrc/autograd/FunctionsManual.cpp). Both are the same sums over centred values; they differ in what is summed.
 */

import type { Tensor } from "../tensor/tensor.ts";
import { type BackwardContext, type Derivative, d } from "./row.ts";

interface Centred {
  readonly c: BackwardContext;
  /** x - mean */
  readonly centred: Tensor;
  /** 1/sigma, 1/sigma^2, 1/sigma^3 */
  readonly inverse: Tensor;
  readonly inverse2: Tensor;
  readonly inverse3: Tensor;
  /** Values that one statistic was taken over. */
  readonly count: number;
  /** Sum over them, kept as dimensions of one. */
  readonly sum: (t: Tensor) => Tensor;
}

/** What the gradient of the input gets from the gradient of its gradient. */
function inputTerm(s: Centred, scaled: Tensor, g: Tensor, gMoment: Tensor, gSum: Tensor, gg: Tensor): Tensor {
  const { c, count, sum } = s;
  const o = c.ops;
  const ggSum = sum(gg);
  const ggMoment = c.statement(() => sum(o.mul(gg, s.centred)));
  const cross = c.statement(() => {
    const total = o.div_(o.mul(ggSum, gSum), count);
    const product = sum(o.mul(gg, g));
    const moments = o.mul_(o.mul(o.mul(s.inverse2, gMoment), ggMoment), 3 / count);
    return o.add_(o.sub_(total, product), moments);
  });
  const first = o.div_(o.mul(scaled, cross), count);
  const second = c.statement(() => {
    const rest = o.sub(o.div(gSum, count), g);
    return o.mul(o.div_(o.mul(ggMoment, s.inverse3), count), rest);
  });
  const third = c.statement(() => {
    const rest = o.sub(o.div(ggSum, count), gg);
    return o.mul(o.div_(o.mul(gMoment, s.inverse3), count), rest);
  });
  return o.add_(o.add_(first, second), third);
}

/** The first backward again, of the gradient `g` and the weight. */
function firstBackward(s: Centred, g: Tensor, weight: Tensor): Tensor {
  const { c } = s;
  const o = c.ops;
  return c.statement(() => {
    const factor = o.div_(o.mul(weight, s.inverse), s.count);
    const rest = c.statement(() => {
      const whole = o.sub_(o.mul(g, s.count), s.sum(g));
      const moment = s.sum(o.mul(g, s.centred));
      return o.sub_(whole, o.mul(o.mul(s.centred, s.inverse2), moment));
    });
    return o.mul(factor, rest);
  });
}

const plus = (c: BackwardContext, a: Tensor | null, b: Tensor): Tensor => (a ? c.ops.add_(a, b) : b);

export const layerNormDoubleBackward: Derivative = d(
  "input weight grad_out",
  "input weight grad_out mean rstd",
  (c) => {
    const { saved, args, grads, meta, ops: o } = c;
    const [ggInput, ggWeight, ggBias] = grads;
    const columns = args.normalized_shape.reduce((n: number, s: number) => n * s, 1);
    const rows = saved.input.numel / columns;
    const flat = (t: Tensor): Tensor => o.reshape(t, [rows, columns]);
    const wide = (t: Tensor): Tensor => o.to(o.reshape(t, [rows, 1]), saved.input.dtype);
    const x = flat(saved.input);
    const g = flat(saved.grad_out);
    const mean = wide(saved.mean);
    const inverse = wide(saved.rstd);
    const weight: Tensor = saved.weight ? o.reshape(saved.weight, [1, columns]) : o.ones([1], x.dtype, x.device);
    const gg = ggInput ? flat(ggInput) : null;
    const centred = o.sub(x, mean);
    const inverse2 = o.pow(inverse, 2);
    const inverse3 = o.pow(inverse, 3);
    const sum = (t: Tensor): Tensor => o.sum_dim_IntList(t, [1], true);
    const s: Centred = { c, centred, inverse, inverse2, inverse3, count: columns, sum };
    const scaled = o.mul(centred, inverse3);

    let gradInput: Tensor | null = null;
    if (gg)
      gradInput = c.statement(() => {
        const weighted = o.mul(g, weight);
        const moment = c.statement(() => sum(o.mul(weighted, centred)));
        return inputTerm(s, scaled, weighted, moment, sum(weighted), gg);
      });
    const one = (): Tensor => o.ones([], x.dtype, x.device);
    if (saved.weight && ggWeight) {
      const wanted = o.reshape(ggWeight, [1, columns]);
      gradInput = plus(
        c,
        gradInput,
        c.statement(() => firstBackward(s, o.mul(wanted, g), one())),
      );
    }
    let gradWeight: Tensor | null = null;
    if (saved.weight && gg)
      gradWeight = c.statement(() => {
        const first = c.statement(() => firstBackward(s, g, one()));
        return o.sum_dim_IntList(o.mul(gg, first), [0], false);
      });
    let gradGrad: Tensor | null = gg ? firstBackward(s, gg, weight) : null;
    if (saved.weight && ggWeight)
      gradGrad = plus(
        c,
        gradGrad,
        c.statement(() => o.mul(o.mul(o.reshape(ggWeight, [1, columns]), centred), inverse)),
      );
    if (saved.weight && ggBias) gradGrad = plus(c, gradGrad, o.expand(o.reshape(ggBias, [1, columns]), x.sizes));
    const shaped = (t: Tensor | null, like: { sizes: readonly number[] }): Tensor | null =>
      t && o.reshape(t, like.sizes);
    return [
      shaped(gradInput, meta.input),
      gradWeight && shaped(gradWeight, meta.weight),
      shaped(gradGrad, meta.grad_out),
    ];
  },
);

export const batchNormDoubleBackward: Derivative = d(
  "input weight grad_out",
  "input weight grad_out running_mean running_var mean invstd",
  (c) => {
    const { saved, args, grads, ops: o } = c;
    const [ggInput, ggWeight, ggBias] = grads;
    const x: Tensor = saved.input;
    const g: Tensor = saved.grad_out;
    const training: boolean = args.training ?? true;
    const channels = x.sizes[1];
    const column = x.sizes.map((_, i) => (i === 1 ? channels : 1));
    const perChannel = (t: Tensor): Tensor => o.to(o.view(t, column), x.dtype);
    /** Over the batch, then over the spatial dimensions from the last. */
    const reduce = (t: Tensor, keep: boolean): Tensor =>
      c.statement(() => {
        let r = o.sum_dim_IntList(t, [0], keep);
        for (let dim = r.rank - 1; dim > (keep ? 1 : 0); dim--) {
          const next = o.sum_dim_IntList(r, [dim], keep);
          c.drop(r);
          r = next;
        }
        return r;
      });
    const sum = (t: Tensor): Tensor => reduce(t, true);
    const whole = (t: Tensor): Tensor => o.expand(o.view(t, column), x.sizes);
    const mean = perChannel(training ? saved.mean : saved.running_mean);
    const inverse = perChannel(training ? saved.invstd : o.rsqrt_(o.add(saved.running_var, args.eps)));
    const weight: Tensor = saved.weight ? whole(saved.weight) : o.ones([1], x.dtype, x.device);
    const centred = o.sub(x, mean);
    const inverse2 = o.pow(inverse, 2);
    const inverse3 = o.pow(inverse, 3);
    const s: Centred = { c, centred, inverse, inverse2, inverse3, count: x.numel / channels, sum };
    const scaled = o.mul(centred, inverse3);
    const moment = c.statement(() => sum(o.mul(g, centred)));
    const total = sum(g);

    let gradInput: Tensor | null = null;
    if (ggInput && training)
      gradInput = c.statement(() => o.mul(weight, inputTerm(s, scaled, g, moment, total, ggInput)));
    const one = (): Tensor => o.ones([], x.dtype, x.device);
    if (saved.weight && ggWeight && training)
      gradInput = plus(
        c,
        gradInput,
        c.statement(() => o.mul(whole(ggWeight), firstBackward(s, g, one()))),
      );
    let gradWeight: Tensor | null = null;
    if (saved.weight && ggInput)
      gradWeight = c.statement(() =>
        training
          ? reduce(
              c.statement(() => o.mul(ggInput, firstBackward(s, g, one()))),
              false,
            )
          : reduce(o.mul(o.mul(ggInput, g), inverse), false),
      );
    let gradGrad: Tensor | null = null;
    if (ggInput)
      gradGrad = training
        ? firstBackward(s, ggInput, weight)
        : c.statement(() => o.mul(o.mul(ggInput, inverse), weight));
    if (saved.weight && ggWeight)
      gradGrad = plus(
        c,
        gradGrad,
        c.statement(() => o.mul(o.mul(whole(ggWeight), centred), inverse)),
      );
    if (ggBias) gradGrad = plus(c, gradGrad, whole(ggBias));
    return [gradInput, gradWeight, gradGrad];
  },
);
