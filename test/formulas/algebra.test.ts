/** Closed forms: writing, reading, evaluating; and finding them from values. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../src/base/diagnostic.ts";
import { evaluateFormula, formatFormula, parseFormula } from "../../src/formulas/expression.ts";
import { Fitter, type Design } from "../../src/formulas/fit.ts";
import { sameFormula, subtract, symbolsOf, type SymbolValues } from "../../src/formulas/polynomial.ts";

const codeOf = (action: () => unknown): string | null => {
  try {
    action();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic.code;
    throw error;
  }
  return null;
};

describe("text", () => {
  const symbols = ["B", "L", "C", "H"];
  it.each([
    ["B*L*C*8 + L*B*H*L", "8*B*L*C + B*H*L*L"],
    ["(B + 1)*(B - 1)", "-1 + B*B"],
    ["L*C/H/2", "L*C/(2*H)"],
    ["3*L/6 - L/2", "0"],
    ["B*32*ceil(L/32) + floor(L / 2)", "floor(L/2) + 32*B*ceil(L/32)"],
    ["2**3*L^2", "8*L*L"],
    ["-(L)", "-L"],
  ])("%s is %s", (typed, written) => expect(formatFormula(parseFormula(typed), { symbols })).toBe(written));

  it("puts the largest term first when sizes are given", () => {
    const formula = parseFormula("C + 4*C*C + 9*B*L*C");
    expect(formatFormula(formula, { symbols, sizes: { B: 64, L: 32, C: 512 } })).toBe("9*B*L*C + 4*C*C + C");
    expect(symbolsOf(formula)).toEqual(["B", "C", "L"]);
  });

  it("is understood again", () => {
    const factor = fc.constantFrom("B", "L", "C", "ceil(L/32)", "floor(C/3)");
    const term = fc.tuple(
      fc.integer({ min: 1, max: 99 }),
      fc.array(factor, { maxLength: 4 }),
      fc.constantFrom("", "/2", "/H"),
    );
    fc.assert(
      fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), (terms) => {
        const formula = parseFormula(terms.map(([n, factors, over]) => [n, ...factors].join("*") + over).join(" + "));
        const text = formatFormula(formula, { symbols });
        expect(sameFormula(parseFormula(text), formula)).toBe(true);
        const sizes = { B: 6, L: 100, C: 30, H: 2 };
        const direct = new Function("B", "L", "C", "H", "ceil", "floor", `return ${text}`) as (
          ...a: unknown[]
        ) => number;
        expect(evaluateFormula(text, sizes)).toBeCloseTo(direct(6, 100, 30, 2, Math.ceil, Math.floor), 6);
      }),
    );
  });

  it.each(["", "B +", "B L", "1/(B + C)", "B**L", "ceil(L)", "sin(L/2)", "B.c", "(B", "2**99", "9".repeat(20)])(
    "'%s' is no closed form",
    (text) => expect(codeOf(() => parseFormula(text))).toBe("bad_formula"),
  );

  it("is exact beyond 2^53 in between, and needs every size", () => {
    expect(evaluateFormula("B*B*B*B/(C*C*C)", { B: 2 ** 20, C: 2 ** 20 })).toBe(2 ** 20);
    expect(evaluateFormula("B/3", { B: 4 })).toBeCloseTo(4 / 3);
    expect(codeOf(() => evaluateFormula("B*ceil(L/2)", { B: 1 }))).toBe("missing_size");
  });
});

describe("fitting", () => {
  /** Sections, joint sizes and five to check, as for a program that takes any size. */
  function design(base: SymbolValues): Design {
    const symbols = Object.keys(base);
    const points: SymbolValues[] = [base];
    const sections: Record<string, number[]> = {};
    for (const name of symbols) {
      sections[name] = [0, ...[2, 3, 4, 5].map((k) => points.push({ ...base, [name]: base[name]! * k }) - 1)];
    }
    for (let k = 1; k <= 8; k++) {
      points.push(Object.fromEntries(symbols.map((name, i) => [name, base[name]! + ((k * (7 + 4 * i)) % 23)])));
    }
    const fitted = points.length;
    for (let k = 1; k <= 5; k++) {
      points.push(Object.fromEntries(symbols.map((name, i) => [name, base[name]! + ((k * (5 + 6 * i)) % 29)])));
    }
    return { symbols, points, sections, fitted };
  }
  const base = { B: 4, L: 32, C: 96 };
  const shape = design(base);
  const found = (value: (sizes: SymbolValues) => number) => new Fitter(shape).fit(shape.points.map(value));

  it.each([
    "12",
    "8*B*L*C + B*L*L",
    "4*C*C + 4*C",
    "B*L*L + 3*B*L + 7",
    "(2*B + 1)*(L - 1)*C",
    "32*B*ceil(L/32)",
    "128*B*L*ceil(L/128) + C",
    "64*B*floor(C/12)",
    "B*L*L*L",
  ])("finds %s", (text) => {
    const formula = parseFormula(text);
    const result = found((sizes) => evaluateFormula(formula, sizes));
    expect(result && formatFormula(subtract(result, formula))).toBe("0");
  });

  it("finds nothing where there is nothing, rather than something near", () => {
    expect(found(({ L }) => Math.floor(Math.log2(L!)))).toBeNull();
    expect(found(({ B, L }) => (B! * L!) ^ 5)).toBeNull();
  });
});
