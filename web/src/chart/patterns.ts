/** Ten patterns of eight by eight pixels, one for each colour of the stack, so that it can be read without colour. */

/** Rows of eight pixels; a set bit is ink. Number 0 is plain. */
const PATTERNS: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0, 0, 0],
  [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80], // rising lines
  [0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01], // falling lines
  [0x00, 0x22, 0x00, 0x00, 0x00, 0x22, 0x00, 0x00], // dots
  [0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00], // level lines
  [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10], // upright lines
  [0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81], // crosses
  [0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], // squares
  [0x11, 0x22, 0x44, 0x88, 0x11, 0x22, 0x44, 0x88], // close rising lines
  [0x00, 0x66, 0x66, 0x00, 0x00, 0x66, 0x66, 0x00], // large dots
];

export const PATTERN_COUNT = PATTERNS.length;

/** Whether a pixel of the picture is ink under a pattern. */
export function isInk(pattern: number, x: number, y: number): boolean {
  return ((PATTERNS[pattern]![y & 7]! >> (7 - (x & 7))) & 1) === 1;
}

/** A pattern as an SVG image, for legends. */
export function patternUrl(pattern: number, ink: string): string {
  const squares = PATTERNS[pattern]!.flatMap((row, y) =>
    Array.from({ length: 8 }, (_, x) => ((row >> (7 - x)) & 1 ? `M${x} ${y}h1v1h-1z` : "")),
  ).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path fill="${ink}" d="${squares}"/></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}
