/** Activation functions and their backward kernels. */

import { nodeName } from "./node-names.ts";
import {
  doubleBackward,
  gluDoubleBackward,
  mishGradient,
  preluDoubleBackward,
  siluGradient,
} from "./activation-gradients.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import { elementwise, unary } from "./pointwise.ts";
import { d, defineOps, named, type Derivative, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import {
  curve,
  elu,
  eluSlope,
  gelu,
  geluSlope,
  hardsigmoid,
  hardswish,
  hardtanh,
  hardtanhSlope,
  leakyRelu,
  leakyReluSlope,
  logSigmoid,
  logSigmoidSlope,
  mish,
  silu,
  siluSlope,
  slope,
  softplus,
  softplusSlope,
  thresholdSlope,
} from "./values-curves.ts";
import { ofOne } from "./values-elementwise.ts";

/** An activation with a fused backward kernel that reads the input; under create_graph some spell their gradient out. */
const activation = (
  schema: string,
  backward: string,
  extra: readonly string[] = [],
  inplace = true,
  differentiable?: Derivative["formula"],
): OpRow => ({
  schema,
  evidence: `derivatives.yaml: ${operatorName(schema)}`,
  forward: ({ self }, k) => elementwise(k, [self]),
  inplace,
  python: "none",
  derivatives: [
    d("self", "self", (c) =>
      c.gradEnabled && differentiable
        ? differentiable(c)
        : named(c.ops, backward)(c.grad, c.saved.self, ...extra.map((n) => c.args[n])),
    ),
  ],
});

const threshold = (name: string): OpRow => ({
  ...activation(
    `${name}(Tensor self, Scalar threshold, Scalar value) -> Tensor`,
    "threshold_backward",
    ["threshold"],
    false,
  ),
  python: "function",
  evidence: `derivatives.yaml: ${name}; case elementwise/thresholds`,
});

export const activationOps = defineOps([
  unary(
    "relu",
    d("self", "result", ({ grad, saved, ops: o }) => o.threshold_backward(grad, saved.result, 0)),
    { values: ofOne((x) => Math.max(x, 0)) },
  ),
  { ...activation("silu(Tensor self) -> Tensor", "silu_backward", [], true, siluGradient), values: curve(silu) },
  { ...activation("mish(Tensor self) -> Tensor", "mish_backward", [], true, mishGradient), values: curve(mish) },
  {
    ...activation("gelu(Tensor self, *, str approximate='none') -> Tensor", "gelu_backward", ["approximate"]),
    forward: ({ self, approximate }, k) => {
      const out = elementwise(k, [self]);
      if (approximate !== "none" && approximate !== "tanh")
        throw new TorchError("approximate argument must be either none or tanh.");
      return out;
    },
    values: curve(gelu),
    python: "nn",
  },
  { ...activation("hardswish(Tensor self) -> Tensor", "hardswish_backward"), values: curve(hardswish) },
  { ...activation("hardsigmoid(Tensor self) -> Tensor", "hardsigmoid_backward"), values: curve(hardsigmoid) },
  {
    ...activation("hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", "hardtanh_backward", [
      "min_val",
      "max_val",
    ]),
    values: curve(hardtanh),
  },
  {
    ...activation(
      "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
      "softplus_backward",
      ["beta", "threshold"],
      false,
    ),
    values: curve(softplus),
    autocast: "float32",
    python: "nn",
  },
  {
    ...activation("softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", "softshrink_backward", ["lambd"], false),
    python: "nn",
  },
  {
    ...activation("hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", "hardshrink_backward", ["lambd"], false),
    python: "both",
    evidence: "derivatives.yaml: hardshrink; case overloads/hardshrink",
  },
  threshold("threshold"),
  { ...threshold("threshold_"), mutates: ["self"], forward: ({ self }) => self, node: "ThresholdBackward1" },
  {
    // the in-place form can only keep its result, and a negative slope tells the input's sign from it
    schema: "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
    values: curve(leakyRelu),
    evidence: "derivatives.yaml: leaky_relu; case convolutions/gradient-penalty-of-convolutions",
    forward: ({ self }, k) => elementwise(k, [self]),
    python: "none",
    derivatives: [
      d("self", "self", ({ grad, saved, args, ops: o }) =>
        o.leaky_relu_backward(grad, saved.self, args.negative_slope, false),
      ),
    ],
  },
  {
    schema: "leaky_relu_(Tensor self, Scalar negative_slope=0.01) -> Tensor",
    values: curve(leakyRelu),
    evidence: "derivatives.yaml: leaky_relu_; case elementwise/activations-in-place",
    mutates: ["self"],
    forward: ({ self }) => self,
    python: "none",
    node: "LeakyReluBackward1",
    derivatives: [
      d("self", "result", ({ grad, saved, args, ops: o }) =>
        o.leaky_relu_backward(grad, saved.result, args.negative_slope, true),
      ),
    ],
  },
  {
    schema: "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
    values: curve(elu),
    evidence: "derivatives.yaml: elu; case attention/linear-cosine-and-topk",
    forward: ({ self }, k) => elementwise(k, [self]),
    python: "none",
    derivatives: [
      d("self", "self", ({ grad, saved, args, ops: o }) =>
        o.elu_backward(grad, args.alpha, args.scale, args.input_scale, false, saved.self),
      ),
    ],
  },
  {
    schema: "elu_(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
    values: curve(elu),
    evidence: "derivatives.yaml: elu_; case dropout/selu-net",
    mutates: ["self"],
    forward: ({ self }) => self,
    python: "none",
    node: "EluBackward1",
    derivatives: [
      d("self", "result", ({ grad, saved, args, ops: o }) =>
        o.elu_backward(grad, args.alpha, args.scale, args.input_scale, true, saved.result),
      ),
    ],
  },
  ...["", "_"].flatMap((suffix): OpRow[] => [
    {
      schema: `relu6${suffix}(Tensor self) -> Tensor`,
      evidence: `native_functions.yaml: relu6${suffix}; case elementwise/activations-in-place`,
      composite: ({ self }, o) => named(o, `hardtanh${suffix}`)(self, 0, 6),
      python: "none",
    },
    {
      schema: `selu${suffix}(Tensor self) -> Tensor`,
      evidence: `native_functions.yaml: selu${suffix}; case dropout/selu-net`,
      composite: ({ self }, o) => named(o, `elu${suffix}`)(self, 1.6732632423543772, 1.0507009873554805),
      python: "function",
    },
    {
      // the kernel is elu's, the node its own
      schema: `celu${suffix}(Tensor self, Scalar alpha=1) -> Tensor`,
      evidence: `derivatives.yaml: celu${suffix}; case elementwise/activations-in-place`,
      python: "function",
      inside: `elu${suffix}`,
      ...(suffix ? { mutates: ["self"] } : {}),
      node: nodeName("celu", suffix ? 1 : 0),
      forward: ({ self }, k) => (suffix ? self : elementwise(k, [self])),
      derivatives: [
        d("self", suffix ? "result" : "self", ({ grad, saved, args: { alpha }, ops: o }) =>
          o.elu_backward(grad, alpha, 1, 1 / alpha.value, suffix !== "", saved.result ?? saved.self),
        ),
      ],
    },
  ]),
  {
    schema: "log_sigmoid(Tensor self) -> Tensor",
    inside: "log_sigmoid_forward",
    values: curve(logSigmoid),
    evidence: "native_functions.yaml: log_sigmoid; case losses/softmax-over-dimensions",
    // CUDA keeps no buffer: the input is enough
    forward: ({ self }, k) => elementwise(k, [self]),
    node: "LogSigmoidBackward0",
    python: "nn",
    derivatives: [d("self", "self", ({ grad, saved, ops: o }) => o.log_sigmoid_backward(grad, saved.self))],
  },
  {
    schema: "prelu(Tensor self, Tensor weight) -> Tensor",
    evidence: "native_functions.yaml: prelu; case elementwise/activations-in-place",
    autocast: "low",
    composite: ({ self, weight }, o) => {
      if (weight.numel === 1)
        return o._prelu_kernel(
          self,
          o.view(
            weight,
            self.sizes.map(() => 1),
          ),
        );
      const channels = self.rank > 1 ? self.sizes[1] : 1;
      if (weight.numel !== channels)
        throw new TorchError(
          `Mismatch of parameter numbers and input channel size. Found parameter numbers = ${weight.numel} and channel size = ${channels}.`,
        );
      const shape = self.sizes.map((_: number, i: number) => (i === 1 ? weight.numel : 1));
      return o._prelu_kernel(self, o.view(weight, shape));
    },
  },
  {
    schema: "_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
    evidence: "derivatives.yaml: _prelu_kernel; case elementwise/activations-in-place",
    forward: ({ self, weight }, k) => elementwise(k, [self, weight]),
    python: "none",
    derivatives: [
      d("self weight", "self weight", ({ grad, saved: { self, weight }, ops: o }) =>
        o._prelu_kernel_backward(grad, self, weight),
      ),
    ],
  },
  {
    schema: "_prelu_kernel_backward(Tensor grad, Tensor self, Tensor weight) -> (Tensor a, Tensor b)",
    evidence: "derivatives.yaml: _prelu_kernel_backward; case elementwise/activations-in-place",
    forward: ({ grad, self, weight }, k) => [
      elementwise(k, [self, weight, grad]),
      elementwise(k, [self, weight, grad]),
    ],
    python: "none",
    derivatives: preluDoubleBackward,
  },
  {
    schema: "glu(Tensor self, int dim=-1) -> Tensor",
    evidence: "derivatives.yaml: glu; case perceptrons/gated-units",
    forward: ({ self, dim }, k) => {
      const at = wrapDim(dim, self.rank);
      if (self.sizes[at] % 2)
        throw new TorchError(`Halving dimension must be even, but dimension ${at} is size ${self.sizes[at]}`);
      return k.output(
        self.sizes.map((s: number, i: number) => (i === at ? s / 2 : s)),
        self.dtype,
      );
    },
    python: "none",
    derivatives: [d("self", "self", ({ grad, saved, args, ops: o }) => o.glu_backward(grad, saved.self, args.dim))],
  },
  {
    schema: "glu_backward(Tensor grad, Tensor self, int dim) -> Tensor",
    evidence: "derivatives.yaml: glu_backward; case perceptrons/gated-units",
    forward: ({ self }, k) => k.output(self.sizes, self.dtype),
    python: "none",
    derivatives: gluDoubleBackward,
  },
  {
    ...doubleBackward("tanh_backward(Tensor grad, Tensor output) -> Tensor", ["grad", "output"]),
    values: slope((y) => 1 - y * y, "grad", "output"),
  },
  {
    ...doubleBackward("sigmoid_backward(Tensor grad, Tensor output) -> Tensor", ["grad", "output"]),
    values: slope((y) => y * (1 - y), "grad", "output"),
  },
  {
    ...doubleBackward("threshold_backward(Tensor grad, Tensor self, Scalar threshold) -> Tensor", ["self", "grad"]),
    values: slope(thresholdSlope),
  },
  {
    ...doubleBackward("silu_backward(Tensor grad, Tensor self) -> Tensor", ["grad", "self"]),
    values: slope(siluSlope),
  },
  doubleBackward("mish_backward(Tensor grad, Tensor self) -> Tensor", ["grad", "self"]),
  {
    ...doubleBackward("gelu_backward(Tensor grad, Tensor self, str approximate) -> Tensor", ["grad", "self"]),
    values: slope(geluSlope),
  },
  doubleBackward("hardswish_backward(Tensor grad, Tensor self) -> Tensor", ["grad", "self"]),
  doubleBackward("hardsigmoid_backward(Tensor grad, Tensor self) -> Tensor", ["grad", "self"]),
  {
    ...doubleBackward("hardtanh_backward(Tensor grad, Tensor self, Scalar min_val, Scalar max_val) -> Tensor", [
      "grad",
      "self",
    ]),
    values: slope(hardtanhSlope),
  },
  {
    ...doubleBackward("softplus_backward(Tensor grad, Tensor self, Scalar beta, Scalar threshold) -> Tensor", [
      "grad",
      "self",
    ]),
    values: slope(softplusSlope),
  },
  doubleBackward("softshrink_backward(Tensor grad, Tensor self, Scalar lambd) -> Tensor", ["grad", "self"]),
  doubleBackward("hardshrink_backward(Tensor grad, Tensor self, Scalar lambd) -> Tensor", ["grad", "self"]),
  {
    ...doubleBackward("leaky_relu_backward(Tensor grad, Tensor self, Scalar slope, bool result) -> Tensor", [
      "self",
      "grad",
    ]),
    values: slope(leakyReluSlope),
  },
  {
    ...doubleBackward(
      "elu_backward(Tensor grad, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self) -> Tensor",
      ["grad", "self"],
    ),
    values: slope(eluSlope),
  },
  {
    ...doubleBackward("log_sigmoid_backward(Tensor grad, Tensor self) -> Tensor", ["grad", "self"]),
    values: slope(logSigmoidSlope),
  },
]);
