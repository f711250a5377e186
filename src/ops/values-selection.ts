/** What reductions, scans, sorting, joining and selection by index give: the rules that rows name. */

import { BOOL } from "../tensor/dtype.ts";
import { mostValues } from "../tensor/contents.ts";
import { contiguousStrides, wrapDim } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import { reducedDims } from "./reduce-dims.ts";
import type { Args } from "./row.ts";
import { knownOf, listed, numberOf as number, stepsOf, type ValueRule } from "./values.ts";

/** Splits row-major values into the lines along some dimensions, in the order of what remains. */
export function lines(t: Tensor, values: readonly number[], dims: readonly number[]): number[][] {
  const strides = contiguousStrides(t.sizes);
  const walk = (chosen: readonly number[]): number[] => {
    let found = [0];
    for (const dim of chosen) {
      const next: number[] = [];
      for (const at of found) for (let i = 0; i < t.sizes[dim]; i++) next.push(at + i * strides[dim]);
      found = next;
    }
    return found;
  };
  const inner = walk(dims);
  const outer = walk(t.sizes.map((_, i) => i).filter((i) => !dims.includes(i)));
  return outer.map((at) => inner.map((step) => values[at + step]));
}

/** A number of each line. */
type OfLine = (line: readonly number[], a: Args) => number;

/** One number per line for each result; `repeated` is the first result for n equal numbers, where that is found sooner. */
export const reduction =
  (of: readonly OfLine[], repeated?: (v: number, n: number) => number): ValueRule =>
  (a, results) => {
    const { self } = a as { self: Tensor };
    const known = repeated ? knownOf(self) : listed(self);
    if (known === null) return null;
    const dims = reducedDims(self, typeof a.dim === "number" ? [a.dim] : (a.dim ?? null));
    if (typeof known === "number") {
      const n = dims.reduce((product, i) => product * self.sizes[i], 1);
      return results.map((_, i) => (i === 0 ? repeated!(known, n) : 0));
    }
    if (self.numel === 0 && results[0].numel > 0) return [of[0]!([], a)];
    const found = lines(self, known, dims);
    return of.slice(0, results.length).map((f) => found.map((line) => f(line, a)));
  };

/** An extreme, and where each line has it. */
const extreme = (f: (line: readonly number[]) => number): readonly OfLine[] => [f, (line) => line.indexOf(f(line))];

const total = (line: readonly number[]): number => line.reduce((s, v) => s + v, 0);
export const largest = reduction(
  extreme((line) => Math.max(...line)),
  (v) => v,
);
export const smallest = reduction(
  extreme((line) => Math.min(...line)),
  (v) => v,
);
export const sumOf = reduction([total], (v, n) => v * n);
export const meanOf = reduction([(line) => total(line) / line.length], (v) => v);

/** Along one dimension, line by line, each line as long as before or of the result's length there. */
export const along =
  (f: (line: readonly number[], a: Args) => readonly (readonly number[])[]): ValueRule =>
  (a, results) => {
    const { self } = a as { self: Tensor };
    const known = listed(self);
    if (known === null) return null;
    if (self.rank === 0) return f(known, a).slice(0, results.length);
    const dim = wrapDim(a.dim, self.rank);
    const made = lines(self, known, [dim]).map((line) => f(line, a));
    return results.map((result, r) => {
      const out: number[] = Array.from({ length: result.numel }, () => 0);
      const step = result.sizes.slice(dim + 1).reduce((x, y) => x * y, 1);
      const length = result.sizes[dim];
      made.forEach((line, i) => {
        const start = Math.floor(i / step) * step * length + (i % step);
        for (let j = 0; j < length; j++) out[start + j * step] = line[r][j];
      });
      return out;
    });
  };

/** Each line's elements taken together from its start to each place. */
export function running(f: (so_far: number, v: number) => number, start: number): ValueRule {
  return along((line) => {
    let value = start;
    return [line.map((v) => (value = f(value, v)))];
  });
}

function ordered(line: readonly number[], descending: boolean): readonly number[][] {
  const order = line.map((_, i) => i).sort((x, y) => (descending ? line[y] - line[x] : line[x] - line[y]) || x - y);
  return [order.map((i) => line[i]), order];
}

/** The first place of each line's extreme. */
export const placeOf = (most: (...line: number[]) => number): ValueRule =>
  reduction([(line) => line.indexOf(most(...line))], () => 0);

/** What is kept by how far it lies right of the main diagonal; the rest is zero. */
export const triangle =
  (keeps: (beside: number, diagonal: number) => boolean): ValueRule =>
  (a) => {
    const known = listed(a.self);
    if (known === null) return null;
    const [rows, columns] = a.self.sizes.slice(-2);
    return [known.map((v, i) => (keeps((i % columns) - (Math.floor(i / columns) % rows), a.diagonal) ? v : 0))];
  };

/** Tensors one after the other along a dimension, which `stack` makes. */
export const joined: ValueRule = ({ tensors, dim }, [result]) => {
  if (result.numel > mostValues(result.dtype)) return null;
  const values = (tensors as Tensor[]).map(listed);
  if (values.includes(null)) return null;
  const outer = result.sizes.slice(0, wrapDim(dim, result.rank)).reduce((x, y) => x * y, 1);
  const found: number[] = [];
  for (let i = 0; i < outer; i++)
    for (const part of values as (readonly number[])[]) {
      const run = part.length / outer;
      found.push(...part.slice(i * run, (i + 1) * run));
    }
  return [found];
};

export const repeatedTimes: ValueRule = ({ self }, [result]) => {
  const known = listed(self);
  if (known === null) return null;
  const own = contiguousStrides(result.sizes);
  const from = contiguousStrides(self.sizes);
  const pad = result.rank - self.rank;
  return [
    stepsOf(result, (i) => {
      let at = 0;
      self.sizes.forEach((size: number, d: number) => {
        at += ((Math.floor(i / own[d + pad]) % result.sizes[d + pad]) % size) * from[d];
      });
      return known[at];
    }),
  ];
};

const positive = (i: number, size: number): number => (i < 0 ? i + size : i);

/** Index tensors of one shape at the front, or one mask over everything. */
export const indexed: ValueRule = ({ self, indices }, [result]) => {
  const known = listed(self);
  const indexValues = (indices as (Tensor | null)[]).map(listed);
  if (
    known === null ||
    indexValues.length === 0 ||
    indexValues.includes(null) ||
    result.numel > mostValues(result.dtype)
  )
    return null;
  const [first] = indices as Tensor[];
  if (first.dtype === BOOL) {
    if (indexValues.length > 1 || first.rank !== self.rank) return null;
    return [known.filter((_, i) => (indexValues[0] as readonly number[])[i] !== 0)];
  }
  if ((indices as Tensor[]).some((t) => t.dtype === BOOL || t.numel !== first.numel)) return null;
  const rest = self.sizes.slice(indexValues.length).reduce((x: number, y: number) => x * y, 1);
  const found: number[] = [];
  for (let i = 0; i < first.numel; i++) {
    let at = 0;
    indexValues.forEach((list, d) => {
      at = at * self.sizes[d] + positive((list as readonly number[])[i], self.sizes[d]);
    });
    for (let j = 0; j < rest; j++) found.push(known[at * rest + j]);
  }
  return [found];
};

/** The positions that an index names along `dim`, one per line of the result. */
export const gathered: ValueRule = (a, [result]) => {
  const values = listed(a.self);
  const index = listed(a.index);
  if (values === null || index === null || a.self.rank === 0) return null;
  const dim = wrapDim(a.dim, a.self.rank);
  const strides = contiguousStrides(a.self.sizes);
  const own = contiguousStrides(result.sizes);
  return [
    index.map((v, i) => {
      let at = positive(v, a.self.sizes[dim]) * strides[dim];
      result.sizes.forEach((size, d) => {
        if (d !== dim) at += (Math.floor(i / own[d]) % size) * strides[d];
      });
      return values[at];
    }),
  ];
};

/** Of each element of an index along `dim`: the place that it names in `self`, and its own place in a source. */
function namedPlaces(
  a: Args,
  index: readonly number[],
  source: Tensor | null,
): (readonly [at: number, read: number])[] {
  const dim = wrapDim(a.dim, a.self.rank);
  const strides = contiguousStrides(a.self.sizes);
  const own = contiguousStrides(a.index.sizes);
  const from = source === null ? [] : contiguousStrides(source.sizes);
  return index.map((v, i) => {
    let at = v * strides[dim];
    let read = 0;
    a.index.sizes.forEach((size: number, d: number) => {
      const position = Math.floor(i / own[d]) % size;
      if (d !== dim) at += position * strides[d];
      read += position * (from[d] ?? 0);
    });
    return [at, read];
  });
}

/** Written along `dim` where the index says; what was unknown there must be overwritten in full. */
export const scatteredValues: ValueRule = (a, [result]) => {
  const index = listed(a.index);
  const before = listed(a.self);
  const tensor: Tensor | null = a.src ?? null;
  const source = tensor ? listed(tensor) : number(a.value);
  if (index === null || source === null || result.rank === 0) return null;
  if (before === null && a.index.numel < result.numel) return null;
  const found: (number | undefined)[] = before ? [...before] : Array.from({ length: result.numel }, () => undefined);
  for (const [at, read] of namedPlaces(a, index, tensor))
    found[at] = typeof source === "number" ? source : source[read];
  return found.includes(undefined) ? null : [found as number[]];
};

/** Added one by one where the index says. */
export const scatterAdded: ValueRule = (a) => {
  const before = listed(a.self);
  const index = listed(a.index);
  const source = listed(a.src);
  if (before === null || index === null || source === null || a.self.rank === 0) return null;
  const found = [...before];
  for (const [at, read] of namedPlaces(a, index, a.src)) found[at]! += source[read]!;
  return [found];
};

export const selectedRows: ValueRule = (a, results, random) => {
  const index = listed(a.index);
  return index && along((line) => [index.map((i) => line[positive(i, line.length)])])(a, results, random);
};

/** Rows of a table, in the order of `indices`. */
export const embeddedRows: ValueRule = ({ weight, indices }, [result]) => {
  const table = listed(weight);
  const rows = listed(indices);
  if (table === null || rows === null || result.numel > mostValues(result.dtype)) return null;
  const width = weight.sizes[1];
  return [rows.flatMap((row) => table.slice(row * width, (row + 1) * width))];
};

/** The gradient of a table: each row's own ones added. */
export const addedRows: ValueRule = (a, [result]) => {
  const grads = listed(a.grad_output);
  const rows = listed(a.indices);
  if (grads === null || rows === null || a.scale_grad_by_freq || result.numel > mostValues(result.dtype)) return null;
  const width = result.sizes[1]!;
  const found = Array.from({ length: result.numel }, () => 0);
  rows.forEach((row, i) => {
    if (row === a.padding_idx) return;
    for (let j = 0; j < width; j++) found[row * width + j]! += grads[i * width + j]!;
  });
  return [found];
};

export const positions: ValueRule = ({ self }, results) => {
  const known = listed(self);
  if (known === null) return null;
  const hits = known.flatMap((v, i) => (v === 0 ? [] : [i]));
  const strides = contiguousStrides(self.sizes);
  return results.map((result) =>
    // where the truths are only likely, every element was counted
    (hits.length * self.rank === result.numel ? hits : [...known.keys()]).flatMap((i) =>
      self.sizes.map((s: number, d: number) => Math.floor(i / strides[d]) % s),
    ),
  );
};

/** Each value once in rising order, where each element went, and how often there is each. */
export const distinctValues: ValueRule = ({ self }) => {
  const known = listed(self);
  if (known === null) return null;
  const found = [...new Set(known)].sort((x, y) => x - y);
  return [found, known.map((v) => found.indexOf(v)), found.map((v) => known.filter((x) => x === v).length)];
};

/** Each run of equal values once, which run each element is in, and how long each is. */
export const runsOfValues: ValueRule = ({ self, dim }) => {
  const known = typeof dim === "number" && self.rank > 1 ? null : listed(self);
  if (known === null) return null;
  const starts = [...known.keys()].filter((i) => i === 0 || known[i] !== known[i - 1]);
  const ends = [...starts.slice(1), known.length];
  const inverse = starts.flatMap((start, run) => Array.from({ length: ends[run]! - start }, () => run));
  return [starts.map((i) => known[i]!), inverse, starts.map((start, run) => ends[run]! - start)];
};

export const productOf = reduction([(line) => line.reduce((p, v) => p * v, 1)], (v, n) => v ** n);
export const someTrue = reduction([(line) => (line.some((v) => v !== 0) ? 1 : 0)], (v, n) =>
  v !== 0 && n > 0 ? 1 : 0,
);
export const allTrue = reduction([(line) => (line.every((v) => v !== 0) ? 1 : 0)], (v, n) =>
  v !== 0 || n === 0 ? 1 : 0,
);
export const countOf = reduction([(line) => line.filter((v) => v !== 0).length], (v, n) => (v !== 0 ? n : 0));
export const inOrder = along((line, a) => ordered(line, a.descending));
export const largestFirst = along((line, a) => ordered(line, a.largest));
/** Moves the elements: where each coordinate of the result is read, dimension by dimension. */
const moved =
  (from: (a: Args) => readonly (readonly [dim: number, at: (i: number, size: number) => number])[]): ValueRule =>
  (a, [result]) => {
    const known = listed(a.self);
    if (known === null) return null;
    const strides = contiguousStrides(result.sizes);
    const moves = from(a).map(([dim, at]) => [wrapDim(dim, result.rank), at] as const);
    return [
      known.map((_, i) => {
        let read = i;
        for (const [dim, at] of moves) {
          const size = result.sizes[dim]!;
          const place = Math.floor(i / strides[dim]!) % size;
          read += (at(place, size) - place) * strides[dim]!;
        }
        return known[read]!;
      }),
    ];
  };
/** Back to front along some dimensions. */
export const flipped = moved(({ dims }) => dims.map((dim: number) => [dim, (i: number, size: number) => size - 1 - i]));
/** Each element so much further along some dimensions, around their ends; without dimensions all are one line. */
export const rolled: ValueRule = (a, results, random) => {
  const { self, shifts, dims } = a;
  const back = (i: number, n: number, size: number): number => (((i - shifts[n]) % size) + size) % size;
  if (dims.length === 0) {
    const known = listed(self);
    return known && [known.map((_, i) => known[back(i, 0, known.length)]!)];
  }
  return moved(() => dims.map((dim: number, n: number) => [dim, (i: number, size: number) => back(i, n, size)]))(
    a,
    results,
    random,
  );
};
/** Each place as often as the tensor of numbers says. */
export const repeatedPlaces: ValueRule = ({ repeats }) => {
  const known = listed(repeats);
  return known && [known.flatMap((n, i) => Array.from({ length: n }, () => i))];
};
/** What a mask of the same shape keeps. */
export const chosen: ValueRule = ({ self, mask }) => {
  const known = listed(self);
  const kept = listed(mask);
  return known && kept && known.length === kept.length ? [known.filter((_, i) => kept[i] !== 0)] : null;
};
export const counts: ValueRule = ({ self, weights }, [result]) => {
  const known = listed(self);
  return known && !weights ? [stepsOf(result, (i) => known.filter((v) => v === i).length)] : null;
};
