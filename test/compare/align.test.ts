/** Alignment of sequences, against a longest common subsequence by the table. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "../../src/compare/align.ts";

function longestCommon(a: readonly number[], b: readonly number[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const value of a) {
    const row = [0];
    b.forEach((other, j) => row.push(value === other ? above[j]! + 1 : Math.max(above[j + 1]!, row[j]!)));
    above = row;
  }
  return above.at(-1)!;
}

const paired = (partners: Int32Array) => [...partners].filter((partner) => partner >= 0);

describe("align", () => {
  it("pairs equal elements in order, and nearly as many as there can be", () => {
    let found = 0;
    let possible = 0;
    const list = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        const partners = align(a, b);
        const places = paired(partners);
        expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
        partners.forEach((partner, i) => partner >= 0 && expect(b[partner]).toBe(a[i]));
        found += places.length;
        possible += longestCommon(a, b);
      }),
      { numRuns: 400, seed: 6 },
    );
    expect(found / possible).toBeGreaterThan(0.95);
  });

  it("finds what was left out and put in, without anchors", () => {
    const a = [1, 1, 2, 1, 1, 2, 1, 1, 2];
    expect(paired(align(a, [1, 1, 2, 1, 1, 3, 2, 1, 2]))).toHaveLength(8);
    expect([...align([5, 6, 7], [9, 5, 7])]).toEqual([1, -1, 2]);
    expect([...align([], [1])]).toEqual([]);
  });

  it("takes bounded time for long sequences that have little in common", () => {
    const numbers = (length: number, seed: number) => {
      let state = seed;
      return Array.from({ length }, () => (state = (state * 48271) % 2147483647) % 17);
    };
    const [a, b] = [numbers(4000, 5), numbers(4000, 9)];
    expect(paired(align(a, b)).length / longestCommon(a, b)).toBeGreaterThan(0.75);
    const started = performance.now();
    align(numbers(100_000, 5), numbers(100_000, 9));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
