/** Text inside HTML and SVG: everything that a program chose (names, source, messages) goes through here. */

import { table } from "../base/table.ts";
import { shownText } from "../base/shown-text.ts";

const ENTITIES = table<string>({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
});

/** What XML forbids besides controls and halves of characters. */
const FORBIDDEN = /[\ufffe\uffff]/g;

/** Safe between tags and inside quoted attributes. */
export function escapeMarkup(text: string): string {
  const shown = text.split("\n").map(shownText).join("\n");
  return shown.replaceAll(FORBIDDEN, "\ufffd").replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
