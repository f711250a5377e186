/** Words of a command line as a shell splits them; what a shell would compute is left as it is written. */

import { ReadingError } from "./reading.ts";

export interface CommandWords {
  /** Assignments before the command. */
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

function split(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  let opened = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && i + 1 < text.length) word += text[++i]!;
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      opened = i;
      word ??= "";
    } else if (char === "\\" && i + 1 < text.length) {
      const next = text[++i]!;
      if (next === "\r" && text[i + 1] === "\n") i++;
      else if (next !== "\n") word = (word ?? "") + next;
    } else if (char === "#" && word === null) {
      while (i < text.length && text[i] !== "\n") i++;
    } else if (/\s|;/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== "")
    throw new ReadingError("launch_bad_value", {
      name: "a quotation without an end",
      value: text.slice(opened, opened + 40),
    });
  if (word !== null) words.push(word);
  return words;
}

/** Throws {@link ReadingError}. */
export function commandWords(text: string): CommandWords {
  const env: Record<string, string> = {};
  const words = split(text);
  let start = 0;
  for (; start < words.length; start++) {
    const match = ASSIGNMENT.exec(words[start]!);
    if (match !== null) env[match[1]!] = match[2]!;
    else if (words[start] !== "export" && words[start] !== "env") break;
  }
  return { env, words: words.slice(start) };
}

/** Options by name without dashes; repeated values and lists are joined by blanks. A switch has the value "". */
export function optionsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  let name: string | null = null;
  for (const word of words) {
    const match = /^--?([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(word);
    if (match !== null) {
      name = match[1]!;
      options.set(name, match[2] ?? "");
      if (match[2] !== undefined) name = null;
    } else if (name !== null) {
      const before = options.get(name)!;
      options.set(name, before === "" ? word : `${before} ${word}`);
    }
  }
  return options;
}
