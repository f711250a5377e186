/** Tables in Markdown, and text in it that stays text: reports are read where images load, links lead away and mentions write mails. */

import { table } from "../base/table.ts";
import { shownText } from "../base/shown-text.ts";

/** Characters that begin or end markup; an underscore inside of a word does not. */
const MARKUP = /[\\`*~|[\]!$]|(?<!\w)_|_(?!\w)/g;
const ENTITIES = table<string>({ "&": "&amp;", "<": "&lt;", ">": "&gt;" });
/** Nothing to see, and enough that what follows is no name of a person, an issue or a site. */
const APART = "&#8203;";
const MENTION = /([@#])(?=\w)/g;
const ADDRESS = /\b(https?|ftp|mailto|xmpp)(?=:)|\bwww(?=\.)/gi;

/** One line of text that shows as it is, in a cell or in a paragraph. */
export function escapeCell(text: string): string {
  return shownText(text.replaceAll("\n", " "))
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character]!)
    .replaceAll(MARKUP, "\\$&")
    .replaceAll(MENTION, `$1${APART}`)
    .replaceAll(ADDRESS, `$&${APART}`);
}

/** The first column is text, the others are numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  const rule = `| ${head.map((_, column) => (column === 0 ? "---" : "---:")).join(" | ")} |`;
  return `${[line(head), rule, ...rows.map(line)].join("\n")}\n`;
}
