/** einsum and tensordot: permutations, reshapes and one batched product per pair (aten/src/ATen/native/Linear.cpp). */

import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type CompositeContext, type Ops } from "./row.ts";

interface Plan {
  /** Labels of each operand; "..." is expanded to private labels. */
  readonly operands: string[][];
  readonly output: string[];
}

function parse(equation: string, tensors: readonly Tensor[]): Plan {
  const [left, right] = equation.replace(/\s+/g, "").split("->");
  const terms = left.split(",");
  if (terms.length !== tensors.length)
    throw new TorchError(
      terms.length < tensors.length
        ? "einsum(): more operands were provided than specified in the equation"
        : "einsum(): fewer operands were provided than specified in the equation",
    );
  let ellipsis = 0;
  terms.forEach((term, i) => {
    if (term.includes("...")) ellipsis = Math.max(ellipsis, tensors[i].rank - (term.length - 3));
  });
  const dots = (count: number): string[] => Array.from({ length: count }, (_, i) => `.${ellipsis - count + i}`);
  const operands = terms.map((term, i) => {
    const labels = term.split("...");
    const named = labels.join("").length;
    const list = labels.length === 2 ? [...labels[0], ...dots(tensors[i].rank - named), ...labels[1]] : [...term];
    if (list.length !== tensors[i].rank)
      throw new TorchError(
        `einsum(): the number of subscripts in the equation (${list.length}) does not match the number of dimensions (${tensors[i].rank}) for operand ${i} and no ellipsis was given`,
      );
    return list;
  });
  const all = operands.flat();
  checkSizes(operands, tensors);
  let output: string[];
  if (right !== undefined)
    output = right.includes("...")
      ? right.split("...").flatMap((p, i) => (i ? [...dots(ellipsis), ...p] : [...p]))
      : [...right];
  else
    output = [
      ...dots(ellipsis),
      ...[...new Set(all)].filter((x) => x[0] !== "." && all.filter((y) => y === x).length === 1).sort(byLabel),
    ];
  for (const label of output) {
    if (label[0] === ".") continue;
    if (!all.includes(label))
      throw new TorchError(`einsum(): output subscript ${label} does not appear in the equation for any input operand`);
    if (output.indexOf(label) !== output.lastIndexOf(label))
      throw new TorchError(`einsum(): output subscript ${label} appears more than once in the output`);
  }
  return { operands, output };
}

/** Every label means one size; size one goes with any. */
function checkSizes(operands: readonly string[][], tensors: readonly Tensor[]): void {
  const known = new Map<string, number>();
  operands.forEach((labels, i) => {
    const own = new Map<string, number>();
    labels.forEach((label, at) => {
      const size = tensors[i].sizes[at];
      const before = own.get(label);
      if (before !== undefined && before !== size)
        throw new TorchError(
          `einsum(): subscript ${label} is repeated for operand ${i} but the sizes don't match, ${size} != ${before}`,
        );
      own.set(label, size);
      const seen = known.get(label) ?? 1;
      if (seen !== 1 && size !== 1 && seen !== size)
        throw new TorchError(
          `einsum(): subscript ${label} has size ${size} for operand ${i} which does not broadcast with previously seen size ${seen}`,
        );
      if (seen === 1) known.set(label, size);
    });
  });
}

/** Upper case before lower case, as the label numbering has it. */
const byLabel = (a: string, b: string): number => (a < b ? -1 : 1);

/** Takes diagonals of repeated labels and brings the operand into the common order, size one where it lacks a label. */
function align(tensor: Tensor, labels: readonly string[], order: readonly string[], o: Ops): Tensor {
  let t = tensor;
  const have = [...labels];
  for (let i = 0; i < have.length; i++)
    for (let j = have.length - 1; j > i; j--)
      if (have[j] === have[i]) {
        t = o.movedim(o.diagonal(t, 0, i, j), [-1], [i]);
        have.splice(j, 1);
      }
  for (const label of order)
    if (!have.includes(label)) {
      t = o.unsqueeze(t, t.rank);
      have.push(label);
    }
  const permutation = order.map((label) => have.indexOf(label));
  return o.permute(t, permutation);
}

/** One pair: dimensions in both and summed go into the inner size of a batched product (sumproduct_pair). */
export function sumProduct(
  a: Tensor,
  b: Tensor,
  summed: readonly number[],
  o: Ops,
  c: Pick<CompositeContext, "rules">,
): Tensor {
  if (summed.length === 0) return o.mul(a, b);
  const isSummed = new Set(summed);
  const both: number[] = [];
  const leftOnly: number[] = [];
  const rightOnly: number[] = [];
  const inner: number[] = [];
  let left = a;
  let right = b;
  const size = { both: 1, left: 1, right: 1, inner: 1 };
  for (let i = 0; i < a.rank; i++) {
    const l = left.sizes[i] !== 1;
    const r = right.sizes[i] !== 1;
    if (isSummed.has(i)) {
      inner.push(i);
      if (l && r) size.inner *= left.sizes[i];
      else if (l) left = o.sum_dim_IntList(left, [i], true);
      else if (r) right = o.sum_dim_IntList(right, [i], true);
    } else if (l && r) {
      both.push(i);
      size.both *= left.sizes[i];
    } else if (l) {
      leftOnly.push(i);
      size.left *= left.sizes[i];
    } else {
      rightOnly.push(i);
      size.right *= right.sizes[i];
    }
  }
  const swap =
    c.rules.einsumSwapsOperands &&
    leftOnly.length > 0 &&
    rightOnly.length > 0 &&
    leftOnly[leftOnly.length - 1] > rightOnly[rightOnly.length - 1];
  if (swap) return sumProduct(b, a, summed, o, c);
  const outOrder = [...both, ...leftOnly, ...inner, ...rightOnly];
  const outSizes = [
    ...both.map((i) => left.sizes[i]),
    ...leftOnly.map((i) => left.sizes[i]),
    ...inner.map(() => 1),
    ...rightOnly.map((i) => right.sizes[i]),
  ];
  const l = o.reshape(o.permute(left, [...both, ...leftOnly, ...inner, ...rightOnly]), [
    size.both,
    size.left,
    size.inner,
  ]);
  const r = o.reshape(o.permute(right, [...both, ...inner, ...rightOnly, ...leftOnly]), [
    size.both,
    size.inner,
    size.right,
  ]);
  const product = o.view(o.bmm(l, r), outSizes);
  const back = new Array<number>(outOrder.length);
  outOrder.forEach((dim, i) => (back[dim] = i));
  return o.permute(product, back);
}

function einsum(equation: string, tensors: readonly Tensor[], o: Ops, c: CompositeContext): Tensor {
  const plan = parse(equation, tensors);
  const labels = [...new Set(plan.operands.flat())].sort((a, b) =>
    a[0] === "." || b[0] === "." ? (a < b ? -1 : 1) : byLabel(a, b),
  );
  const order = [...plan.output, ...labels.filter((x) => !plan.output.includes(x))];
  const outRank = plan.output.length;
  const list = tensors.map((t, i) => align(t, plan.operands[i], order, o));
  const counts = order.map((_, i) => list.filter((t) => t.sizes[i] !== 1).length);
  while (list.length > 1) {
    let a = list.shift() as Tensor;
    let b = list.shift() as Tensor;
    const summed: number[] = [];
    const onlyA: number[] = [];
    const onlyB: number[] = [];
    for (let i = 0; i < order.length; i++) {
      if (a.sizes[i] !== 1 && b.sizes[i] !== 1) {
        counts[i]--;
        if (counts[i] === 1 && i >= outRank) {
          summed.push(i);
          counts[i] = 0;
        }
      } else if (counts[i] === 1 && i >= outRank) {
        if (a.sizes[i] !== 1) {
          onlyA.push(i);
          counts[i] = 0;
        } else if (b.sizes[i] !== 1) {
          onlyB.push(i);
          counts[i] = 0;
        }
      }
    }
    if (onlyA.length) a = o.sum_dim_IntList(a, onlyA, true);
    if (onlyB.length) b = o.sum_dim_IntList(b, onlyB, true);
    list.unshift(sumProduct(a, b, summed, o, c));
  }
  const result = list[0];
  const extra = order.length - outRank;
  if (extra === 0) return result;
  if (tensors.length > 1) return o.view(result, result.sizes.slice(0, outRank));
  return o.sum_dim_IntList(
    result,
    Array.from({ length: extra }, (_, i) => outRank + i),
  );
}

export const einsumOps = defineOps([
  {
    schema: "einsum(str equation, Tensor[] tensors) -> Tensor",
    evidence: "native_functions.yaml: einsum; case products/einsum",
    autocast: "low",
    python: "none",
    composite: ({ equation, tensors }, o, c) => einsum(equation, tensors, o, c),
  },
  {
    schema: "movedim(Tensor self, int[] source, int[] destination) -> Tensor",
    evidence: "native_functions.yaml: movedim; case tensors/copies-and-shapes",
    aliases: ["moveaxis"],
    composite: ({ self, source, destination }, o) => {
      const rank = self.rank;
      const wrap = (i: number): number => (i < 0 ? i + rank : i);
      const order = new Array<number>(rank).fill(-1);
      destination.forEach((to: number, i: number) => (order[wrap(to)] = wrap(source[i])));
      const rest = Array.from({ length: rank }, (_, i) => i).filter((i) => !order.includes(i));
      for (let i = 0; i < rank; i++) if (order[i] < 0) order[i] = rest.shift() as number;
      return o.permute(self, order);
    },
  },
  {
    schema: "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
    evidence: "native_functions.yaml: tensordot; case products/addends-batches-and-vectors",
    python: "none",
    autocast: "promote",
    composite: ({ self, other, dims_self, dims_other }, o, c) => {
      const wrap = (i: number, rank: number): number => (i < 0 ? i + rank : i);
      const a = dims_self.map((i: number) => wrap(i, self.rank));
      const b = dims_other.map((i: number) => wrap(i, other.rank));
      a.forEach((i: number, at: number) => {
        const sizes = [self.sizes[i], other.sizes[b[at]]];
        if (sizes[0] !== sizes[1] && sizes[0] !== 1 && sizes[1] !== 1)
          throw new TorchError(
            `contracted dimensions need to match, but first has size ${sizes[0]} in dim ${dims_self[at]} and second has size ${sizes[1]} in dim ${dims_other[at]}`,
          );
      });
      const freeA = self.sizes.map((_: number, i: number) => i).filter((i: number) => !a.includes(i));
      const freeB = other.sizes.map((_: number, i: number) => i).filter((i: number) => !b.includes(i));
      const count = (t: Tensor, dims: number[]): number => dims.reduce((n, i) => n * t.sizes[i], 1);
      const [first, second] = withoutOnes(self, other, a, b, o, c);
      const sizes = [...freeA.map((i: number) => first.sizes[i]), ...freeB.map((i: number) => second.sizes[i])];
      if (c.rules.tensordotUsesDot && sizes.every((size) => size === 1))
        return o.reshape(rowProduct(o.permute(first, [...freeA, ...a]), o.permute(second, [...freeB, ...b]), o), sizes);
      const left = o.reshape(o.permute(first, [...freeA, ...a]), [count(first, freeA), count(first, a)]);
      const right = o.reshape(o.permute(second, [...b, ...freeB]), [count(second, b), count(second, freeB)]);
      return o.reshape(o.mm(left, right), sizes);
    },
  },
]);

/** Where one operand has size one in a contracted dimension, the other's is summed first. */
function withoutOnes(
  self: Tensor,
  other: Tensor,
  a: readonly number[],
  b: readonly number[],
  o: Ops,
  c: CompositeContext,
): [Tensor, Tensor] {
  let [first, second] = [self, other];
  const summed = (t: Tensor, dim: number, ordered: Tensor): Tensor => {
    const sum = o.sum_dim_IntList(t, [dim], true);
    if (t !== ordered) c.drop(t);
    return sum;
  };
  a.forEach((i, at) => {
    const j = b[at];
    if (first.sizes[i] === 1 && second.sizes[j] !== 1) second = summed(second, j, other);
    else if (second.sizes[j] === 1 && first.sizes[i] !== 1) first = summed(first, i, self);
  });
  return [first, second];
}

/** One number: a product of rows where both lie as rows in memory, else the sum of the elements' products. */
function rowProduct(left: Tensor, right: Tensor, o: Ops): Tensor {
  if (left.isContiguous && right.isContiguous) return o.dot(o.view(left, [-1]), o.view(right, [-1]));
  const shape = left.sizes.filter((size) => size !== 1);
  return o.sum(o.mul(o.view_or_reshape(left, shape), o.view_or_reshape(right, shape)));
}
