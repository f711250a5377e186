/** Systems of linear equations in exact rational numbers. */

interface Rational {
  readonly up: bigint;
  /** Positive. */
  readonly down: bigint;
}

function rational(up: bigint, down: bigint): Rational {
  if (up === 0n) return NOTHING;
  let [a, b] = [up < 0n ? -up : up, down < 0n ? -down : down];
  while (b !== 0n) [a, b] = [b, a % b];
  const common = down < 0n ? -a : a;
  return { up: up / common, down: down / common };
}
const NOTHING: Rational = { up: 0n, down: 1n };
const minus = (a: Rational, b: Rational): Rational => rational(a.up * b.down - b.up * a.down, a.down * b.down);
const times = (a: Rational, b: Rational): Rational => rational(a.up * b.up, a.down * b.down);
const over = (a: Rational, b: Rational): Rational => rational(a.up * b.down, a.down * b.up);

/** One equation: fractions `[numerator, denominator]` of the unknowns, and the integer that they sum to. */
export interface Equation {
  readonly left: readonly (readonly [bigint, bigint])[];
  readonly right: bigint;
}

/** The only solution as fractions, or null when there is none or more than one. */
export function solve(equations: readonly Equation[], unknowns: number): (readonly [number, number])[] | null {
  const rows: Rational[][] = [];
  for (const { left, right } of equations) {
    const row = [...left.map(([up, down]) => rational(up, down)), rational(right, 1n)];
    // rows are kept reduced, so what is left of a new one is either nothing, a contradiction, or a new pivot
    for (const known of rows) {
      const pivot = known.findIndex((value) => value.up !== 0n);
      const factor = row[pivot]!;
      if (factor.up !== 0n) for (let i = pivot; i <= unknowns; i++) row[i] = minus(row[i]!, times(factor, known[i]!));
    }
    const pivot = row.findIndex((value) => value.up !== 0n);
    if (pivot === -1) continue;
    if (pivot === unknowns) return null;
    const lead = row[pivot]!;
    for (let i = pivot; i <= unknowns; i++) row[i] = over(row[i]!, lead);
    for (const known of rows) {
      const factor = known[pivot]!;
      if (factor.up !== 0n) for (let i = pivot; i <= unknowns; i++) known[i] = minus(known[i]!, times(factor, row[i]!));
    }
    rows.push(row);
  }
  if (rows.length < unknowns) return null;
  const solution: (readonly [number, number])[] = Array.from({ length: unknowns }, () => [0, 1] as const);
  for (const row of rows) {
    const { up, down } = row[unknowns]!;
    solution[row.findIndex((value) => value.up !== 0n)] = [Number(up), Number(down)];
  }
  return solution;
}
