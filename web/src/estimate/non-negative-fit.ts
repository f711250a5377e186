/** Least squares with factors that are not negative: Lawson and Hanson's active set, for a few columns. */

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((total, value, index) => total + value * b[index]!, 0);

/** Below this share of what is fitted a gain is rounding. */
const NOTHING = 1e-9;

/**
 * One factor for each column, none below zero, so that the columns times their factors come as near to `wanted` as they can. Columns
 * that gain equally much are taken in their order.
 */
export function nonNegativeFit(columns: readonly (readonly number[])[], wanted: readonly number[]): number[] {
  const norms = columns.map((column) => Math.sqrt(dot(column, column)) || 1);
  const units = columns.map((column, index) => column.map((value) => value / norms[index]!));
  const scale = Math.sqrt(dot(wanted, wanted));
  const factors = columns.map(() => 0);
  const taken: number[] = [];
  const refused = new Set<number>();
  if (scale === 0) return factors;
  for (let round = 0; round < 3 * columns.length; round++) {
    const rest = wanted.map(
      (value, row) => value - sum(taken.map((column) => factors[column]! * units[column]![row]!)),
    );
    let best = -1;
    let gain = NOTHING * scale;
    for (const [index, unit] of units.entries()) {
      if (taken.includes(index) || refused.has(index)) continue;
      const own = dot(unit, rest);
      if (own > gain * (1 + NOTHING)) [best, gain] = [index, own];
    }
    if (best === -1) break;
    taken.push(best);
    if (!settle(units, wanted, taken, factors)) {
      taken.pop();
      refused.add(best);
    }
  }
  return factors.map((factor, index) => factor / norms[index]!);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Factors of the taken columns, of which those that would be negative leave again; false: the last cannot be told from the others. */
function settle(
  units: readonly (readonly number[])[],
  wanted: readonly number[],
  taken: number[],
  factors: number[],
): boolean {
  for (;;) {
    const solved = solve(
      taken.map((a) => taken.map((b) => dot(units[a]!, units[b]!))),
      taken.map((column) => dot(units[column]!, wanted)),
    );
    if (solved === null) return false;
    const negative = solved.findIndex((value) => value < 0);
    if (negative === -1) {
      factors.fill(0);
      for (const [index, column] of taken.entries()) factors[column] = solved[index]!;
      return true;
    }
    // as far towards the solution as no factor becomes negative
    const steps = taken.map((column, index) =>
      solved[index]! < 0 ? factors[column]! / (factors[column]! - solved[index]!) : Infinity,
    );
    const step = Math.min(...steps);
    for (const [index, column] of taken.entries()) {
      factors[column] = factors[column]! + step * (solved[index]! - factors[column]!);
    }
    const leaving = steps.indexOf(step);
    factors[taken[leaving]!] = 0;
    taken.splice(leaving, 1);
    if (taken.length === 0) return true;
  }
}

/** A pivot below this means that columns depend on each other. */
const SINGULAR = 1e-10;

/** Gauss with pivots for a symmetric system; null where it has no single solution. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let row = at + 1; row < size; row++) if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row;
    if (Math.abs(rows[pivot]![at]!) < SINGULAR) return null;
    [rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!];
    for (let row = 0; row < size; row++) {
      if (row === at) continue;
      const factor = rows[row]![at]! / rows[at]![at]!;
      for (let column = at; column <= size; column++) rows[row]![column]! -= factor * rows[at]![column]!;
    }
  }
  return rows.map((row, index) => row[size]! / row[index]!);
}
