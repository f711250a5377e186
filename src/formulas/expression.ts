/** Closed forms as text that people, Python and JavaScript can read: `8*B*L*C + B*H*L*L`, `32*B*H*ceil(L/32)`. */

import { DiagnosticError } from "../base/diagnostic.ts";
import {
  add,
  atomValue,
  constant,
  evaluate,
  multiply,
  reciprocal,
  symbol,
  ZERO,
  type Polynomial,
  type SymbolValues,
  type Term,
} from "./polynomial.ts";

export interface FormatOptions {
  /** In the order in which factors are written; others follow by name. */
  readonly symbols?: readonly string[];
  /** With sizes, the largest term comes first; without, that of the lowest degree. */
  readonly sizes?: SymbolValues;
}

const magnitude = (term: Term, sizes: SymbolValues): number => Math.abs(evaluate([term], sizes));
const degree = (term: Term): number => term.factors.reduce((sum, { power }) => sum + power, 0);

/** Text with `+`, `-`, `*`, `/`, parentheses, `ceil` and `floor` only. */
export function formatFormula(polynomial: Polynomial, { symbols = [], sizes }: FormatOptions = {}): string {
  if (polynomial.length === 0) return "0";
  const place = (atom: string): number => {
    const at = symbols.findIndex((name) => atom === name || atom.includes(`(${name}/`));
    return at < 0 ? symbols.length : at;
  };
  const written = polynomial.map((term) => ({ term, text: termText(term, place) }));
  written.sort((a, b) => {
    const order = sizes
      ? magnitude(b.term, sizes) - magnitude(a.term, sizes)
      : degree(a.term) - degree(b.term) || b.term.factors.length - a.term.factors.length;
    return order || (a.text < b.text ? -1 : 1);
  });
  return written
    .map(
      ({ term, text }, index) => (term.numerator < 0 ? (index === 0 ? "-" : " - ") : index === 0 ? "" : " + ") + text,
    )
    .join("");
}

/** A term without its sign; what is squared stands behind what is not. */
function termText(term: Term, place: (atom: string) => number): string {
  const factors = [...term.factors].sort(
    (a, b) => Math.abs(a.power) - Math.abs(b.power) || place(a.atom) - place(b.atom) || (a.atom < b.atom ? -1 : 1),
  );
  const times = (wanted: (power: number) => boolean): string[] =>
    factors.flatMap(({ atom, power }) => (wanted(power) ? Array<string>(Math.abs(power)).fill(atom) : []));
  const above = times((power) => power > 0);
  const below = times((power) => power < 0);
  const coefficient = Math.abs(term.numerator);
  if (coefficient !== 1 || above.length === 0) above.unshift(String(coefficient));
  if (term.denominator !== 1) below.unshift(String(term.denominator));
  const divisor = below.length > 1 ? `(${below.join("*")})` : below[0];
  return above.join("*") + (divisor === undefined ? "" : `/${divisor}`);
}

const TOKEN = /\s*(?:(\d+)|([A-Za-z_]\w*)|(\*\*|[-+*/^()]))/y;
/** Deeper nesting and higher powers are no closed form of a size. */
const DEEPEST = 100;
const HIGHEST_POWER = 16;

function problem(text: string): never {
  throw new DiagnosticError({ code: "bad_formula", args: { text } });
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (match === null) problem(text);
    tokens.push((match[1] ?? match[2] ?? match[3])!);
  }
  return tokens;
}

/**
 * Reads what {@link formatFormula} writes, and anything made of integers, names, `+ - * / ** ^`, parentheses, `ceil(L/32)` and
 * `floor(C/H)`.
 *
 * @throws {DiagnosticError} `bad_formula` for anything else, also for a division by a sum.
 */
export function parseFormula(text: string): Polynomial {
  const tokens = tokensOf(text);
  let next = 0;
  let depth = 0;
  const take = (token: string): boolean => tokens[next] === token && ++next > 0;
  const expect = (token: string): void => void (take(token) || problem(text));

  function sum(): Polynomial {
    if (++depth > DEEPEST) problem(text);
    let total = take("-") ? multiply(constant(-1), products()) : products();
    for (;;) {
      if (take("+")) total = add(total, products());
      else if (take("-")) total = add(total, multiply(constant(-1), products()));
      else break;
    }
    depth--;
    return total;
  }
  function products(): Polynomial {
    let result = power();
    for (;;) {
      if (take("*")) result = multiply(result, power());
      else if (take("/")) result = multiply(result, reciprocal(power()) ?? problem(text));
      else return result;
    }
  }
  function power(): Polynomial {
    const base = primary();
    if (!take("**") && !take("^")) return base;
    const exponent = Number(tokens[next++]);
    if (!Number.isInteger(exponent) || exponent > HIGHEST_POWER) problem(text);
    let result = constant(1);
    for (let i = 0; i < exponent; i++) result = multiply(result, base);
    return result;
  }
  function primary(): Polynomial {
    const token = tokens[next++] ?? problem(text);
    if (token === "(") {
      const inner = sum();
      expect(")");
      return inner;
    }
    if (/^\d/.test(token)) return Number.isSafeInteger(Number(token)) ? constant(Number(token)) : problem(text);
    if (!/^[A-Za-z_]/.test(token)) problem(text);
    if (!take("(")) return symbol(token);
    const name = tokens[next++] ?? "";
    expect("/");
    const divisor = tokens[next++] ?? "";
    expect(")");
    if (
      (token !== "ceil" && token !== "floor") ||
      !/^[A-Za-z_]/.test(name) ||
      !/^([1-9]\d*|[A-Za-z_]\w*)$/.test(divisor)
    )
      problem(text);
    return symbol(`${token}(${name}/${divisor})`);
  }

  if (tokens.length === 0) problem(text);
  const result = sum();
  if (next < tokens.length) problem(text);
  return result;
}

/**
 * The value of a closed form at integer sizes.
 *
 * @throws {DiagnosticError} `bad_formula` when the text is none, `missing_size` when a symbol has no value.
 */
export function evaluateFormula(formula: string | Polynomial, sizes: SymbolValues): number {
  const polynomial = typeof formula === "string" ? parseFormula(formula) : formula;
  for (const term of polynomial) {
    for (const { atom } of term.factors) {
      if (!Number.isInteger(atomValue(atom, sizes))) {
        throw new DiagnosticError({ code: "missing_size", args: { name: atom } });
      }
    }
  }
  return evaluate(polynomial.length === 0 ? ZERO : polynomial, sizes);
}
