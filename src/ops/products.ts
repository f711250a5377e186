/** Products written in other products: outer, inner, bilinear forms and chains. */

import { broadcast, numel, TorchError } from "../tensor/shape.ts";
import { scaled, vectorProduct } from "./matmul.ts";
import { d, defineOps } from "./row.ts";
import { trilinear } from "./trilinear.ts";

export const productOps = defineOps([
  {
    schema: "vdot(Tensor self, Tensor other) -> Tensor",
    evidence: "derivatives.yaml: vdot; case modules/lazy-parametrized-and-pruned",
    readsUnresolved: true,
    forward: ({ self, other }, k) => vectorProduct(k, self, other),
    derivatives: [
      d("self", "other", ({ grad, saved, ops: o }) => o.mul(grad, saved.other)),
      d("other", "self", ({ grad, saved, ops: o }) => o.mul(grad, saved.self)),
    ],
  },
  {
    schema: "inner(Tensor self, Tensor other) -> Tensor",
    evidence: "native_functions.yaml: inner; case products/addends-batches-and-vectors",
    composite: ({ self, other }, o) =>
      self.rank && other.rank ? o.tensordot(self, other, [-1], [-1]) : o.mul(self, other),
  },
  {
    schema: "outer(Tensor self, Tensor vec2) -> Tensor",
    evidence: "native_functions.yaml: outer; case products/out-of-products",
    aliases: ["ger"],
    outFrom: ["mul"],
    composite: ({ self, vec2 }, o) => {
      for (const [name, t] of [
        ["self", self],
        ["vec2", vec2],
      ])
        if (t.rank !== 1) throw new TorchError(`outer: Expected 1-D argument ${name}, but got ${t.rank}-D`);
      return o.mul(o.reshape(self, [self.numel, 1]), vec2);
    },
  },
  {
    schema: "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    evidence: "derivatives.yaml: addr",
    inplace: true,
    forward: ({ self, vec1, vec2 }, k) => {
      broadcast(self.sizes, [vec1.sizes[0], vec2.sizes[0]]);
      return k.output([vec1.sizes[0], vec2.sizes[0]], self.dtype);
    },
    derivatives: [
      d("self", "", (c) => scaled(c, c.grad, c.args.beta)),
      d("vec1", "vec2", (c) => scaled(c, c.ops.mv(c.grad, c.saved.vec2), c.args.alpha)),
      d("vec2", "vec1", (c) => scaled(c, c.ops.mv(c.ops.t(c.grad), c.saved.vec1), c.args.alpha)),
    ],
  },
  {
    schema: "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
    evidence: "native_functions.yaml: bilinear; case products/bilinear",
    autocast: "promote",
    python: "function",
    composite: ({ input1, input2, weight, bias }, o) => {
      const lead = input1.sizes.slice(0, -1);
      const n = numel(lead);
      const x1 = o.reshape(input1, [n, input1.size(-1)]);
      const x2 = o.reshape(input2, [n, input2.size(-1)]);
      const out = o._trilinear(x1, weight, x2, [1, 3], [0], [1, 2], [2, 3]);
      const shaped = o.reshape(out, [...lead, weight.sizes[0]]);
      return bias ? o.add(shaped, bias) : shaped;
    },
  },
  trilinear,
]);
