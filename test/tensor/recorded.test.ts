/** Types, shapes and strides without Python, against what the real PyTorch gave (scripts/record/tensor_facts.py). */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DTYPES, dtype, promoteTypes } from "../../src/tensor/dtype.ts";
import { commonShape, outputStrides, resultType, type Operand, type Scalar } from "../../src/tensor/iterator.ts";
import { joinedStrides, liesAs } from "../../src/tensor/memory-format.ts";
import {
  broadcast,
  inferSize,
  isContiguous,
  numel,
  storageBytes,
  TorchError,
  viewStrides,
} from "../../src/tensor/shape.ts";
import { Storage, Tensor } from "../../src/tensor/tensor.ts";
import { preservedStrides } from "../../src/session/kernel.ts";

type Layout = readonly [sizes: number[], strides: number[]];
interface Recorded {
  readonly promotions: readonly (readonly [string, string, string | null])[];
  readonly resultTypes: readonly (readonly [[string, number], [string, number] | Scalar["scalar"], string])[];
  readonly views: readonly (readonly [...Layout, shape: number[], strides: number[] | null])[];
  readonly elementwise: readonly (readonly [operands: Layout[], ...Layout])[];
  readonly likes: readonly (readonly [...Layout, strides: number[]])[];
  readonly formats: readonly (readonly [
    Layout,
    Layout,
    plain: boolean,
    channelsLast: boolean,
    joined: Layout | null,
  ])[];
  readonly sizesInferred: readonly (readonly [shape: number[], count: number, sizes: number[] | null])[];
  readonly broadcasts: readonly (readonly [number[], number[], number[] | null])[];
  readonly storages: readonly (readonly [...Layout, dtype: string, bytes: number])[];
}
const recorded = JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")) as Recorded;

const tensor = (sizes: readonly number[], strides: readonly number[], type = "float32"): Tensor =>
  new Tensor(new Storage({ freeStorage: () => {} }, "cpu", 0), sizes, strides, 0, dtype(type));

/** What a function gives, or null where it refuses as PyTorch does. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof TorchError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Compares all rows at once, so that a failure shows which differ. */
function same<Row extends readonly unknown[]>(rows: readonly Row[], ours: (row: Row) => unknown): void {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.map((row) => [...row.slice(0, -1), ours(row)])).toEqual(rows);
}

describe("as PyTorch", () => {
  it("promotes two types", () => {
    expect(new Set(recorded.promotions.map(([first]) => first))).toEqual(
      new Set(DTYPES.map(({ name }) => name).filter((name) => !name.startsWith("float8"))),
    );
    same(recorded.promotions, ([a, b]) => attempt(() => promoteTypes(dtype(a), dtype(b)).name));
  });

  it("finds the type of a result: tensors, tensors of one number, Python numbers", () => {
    const operand = (x: [string, number] | Scalar["scalar"]): Operand =>
      typeof x === "string" ? { scalar: x, value: 1 } : tensor(x[1] ? [2] : [], x[1] ? [1] : [], x[0]);
    // 2.14 made a type for it, which no row has; until then it was complex64
    const modelled = recorded.resultTypes.filter(([, , found]) => found !== "bcomplex32");
    expect(recorded.resultTypes.length - modelled.length).toBe(4);
    same(modelled, ([a, b]) => resultType([operand(a), operand(b)]).name);
  });

  it("views without a copy, or not at all", () => {
    same(recorded.views, ([sizes, strides, shape]) => viewStrides(sizes, strides, shape));
  });

  it("lays out results of element-wise operations", () => {
    expect(recorded.elementwise.length).toBeGreaterThan(50);
    const ours = recorded.elementwise.map(([operands]) => {
      const tensors = operands.map(([sizes, strides]) => tensor(sizes, strides));
      const shape = commonShape(tensors);
      return [operands, [...shape], outputStrides(shape, tensors)];
    });
    expect(ours).toEqual(recorded.elementwise);
  });

  it("keeps the order of dimensions in a tensor like another", () => {
    same(recorded.likes, ([sizes, strides]) => preservedStrides(tensor(sizes, strides)));
  });

  it("knows plain order and channels last, and what joined tensors get", () => {
    expect(recorded.formats.length).toBeGreaterThan(50);
    const ours = recorded.formats.map(([first, second, , , joined]) => {
      const [[sizes, strides], parts] = [first, [first, second].map(([s, t]) => ({ sizes: s, strides: t }))];
      return [
        isContiguous(sizes, strides),
        liesAs({ sizes, strides }, true),
        joined && joinedStrides(joined[0], parts),
      ];
    });
    expect(ours).toEqual(recorded.formats.map(([, , plain, last, joined]) => [plain, last, joined && joined[1]]));
  });

  it("infers the size that is left", () => {
    same(recorded.sizesInferred, ([shape, count]) => attempt(() => inferSize(shape, count)));
  });

  it("broadcasts shapes", () => {
    same(recorded.broadcasts, ([a, b]) => attempt(() => broadcast(a, b)));
  });

  it("counts the bytes that strides reach", () => {
    same(recorded.storages, ([sizes, strides, type]) => storageBytes(sizes, strides, dtype(type).itemBytes));
  });
});

it("numel of no dimension is one", () => {
  expect([numel([]), numel([0, 3]), numel([2, 3])]).toEqual([1, 0, 6]);
});
