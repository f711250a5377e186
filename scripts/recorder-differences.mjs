// Differences of recorded allocations that the recorder itself made, by reasons that say exactly what differs, and how often in which case.

/** The operator of `N bytes, OPERATOR`. */
const operatorOf = (allocation) => allocation?.slice(allocation.indexOf(", ") + 2);
const bytesOf = (allocation) => allocation.slice(0, allocation.indexOf(" "));

/** The allocation at `i` is asked for by another operator, and has the same bytes: how many of each side that explains. */
function renamed({ recorded, here }, want, have, i, j) {
  const same =
    operatorOf(want[i]) === recorded && operatorOf(have[j]) === here && bytesOf(want[i]) === bytesOf(have[j]);
  return same ? [1, 1] : null;
}

/** So many results of one operator are the same in another order. */
function reordered({ operator }, want, have, i, j) {
  let n = 0;
  while (operatorOf(want[i + n]) === operator && operatorOf(have[j + n]) === operator) n++;
  const sorted = (list, from) =>
    list
      .slice(from, from + n)
      .sort()
      .join("\n");
  return n > 0 && sorted(want, i) === sorted(have, j) ? [n, n] : null;
}

/** These operators ask one after another on one side, and those on the other; one of the two may have none. */
function instead({ recordedInstead, hereInstead }, want, have, i, j) {
  const begins = (list, from, names) => names.every((name, n) => operatorOf(list[from + n]) === name);
  const holds = begins(want, i, recordedInstead) && begins(have, j, hereInstead);
  return holds ? [recordedInstead.length, hereInstead.length] : null;
}

const explains = (reason) => (reason.operator ? reordered : reason.recordedInstead ? instead : renamed);

/**
 * The first allocation that no reason explains, as its index on both sides, or -1; and what is wrong with the reasons themselves, or
 * null: each holds exactly as often as it says for the case.
 */
export function unexplained(id, want, have, reasons) {
  const mine = reasons.filter(({ cases }) => id in cases);
  const found = new Map(mine.map((reason) => [reason, 0]));
  let [i, j] = [0, 0];
  while (i < want.length || j < have.length) {
    if (want[i] === have[j]) {
      i++;
      j++;
      continue;
    }
    const reason = mine.find((one) => explains(one)(one, want, have, i, j));
    if (!reason) return { at: i, here: j, wrong: null };
    found.set(reason, found.get(reason) + 1);
    const [recorded, here] = explains(reason)(reason, want, have, i, j);
    i += recorded;
    j += here;
  }
  const wrong = mine.find((reason) => found.get(reason) !== reason.cases[id]);
  const text = wrong ? `${found.get(wrong)} times instead of ${wrong.cases[id]}: ${wrong.why}` : null;
  return { at: -1, here: -1, wrong: text };
}
