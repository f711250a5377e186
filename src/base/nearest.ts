/** The known name that is nearest to a mistyped one, for "did you mean". */

/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let beforeLast = Array.from({ length: width }, () => 0);
  let last = Array.from({ length: width }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, beforeLast[j - 2]! + 1);
      }
      row[j] = best;
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

// Longer words are cut: nobody mistypes so many letters, and the work stays bounded.
const LONGEST = 80;

/** Up to `count` of `names`, nearest first, that are near enough to `typed` to be meant; ties keep their order. */
export function nearestNames(typed: string, names: Iterable<string>, count = 1): string[] {
  const wanted = typed.slice(0, LONGEST).toLowerCase();
  const scored: { name: string; distance: number }[] = [];
  for (const name of names) {
    const candidate = name.slice(0, LONGEST).toLowerCase();
    // A beginning of a name is nearer than any slip, however much is missing.
    const begins = wanted.length >= 2 && candidate.startsWith(wanted);
    const distance = begins ? 0.5 : editDistance(wanted, candidate);
    if (distance <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3))) {
      scored.push({ name, distance });
    }
  }
  scored.sort((a, b) => a.distance - b.distance);
  return scored.slice(0, count).map((entry) => entry.name);
}
