/**
 * Myers' greedy comparison of two stretches without common ends (An O(ND) Difference Algorithm, 1986), cut off at a number of
 * differences: what was reached farthest is kept, and the rest begins anew from there. So the work is bounded by the length
 * times that number, however different the stretches are.
 */

import type { Gap, Partners } from "./align.ts";

const MOST_DIFFERENCES = 256;

/** Writes the pairs that it finds into `partner`. */
export function commonPath(first: ArrayLike<number>, second: ArrayLike<number>, gap: Gap, partner: Partners): void {
  let { from1, from2 } = gap;
  while (from1 < gap.to1 && from2 < gap.to2) {
    [from1, from2] = stretch(first, second, { ...gap, from1, from2 }, partner);
  }
}

/** Goes on until the end, or as far as the cut-off lets it; where it came to. */
function stretch(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  { from1, to1, from2, to2 }: Gap,
  partner: Partners,
): [number, number] {
  const [length1, length2] = [to1 - from1, to2 - from2];
  const most = Math.min(MOST_DIFFERENCES, length1 + length2);
  const middle = most + 1;
  // reach[middle + k]: how far in the first sequence diagonal k was followed; k is the first place minus the second
  const reach = new Int32Array(2 * most + 3);
  const rows: Int32Array[] = [];
  let [best, bestDiagonal, bestRow] = [-1, 0, 0];
  for (let d = 0; d <= most; d++) {
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[middle + k - 1]! < reach[middle + k + 1]!);
      let x = down ? reach[middle + k + 1]! : reach[middle + k - 1]! + 1;
      const y = x - k;
      if (x > length1 || y > length2) {
        // outside there is nothing to find, and no way back
        reach[middle + k] = x;
        continue;
      }
      while (x < length1 && x - k < length2 && first[from1 + x] === second[from2 + x - k]) x += 1;
      reach[middle + k] = x;
      if (2 * x - k > best) [best, bestDiagonal, bestRow] = [2 * x - k, k, d];
    }
    rows.push(reach.slice(middle - d, middle + d + 1));
    if (best === length1 + length2) break;
  }
  const x = rows[bestRow]![bestDiagonal + bestRow]!;
  retrace(rows, bestRow, bestDiagonal, { from1, to1, from2, to2 }, partner);
  return [from1 + x, from2 + x - bestDiagonal];
}

/** Walks back from the end of a path and pairs what lies on its diagonals. */
function retrace(rows: readonly Int32Array[], row: number, diagonal: number, gap: Gap, partner: Partners): void {
  let k = diagonal;
  for (let d = row; d >= 0; d--) {
    let x = rows[d]![k + d]!;
    const above = rows[d - 1];
    const reached = (other: number) => (above === undefined || Math.abs(other) > d - 1 ? -1 : above[other + d - 1]!);
    const down = d > 0 && (k === -d || (k !== d && reached(k - 1) < reached(k + 1)));
    const start = d === 0 ? 0 : down ? reached(k + 1) : reached(k - 1) + 1;
    for (; x > start; x--) partner[gap.from1 + x - 1] = gap.from2 + x - 1 - k;
    if (d > 0) k += down ? 1 : -1;
  }
}
