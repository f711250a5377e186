// Differences of recorded allocations that the recorder itself made, by reasons that say exactly what differs, and how often in which case.

/** The operator of `N bytes, OPERATOR`. */
const operatorOf = (allocation) => allocation?.slice(allocation.indexOf(", ") + 2);
const bytesOf = (allocation) => allocation.slice(0, allocation.indexOf(" "));

/** The allocation at `i` is asked for by another operator, and has the same bytes. */
function renamed({ recorded, here }, want, have, i) {
  const same =
    operatorOf(want[i]) === recorded && operatorOf(have[i]) === here && bytesOf(want[i]) === bytesOf(have[i]);
  return same ? 1 : 0;
}

/** From `i` on, so many results of one operator are the same in another order; 0 where they are not. */
function reordered({ operator }, want, have, i) {
  let end = i;
  while (operatorOf(want[end]) === operator && operatorOf(have[end]) === operator) end++;
  const sorted = (list) => list.slice(i, end).sort().join("\n");
  return sorted(want) === sorted(have) ? end - i : 0;
}

/**
 * The first index that no reason explains, or -1; and what is wrong with the reasons themselves, or null: each holds exactly
 * as often as it says for the case.
 */
export function unexplained(id, want, have, reasons) {
  const mine = reasons.filter(({ cases }) => id in cases);
  const found = new Map(mine.map((reason) => [reason, 0]));
  let i = 0;
  while (i < Math.max(want.length, have.length)) {
    if (want[i] === have[i]) {
      i++;
      continue;
    }
    let length = 0;
    for (const reason of mine) {
      length = (reason.operator ? reordered : renamed)(reason, want, have, i);
      if (length > 0) {
        found.set(reason, found.get(reason) + 1);
        break;
      }
    }
    if (length === 0) return { at: i, wrong: null };
    i += length;
  }
  const wrong = mine.find((reason) => found.get(reason) !== reason.cases[id]);
  return { at: -1, wrong: wrong ? `${found.get(wrong)} times instead of ${wrong.cases[id]}: ${wrong.why}` : null };
}
