/** Values that are moved to other places, looked up in a sorted list, or added up where an index says. */

import { mostValues } from "../tensor/contents.ts";
import { isScalar } from "../tensor/iterator.ts";
import { contiguousStrides, wrapDim } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { asShape, knownOf, listed, numberOf, type ValueRule } from "./values.ts";
import { along } from "./values-selection.ts";

/** A border of one number around a tensor, the last dimension's sides first; a negative side is cut off. */
export const padded: ValueRule = ({ self, pad, value }, [result]) => {
  const known = listed(self);
  if (known === null || result!.numel > mostValues(result!.dtype)) return null;
  const own = contiguousStrides(self.sizes);
  const { sizes, rank } = result!;
  const strides = contiguousStrides(sizes);
  const before = sizes.map((_, dim) => pad[2 * (rank - 1 - dim)] ?? 0);
  return [
    Array.from({ length: result!.numel }, (_, i) => {
      let at = 0;
      for (let dim = 0; dim < rank; dim++) {
        const from = (Math.floor(i / strides[dim]!) % sizes[dim]!) - before[dim]!;
        if (from < 0 || from >= self.sizes[dim]) return numberOf(value);
        at += from * own[dim]!;
      }
      return known[at]!;
    }),
  ];
};

/** How many of a sorted list lie before each value; with `right` those that are equal, too. */
const lookedUp =
  (list: string, wanted: string): ValueRule =>
  (a) => {
    const sorted = listed(a[list]);
    const values = isScalar(a[wanted]) ? [a[wanted].value as number] : listed(a[wanted]);
    if (sorted === null || values === null || a[list].rank !== 1 || a.sorter) return null;
    const isRight = a.right || a.side === "right";
    return [
      values.map((v) => {
        const at = sorted.findIndex((x) => (isRight ? x > v : x >= v));
        return at < 0 ? sorted.length : at;
      }),
    ];
  };
export const searched = lookedUp("sorted_sequence", "self");
export const bucketed = lookedUp("boundaries", "input");

/** The extreme from each line's start to each place, and where it was last seen. */
export const runningExtreme = (isBetter: (x: number, y: number) => boolean): ValueRule =>
  along((line) => {
    let at = 0;
    const places = line.map((v, i) => (isBetter(v, line[at]!) || v === line[at] ? (at = i) : at));
    return [places.map((i) => line[i]!), places];
  });

type Change = (before: number, sourceValue: number, a: Args) => number;

/** Slices along `dim`, changed in turn where a list of positions says. */
export const slicesChanged =
  (source: string, change: Change): ValueRule =>
  (a, [result]) => {
    const before = listed(a.self);
    const index = listed(a.index);
    const sourceValue = a[source] instanceof Tensor ? knownOf(a[source]) : numberOf(a[source]);
    if (before === null || index === null || sourceValue === null || a.self.rank === 0) return null;
    const { sizes } = result!;
    const dim = wrapDim(a.dim, sizes.length);
    const inner = sizes.slice(dim + 1).reduce((n, size) => n * size, 1);
    const outer = sizes.slice(0, dim).reduce((n, size) => n * size, 1);
    const found = [...before];
    for (let o = 0; o < outer; o++)
      index.forEach((position, j) => {
        const line = o * sizes[dim]! + (position < 0 ? position + sizes[dim]! : position);
        for (let i = 0; i < inner; i++) {
          const from = (o * index.length + j) * inner + i;
          found[line * inner + i] = change(
            found[line * inner + i]!,
            typeof sourceValue === "number" ? sourceValue : (sourceValue[from] ?? sourceValue[0]!),
            a,
          );
        }
      });
    return [found];
  };

/** What a mask keeps, in turn from `source`. */
export const maskedScattered: ValueRule = ({ self, mask, source }, [result]) => {
  const [own, keeps, sourceValue] = [knownOf(self), listed(mask), listed(source)];
  if (own === null || keeps === null || sourceValue === null || result!.numel > mostValues(result!.dtype)) return null;
  const before = asShape(own, self.sizes, result!.sizes);
  let next = 0;
  return [
    asShape(keeps, mask.sizes, result!.sizes).map((keep, i) => {
      if (keep !== 0) return sourceValue[next++] ?? 0;
      return typeof before === "number" ? before : before[i]!;
    }),
  ];
};

/** Elements by their row-major positions. */
export const taken: ValueRule = ({ self, index }) => {
  const known = listed(self);
  const positions = listed(index);
  return known && positions && [positions.map((i) => known[i < 0 ? i + known.length : i]!)];
};

export const among: ValueRule = ({ elements, test_elements }) => {
  const known = listed(elements);
  const wanted = listed(test_elements);
  return known && wanted && [known.map((v) => (wanted.includes(v) ? 1 : 0))];
};

/** Rows, then columns, of a triangle of a matrix, row by row. */
export const triangleIndices =
  (keeps: (beside: number, offset: number) => boolean): ValueRule =>
  (a, [result]) => {
    if (result!.numel > mostValues(result!.dtype)) return null;
    const [rows, columns] = [a.row, a.col].map(numberOf) as [number, number];
    const places: (readonly [number, number])[] = [];
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) if (keeps(j - i, numberOf(a.offset))) places.push([i, j]);
    return [[...places.map(([i]) => i), ...places.map(([, j]) => j)]];
  };
