// Which functions must say the types of what they take and give: those that are public, in every file.

/**
 * Whether the function whose head stands in a row, counted from 1, is public: its name begins with no underscore or is one of
 * Python's own (`__init__`), and it lies in no other function. Lines are as the formatter leaves them.
 */
export function isPublic(rows, row) {
  let at = row - 1;
  let head = headOf(rows[at]);
  while (at > 0 && head?.kind !== "def") head = headOf(rows[--at]);
  if (head?.kind !== "def" || /^_(?!_)/.test(head.name)) return false;
  let indent = head.indent;
  while (at > 0 && indent > 0) {
    const above = headOf(rows[--at]);
    if (above === null || above.indent >= indent) continue;
    if (above.kind === "def") return false;
    indent = above.indent;
  }
  return true;
}

function headOf(line) {
  const [, space, kind, name] = /^( *)(?:async )?(def|class) (\w+)/.exec(line) ?? [];
  return kind === undefined ? null : { indent: space.length, kind, name };
}
