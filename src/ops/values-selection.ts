/** Values of reductions, scans, sorting, selection by index, and of tensors made from nothing. */

import { mostValues } from "../tensor/contents.ts";
import { contiguousStrides, wrapDim } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import { reducedDims } from "./reduce-dims.ts";
import type { Args } from "./row.ts";
import { knownOf, listed, type ValueRule, type ValueRules } from "./values.ts";

/** Splits row-major values into the lines along some dimensions, in the order of what remains. */
function lines(t: Tensor, values: readonly number[], dims: readonly number[]): number[][] {
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

/** One number per line; `repeated` is the result for n equal numbers. */
const reduction =
  (f: (line: readonly number[]) => number, repeated: (v: number, n: number) => number): ValueRule =>
  (a, results) => {
    const { self } = a as { self: Tensor };
    const known = knownOf(self);
    if (known === null) return null;
    const dims = reducedDims(self, typeof a.dim === "number" ? [a.dim] : (a.dim ?? null));
    if (typeof known === "number") {
      const n = dims.reduce((product, i) => product * self.sizes[i], 1);
      return results.map((_, i) => (i === 0 ? repeated(known, n) : 0));
    }
    if (self.numel === 0 && results[0].numel > 0) return [f([])];
    const found = lines(self, known, dims);
    return [found.map(f), found.map((line) => line.indexOf(f(line)))].slice(0, results.length);
  };

const total = (line: readonly number[]): number => line.reduce((s, v) => s + v, 0);
const largest = reduction(
  (line) => Math.max(...line),
  (v) => v,
);
const smallest = reduction(
  (line) => Math.min(...line),
  (v) => v,
);
const sum = reduction(total, (v, n) => v * n);
const mean = reduction(
  (line) => total(line) / line.length,
  (v) => v,
);

/** Along one dimension, line by line, each line as long as before or of the result's length there. */
const along =
  (f: (line: readonly number[], a: Args) => readonly number[][]): ValueRule =>
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

function scan(f: (so_far: number, v: number) => number, start: number): ValueRule {
  return along((line) => {
    let value = start;
    return [line.map((v) => (value = f(value, v)))];
  });
}

function ordered(line: readonly number[], descending: boolean): readonly number[][] {
  const order = line.map((_, i) => i).sort((x, y) => (descending ? line[y] - line[x] : line[x] - line[y]) || x - y);
  return [order.map((i) => line[i]), order];
}

const argument = (best: (line: readonly number[]) => number): ValueRule =>
  reduction(
    (line) => line.indexOf(best(line)),
    () => 0,
  );

/** The triangle that a comparison of column and row keeps. */
const triangle =
  (keeps: (column: number, row: number, diagonal: number) => boolean): ValueRule =>
  (a) => {
    const known = listed(a.self);
    if (known === null) return null;
    const [rows, columns] = a.self.sizes.slice(-2);
    return [known.map((v, i) => (keeps(i % columns, Math.floor(i / columns) % rows, a.diagonal) ? v : 0))];
  };

/** Tensors one after the other along a dimension, which `stack` makes. */
const joined: ValueRule = ({ tensors, dim }, [result]) => {
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

const repeated: ValueRule = ({ self }, [result]) => {
  const known = listed(self);
  if (known === null) return null;
  const own = contiguousStrides(result.sizes);
  const from = contiguousStrides(self.sizes);
  const pad = result.rank - self.rank;
  return [
    steps(result, (i) => {
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
const indexed: ValueRule = ({ self, indices }, [result]) => {
  const known = listed(self);
  const given = (indices as (Tensor | null)[]).map(listed);
  if (known === null || given.length === 0 || given.includes(null) || result.numel > mostValues(result.dtype))
    return null;
  const [first] = indices as Tensor[];
  if (first.dtype.name === "bool") {
    if (given.length > 1 || first.rank !== self.rank) return null;
    return [known.filter((_, i) => (given[0] as readonly number[])[i] !== 0)];
  }
  if ((indices as Tensor[]).some((t) => t.dtype.name === "bool" || t.numel !== first.numel)) return null;
  const rest = self.sizes.slice(given.length).reduce((x: number, y: number) => x * y, 1);
  const found: number[] = [];
  for (let i = 0; i < first.numel; i++) {
    let at = 0;
    given.forEach((list, d) => {
      at = at * self.sizes[d] + positive((list as readonly number[])[i], self.sizes[d]);
    });
    for (let j = 0; j < rest; j++) found.push(known[at * rest + j]);
  }
  return [found];
};

/** The positions that an index names along `dim`, one per line of the result. */
const gathered: ValueRule = (a, [result]) => {
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

/** Written along `dim` where the index says; what was unknown there must be overwritten in full. */
const scattered: ValueRule = (a, [result]) => {
  const index = listed(a.index);
  const before = listed(a.self);
  const source = a.src instanceof Tensor ? listed(a.src) : number(a.src);
  if (index === null || source === null || a.reduce || result.rank === 0) return null;
  if (before === null && a.index.numel < result.numel) return null;
  const found: (number | undefined)[] = before ? [...before] : Array.from({ length: result.numel }, () => undefined);
  const dim = wrapDim(a.dim, result.rank);
  const strides = contiguousStrides(result.sizes);
  const own = contiguousStrides(a.index.sizes);
  const from = a.src instanceof Tensor ? contiguousStrides(a.src.sizes) : [];
  index.forEach((v, i) => {
    let at = v * strides[dim];
    let read = 0;
    a.index.sizes.forEach((size: number, d: number) => {
      const position = Math.floor(i / own[d]) % size;
      if (d !== dim) at += position * strides[d];
      read += position * (from[d] ?? 0);
    });
    found[at] = typeof source === "number" ? source : source[read];
  });
  return found.includes(undefined) ? null : [found as number[]];
};

const selectedRows: ValueRule = (a, results, random) => {
  const index = listed(a.index);
  return index && along((line) => [index.map((i) => line[positive(i, line.length)])])(a, results, random);
};

const positions: ValueRule = ({ self }, results) => {
  const known = listed(self);
  if (known === null) return null;
  const hits = known.flatMap((v, i) => (v === 0 ? [] : [i]));
  const strides = contiguousStrides(self.sizes);
  return results.map(() =>
    hits.flatMap((i) => self.sizes.map((s: number, d: number) => Math.floor(i / strides[d]) % s)),
  );
};

const number = (x: unknown): number => (typeof x === "number" ? x : ((x as { value: number } | null)?.value ?? 0));
const steps = (result: Tensor, f: (i: number) => number): number[] | null =>
  result.numel > mostValues(result.dtype) ? null : Array.from({ length: result.numel }, (_, i) => f(i));

/** Sizes that depend on numbers drawn on the GPU are taken as large as they can be instead. */

const distinct: ValueRule = ({ self }) => {
  const known = listed(self);
  if (known === null) return null;
  const found = [...new Set(known)].sort((x, y) => x - y);
  return [found, known.map((v) => found.indexOf(v)), found.map((v) => known.filter((x) => x === v).length)];
};

export const selectionValues: ValueRules = {
  sum,
  sum_dim_IntList: sum,
  mean,
  mean_dim: mean,
  prod: reduction(
    (line) => line.reduce((p, v) => p * v, 1),
    (v, n) => v ** n,
  ),
  max: largest,
  min: smallest,
  amax: largest,
  amin: smallest,
  max_dim: largest,
  min_dim: smallest,
  argmax: argument((line) => Math.max(...line)),
  argmin: argument((line) => Math.min(...line)),
  any: reduction(
    (line) => (line.some((v) => v !== 0) ? 1 : 0),
    (v, n) => (v !== 0 && n > 0 ? 1 : 0),
  ),
  all: reduction(
    (line) => (line.every((v) => v !== 0) ? 1 : 0),
    (v, n) => (v !== 0 || n === 0 ? 1 : 0),
  ),
  count_nonzero: reduction(
    (line) => line.filter((v) => v !== 0).length,
    (v, n) => (v !== 0 ? n : 0),
  ),
  cumsum: scan((x, y) => x + y, 0),
  cumprod: scan((x, y) => x * y, 1),
  sort: along((line, a) => ordered(line, a.descending)),
  topk: along((line, a) => ordered(line, a.largest)),
  flip: (a, results, draw) =>
    a.dims?.length === 1
      ? along((line) => [[...line].reverse()])({ self: a.self, dim: a.dims[0] }, results, draw)
      : null,
  cat: joined,
  stack: joined,
  repeat: repeated,
  _repeated_places: ({ repeats }) => {
    const known = listed(repeats);
    return known && [known.flatMap((n, i) => Array.from({ length: n }, () => i))];
  },
  index: indexed,
  gather: gathered,
  scatter: scattered,
  index_select: selectedRows,
  masked_select: ({ self, mask }) => {
    const known = listed(self);
    const chosen = listed(mask);
    return known && chosen && known.length === chosen.length ? [known.filter((_, i) => chosen[i] !== 0)] : null;
  },
  nonzero: positions,
  tril: triangle((column, row, diagonal) => column - row <= diagonal),
  triu: triangle((column, row, diagonal) => column - row >= diagonal),
  bincount: ({ self, weights }, [result]) => {
    const known = listed(self);
    return known && !weights ? [steps(result, (i) => known.filter((v) => v === i).length)] : null;
  },
  _unique2: distinct,

  // gradients are taken to be finite, and growth to be far away
  _amp_update_scale_: ({ self }) => [knownOf(self)],

  zeros: () => [0],
  new_zeros: () => [0],
  ones: () => [1],
  zeros_like: () => [0],
  ones_like: () => [1],
  full: (a) => [number(a.fill_value)],
  full_like: (a) => [number(a.fill_value)],
  scalar_tensor: (a) => [number(a.s)],
  eye: (_, [result]) => [steps(result, (i) => (Math.floor(i / result.sizes[1]) === i % result.sizes[1] ? 1 : 0))],
  arange: (a, [result]) => [steps(result, (i) => number(a.start) + i * number(a.step))],
  linspace: (a, [result]) => {
    const [from, to] = [number(a.start), number(a.end)];
    return [steps(result, (i) => (a.steps > 1 ? from + ((to - from) * i) / (a.steps - 1) : from))];
  },
};
