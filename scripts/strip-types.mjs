// Leaves the types of functions, and what a file says of itself first, out of Python sources: those who read and check the sources want
// them, a run only pays for them.
// Lines stay where they are. Sources are as the formatter leaves them, and the build compiles what comes out.

export function withoutTypes(source) {
  const text = withoutImportsOfTypes(source.replace(/^"""[^]*?"""/, (said) => said.replaceAll(/[^\n]/g, "")));
  let out = "";
  let at = 0;
  for (const { index, 0: head } of text.matchAll(/^ *(?:async )?def \w+\(/gm)) {
    if (index < at) continue;
    const open = index + head.length;
    const close = endOf(text, open, ")");
    const colon = endOf(text, close + 1, ":");
    out += text.slice(at, open) + parametersOf(text.slice(open, close)) + ")";
    out += text.slice(close + 1, colon).replaceAll(/[^\n]/g, "");
    at = colon;
  }
  return out + text.slice(at);
}

/** What stands under `if TYPE_CHECKING:` at the left edge is only for types; its lines become empty. */
function withoutImportsOfTypes(text) {
  const left = text.replaceAll(/^if TYPE_CHECKING:\n(?:(?: {4}.*)?\n)+/gm, (block) => block.replaceAll(/[^\n]/g, ""));
  // the name stays where something else than its import stands
  return /\bTYPE_CHECKING\b(?!$)/m.test(left) ? left : left.replaceAll(/^from typing import TYPE_CHECKING$/gm, "");
}

/** Parameters without types; what is between two commas is a name, a type behind a colon, a default behind an equals sign. */
function parametersOf(text) {
  let out = "";
  for (let at = 0; at < text.length;) {
    const end = Math.min(endOf(text, at, ","), text.length);
    const parameter = text.slice(at, end);
    const colon = endOf(parameter, 0, ":=");
    if (parameter[colon] === ":") {
      const equals = Math.min(endOf(parameter, colon + 1, "="), parameter.length);
      const type = parameter.slice(colon, equals);
      out +=
        parameter.slice(0, colon) +
        type.replaceAll(/[^\n]/g, "") +
        (/\n\s*$/.exec(type)?.[0].replace("\n", "") ?? "") +
        parameter.slice(equals);
    } else out += parameter;
    if (end < text.length) out += ",";
    at = end + 1;
  }
  return out;
}

/** Where one of some characters stands outside of brackets, texts and comments, or the end. */
function endOf(text, from, wanted) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const c = text[at];
    if (depth === 0 && wanted.includes(c)) return at;
    if (c === '"' || c === "'") {
      for (at++; at < text.length && text[at] !== c; at++) if (text[at] === "\\") at++;
    } else if (c === "#") at = text.indexOf("\n", at);
    else if ("([{".includes(c)) depth++;
    else if (")]}".includes(c)) depth--;
  }
  return text.length;
}
