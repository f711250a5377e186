/** Numbers drawn on the CPU and elements of each type, against what the real PyTorch gave (scripts/record/value_facts.py). */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asElement, elementOffsets } from "../../src/tensor/contents.ts";
import { cxxName } from "../../src/tensor/cxx-names.ts";
import { dtype, FLOAT32, FLOAT64 } from "../../src/tensor/dtype.ts";
import { HostRandom } from "../../src/tensor/host-random.ts";

interface Draws {
  readonly seed: number;
  readonly [of: string]: number | readonly number[];
}
const { draws, elements } = JSON.parse(readFileSync(new URL("values.json", import.meta.url), "utf8")) as {
  draws: readonly Draws[];
  elements: readonly (readonly [number: number, type: string, held: number | string | null])[];
};

const near = (have: readonly number[], want: unknown): void => {
  expect(have).toHaveLength((want as number[]).length);
  have.forEach((number, i) => expect(number).toBeCloseTo((want as number[])[i]!, 5));
};
const times = (n: number, draw: () => number): number[] => Array.from({ length: n }, draw);

describe("numbers of the CPU's generator", () => {
  it.each(draws.map((recorded) => [recorded.seed, recorded] as const))("after seed %d", (seed, recorded) => {
    const random = new HostRandom();
    random.seed(seed);
    expect(times(5, () => random.uniform(FLOAT32))).toEqual(recorded["uniform"]);
    expect(times(3, () => random.uniform(FLOAT64))).toEqual(recorded["uniformDouble"]);
    expect(times(6, () => random.below(1000))).toEqual(recorded["below"]);
    expect(times(3, () => random.below(2 ** 40))).toEqual(recorded["belowMany"]);
    near(random.normals(3, FLOAT32), recorded["fewNormals"]); // the fourth, of a pair, waits for the next call
    near(random.normals(2, FLOAT32), recorded["moreNormals"]);
    near(random.normals(16, FLOAT32), recorded["sixteenNormals"]);
    near(random.normals(17, FLOAT32), recorded["seventeenNormals"]);
    expect([random.uniform(FLOAT32)]).toEqual(recorded["lastUniform"]);
  });

  it("are the same when they are made later, whatever was drawn in between", () => {
    const { seed, uniform, uniformDouble } = draws[0]!;
    const random = new HostRandom();
    random.seed(seed);
    const first = random.later(5, (own) => times(5, () => own.uniform(FLOAT32)));
    const next = random.later(6, (own) => times(3, () => own.uniformDouble()));
    expect(next.get()).toEqual(uniformDouble);
    expect(first.get()).toEqual(uniform);
  });
});

describe("an element", () => {
  it.each(elements.filter(([, , held]) => held !== null))("holds of %d as %s: %s", (number, type, held) => {
    expect(asElement(number, dtype(type))).toBe(Number(String(held).replace("inf", "Infinity")));
  });

  it("lies where sizes and strides say, row by row", () => {
    expect(elementOffsets([2, 3], [1, 2], 5)).toEqual([5, 7, 9, 6, 8, 10]); // a transposed 3 x 2
    expect(elementOffsets([2, 2], [0, 1], 0)).toEqual([0, 1, 0, 1]); // expanded
    expect(elementOffsets([], [], 3)).toEqual([3]);
    expect(elementOffsets([0, 4], [4, 1], 0)).toEqual([]);
  });
});

it("types have the names of C++ in messages", () => {
  // "expected scalar type Half but found Float" and its like (c10/core/ScalarType.h: AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS)
  const names = {
    float16: "Half",
    float32: "Float",
    int64: "Long",
    uint8: "Byte",
    bool: "Bool",
    complex64: "ComplexFloat",
  };
  for (const [type, name] of Object.entries(names)) expect(cxxName(dtype(type))).toBe(name);
});
