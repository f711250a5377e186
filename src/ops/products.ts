/** Products written in other products: outer, inner, bilinear forms and chains. */

import { broadcast, numel, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { scaled, vectorProduct } from "./matmul.ts";
import { d, defineOps, type Ops } from "./row.ts";

/** One term per slice of the weight: its products live until the term is added. */
function slices(
  o: Ops,
  statement: (run: () => null) => null,
  count: number,
  like: Tensor,
  shapes: readonly number[][],
): void {
  for (let i = 0; i < count; i++)
    statement(() => {
      for (const shape of shapes) o.empty(shape, like.dtype, like.device);
      return null;
    });
}

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
      const out = o._trilinear(x1, weight, x2);
      const shaped = o.reshape(out, [...lead, weight.sizes[0]]);
      return bias ? o.add(shaped, bias) : shaped;
    },
  },
  {
    schema: "_trilinear(Tensor i1, Tensor i2, Tensor i3) -> Tensor",
    inside: "zeros",
    evidence: "derivatives.yaml: _trilinear; case products/bilinear",
    python: "none",
    forward: ({ i1, i2, i3 }, k) => {
      const [rows, right] = i3.sizes;
      const out = k.output([rows, i2.sizes[0]], i1.dtype);
      k.cublasWorkspace();
      slices(k.ops, (run) => k.statement(run), i2.sizes[0], i1, [[rows, right], [rows]]);
      return out;
    },
    derivatives: [
      d("i1 i2 i3", "i1 i2 i3", ({ saved: { i1, i2, i3 }, needs, statement, ops: o }) => {
        const [features, left, right] = i2.sizes;
        const rows = i1.sizes[0];
        const of = (t: Tensor, shapes: number[][]): Tensor => {
          const out = o.zeros(t.sizes, t.dtype, t.device);
          slices(o, statement, features, t, shapes);
          return out;
        };
        return [
          needs.i1
            ? of(i1, [
                [rows, left, right],
                [rows, left],
              ])
            : null,
          needs.i2
            ? of(i2, [
                [rows, left],
                [left, right],
              ])
            : null,
          needs.i3
            ? of(i3, [
                [rows, right],
                [rows, right],
              ])
            : null,
        ];
      }),
    ],
  },
]);
