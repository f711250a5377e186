/** Losses of distances and margins, and the similarities that they are made of. */

import { accumulateType, type DType, promoteTypes } from "../tensor/dtype.ts";
import { broadcast, sameShape, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { freshLoss, reduced, REDUCTION_NONE } from "./loss-reduction.ts";
import { normBackward } from "./norm-gradient.ts";
import { minus } from "./cpp-expressions.ts";
import { reducedDims } from "./reduce-dims.ts";
import { reduce, restoreDims } from "./reduce.ts";
import { type BackwardContext, type CompositeContext, d, defineOps, type Ops } from "./row.ts";

const EPSILON = 1e-12;

/** 1 where the loss is not below zero: clamped in place, so the graph keeps a copy of what came in. */
const positivePart = (o: Ops, t: Tensor): Tensor => o.clamp_min_(t, 0);

/** Two tensors of one floating type and one shape. */
function alike(a: Tensor, b: Tensor, o: Ops): [Tensor, Tensor] {
  const type: DType = promoteTypes(a.dtype, b.dtype);
  let x: Tensor = o.to(a, type);
  let y: Tensor = o.to(b, type);
  if (!sameShape(x.sizes, y.sizes)) {
    const shape = broadcast(x.sizes, y.sizes);
    x = o.expand(x, shape);
    y = o.expand(y, shape);
  }
  return [x, y];
}

function cosineSimilarity(a: Tensor, b: Tensor, dim: number, eps: number, o: Ops, c: CompositeContext): Tensor {
  const [x, y] = alike(a, b, o);
  const whole = c.rules.cosineTakesVectorNorms;
  const length = (t: Tensor): Tensor =>
    c.statement(() =>
      whole ? o.clone(o.linalg_vector_norm(t, 2, [dim], true)) : o.sum_dim_IntList(o.pow(t, 2), [dim], true),
    );
  const xLength = length(x);
  const yLength = length(y);
  c.withGrad(false, () => {
    const least = c.rules.cosineClampsByTensor ? o.scalar_tensor(eps, x.dtype, x.device) : eps;
    o.clamp_min_(xLength, least);
    o.clamp_min_(yLength, least);
  });
  const root = (t: Tensor): Tensor => (whole ? t : o.sqrt_(t));
  const second = o.div(y, root(yLength));
  return o.sum_dim_IntList(o.mul(o.div(x, root(xLength)), second), [dim], false);
}

/** Of the distance, as of the norm of what is between both (derivatives.yaml: dist). */
const differenceGradient = ({ grad, saved, args, statement, ops: o }: BackwardContext): Tensor => {
  const between = o.sub(saved.self, saved.other);
  return normBackward(o, between, grad, saved.result, args.p.value, reducedDims(between, null), statement);
};

export const marginLosses = defineOps([
  {
    schema: "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
    autocast: "float32",
    python: "function",
    composite: ({ x1, x2, dim, eps }, o, c) => cosineSimilarity(x1, x2, dim, eps, o, c),
    evidence: "aten/src/ATen/native/Distance.cpp cosine_similarity",
  },
  {
    schema: "_norm_over(Tensor self, Scalar p, int[] dim, bool keepdim, *, dtype? dtype=None) -> Tensor",
    evidence: "case losses/similarities-and-distances",
    as: "norm",
    autocast: "float32-dtype",
    python: "none",
    node: "NormBackward1",
    forward: ({ self, dim, keepdim, dtype: type }, k) =>
      reduce(k, self, reducedDims(self, dim), keepdim, type ? accumulateType(self.dtype) : self.dtype, 4),
    derivatives: [
      d("self", "self result", ({ grad, saved, args, statement, ops: o }) => {
        const self = o.to(saved.self, grad.dtype);
        const dims = reducedDims(self, args.dim);
        const g = restoreDims(o, grad, self.rank, dims, args.keepdim);
        const norm = restoreDims(o, saved.result, self.rank, dims, args.keepdim);
        return normBackward(o, self, g, norm, args.p.value, dims, statement);
      }),
    ],
  },
  {
    schema: "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
    evidence: "native_functions.yaml: dist; case tensors/reductions-sorts-and-scans",
    autocast: "float32",
    forward: ({ self, other, p }, k) => k.statement(() => k.ops._norm_over(k.ops.sub(self, other), p, [], false)),
    derivatives: [
      d("self", "self other result", differenceGradient),
      d("other", "self other result", (c) => c.statement(() => c.ops.neg(differenceGradient(c)))),
    ],
  },
  {
    schema: "pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor",
    python: "function",
    composite: ({ x1, x2, p, eps, keepdim }, o) => {
      const last = Math.max(x1.rank, x2.rank) - 1;
      return o._norm_over(o.add(o.sub(x1, x2), eps), p, [last], keepdim);
    },
    evidence: "aten/src/ATen/native/Distance.cpp pairwise_distance",
  },
  {
    schema:
      "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1) -> Tensor",
    evidence: "native_functions.yaml: cosine_embedding_loss; case losses/nll-mse-bce-and-kl",
    autocast: "float32",
    python: "function",
    composite: ({ input1, input2, target, margin, reduction }, o, c) => {
      const dim = [wrapDim(target.rank, input1.rank)];
      const dot = (x: Tensor, y: Tensor): Tensor => c.statement(() => o.sum_dim_IntList(o.mul(x, y), dim, false));
      const square = (x: Tensor): Tensor =>
        c.statement(() => o.add(o.sum_dim_IntList(o.mul(x, x), dim, false), EPSILON));
      const product = dot(input1, input2);
      const first = square(input1);
      const second = square(input2);
      const cosine = o.div(product, o.sqrt_(o.mul(first, second)));
      const zeros = o.zeros_like(cosine);
      const positive = minus(o, 1, cosine);
      const negative = positivePart(o, o.sub(cosine, margin));
      const near = c.statement(() => o.where_self(o.eq(target, 1), positive, zeros));
      const far = c.statement(() => o.where_self(o.eq(target, -1), negative, zeros));
      return reduced(o, o.add(near, far), reduction);
    },
  },
  {
    schema: "hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=1) -> Tensor",
    evidence: "native_functions.yaml: hinge_embedding_loss; case losses/elementwise-and-margin",
    autocast: "float32",
    python: "function",
    composite: ({ self, target, margin, reduction }, o, c) => {
      const zeros = o.zeros_like(self);
      const inside = positivePart(o, minus(o, margin, self));
      const far = c.statement(() => o.where_self(o.ne(target, 1), inside, zeros));
      const near = c.statement(() => o.where_self(o.ne(target, -1), self, zeros));
      return reduced(o, o.add(far, near), reduction);
    },
  },
  {
    schema:
      "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1) -> Tensor",
    evidence: "native_functions.yaml: margin_ranking_loss; case losses/elementwise-and-margin",
    autocast: "float32",
    python: "function",
    composite: ({ input1, input2, target, margin, reduction }, o, c) => {
      const loss = c.statement(() => {
        const difference = o.sub(input1, input2);
        return o.add(o.mul(o.neg(target), difference), margin);
      });
      return reduced(o, positivePart(o, loss), reduction);
    },
  },
  {
    schema:
      "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False, int reduction=1) -> Tensor",
    evidence: "native_functions.yaml: triplet_margin_loss; case losses/similarities-and-distances",
    autocast: "float32",
    python: "function",
    composite: ({ anchor, positive, negative, margin, p, eps, swap, reduction }, o, c) => {
      const near = o.pairwise_distance(anchor, positive, p, eps);
      let far = o.pairwise_distance(anchor, negative, p, eps);
      if (swap) {
        const between = o.pairwise_distance(positive, negative, p, eps);
        const least = o.minimum(far, between);
        c.drop(far);
        far = least;
      }
      const loss = c.statement(() => o.clamp_min(o.sub(o.add(near, margin), far), 0));
      return reduced(o, loss, reduction);
    },
  },
  {
    schema:
      "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1) -> Tensor",
    evidence: "derivatives.yaml: multi_margin_loss; case modules/less-common-losses-and-layers",
    autocast: "float32",
    python: "none",
    forward: ({ self, target, reduction }, k) => {
      if (!self.isContiguous) k.scratch(self.nbytes, "contiguous_input");
      const single = self.rank < 2 || reduction === REDUCTION_NONE;
      const out = k.output(single ? target.sizes : [], self.dtype);
      // the rows' losses are made after their sum (cuda/MultiMarginLoss.cu)
      if (!single) k.scratch(target.numel * self.dtype.itemBytes, "unreduced_loss");
      return out;
    },
    derivatives: [
      d("self", "self target weight", ({ grad, saved: s, args, ops: o }) =>
        o.multi_margin_loss_backward(grad, s.self, s.target, args.p, args.margin, s.weight, args.reduction),
      ),
    ],
  },
  {
    schema:
      "multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor",
    evidence: "native_functions.yaml: multi_margin_loss_backward",
    python: "none",
    forward: ({ self }, k) => k.output(self.sizes, self.dtype),
  },
  {
    schema: "multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    evidence: "native_functions.yaml: multilabel_margin_loss; case modules/less-common-losses-and-layers",
    autocast: "float32",
    python: "none",
    composite: ({ self, target, reduction }, o) => o.multilabel_margin_loss_forward(self, target, reduction)[0],
  },
  {
    schema:
      "multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)",
    evidence: "derivatives.yaml: multilabel_margin_loss_forward; case modules/less-common-losses-and-layers",
    python: "none",
    forward: ({ self, target, reduction }, k) => {
      const rows = self.rank < 2 ? [] : [self.sizes[0]];
      const isTarget = k.output(target.sizes, self.dtype);
      return [freshLoss(k, rows, self.dtype, self.rank < 2 ? REDUCTION_NONE : reduction), isTarget];
    },
    node: "MultilabelMarginLossBackward0",
    derivatives: [
      d("self", "self target is_target", ({ grad, saved: s, args, ops: o }) =>
        o.multilabel_margin_loss_backward(grad, s.self, s.target, args.reduction, s.is_target),
      ),
    ],
  },
  {
    schema:
      "multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor",
    evidence: "native_functions.yaml: multilabel_margin_loss_backward",
    python: "none",
    forward: ({ self }, k) => k.output(self.sizes, self.dtype),
  },
]);
