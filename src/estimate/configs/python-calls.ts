/** Calls in the text of a Python program with their arguments, as far as these are plain values: nothing runs. */

export interface PythonCall {
  /** As it is written: `FastLanguageModel.from_pretrained`. */
  readonly name: string;
  /** By keyword, or by place: "0", "1". */
  readonly args: ReadonlyMap<string, string>;
}

const MOST_CALLS = 5000;

/** Where the text that begins at `start` with a bracket or quote ends; the end of the text where nothing closes it. */
function endOf(text: string, start: number): number {
  const quote = /^("""|'''|"|')/.exec(text.slice(start, start + 3))?.[1];
  if (quote !== undefined) {
    for (let i = start + quote.length; i < text.length; i++) {
      if (text[i] === "\\") i++;
      else if (text.startsWith(quote, i)) return i + quote.length;
      else if (text[i] === "\n" && quote.length === 1) return i;
    }
    return text.length;
  }
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i]!;
    if (")]}".includes(char)) return i + 1;
    if ("([{\"'".includes(char)) i = endOf(text, i) - 1;
    else if (char === "#") while (i < text.length && text[i] !== "\n") i++;
  }
  return text.length;
}

/** Without comments and with texts in quotes as they are. */
function uncommented(text: string): string {
  let made = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "#") {
      while (i + 1 < text.length && text[i + 1] !== "\n") i++;
    } else if (char === '"' || char === "'") {
      const end = endOf(text, i);
      made += text.slice(i, end);
      i = end - 1;
    } else made += char;
  }
  return made;
}

/** The parts of a list of arguments between its commas. */
function parts(inner: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let i = 0; i <= inner.length; i++) {
    const char = inner[i];
    if (char === undefined || char === ",") {
      found.push(inner.slice(from, i).trim());
      from = i + 1;
    } else if ("([{\"'".includes(char)) i = endOf(inner, i) - 1;
  }
  return found.filter((part) => part !== "");
}

/** What leaves an argument as it is without it; no text of a program is this. */
const NONE = "\0None";

const QUOTED = /^[rbu]?(["'])((?:(?!\1)[^\\])*)\1$/s;

/** A plain value as a configuration says it: numbers, texts, switches, lists of texts; null for what a program computes. */
function plain(expression: string, variables: ReadonlyMap<string, string>): string | null {
  const value = expression.trim();
  const quoted = QUOTED.exec(value);
  if (quoted !== null) return quoted[2]!;
  if (/^-?[\d_]+(\.\d*)?(e-?\d+)?$/i.test(value)) return value.replaceAll("_", "");
  if (value === "True" || value === "False") return value.toLowerCase();
  if (value === "None") return NONE;
  if (/^torch\.\w+$/.test(value)) return value;
  const known = variables.get(value);
  if (known !== undefined) return known;
  const list = /^[[(](.*)[\])]$/s.exec(value);
  if (list === null) return null;
  const items = parts(list[1]!).map((item) => plain(item, variables));
  return items.includes(null) || items.includes(NONE) ? null : items.join(",");
}

/** What stands in brackets on one line with what is before and behind it. */
function joined(text: string): string {
  let made = "";
  for (let i = 0; i < text.length; i++) {
    if (!"([{".includes(text[i]!)) made += text[i];
    else {
      const end = endOf(text, i);
      made += text.slice(i, end).replaceAll(/\s+/g, " ");
      i = end - 1;
    }
  }
  return made;
}

/** Names that are given a plain value, by the last one. */
function assigned(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const [, name, value] of joined(text).matchAll(
    /^[ \t]*(\w+)[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*([^=\n][^\n]*)$/gm,
  )) {
    const said = plain(value!, variables);
    if (said === null) variables.delete(name!);
    else variables.set(name!, said);
  }
  return variables;
}

/** Where texts in quotes begin and end. */
function texts(text: string): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 0; i < text.length; i++)
    if (text[i] === '"' || text[i] === "'") {
      const end = endOf(text, i);
      found.push([i, end]);
      i = end - 1;
    }
  return found;
}

/** `open`: arguments that only the running program knows, in the order of calls. */
export function pythonCalls(source: string): {
  readonly calls: readonly PythonCall[];
  readonly open: ReadonlyMap<PythonCall, string[]>;
} {
  const text = uncommented(source);
  const variables = assigned(text);
  const calls: PythonCall[] = [];
  const open = new Map<PythonCall, string[]>();
  const quoted = texts(text);
  let before = 0;
  for (const match of text.matchAll(/([A-Za-z_][\w.]*)[ \t]*\(/g)) {
    if (calls.length >= MOST_CALLS) break;
    while (before < quoted.length && quoted[before]![1] <= match.index) before++;
    if (before < quoted.length && quoted[before]![0] < match.index) continue;
    const start = match.index + match[0].length - 1;
    const args = new Map<string, string>();
    const unknown: string[] = [];
    for (const [i, part] of parts(text.slice(start + 1, endOf(text, start) - 1)).entries()) {
      const keyword = /^(\w+)\s*=(?!=)\s*(.*)$/s.exec(part);
      const name = keyword?.[1] ?? String(i);
      const value = plain(keyword?.[2] ?? part, variables);
      if (value === null) unknown.push(name);
      else if (value !== NONE) args.set(name, value);
    }
    const call = { name: match[1]!, args };
    calls.push(call);
    open.set(call, unknown);
  }
  return { calls, open };
}
