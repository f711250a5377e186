/** Dropout in all its forms, and activations with random slopes. */

import { BOOL } from "../tensor/dtype.ts";
import { suggestedStrides } from "../tensor/memory-format.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { elementwise } from "./pointwise.ts";
import { type Args, d, defineOps, type OpRow, type Ops } from "./row.ts";

interface Kind {
  readonly feature: boolean;
  readonly alpha: boolean;
}

/** Noise of one number per channel. */
function featureNoise(input: Tensor, o: Ops): Tensor {
  if (input.rank < 2) throw new TorchError("Feature dropout requires at least 2 dimensions in the input");
  return o.new_empty(
    input,
    input.sizes.map((s, i) => (i < 2 ? s : 1)),
  );
}

/** The general form: noise of the input's dtype, saved by the product. */
function withNoise({ feature, alpha }: Kind, inplace: boolean, a: Args, o: Ops): Tensor {
  const { self, p, train } = a;
  if (p < 0 || p > 1) throw new TorchError(`dropout probability has to be between 0 and 1, but got ${p}`);
  const times = inplace ? o.mul_ : o.mul;
  if (p === 0 || !train || self.numel === 0) return self;
  if (p === 1) return times(self, o.zeros([], self.dtype, self.device));
  const noise = feature ? featureNoise(self, o) : o.empty_like(self);
  o.bernoulli_(noise, 1 - p);
  if (!alpha) {
    o.div_(noise, 1 - p);
    return times(self, noise);
  }
  const shift = o.add_(o.mul_(o.add(noise, -1), p), p);
  o.mul_(noise, p);
  return o.add_(times(self, noise), shift);
}

/** The fused kernel makes a mask of one byte per element; only plain dropout has one. */
const fuses = ({ self, p, train }: Args): boolean => train && self.isCuda && p > 0 && p < 1 && self.numel > 0;

const pair = (name: string, kind: Kind): OpRow[] => [
  {
    schema: `${name}(Tensor self, float p, bool train) -> Tensor`,
    python: "function",
    composite: (a: Args, o: Ops) =>
      !kind.feature && !kind.alpha && fuses(a)
        ? o.native_dropout(a.self, a.p, a.train)[0]
        : withNoise(kind, false, a, o),
    evidence: "aten/src/ATen/native/Dropout.cpp; reference 4.2",
  },
  {
    schema: `${name}_(Tensor self, float p, bool train) -> Tensor`,
    evidence: `native_functions.yaml: ${name}_`,
    python: "function",
    composite: (a: Args, o: Ops) => withNoise(kind, true, a, o),
  },
];

export const dropoutOps = defineOps([
  ...pair("dropout", { feature: false, alpha: false }),
  ...pair("feature_dropout", { feature: true, alpha: false }),
  ...pair("alpha_dropout", { feature: false, alpha: true }),
  ...pair("feature_alpha_dropout", { feature: true, alpha: true }),
  {
    schema: "native_dropout(Tensor input, float p, bool? train) -> (Tensor output, Tensor mask)",
    python: "function",
    // the mask comes first (recorded on an H100)
    forward: ({ input }, k) => k.inOrder([1, 0], [() => k.like(input), () => k.like(input, BOOL)]),
    derivatives: [
      d("input", "mask", (c) => {
        const { grad, saved, args, ops: o } = c;
        const scale = args.train === false ? 1 : args.p === 1 ? 0 : 1 / (1 - args.p);
        if (c.gradEnabled) return o.mul(grad, o.mul(o.to(saved.mask, grad.dtype), scale));
        return o.native_dropout_backward(grad, saved.mask, scale);
      }),
    ],
    evidence: "aten/src/ATen/native/cuda/Dropout.cu",
  },
  {
    schema: "native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
    evidence: "native_functions.yaml: native_dropout_backward; case dropout/probabilities-and-modes",
    python: "none",
    // in the format that the gradient suggests, whatever its strides (cuda/Dropout.cu: dropout_backward_cuda)
    forward: ({ grad_output }, k) =>
      k.output(grad_output.sizes, grad_output.dtype, suggestedStrides(grad_output.sizes, grad_output)),
  },
  {
    schema:
      "rrelu_with_noise(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False) -> Tensor",
    evidence: "derivatives.yaml: rrelu_with_noise; case dropout/tokens-gumbel-rrelu-and-noise",
    python: "none",
    forward: ({ self }, k) => elementwise(k, [self]),
    node: "RreluWithNoiseBackward0",
    derivatives: [
      d("self", "self noise", ({ grad, saved, args, ops: o }) => {
        const spread = args.upper.value - args.lower.value;
        if (args.training && spread > 1e-6) return o.mul(grad, saved.noise);
        return o.leaky_relu_backward(grad, saved.self, (args.lower.value + args.upper.value) / 2, false);
      }),
    ],
  },
  {
    schema: "rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False) -> Tensor",
    evidence: "native_functions.yaml: rrelu; case dropout/tokens-gumbel-rrelu-and-noise",
    python: "function",
    composite: ({ self, lower, upper, training }, o) =>
      o.rrelu_with_noise(self, o.empty_like(self), lower, upper, training),
  },
  {
    schema:
      "rrelu_with_noise_(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False) -> Tensor",
    evidence: "derivatives.yaml: rrelu_with_noise_; case elementwise/activations-in-place",
    mutates: ["self"],
    python: "none",
    forward: ({ self }) => self,
    node: "RreluWithNoiseBackward1",
    derivatives: [
      d("self", "result noise", ({ grad, saved, args, ops: o }) => {
        const spread = args.upper.value - args.lower.value;
        if (args.training && spread > 1e-6) return o.mul(grad, saved.noise);
        return o.leaky_relu_backward(grad, saved.result, (args.lower.value + args.upper.value) / 2, true);
      }),
    ],
  },
  {
    schema: "rrelu_(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False) -> Tensor",
    evidence: "native_functions.yaml: rrelu_; case elementwise/activations-in-place",
    python: "function",
    composite: ({ self, lower, upper, training }, o) =>
      o.rrelu_with_noise_(self, o.empty_like(self), lower, upper, training),
  },
]);
