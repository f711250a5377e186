// Where functions must say the types of what they take and give. A new file or package is held to it, too.

/** Rooms whose functions need not yet: a folder and all that is below it, or a file. They become fewer. */
export const UNTYPED = [
  // no room for more lines: to be divided first
  "python/transformers/generation/logits_process.py",
  "python/transformers/generation/utils.py",
  "python/transformers/models/recurrent_gemma.py",
  "python/transformers/models/xlnet.py",
  "python/transformers/models/mobilebert.py",
  "python/transformers/cores/disentangled.py",
  "python/transformers/cores/seq2seq.py",
  "python/transformers/cores/vision.py",
];

export function typedRoom(file) {
  const path = file.replaceAll("\\", "/");
  return !UNTYPED.some((room) => path === room || path.startsWith(`${room}/`));
}

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
