/** What products of small matrices on the CPU hold. */

import { type Known, mostValues } from "../tensor/contents.ts";
import type { Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { asShape, knownOf, numberOf, onHost, type ValueRule } from "./values.ts";

/** So many multiplications are made; a larger product holds what nobody knows. */
const MOST_STEPS = 2 ** 20;

/** Batch, rows and columns of an operand; a vector on the left is a row, one on the right a column. */
function formOf({ sizes }: { sizes: Shape }, isLeft: boolean): readonly [number, number, number] {
  if (sizes.length === 1) return isLeft ? [1, 1, sizes[0]!] : [1, sizes[0]!, 1];
  return sizes.length === 2 ? [1, sizes[0]!, sizes[1]!] : [sizes[0]!, sizes[1]!, sizes[2]!];
}

const flat = (known: Known, count: number): Float64Array =>
  typeof known === "number" ? new Float64Array(count).fill(known) : Float64Array.from(known);

/** The product row by row; null where a factor is unknown or there is too much to do. */
function multiplied(left: Tensor, right: Tensor, result: Tensor): number[] | null {
  const [batch, rows, depth] = formOf(left, true);
  const columns = formOf(right, false)[2];
  if (left.unresolved || right.unresolved || !left.hasContents || !right.hasContents) return null;
  if (result.numel > mostValues(result.dtype) || batch * rows * depth * columns > MOST_STEPS) return null;
  const a = knownOf(left);
  const b = knownOf(right);
  if (a === null || b === null) return null;
  const ofLeft = flat(a, left.numel);
  const ofRight = flat(b, right.numel);
  const found: number[] = [];
  for (let n = 0; n < batch; n++)
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) {
        let sum = 0;
        let at = (n * rows + i) * depth;
        let beside = n * depth * columns + j;
        for (let k = 0; k < depth; k++, at++, beside += columns) sum += ofLeft[at]! * ofRight[beside]!;
        found.push(sum);
      }
  return found;
}

/** `left` times `right`; with `addend` that many times `beta`, and the product times `alpha`. */
export const productOfMatrices = (left: string, right: string, addend?: string): ValueRule =>
  onHost((a: Args, [result]) => {
    const product = multiplied(a[left], a[right], result!);
    if (product === null || addend === undefined) return product && [product];
    const alpha = numberOf(a.alpha);
    const beta = numberOf(a.beta);
    if (beta === 0) return [product.map((v) => alpha * v)];
    const known = knownOf(a[addend]);
    if (known === null) return null;
    const added = asShape(known, a[addend].sizes, result!.sizes);
    return [product.map((v, i) => beta * (typeof added === "number" ? added : added[i]!) + alpha * v)];
  });
