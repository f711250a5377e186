/** Columns that a text takes on a terminal, where East-Asian characters are two wide; cutting, padding and wrapping by them. */

// Wide and fullwidth blocks of Unicode's EastAsianWidth, and emoji, as ranges of code points.
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;

function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code >= 0x20 && code < 0x7f) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.some(([low, high]) => code >= low && code <= high) ? 2 : 1;
}

export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, cut with `mark` at its end when it is wider than `width`. */
export function cut(text: string, width: number, mark = "…"): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(mark);
  if (room < 0) return "";
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > room) break;
    kept += character;
  }
  return kept + mark;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** No line begins with these, and none ends with an opening bracket. */
const CLOSING = /^[，。；：、）！？]$/;
const OPENING = /[（(]$/;
/** A number stays with its unit. */
const NUMBER = /(^|[（(\s])[+-]?[\d.]+ $/;
const UNIT = /^([KMGT]iB|bytes)\b/;

/** Pieces between which a line may break: words with the spaces after them, and single East-Asian characters. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let word = "";
  let lastIsWide = false;
  for (const character of text) {
    const wide = characterWidth(character) === 2;
    const space = /\s/.test(character);
    const begins = wide || lastIsWide || (!space && /\s$/.test(word));
    if (begins && !space && word !== "" && !CLOSING.test(character) && !OPENING.test(word)) {
      found.push(word);
      word = "";
    }
    word += character;
    lastIsWide = wide;
  }
  if (word !== "") found.push(word);
  const joined: string[] = [];
  for (const piece of found) {
    const before = joined.at(-1);
    if (before !== undefined && NUMBER.test(before) && UNIT.test(piece)) joined[joined.length - 1] = before + piece;
    else joined.push(piece);
  }
  return joined;
}

/** Lines of at most `width` columns; all but the first begin with `indent`. Only a piece wider than a line is cut apart. */
export function wrap(text: string, width: number, indent = ""): string[] {
  const lines: string[] = [];
  let line = "";
  const flush = () => {
    lines.push(line.trimEnd());
    line = indent;
  };
  for (const piece of pieces(text)) {
    if (displayWidth(line + piece.trimEnd()) > width && line.trim() !== "") flush();
    let rest = piece;
    while (displayWidth(line + rest.trimEnd()) > width && width - displayWidth(line) > 0) {
      const head = cut(rest, width - displayWidth(line), "");
      if (head === "") break;
      line += head;
      rest = rest.slice(head.length);
      flush();
    }
    line += rest;
  }
  if (line.trim() !== "" || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}
