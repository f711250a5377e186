/** Losses between tensors of one shape: squared, absolute, smooth, cross entropy of probabilities, divergences, margins. */

import { nodeByOperand } from "./node-names.ts";
import { isIntegral } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import { commonShape, outputStrides } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";
import {
  freshLoss,
  reduced,
  REDUCTION_MEAN,
  REDUCTION_NONE,
  resizedLoss,
  shrink,
  shrunkLoss,
} from "./loss-reduction.ts";
import { logitsLoss } from "./loss-logits.ts";
import { elementwise as elementwiseValues, onHost, type ValueRule } from "./values.ts";
import { minus } from "./cpp-expressions.ts";
import { elementwise } from "./pointwise.ts";
import { d, defineOps, named, type BackwardContext, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import {
  crossEntropyOfChances,
  crossEntropyOfChancesSlope,
  huber,
  huberSlope,
  pairLoss,
  pairSlope,
  smooth,
  smoothSlope,
  squared,
  squaredSlope,
} from "./values-losses.ts";

const pairOf = (name: string, rest = ""): string =>
  `${name}(Tensor self, Tensor target, int reduction=1${rest}) -> Tensor`;

/** A gradient in the layout of a contiguous input. */
const gradientOf = (schema: string, values: ValueRule, derivatives: OpRow["derivatives"]): OpRow => ({
  schema,
  values,
  evidence: `derivatives.yaml: ${operatorName(schema)}`,
  python: "none",
  inside: "zeros_like",
  forward: ({ self, target }, k) => k.output(commonShape([self, target]), self.dtype),
  derivatives,
});

const product = (c: BackwardContext): Tensor => c.ops.mul(c.grad, c.saved.grad_output);

/** Second derivative of the smooth losses: the gradient where the difference is small. */
function smoothSecond(c: BackwardContext): Tensor {
  const { saved, args, ops: o } = c;
  const gg = product(c);
  const distance = c.statement(() => o.abs(o.sub(saved.self, saved.target)));
  const near = o.to(o.lt(distance, args.beta), gg.dtype);
  const result = o.div(o.mul(gg, near), args.beta);
  return args.reduction === REDUCTION_MEAN ? o.div_(result, saved.self.numel) : result;
}

function huberSecond(c: BackwardContext): Tensor {
  const { saved, args, ops: o } = c;
  const gg = product(c);
  const distance = c.statement(() => o.abs(o.sub(saved.self, saved.target)));
  const result = o.mul(gg, o.lt(distance, args.delta));
  return args.reduction === REDUCTION_MEAN ? o.div_(result, saved.self.numel) : result;
}

/** d/dgrad of a reduced loss's gradient: the gradient of ones, weighted and summed. */
const summedGradient =
  (name: string, ...extra: string[]) =>
  (c: BackwardContext): Tensor => {
    const { grad, saved, args, ops: o } = c;
    const rest = [args.reduction, ...extra.map((n) => args[n])];
    if (args.reduction === REDUCTION_NONE) return named(o, name)(grad, saved.self, saved.target, ...rest);
    const plain = c.statement(() => named(o, name)(o.ones_like(saved.grad_output), saved.self, saved.target, ...rest));
    return o.sum(o.mul(plain, grad));
  };

export const elementwiseLosses = defineOps([
  {
    schema: pairOf("mse_loss"),
    values: pairLoss(squared),
    autocast: "float32",
    python: "none",
    forward: ({ self, target, reduction }, k) => shrunkLoss(k, self, target, reduction),
    derivatives: [
      d("self", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.mse_loss_backward(grad, s.self, s.target, args.reduction),
      ),
      d("target", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.mse_loss_backward(grad, s.target, s.self, args.reduction),
      ),
    ],
    evidence: "aten/src/ATen/native/Loss.cpp mse_loss_out: the result is resized, its storage is not",
  },
  {
    schema: "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    values: pairSlope(squaredSlope),
    evidence: "derivatives.yaml: mse_loss_backward; case pooling/resizing-inside-a-loss",
    python: "none",
    forward: ({ self, target }, k) => elementwise(k, [self, target], self.dtype),
    derivatives: [
      d("grad_output", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.mse_loss_backward(grad, s.self, s.target, args.reduction),
      ),
      d("self", "grad_output self", (c) => squaredSecond(c, c.meta.self)),
      d("target", "grad_output target", (c) => c.ops.neg(squaredSecond(c, c.meta.target))),
    ],
  },
  {
    schema: pairOf("l1_loss"),
    evidence: "Loss.cpp: l1_loss",
    autocast: "float32",
    python: "none",
    composite: ({ self, target, reduction }, o) => reduced(o, o.abs(o.sub(self, target)), reduction),
  },
  {
    schema: pairOf("smooth_l1_loss", ", float beta=1.0"),
    values: pairLoss(smooth),
    evidence: "derivatives.yaml: smooth_l1_loss",
    autocast: "float32",
    python: "none",
    forward: ({ self, target, reduction }, k) => shrunkLoss(k, self, target, reduction),
    derivatives: [
      d("self", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.smooth_l1_loss_backward(grad, s.self, s.target, args.reduction, args.beta),
      ),
      d("target", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.smooth_l1_loss_backward(grad, s.target, s.self, args.reduction, args.beta),
      ),
    ],
  },
  gradientOf(
    "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor",
    pairSlope(smoothSlope),
    [
      d("grad_output", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.smooth_l1_loss_backward(grad, s.self, s.target, args.reduction, args.beta),
      ),
      d("self", "grad_output self target", smoothSecond),
      d("target", "grad_output self target", (c) => c.ops.neg(smoothSecond(c))),
    ],
  ),
  {
    schema: pairOf("huber_loss", ", float delta=1.0"),
    values: pairLoss(huber),
    evidence: "derivatives.yaml: huber_loss",
    autocast: "float32",
    python: "none",
    forward: ({ self, target, reduction }, k) => {
      const shape = commonShape([self, target]);
      return freshLoss(k, shape, self.dtype, reduction, outputStrides(shape, [self, target]));
    },
    derivatives: [
      d("self", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.huber_loss_backward(grad, s.self, s.target, args.reduction, args.delta),
      ),
      d("target", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.huber_loss_backward(grad, s.target, s.self, args.reduction, args.delta),
      ),
    ],
  },
  gradientOf(
    "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor",
    pairSlope(huberSlope),
    [
      d("grad_output", "grad_output self target", summedGradient("huber_loss_backward", "delta")),
      d("self", "grad_output self target", huberSecond),
      d("target", "grad_output self target", (c) => c.ops.neg(huberSecond(c))),
    ],
  ),
  {
    schema: "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor",
    values: pairLoss(crossEntropyOfChances),
    evidence: "derivatives.yaml: binary_cross_entropy; case autocast/cross-and-refused-loss",
    python: "none",
    autocast: {
      refuses:
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\nMany models use a sigmoid layer right before the binary cross entropy layer.\nIn this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\nor torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\nsafe to autocast.",
    },
    // on a GPU the result is resized and keeps the storage of all elements; the corpora without temporaries were recorded where it is fresh
    forward: ({ self, reduction }, k) =>
      k.temporaries ? resizedLoss(k, self, reduction) : freshLoss(k, self.sizes, self.dtype, reduction),
    derivatives: [
      d("self", "self target weight", ({ grad, saved: s, args, ops: o }) =>
        o.binary_cross_entropy_backward(grad, s.self, s.target, s.weight, args.reduction),
      ),
      d("target", "self target weight", ({ grad, saved: s, args, ops: o }) => {
        let result = o.mul_(o.neg_(o.logit(s.self)), grad);
        if (s.weight) result = o.mul_(result, s.weight);
        return args.reduction === REDUCTION_MEAN ? o.div_(result, s.target.numel) : result;
      }),
    ],
  },
  {
    schema:
      "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor",
    values: pairSlope(crossEntropyOfChancesSlope),
    evidence: "derivatives.yaml: binary_cross_entropy_backward; case losses/variational-autoencoder",
    python: "none",
    forward: ({ self }, k) => k.output(self.sizes, self.dtype),
    derivatives: [
      d("grad_output", "self target weight", (c) => {
        const { grad, saved: s, args, ops: o } = c;
        const slope = c.statement(() => {
          const upper = o.add(minus(o, 1, s.self), 1e-12);
          const below = o.mul(o.add(s.self, 1e-12), upper);
          return o.div(o.sub(s.self, s.target), below);
        });
        if (s.weight) o.mul_(slope, s.weight);
        const scaled = args.reduction === REDUCTION_MEAN ? o.div(slope, s.self.numel) : slope;
        return o.mul_(scaled, grad);
      }),
      d("self", "grad_output self target weight", (c) => {
        const { grad, saved: s, args, ops: o } = c;
        const upper = o.add(s.self, 1e-12);
        const lower = c.statement(() => o.add(minus(o, 1, s.self), 1e-12));
        const curve = c.statement(() => {
          const below = o.mul(o.pow(upper, 2), o.pow(lower, 2));
          const square = o.mul(s.self, s.self);
          const cross = o.mul(o.mul(s.self, s.target), 2);
          return o.div(o.add(o.sub(square, cross), s.target), below);
        });
        let result = c.statement(() => o.mul_(curve, o.mul(grad, s.grad_output)));
        if (s.weight) result = o.mul_(result, s.weight);
        return args.reduction === REDUCTION_MEAN ? o.div(result, s.self.numel) : result;
      }),
    ],
  },
  logitsLoss,
  {
    schema: pairOf("soft_margin_loss"),
    values: pairLoss((x, y) => Math.log1p(Math.exp(-y * x))),
    evidence: "derivatives.yaml: soft_margin_loss",
    autocast: "float32",
    python: "none",
    forward: ({ self, target, reduction }, k) => {
      const o = k.ops;
      const whole = o.log_(o.add_(o.exp_(o.mul_(o.neg(target), self)), 1));
      if (reduction === REDUCTION_NONE) return whole;
      reduced(o, whole, reduction);
      return shrink(k, whole);
    },
    derivatives: [
      d("self", "self target", ({ grad, saved: s, args, ops: o }) =>
        o.soft_margin_loss_backward(grad, s.self, s.target, args.reduction),
      ),
    ],
  },
  {
    schema: "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    evidence: "derivatives.yaml: soft_margin_loss_backward; case losses/nll-mse-bce-and-kl",
    python: "none",
    forward: ({ self, target, grad_output }, k) => {
      const o = k.ops;
      const z = k.statement(() => o.exp(o.mul(o.neg(target), self)));
      const result = o.mul(target, z);
      o.add_(z, 1);
      return o.mul_(o.div_(result, z), grad_output);
    },
    derivatives: [
      d("grad_output", "grad_output self target", summedGradient("soft_margin_loss_backward")),
      d("self", "grad_output self target", (c) => {
        const { saved: s, args, ops: o } = c;
        const gg = product(c);
        const z = c.statement(() => o.exp(o.mul(o.neg(s.target), s.self)));
        const whole = o.add(z, 1);
        const below = o.mul(whole, whole);
        const result = o.div(o.mul(o.mul(gg, o.mul(s.target, s.target)), z), below);
        return args.reduction === REDUCTION_MEAN ? o.div_(result, s.self.numel) : result;
      }),
    ],
  },
  {
    schema: "kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor",
    evidence: "native_functions.yaml: kl_div; case losses/mixed-precision-losses",
    autocast: "float32",
    python: "function",
    composite: ({ self, target, reduction, log_target }, o, c) => {
      if (isIntegral(self.dtype) || isIntegral(target.dtype))
        throw new TorchError("kl_div: Integral inputs not supported.");
      const loss = c.statement(() => {
        if (log_target) {
          const difference = o.sub(target, self);
          return o.mul(o.exp(target), difference);
        }
        const cross = o.mul(target, self);
        return o.sub(o.xlogy(target, target), cross);
      });
      return reduced(o, loss, reduction);
    },
  },
  {
    values: onHost(elementwiseValues(["self", "other"], ([x, y]) => (x === 0 ? 0 : x! * Math.log(y!)))),
    schema: "xlogy(Tensor self, Operand other) -> Tensor",
    special: ["xlogy"],
    evidence: "derivatives.yaml: xlogy; case losses/mixed-precision-losses",
    forward: ({ self, other }, k) => elementwise(k, [self, other], isIntegral(self.dtype) ? k.defaultDtype : undefined),
    inplace: true,
    node: nodeByOperand("xlogy", 0, 2),
    derivatives: [
      d("self", "self other", ({ grad, saved: s, args, ops: o }) => {
        const other = s.other ?? args.other;
        const values = o.xlogy(grad, other);
        const low = s.other ? o.le(s.other, 0) : null;
        const zero = o.eq(s.self, 0);
        return o.masked_fill(values, low ? o.bitwise_and(zero, low) : zero, 0);
      }),
      d("other", "self other", ({ grad, saved: s, ops: o }) => o.div(o.mul(grad, s.self), s.other)),
    ],
  },
  {
    schema:
      "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor",
    evidence: "native_functions.yaml: poisson_nll_loss; case losses/nll-mse-bce-and-kl",
    autocast: "float32",
    python: "function",
    composite: ({ input, target, log_input, full, eps, reduction }, o, c) => {
      const loss = c.statement(() => {
        if (log_input) {
          const cross = o.mul(target, input);
          return o.sub(o.exp(input), cross);
        }
        return o.sub(input, o.mul(target, o.log(o.add(input, eps))));
      });
      if (full)
        c.statement(() => {
          const stirling = c.statement(() => {
            const half = o.mul(o.log(o.mul(target, 2 * Math.PI)), 0.5);
            return o.add(o.sub(o.mul(target, o.log(target)), target), half);
          });
          o.add_(loss, o.masked_fill(stirling, o.le(target, 1), 0));
          return null;
        });
      return reduced(o, loss, reduction);
    },
  },
]);

function squaredSecond(c: BackwardContext, like: { sizes: readonly number[] }): Tensor {
  const { args, ops: o } = c;
  const result = o.mul(product(c), 2);
  return args.reduction === REDUCTION_MEAN
    ? o.div_(
        result,
        like.sizes.reduce((n, s) => n * s, 1),
      )
    : result;
}
