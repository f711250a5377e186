/** Views that are copied (`expand_copy`), and copies into which a part is written (`slice_scatter`): what functionalization makes of views. */

import type { Tensor } from "../tensor/tensor.ts";
import { nodeName } from "./node-names.ts";
import { type Args, type BackwardContext, d, defineOps, type Kernel, named, type OpRow, type Ops } from "./row.ts";
import { identifier, operatorName, parseSchema } from "./schema.ts";
import { views } from "./views.ts";
import { partViews } from "./views-parts.ts";

/** A new tensor with the view's shape, in its own order (torchgen/gen_functionalization_type.py: gen_composite_view_copy_kernel). */
const copied = (t: Tensor, k: Kernel): Tensor => k.output(t.sizes, t.dtype);

/** The row `name_copy` of a view: it has the view's formulas, and its node is the view's with `_copy` behind. */
function copyOf(row: OpRow): OpRow {
  const { name, args } = parseSchema(row.schema);
  const full = operatorName(row.schema);
  return {
    schema: row.schema.replace(name, `${name}_copy`),
    evidence: `native_functions.yaml: ${full.replace(name, `${name}_copy`)}`,
    inside: "clone",
    node: `${typeof row.node === "string" ? row.node : nodeName(name)}_copy`,
    python: "function",
    derivatives: row.derivatives,
    forward: (a, k) => {
      const seen = named(k.ops, identifier(full))(...args.map((x) => a[x.name]));
      return Array.isArray(seen) ? seen.map((t: Tensor) => copied(t, k)) : copied(seen, k);
    },
  };
}

const COPIED =
  "as_strided diagonal expand permute select slice split_with_sizes squeeze squeeze.dim squeeze.dims t transpose unbind unfold unsqueeze view".split(
    " ",
  );

/** A copy of `self` that keeps its strides, with `src` in the place that a view of it names (TensorShape.cpp: slice_scatter and its kin). */
const scattered = (view: string, args: string, part: (o: Ops, t: Tensor, a: Args) => Tensor): OpRow => ({
  schema: `${view}_scatter(Tensor self, Tensor src${args}) -> Tensor`,
  evidence: `derivatives.yaml: ${view}_scatter`,
  inside: "clone",
  forward: ({ self, ...a }, k) => {
    part(k.ops, self, a); // its checks
    return self.isNonOverlappingAndDense ? k.output(self.sizes, self.dtype, self.strides) : k.like(self);
  },
  derivatives: [
    d("self", "", (c) => {
      const where = parseSchema(`${view}(Tensor self${args}) -> Tensor`).args.slice(1);
      return named(c.ops, `${view}_scatter`)(c.grad, zerosAs(c, c.meta.src), ...where.map((x) => c.args[x.name]));
    }),
    d("src", "", ({ grad, args: a, ops: o }) => part(o, grad, a)),
  ],
});

const zerosAs = ({ grad, ops: o }: BackwardContext, { sizes }: { sizes: number[] }): Tensor =>
  o.zeros(sizes, grad.dtype, grad.device);

export const viewCopies = defineOps([
  ...[...views, ...partViews].filter((row) => COPIED.includes(operatorName(row.schema))).map(copyOf),
  scattered("slice", ", int dim=0, int? start=None, int? end=None, int step=1", (o, t, a) =>
    o.slice(t, a.dim, a.start, a.end, a.step),
  ),
  scattered("select", ", int dim, int index", (o, t, a) => o.select(t, a.dim, a.index)),
  scattered("diagonal", ", int offset=0, int dim1=0, int dim2=1", (o, t, a) => o.diagonal(t, a.offset, a.dim1, a.dim2)),
  {
    ...scattered("as_strided", ", int[] size, int[] stride, int? storage_offset=None", (o, t, a) =>
      o.as_strided(t, a.size, a.stride, a.storage_offset),
    ),
    // zeros of the input's sizes, into which that part of the gradient goes (FunctionsManual.cpp: as_strided_scatter_backward)
    derivatives: [
      d("self", "", ({ grad, args: a, meta, ops: o }) => {
        const part = o.as_strided(o.contiguous(grad), a.size, a.stride, a.storage_offset);
        const whole = o.new_zeros(grad, meta.self.sizes);
        o.copy_(o.as_strided(whole, a.size, a.stride, a.storage_offset), part);
        return whole;
      }),
      d("src", "", ({ grad, args: a, ops: o }) => o.as_strided(o.contiguous(grad), a.size, a.stride, a.storage_offset)),
    ],
  },
  {
    schema: "narrow_copy(Tensor self, int dim, int start, int length) -> Tensor",
    evidence: "derivatives.yaml: narrow_copy",
    inside: "clone",
    gradientSince: "2.12",
    forward: ({ self, dim, start, length }, k) => copied(k.ops.narrow(self, dim, start, length), k),
    derivatives: [
      d("self", "", ({ grad, args: { dim, start, length }, meta, ops: o }) =>
        o.slice_backward(grad, meta.self.sizes, dim, start, start + length, 1),
      ),
    ],
  },
  {
    schema: "alias_copy(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: alias_copy",
    inside: "clone",
    node: "AliasBackward0_copy",
    python: "function",
    forward: ({ self }, k) => copied(self, k),
    derivatives: [d("self", "", ({ grad }) => grad)],
  },
  {
    schema: "detach_copy(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: detach_copy",
    inside: "clone",
    python: "function",
    forward: ({ self }, k) => copied(self, k),
  },
]);
