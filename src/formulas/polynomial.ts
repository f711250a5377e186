/**
 * Closed forms: sums of products of symbols with rational coefficients, as plain data.
 * A factor is a symbol (`L`), or a rounded quotient of one (`ceil(L/32)`, `floor(C/H)`); powers may be negative.
 */

export interface Factor {
  /** `L`, `ceil(L/32)` or `floor(C/H)`. */
  readonly atom: string;
  /** Not zero. */
  readonly power: number;
}

export interface Term {
  /** The coefficient is `numerator / denominator`, in lowest terms; never zero. */
  readonly numerator: number;
  readonly denominator: number;
  /** Each atom once, sorted by name. */
  readonly factors: readonly Factor[];
}

/** A sum of terms with different factors; no terms mean 0. */
export type Polynomial = readonly Term[];

/** Values of the symbols. */
export type SymbolValues = Readonly<Record<string, number>>;

export const ZERO: Polynomial = [];

export function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

export function constant(numerator: number, denominator = 1): Polynomial {
  if (numerator === 0) return ZERO;
  const common = gcd(numerator, denominator) * Math.sign(denominator);
  return [{ numerator: numerator / common, denominator: denominator / common, factors: [] }];
}

export function symbol(atom: string, power = 1): Polynomial {
  return [{ numerator: 1, denominator: 1, factors: [{ atom, power }] }];
}

const keyOf = (factors: readonly Factor[]): string => factors.map(({ atom, power }) => `${atom}^${power}`).join("*");

/** One term for each product of factors; terms whose coefficients cancel go. */
function collected(terms: Iterable<Term>): Polynomial {
  const sums = new Map<string, Term>();
  for (const term of terms) {
    const key = keyOf(term.factors);
    const known = sums.get(key);
    if (known === undefined) {
      sums.set(key, term);
      continue;
    }
    const common = gcd(known.denominator, term.denominator);
    const denominator = (known.denominator / common) * term.denominator;
    const numerator = known.numerator * (term.denominator / common) + term.numerator * (known.denominator / common);
    const [sum] = constant(numerator, denominator);
    if (sum === undefined) sums.delete(key);
    else sums.set(key, { ...sum, factors: term.factors });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, term]) => term);
}

export function sum(polynomials: readonly Polynomial[]): Polynomial {
  return collected(polynomials.flat());
}

export const add = (...polynomials: readonly Polynomial[]): Polynomial => sum(polynomials);

export function multiply(a: Polynomial, b: Polynomial): Polynomial {
  return collected(a.flatMap((left) => b.map((right) => product(left, right))));
}

export function subtract(a: Polynomial, b: Polynomial): Polynomial {
  return add(a, multiply(constant(-1), b));
}

function product(a: Term, b: Term): Term {
  const powers = new Map<string, number>();
  for (const { atom, power } of [...a.factors, ...b.factors]) powers.set(atom, (powers.get(atom) ?? 0) + power);
  const factors = [...powers]
    .filter(([, power]) => power !== 0)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([atom, power]) => ({ atom, power }));
  const across = gcd(a.numerator, b.denominator);
  const back = gcd(b.numerator, a.denominator);
  return {
    numerator: (a.numerator / across) * (b.numerator / back),
    denominator: (a.denominator / back) * (b.denominator / across),
    factors,
  };
}

/** 1 over a single term; null for anything else, which has no such form here. */
export function reciprocal(polynomial: Polynomial): Polynomial | null {
  const [term] = polynomial;
  if (term === undefined || polynomial.length !== 1) return null;
  const sign = Math.sign(term.numerator);
  return [
    {
      numerator: sign * term.denominator,
      denominator: sign * term.numerator,
      factors: term.factors.map(({ atom, power }) => ({ atom, power: -power })),
    },
  ];
}

/** Whether two closed forms are the same sum of terms. */
export function sameFormula(a: Polynomial, b: Polynomial): boolean {
  return subtract(a, b).length === 0;
}

const ROUNDED = /^(ceil|floor)\((\w+)\/(\w+)\)$/;

const sizeOf = (text: string, sizes: SymbolValues): number =>
  /^\d/.test(text) ? Number(text) : (sizes[text] ?? Number.NaN);

/** The value of a symbol or of a rounded quotient of one; NaN when the symbol has no value. */
export function atomValue(atom: string, sizes: SymbolValues): number {
  const rounded = ROUNDED.exec(atom);
  if (rounded === null) return sizes[atom] ?? Number.NaN;
  const quotient = sizeOf(rounded[2]!, sizes) / sizeOf(rounded[3]!, sizes);
  return rounded[1] === "ceil" ? Math.ceil(quotient) : Math.floor(quotient);
}

/** The symbols that a closed form mentions. */
export function symbolsOf(polynomial: Polynomial): string[] {
  const atoms = polynomial.flatMap((term) =>
    term.factors.flatMap(
      ({ atom }) =>
        ROUNDED.exec(atom)
          ?.slice(2)
          .filter((part) => !/^\d/.test(part)) ?? [atom],
    ),
  );
  return [...new Set(atoms)].sort();
}

/**
 * The exact value at these sizes, which are integers.
 *
 * @returns a number; with a fraction only where the closed form has one there. NaN when a symbol has no value.
 */
export function evaluate(polynomial: Polynomial, sizes: SymbolValues): number {
  // over a common denominator, so that halves that make a whole do
  let numerator = 0n;
  let denominator = 1n;
  for (const term of polynomial) {
    let up = BigInt(term.numerator);
    let down = BigInt(term.denominator);
    for (const { atom, power } of term.factors) {
      const value = atomValue(atom, sizes);
      if (!Number.isInteger(value)) return Number.NaN;
      if (power > 0) up *= BigInt(value) ** BigInt(power);
      else down *= BigInt(value) ** BigInt(-power);
    }
    if (down === 0n) return Number.NaN;
    numerator = numerator * down + up * denominator;
    denominator *= down;
  }
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  return Number(whole) + (rest === 0n ? 0 : Number(rest) / Number(denominator));
}
