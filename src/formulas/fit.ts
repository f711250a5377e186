/**
 * Finds the closed form of a size from its values in runs at chosen sizes of the symbols.
 *
 * Each symbol has a section: runs in which only it differs. From its section follows with which powers it occurs; the products
 * of these powers are the candidate terms, and their coefficients solve a system of linear equations, exactly. What comes out
 * must give the value of every run, also of those at random sizes that the equations did not use.
 */

import { solve } from "./linear.ts";
import {
  atomValue,
  constant,
  evaluate,
  multiply,
  symbol,
  add,
  ZERO,
  type Polynomial,
  type SymbolValues,
} from "./polynomial.ts";

/** Runs of one program, as sizes of its symbols. */
export interface Design {
  readonly symbols: readonly string[];
  /** Of each run; the first is at the sizes that the program has. */
  readonly points: readonly SymbolValues[];
  /** For each symbol the runs in which only it may differ from the first, which is among them. */
  readonly sections: Readonly<Record<string, readonly number[]>>;
  /** How many runs from the beginning the equations may use; the others only check. */
  readonly fitted: number;
}

/** Powers of a symbol that sizes have: a width over the number of heads, a length squared, convolved volumes. */
const POWERS = [0, 1, 2, -1, 3] as const;
const MOST_TERMS = 48;
/** What kernels and programs round to. */
const DIVISORS: readonly number[] = Array.from({ length: 63 }, (_, index) => index + 2).concat(
  72,
  80,
  96,
  100,
  112,
  128,
  160,
  192,
  200,
  224,
  256,
  320,
  384,
  448,
  512,
  640,
  768,
  1000,
  1024,
  2048,
);
/** Looking for what a size is rounded to takes long; a program with more such sizes gets fewer answers. */
const MOST_SEARCHES = 60;
/** With so few different values more than coefficients, some divisor would explain anything. */
const FREEDOM = 3;

export class Fitter {
  private readonly design: Design;
  private readonly known = new Map<string, Polynomial | null>();
  private searches = 0;

  constructor(design: Design) {
    this.design = design;
  }

  /** The closed form whose value in run i is `values[i]`, or null when none is found. */
  fit(values: readonly number[]): Polynomial | null {
    const key = values.join();
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.find(values);
      this.known.set(key, found);
    }
    return found;
  }

  private find(values: readonly number[]): Polynomial | null {
    const { symbols } = this.design;
    if (values.every((value) => value === values[0])) return constant(values[0]!);
    const plain = Object.fromEntries(symbols.map((name) => [name, [name]]));
    const found = this.solved(plain, values, 3);
    if (found !== null || this.searches++ >= MOST_SEARCHES) return found;
    for (const name of symbols) {
      for (const divisor of symbols) {
        if (name === divisor) continue;
        const quotient = symbol(`floor(${name}/${divisor})`);
        const rounded = this.solved(plain, values, 3, {
          [name]: [constant(1), quotient, multiply(symbol(name), quotient)],
          [divisor]: [constant(1), symbol(divisor)],
        });
        if (rounded !== null && new Set(values).size > rounded.length + FREEDOM) return rounded;
      }
    }
    for (const name of symbols) {
      if (this.design.sections[name]!.every((run) => values[run] === values[0])) continue;
      for (const divisor of DIVISORS) {
        for (const rounded of [`ceil(${name}/${divisor})`, `floor(${name}/${divisor})`]) {
          const inStead =
            this.solved({ ...plain, [name]: [rounded] }, values, 2) ??
            this.solved({ ...plain, [name]: [name, rounded] }, values, 2);
          if (inStead !== null && new Set(values).size > inStead.length + FREEDOM) return inStead;
        }
      }
    }
    return null;
  }

  /** A closed form in which each symbol occurs only through its atoms, with at most so many powers of each, or with these parts. */
  private solved(
    atoms: Readonly<Record<string, readonly string[]>>,
    values: readonly number[],
    mostPowers: number,
    parts: Readonly<Record<string, readonly Polynomial[]>> = {},
  ): Polynomial | null {
    const { symbols, points, fitted } = this.design;
    let candidates: Polynomial[] = [constant(1)];
    for (const name of symbols) {
      const own = parts[name] ?? this.parts(name, atoms[name]!, values, mostPowers);
      if (own === null) return null;
      candidates = candidates.flatMap((term) => own.map((part) => multiply(term, part)));
      if (candidates.length > MOST_TERMS) return null;
    }
    const equations = points.slice(0, fitted).map((sizes, run) => ({
      left: candidates.map((term) => fractionOf(term, sizes)),
      right: BigInt(values[run]!),
    }));
    const solution = solve(equations, candidates.length);
    if (solution === null) return null;
    const sum = add(
      ...solution.map(([up, down], index) => (up === 0 ? ZERO : multiply(constant(up, down), candidates[index]!))),
    );
    return points.every((sizes, run) => evaluate(sum, sizes) === values[run]) ? sum : null;
  }

  /** Powers of the atoms of one symbol with which it occurs, by its section; null when no few powers explain it. */
  private parts(
    name: string,
    atoms: readonly string[],
    values: readonly number[],
    mostPowers: number,
  ): Polynomial[] | null {
    const { points, sections } = this.design;
    const section = sections[name]!;
    if (section.every((run) => values[run] === values[section[0]!])) return [constant(1)];
    const powers = atoms.flatMap((atom) => POWERS.filter((power) => power !== 0).map((power) => symbol(atom, power)));
    const products = atoms.length > 1 ? [multiply(symbol(atoms[0]!), symbol(atoms[1]!))] : [];
    const pool = [...powers, ...products, constant(1)];
    // one run more than unknowns, or anything would fit
    const most = Math.min(mostPowers, section.length - 1);
    for (let count = 1; count <= most; count++) {
      for (const chosen of combinations(pool, count)) {
        const equations = section.map((run) => ({
          left: chosen.map((term) => fractionOf(term, points[run]!)),
          right: BigInt(values[run]!),
        }));
        const solution = solve(equations, count);
        if (solution !== null && solution.every(([up]) => up !== 0)) return chosen;
      }
    }
    return null;
  }
}

/** The value of one term with coefficient 1. */
function fractionOf(term: Polynomial, sizes: SymbolValues): readonly [bigint, bigint] {
  let up = 1n;
  let down = 1n;
  for (const { atom, power } of term[0]!.factors) {
    const value = BigInt(atomValue(atom, sizes));
    if (power > 0) up *= value ** BigInt(power);
    else down *= value ** BigInt(-power);
  }
  // rounded down to 0 there is no quotient: such a term explains nothing at these sizes
  return down === 0n ? [0n, 1n] : [up, down];
}

function* combinations<T>(pool: readonly T[], count: number, from = 0): Generator<T[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= pool.length - count; index++) {
    for (const rest of combinations(pool, count - 1, index + 1)) yield [pool[index]!, ...rest];
  }
}
