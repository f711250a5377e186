/** Where a long column is highest or lowest in any range, found in a few dozen steps: extremes of 16, of 16 of those, and so on. */

const FAN = 16;

export interface Pyramid {
  /** 1 for highest, -1 for lowest. */
  readonly sign: 1 | -1;
  /** Level k, entry i: index of the extreme of rows `i * 16^(k+1)` to `(i+1) * 16^(k+1)`, the first where several are equal. */
  readonly levels: readonly Int32Array[];
}

export function pyramidOf(values: Float64Array, sign: 1 | -1): Pyramid {
  const levels: Int32Array[] = [];
  let below: Int32Array | null = null;
  let length = values.length;
  while (length > 1) {
    const level: Int32Array = new Int32Array(Math.ceil(length / FAN));
    for (let i = 0; i < level.length; i++) {
      const end = Math.min(length, (i + 1) * FAN);
      let best = below === null ? i * FAN : below[i * FAN]!;
      let bestValue = values[best]! * sign;
      for (let j = i * FAN + 1; j < end; j++) {
        const candidate = below === null ? j : below[j]!;
        const value = values[candidate]! * sign;
        if (value > bestValue) {
          best = candidate;
          bestValue = value;
        }
      }
      level[i] = best;
    }
    levels.push(level);
    below = level;
    length = level.length;
  }
  return { sign, levels };
}

/** The first index of the extreme of `values[from]` to `values[to - 1]`, or -1 when the range is empty. */
export function extremeIn({ sign, levels }: Pyramid, values: Float64Array, from: number, to: number): number {
  let best = -1;
  let bestValue = -Infinity;
  const consider = (candidate: number): void => {
    const value = values[candidate]! * sign;
    if (value > bestValue || (value === bestValue && candidate < best)) {
      best = candidate;
      bestValue = value;
    }
  };
  let low = from;
  let high = to;
  for (let level = -1; low < high; level++) {
    const entries = level === -1 ? null : levels[level]!;
    while (low < high && low % FAN !== 0) {
      consider(entries === null ? low : entries[low]!);
      low += 1;
    }
    while (low < high && high % FAN !== 0) {
      high -= 1;
      consider(entries === null ? high : entries[high]!);
    }
    low /= FAN;
    high /= FAN;
  }
  return best;
}
