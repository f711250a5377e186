// A text as a cell of a Markdown table: in one line, short, with its bars escaped.
export const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll(/\s+/g, " ").slice(0, 160);
