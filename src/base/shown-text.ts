/**
 * How a name that others chose (of a file, module, function, tensor, setting) is shown: as it is, but for what would act on a
 * terminal, a page or a log instead of being read. Every name goes through here where it enters a report.
 */

import { table } from "./table.ts";

/** Controls (C0, C1), line and paragraph separators, marks that reorder or hide text, and halves of characters. */
const ACTING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]|\p{Surrogate}/u;
const ALL_ACTING = new RegExp(ACTING.source, "gu");
/**
 * What a CI service takes for a command where a line begins with it (`::error file=x::text`, `##[error]`), and a report may break
 * a line anywhere. Names of C++ have `::` as well, so only the words that are commands count.
 */
const COMMAND =
  /::(?=(?:error|warning|notice|debug|group|endgroup|add-mask|add-path|(?:add|remove)-matcher|save-state|set-output|set-env|stop-commands|echo)(?:\s[^\n]*)?::)|##(?=\[)/gi;

const NAMED = table<string>({ "\n": "\\n", "\r": "\\r", "\t": "\\t" });

/** As Python's `repr` writes it: `\x1b`, `\u202e`, `\U000e0041`. */
function escaped(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0)!;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/** The name on one line, with nothing in it that acts; a name without such characters comes back as it is. */
export function shownText(name: string): string {
  const text = ACTING.test(name) ? name.replaceAll(ALL_ACTING, escaped) : name;
  return text.includes("::") || text.includes("##[")
    ? text.replaceAll(COMMAND, (sign) => (sign === "::" ? "\\x3a:" : "\\x23#"))
    : text;
}

/** Lines of a source file: the same, but for the tabs in them, and no command that begins a line is one inside of a table. */
export function shownLines(text: string): string[] {
  const lines = text.split("\n");
  if (!ACTING.test(text.replaceAll(/[\n\r\t]/g, ""))) return lines;
  return lines.map((line) => line.replace(/\r$/, "").replaceAll(ALL_ACTING, (c) => (c === "\t" ? c : escaped(c))));
}

/** JSON with the same characters as `\u` escapes: a reader gets what was there, a terminal shows it. */
export function shownJson(value: unknown, indent?: number): string {
  const units = (character: string): string =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join("");
  return JSON.stringify(value, null, indent).replaceAll(ALL_ACTING, (character) =>
    character === "\n" ? character : units(character),
  );
}
