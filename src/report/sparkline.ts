/** The course of a figure on one line of text: each character is the highest value of its stretch. */

const HEIGHTS = "▁▂▃▄▅▆▇█";
/** Heights without characters beyond ASCII. */
const ASCII_HEIGHTS = "_.-=+*%#";

/** Highest value of each of at most `columns` stretches of equal length. */
export function stretches(values: ArrayLike<number>, columns: number): number[] {
  const count = Math.min(columns, values.length);
  const highest = new Array<number>(count).fill(-Infinity);
  for (let index = 0; index < values.length; index++) {
    const column = Math.floor((index * count) / values.length);
    if (values[index]! > highest[column]!) highest[column] = values[index]!;
  }
  return highest;
}

/** From 0 at the bottom to the highest value at the top; empty for fewer than two values. */
export function sparkline(values: ArrayLike<number>, columns: number, ascii: boolean): string {
  if (values.length < 2 || columns < 2) return "";
  const highest = stretches(values, columns);
  const top = highest.reduce((most, value) => Math.max(most, value), 0);
  const heights = ascii ? ASCII_HEIGHTS : HEIGHTS;
  return highest
    .map((value) => heights[top <= 0 ? 0 : Math.min(heights.length - 1, Math.floor((value / top) * heights.length))])
    .join("");
}
