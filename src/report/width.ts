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

/** The text, cut with `mark` at its end when it is wider than `width`; of a long text only the beginning is looked at. */
export function cut(text: string, width: number, mark = "…"): string {
  const room = width - displayWidth(mark);
  let used = 0;
  let at = 0;
  let kept = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) return room < 0 ? "" : text.slice(0, kept) + mark;
    at += character.length;
    if (used <= room) kept = at;
  }
  return text;
}

/** The end of a text that is too wide, at the start of a folder where there is one. */
export function cutFront(text: string, width: number, mark = "…"): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(mark);
  const characters = [...text];
  let used = 0;
  let from = characters.length;
  while (from > 0 && used + characterWidth(characters[from - 1]!) <= room) used += characterWidth(characters[--from]!);
  const end = characters.slice(from).join("");
  const folder = end.indexOf("/");
  return mark + (folder > 0 && folder < end.length / 2 ? end.slice(folder) : end);
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
  let start = 0;
  let at = 0;
  let last = "";
  let lastIsWide = false;
  for (const character of text) {
    const wide = characterWidth(character) === 2;
    const space = /\s/.test(character);
    const begins = wide || lastIsWide || (!space && /\s/.test(last));
    if (begins && !space && at > start && !CLOSING.test(character) && !OPENING.test(last)) {
      found.push(text.slice(start, at));
      start = at;
    }
    at += character.length;
    last = character;
    lastIsWide = wide;
  }
  if (at > start) found.push(text.slice(start));
  const joined: string[] = [];
  for (const piece of found) {
    const before = joined.at(-1);
    if (before !== undefined && NUMBER.test(before) && UNIT.test(piece)) joined[joined.length - 1] = before + piece;
    else joined.push(piece);
  }
  return joined;
}

/**
 * Lines of at most `width` columns; all but the first begin with `indent`. Only a piece wider than a line is cut apart. Takes
 * time in proportion to the text, which may be a source line of a megabyte.
 */
export function wrap(text: string, width: number, indent = ""): string[] {
  const lines: string[] = [];
  const indentWidth = displayWidth(indent);
  let line = "";
  let used = 0;
  const flush = () => {
    lines.push(line.trimEnd());
    line = indent;
    used = indentWidth;
  };
  for (const piece of pieces(text)) {
    const trimmed = piece.trimEnd();
    let left = displayWidth(trimmed);
    if (used + left > width && line.trim() !== "") flush();
    let from = 0;
    let at = 0;
    // a piece that no line holds is cut apart, character by character
    for (;;) {
      if (used + left <= width || used >= width) break;
      let fitting = used;
      while (at < trimmed.length) {
        const character = String.fromCodePoint(trimmed.codePointAt(at)!);
        const columns = characterWidth(character);
        if (fitting + columns > width) break;
        fitting += columns;
        at += character.length;
      }
      if (at === from) break;
      line += trimmed.slice(from, at);
      left -= fitting - used;
      from = at;
      flush();
    }
    line += piece.slice(from);
    used += left + displayWidth(piece.slice(trimmed.length));
  }
  if (line.trim() !== "" || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}
