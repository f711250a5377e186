/** The cross entropy of probabilities that are given as logits: its formulas by release, and its gradients. */

import type { Tensor } from "../tensor/tensor.ts";
import type { TorchRules } from "../torch/changes.ts";
import { reduced, REDUCTION_MEAN } from "./loss-reduction.ts";
import { minus } from "./cpp-expressions.ts";
import { type BackwardContext, d, type Kernel, type OpRow } from "./row.ts";

/** Gradient of BCE with logits; under create_graph every step is a tensor of its own. */
function logitsGradient(c: BackwardContext): Tensor {
  const { grad, saved, args, ops: o, gradEnabled } = c;
  const { self, target, weight, pos_weight: positive } = saved;
  const sub = gradEnabled ? o.sub : o.sub_;
  const mul = gradEnabled ? o.mul : o.mul_;
  let result: Tensor;
  if (positive) {
    const slope = c.statement(() => {
      const t = o.mul(positive, target);
      return sub(mul(sub(o.add(t, 1), target), o.sigmoid(self)), t);
    });
    result = mul(slope, grad);
  } else result = mul(sub(o.sigmoid(self), target), grad);
  if (weight) result = mul(result, weight);
  return args.reduction === REDUCTION_MEAN ? o.div_(result, self.numel) : result;
}

function logitsTargetGradient(c: BackwardContext): Tensor {
  const { grad, saved, args, ops: o } = c;
  const { self, weight, pos_weight: positive } = saved;
  let result = positive
    ? c.statement(() => o.mul_(o.sub_(o.log_sigmoid(o.neg(self)), o.mul_(o.log_sigmoid(self), positive)), grad))
    : c.statement(() => o.mul(o.neg(self), grad));
  if (weight) result = o.mul_(result, weight);
  if (args.reduction === REDUCTION_MEAN) result = o.div_(result, self.numel);
  return result;
}

/** log_weight: 1 + (pos_weight - 1) target, broadcast. */
const positiveFactor = (k: Kernel, target: Tensor, weight: Tensor): Tensor =>
  k.statement(() => k.ops.add_(k.ops.mul(k.ops.sub(weight, 1), target), 1));

/** The loss of every logit, as binary_cross_entropy_with_logits of Loss.cpp has made it; each keeps other temporaries until it ends. */
const LOGITS_LOSSES: Record<
  TorchRules["logitsLoss"],
  (k: Kernel, self: Tensor, target: Tensor, positive: Tensor | null) => Tensor
> = {
  max_value: (k, self, target, positive) => {
    const o = k.ops;
    const largest = k.statement(() => o.clamp_min_(o.neg(self), 0));
    return k.statement(() => {
      const factor = positive && positiveFactor(k, target, positive);
      return k.statement(() => {
        const loss = o.mul_(minus(o, 1, target), self);
        if (!factor) o.add_(loss, largest);
        const exponents = o.add_(o.exp_(o.neg(largest)), o.exp_(o.sub(o.neg(self), largest)));
        const logarithm = o.log_(exponents);
        return o.add_(loss, factor ? o.mul_(factor, o.add_(logarithm, largest)) : logarithm);
      });
    });
  },
  log_sigmoid_in_statement: (k, self, target, positive) => {
    const o = k.ops;
    return k.statement(() => {
      const factor = positive && positiveFactor(k, target, positive);
      return k.statement(() => {
        const loss = o.mul_(minus(o, 1, target), self);
        const logarithm = o.log_sigmoid(self);
        return o.sub_(loss, factor ? o.mul_(factor, logarithm) : logarithm);
      });
    });
  },
  log_sigmoid: (k, self, target, positive) => {
    const o = k.ops;
    const logarithm = o.log_sigmoid(self);
    if (positive)
      k.statement(() => {
        o.mul_(logarithm, positiveFactor(k, target, positive));
        return null;
      });
    return o.sub_(o.mul_(minus(o, 1, target), self), logarithm);
  },
};

export const logitsLoss: OpRow = {
  schema:
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor",
  autocast: "float32",
  python: "function",
  forward: ({ self, target, weight, pos_weight, reduction }, k) => {
    const loss = LOGITS_LOSSES[k.rules.logitsLoss](k, self, target, pos_weight);
    if (weight) k.ops.mul_(loss, weight);
    return reduced(k.ops, loss, reduction);
  },
  derivatives: [
    d("self", "self target weight pos_weight", logitsGradient),
    d("target", "self target weight pos_weight", logitsTargetGradient),
  ],
  evidence: "aten/src/ATen/native/Loss.cpp binary_cross_entropy_with_logits",
};
