/** The longest context that an engine can serve on a card: doubled until it does not fit, then halved to a step. */

/** Engines pad their caches to multiples of it, or to less. */
const STEP = 256;
const MOST_TOKENS = 1 << 24;

/** `positions`: what the model allows, or null. Null where not even the shortest fits. */
export function longestContext(fitsAt: (tokens: number) => boolean, positions: number | null): number | null {
  const most = Math.max(STEP, positions ?? MOST_TOKENS);
  if (!fitsAt(STEP)) return null;
  let low = STEP;
  while (2 * low <= most && fitsAt(2 * low)) low *= 2;
  let high = Math.min(2 * low, most + STEP);
  while (high - low > STEP) {
    const middle = Math.floor((low + high) / 2 / STEP) * STEP;
    if (fitsAt(middle)) low = middle;
    else high = middle;
  }
  return low;
}
