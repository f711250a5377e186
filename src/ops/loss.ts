/** Losses over classes: nll_loss, cross_entropy and ctc_loss. The others join in at the end. */

import { cxxName } from "../tensor/cxx-names.ts";
import { INT64, isFloating, UINT8 } from "../tensor/dtype.ts";
import { sameShape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { elementwiseLosses } from "./loss-elementwise.ts";
import { marginLosses } from "./loss-margin.ts";
import { reduced, REDUCTION_MEAN, REDUCTION_NONE, REDUCTION_SUM } from "./loss-reduction.ts";
import { d, defineOps, named, type Args, type CompositeContext, type Kernel, type OpRow, type Ops } from "./row.ts";
import { classLoss, classLossSlope } from "./values-losses.ts";

const classArguments = "Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100";

function checkClasses(self: Tensor, target: Tensor): void {
  if (self.sizes[0] !== target.sizes[0])
    throw new TorchError(
      `Expected input batch_size (${self.sizes[0]}) to match target batch_size (${target.sizes[0] ?? 0}).`,
      "ValueError",
    );
}

const shown = (sizes: readonly number[]): string => `[${sizes.join(", ")}]`;

function checkVector(self: Tensor, target: Tensor): void {
  if (self.rank < 1 || self.rank > 2) throw new TorchError("input tensor should be 1D or 2D");
  if (target.rank > 1) throw new TorchError("0D or 1D target tensor expected, multi-target not supported");
  if (self.rank === 1 && target.rank === 1 && target.sizes[0] !== 1)
    throw new TorchError(
      `For 1D input, 1D target must have size 1, but got target size: ${target.sizes[0]}`,
      "ValueError",
    );
  if (!(self.rank === 1 && target.rank === 0) && self.rank > 1 && self.sizes[0] !== target.sizes[0])
    throw new TorchError(`size mismatch (got input: ${shown(self.sizes)}, target: ${shown(target.sizes)})`);
}

function checkImage(self: Tensor, target: Tensor): void {
  if (target.rank !== 3)
    throw new TorchError(
      `only batches of spatial targets supported (3D tensors) but got targets of dimension: ${target.rank}`,
    );
  if (self.rank !== 4)
    throw new TorchError(
      `only batches of spatial inputs supported (4D tensors), but got input of dimension: ${self.rank}`,
    );
  if (self.sizes[0] !== target.sizes[0] || self.sizes[2] !== target.sizes[1] || self.sizes[3] !== target.sizes[2])
    throw new TorchError(
      `input and target batch or spatial sizes don't match: target ${shown(target.sizes)}, input ${shown(self.sizes)}`,
    );
}

function checkTargets(self: Tensor, target: Tensor, weight: Tensor | null): void {
  if (target.dtype !== INT64 && target.dtype !== UINT8)
    throw new TorchError(`expected target dtype to be Long or Byte, but got ${cxxName(target.dtype)}`);
  const classes = self.rank === 1 ? self.sizes[0] : self.sizes[1];
  if (weight && (weight.rank !== 1 || weight.numel !== classes))
    throw new TorchError(
      `weight tensor should be defined either for all ${classes} classes or no classes but got weight tensor of shape: ${shown(weight.sizes)}`,
    );
}

/** Loss and total weight; the gradient is zeros but for the targets' places. */
const nllRows = (
  name: string,
  node: string,
  elements: (self: Tensor, target: Tensor) => readonly number[],
  check: (self: Tensor, target: Tensor) => void,
): OpRow[] => [
  {
    schema: `${name}(${classArguments}) -> Tensor`,
    evidence: `native_functions.yaml: ${name}`,
    autocast: "float32",
    python: "none",
    composite: (a, o) => named(o, `${name}_forward`)(a.self, a.target, a.weight, a.reduction, a.ignore_index)[0],
  },
  {
    schema: `${name}_forward(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor output, Tensor total_weight)`,
    values: classLoss,
    python: "none",
    forward: ({ self, target, weight, reduction }, k) => {
      check(self, target);
      checkTargets(self, target, weight);
      const none = reduction === REDUCTION_NONE;
      const results = [k.output(none ? elements(self, target) : [], self.dtype), k.output([], self.dtype)];
      if (!self.isContiguous) k.scratch(self.nbytes, "contiguous_input");
      if (!target.isContiguous) k.scratch(target.nbytes, "contiguous_target");
      return results;
    },
    node,
    derivatives: [
      d("self", "self target weight total_weight", ({ grad, saved: s, args, ops: o }) =>
        named(o, `${name}_backward`)(
          grad,
          s.self,
          s.target,
          s.weight,
          args.reduction,
          args.ignore_index,
          s.total_weight,
        ),
      ),
    ],
    evidence: "aten/src/ATen/native/cuda/Loss.cu, NLLLoss2d.cu; reference 5.3",
  },
  {
    schema: `${name}_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, Tensor total_weight) -> Tensor`,
    values: classLossSlope,
    evidence: `native_functions.yaml: ${name}_backward`,
    python: "none",
    forward: ({ self, target }, k) => {
      const result = k.output(self.sizes, self.dtype);
      if (!target.isContiguous) k.scratch(target.nbytes, "contiguous_target");
      return result;
    },
    derivatives: [
      d("grad_output", "target weight", ({ grad, saved: s, args, ops: o }) =>
        named(o, name)(grad, s.target, s.weight, args.reduction, args.ignore_index),
      ),
      d("self", "", ({ grad, ops: o }) => o.zeros_like(grad)),
    ],
  },
];

/** nll_loss over any number of dimensions: the ones after the classes are seen as one image. */
function nllOfAnyRank(a: Args, o: Ops): Tensor {
  const { self, target, weight, reduction, ignore_index } = a;
  if (self.rank > 1) checkClasses(self, target);
  if (self.rank === 1 || self.rank === 2) return o.nll_loss(self, target, weight, reduction, ignore_index);
  if (self.rank === 4) return o.nll_loss2d(self, target, weight, reduction, ignore_index);
  const [batch, classes, ...rest] = self.sizes;
  const expected = [batch, ...rest];
  if (!sameShape(expected, target.sizes))
    throw new TorchError(`Expected target size [${expected.join(", ")}], got [${target.sizes.join(", ")}]`);
  const image = self.numel > 0 ? [1, -1] : [0, 0];
  const x = o.view(o.contiguous(self), [batch, classes, ...image]);
  const y = o.view(o.contiguous(target), [batch, ...image]);
  const loss = o.nll_loss2d(x, y, weight, reduction, ignore_index);
  return reduction === REDUCTION_NONE ? o.view(loss, expected) : loss;
}

const classDimension = (self: Tensor): number => (self.rank === 1 ? 0 : 1);

/** A weight per class, in the shape that multiplies the input. */
const weightLike = (self: Tensor, weight: Tensor, o: Ops): Tensor =>
  self.rank > 1
    ? o.view(
        weight,
        self.sizes.map((s, i) => (i === 1 ? s : 1)),
      )
    : weight;

/** Targets that are probabilities. */
function crossEntropyOfProbabilities(a: Args, o: Ops, c: CompositeContext): Tensor {
  const { self, weight, reduction, label_smoothing: smoothing } = a;
  const dim = classDimension(self);
  const classes = self.sizes[dim];
  const input = o.log_softmax_int(self, dim, self.dtype);
  const target =
    smoothing > 0 ? c.statement(() => o.add(o.mul(a.target, 1 - smoothing), smoothing / classes)) : a.target;
  const weighted = (): Tensor => {
    const products = o.mul(input, target);
    return weight ? o.mul(products, weightLike(self, weight, o)) : products;
  };
  if (reduction === REDUCTION_NONE) return o.neg(o.sum_dim_IntList(weighted(), [dim], false));
  const sum = o.neg(o.sum(weighted()));
  return reduction === REDUCTION_SUM ? sum : o.div(sum, input.numel / classes);
}

/** The number of targets that count, or their weight. */
function smoothedMean(a: Args, smooth: Tensor, ignored: Tensor, o: Ops, c: CompositeContext): Tensor {
  if (a.weight) {
    const total = (): Tensor => {
      const kept = o.flatten(o.masked_select(a.target, o.bitwise_not(ignored)));
      return o.sum(o.gather(a.weight, 0, kept));
    };
    return c.statement(() => {
      const divisor = total();
      return o.div(o.sum(smooth), divisor);
    });
  }
  const counted = o.bitwise_not(ignored);
  return c.statement(() => {
    const divisor = o.sum(counted);
    return o.div(o.sum(smooth), divisor);
  });
}

function crossEntropySmoothed(a: Args, o: Ops, c: CompositeContext): Tensor {
  const { self, target, weight, reduction, ignore_index, label_smoothing: smoothing } = a;
  const dim = classDimension(self);
  const classes = self.sizes[dim];
  const input = o.log_softmax_int(self, dim, self.dtype);
  const nll = o.nll_loss_nd(input, target, weight, reduction, ignore_index);
  const smooth = c.statement(() =>
    o.neg(o.sum_dim_IntList(weight ? o.mul(input, weightLike(self, weight, o)) : input, [dim], false)),
  );
  const ignored = o.eq(target, ignore_index);
  o.masked_fill_(smooth, ignored, 0);
  let even: Tensor = smooth;
  if (reduction === REDUCTION_MEAN) even = c.statement(() => smoothedMean(a, smooth, ignored, o, c));
  else if (reduction === REDUCTION_SUM) even = o.sum(smooth);
  const share = o.mul(even, smoothing / classes);
  return o.add(o.mul(nll, 1 - smoothing), share);
}

const ctcArguments = (lengths: string): string =>
  `Tensor log_probs, Tensor targets, ${lengths} input_lengths, ${lengths} target_lengths, int blank=0, int reduction=1, bool zero_infinity=False`;

function ctc(a: Args, inputs: readonly number[], targets: readonly number[], o: Ops, c: CompositeContext): Tensor {
  const { log_probs, blank, reduction, zero_infinity } = a;
  let loss = o._ctc_loss(log_probs, a.targets, inputs, targets, blank, zero_infinity)[0];
  if (zero_infinity) {
    const raw = loss;
    loss = c.statement(() => o.where_self(o.eq(raw, Infinity), o.scalar_tensor(0, raw.dtype, raw.device), raw));
  }
  if (reduction !== REDUCTION_MEAN) return reduced(o, loss, reduction);
  const lengths = c.statement(() => o.clamp_min(o.empty([targets.length], loss.dtype, loss.device), 1));
  return o.mean(o.div(loss, lengths));
}

/** Lengths whose values are not known count as the longest possible. */
function lengthsOf(t: Tensor, longest: number, c: CompositeContext): readonly number[] {
  if (t.values) return t.values.map((length) => c.readBack(length, t));
  c.assume("data_dependent_size", { rule: "lengths as long as they can be" });
  return new Array<number>(t.numel).fill(c.readBack(longest, t));
}

function alphaShape(a: Args): number[] {
  const { log_probs, target_lengths } = a;
  const longest = Math.max(0, ...target_lengths);
  const batch = log_probs.rank === 3 ? log_probs.sizes[1] : 1;
  return [batch, log_probs.sizes[0], 2 * longest + 1];
}

/** Lengths and offsets of the batch, as int64 on the device. */
function ctcLengths(k: Kernel, batch: number): void {
  for (const what of ["ctc_target_lengths", "ctc_input_lengths", "ctc_target_offsets"])
    k.scratch(batch * INT64.itemBytes, what);
}

const ctcRows: readonly OpRow[] = [
  {
    schema: `ctc_loss.IntList(${ctcArguments("int[]")}) -> Tensor`,
    evidence: "native_functions.yaml: ctc_loss.IntList",
    python: "function",
    composite: (a, o, c) => ctc(a, a.input_lengths, a.target_lengths, o, c),
  },
  {
    schema: `ctc_loss.Tensor(${ctcArguments("Tensor")}) -> Tensor`,
    evidence: "native_functions.yaml: ctc_loss.Tensor",
    python: "function",
    mixedDevices: true,
    composite: (a, o, c) => {
      const longest = a.targets.rank === 2 ? a.targets.sizes[1] : Math.ceil(a.targets.numel / a.target_lengths.numel);
      const inputs = lengthsOf(a.input_lengths, a.log_probs.sizes[0], c);
      return ctc(a, inputs, lengthsOf(a.target_lengths, longest, c), o, c);
    },
  },
  {
    schema:
      "_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor loss, Tensor log_alpha)",
    python: "none",
    mixedDevices: true,
    forward: (a, k) => {
      const shape = alphaShape(a);
      ctcLengths(k, shape[0]);
      const alpha = k.output(shape, a.log_probs.dtype);
      return [k.output([shape[0]], a.log_probs.dtype), alpha];
    },
    node: "CtcLossBackward0",
    derivatives: [
      d("log_probs", "log_probs targets loss log_alpha", ({ grad, saved: s, args, ops: o }) =>
        o._ctc_loss_backward(
          grad,
          s.log_probs,
          s.targets,
          args.input_lengths,
          args.target_lengths,
          s.loss,
          s.log_alpha,
        ),
      ),
    ],
    evidence: "aten/src/ATen/native/cuda/LossCTC.cu; not recorded",
  },
  {
    schema:
      "_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor loss, Tensor log_alpha) -> Tensor",
    evidence: "native_functions.yaml: _ctc_loss_backward",
    python: "none",
    mixedDevices: true,
    forward: (a, k) => {
      const { log_probs, log_alpha } = a;
      ctcLengths(k, log_alpha.sizes[0]);
      k.scratch(log_alpha.nbytes, "ctc_log_beta");
      return k.output(log_probs.sizes, log_probs.dtype);
    },
  },
];

const classLosses: readonly OpRow[] = [
  ...nllRows("nll_loss", "NllLossBackward0", (self) => (self.rank === 1 ? [] : [self.sizes[0]]), checkVector),
  ...nllRows("nll_loss2d", "NllLoss2DBackward0", (_, target) => target.sizes, checkImage),
  {
    schema: `nll_loss_nd(${classArguments}) -> Tensor`,
    evidence: "native_functions.yaml: nll_loss_nd; case sorting/hard-negatives",
    python: "none",
    composite: nllOfAnyRank,
  },
  {
    schema: `cross_entropy_loss(${classArguments}, float label_smoothing=0.0) -> Tensor`,
    python: "none",
    composite: (a, o, c) => {
      const { self, target } = a;
      if (sameShape(self.sizes, target.sizes)) {
        if (!isFloating(target.dtype))
          throw new TorchError(
            `Expected floating point type for target with class probabilities, got ${cxxName(target.dtype)}`,
          );
        return crossEntropyOfProbabilities(a, o, c);
      }
      if (a.label_smoothing > 0) return crossEntropySmoothed(a, o, c);
      const dim = classDimension(self);
      return o.nll_loss_nd(o.log_softmax_int(self, dim, self.dtype), target, a.weight, a.reduction, a.ignore_index);
    },
    evidence: "aten/src/ATen/native/LossNLL.cpp cross_entropy_loss_symint; reference 5.3",
  },
];

export const lossOps = defineOps([...classLosses, ...ctcRows, ...elementwiseLosses, ...marginLosses]);
