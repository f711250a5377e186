/** Configurations as flat keys: JSON, YAML and TOML of plain values, groups and lists, as people write them for training. */

import { ReadingError } from "../layout/reading.ts";

/** `group.key` to text; lists with commas between. What is null is not there. */
export type Flat = ReadonlyMap<string, string>;

export type Syntax = "json" | "yaml" | "toml";

const MOST_KEYS = 10_000;
const bad = (line: number, text: string): ReadingError =>
  new ReadingError("launch_bad_value", { name: `line ${line}`, value: text.trim().slice(0, 80) });

/** Throws {@link ReadingError} in one line. */
export function flatText(text: string): { readonly syntax: Syntax; readonly flat: Flat } {
  if (/^\s*\{/.test(text)) return { syntax: "json", flat: fromJson(text) };
  const isToml = text.split("\n").some((line) => /^\s*\[[\w.-]+\]\s*(#.*)?$/.test(line));
  return isToml ? { syntax: "toml", flat: fromToml(text) } : { syntax: "yaml", flat: fromYaml(text) };
}

function fromJson(text: string): Flat {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ReadingError("launch_bad_value", { name: "JSON", value: error instanceof Error ? error.message : "" });
  }
  const flat = new Map<string, string>();
  const visit = (part: unknown, path: string, depth: number): void => {
    if (depth > 20 || flat.size > MOST_KEYS)
      throw new ReadingError("launch_bad_value", { name: path, value: "nested too deeply" });
    if (part === null || part === undefined) return;
    if (Array.isArray(part))
      flat.set(path, part.map((item) => (typeof item === "object" ? "…" : String(item))).join(","));
    else if (typeof part === "object")
      for (const [key, item] of Object.entries(part)) visit(item, path === "" ? key : `${path}.${key}`, depth + 1);
    else flat.set(path, String(part as string | number | boolean));
  };
  visit(value, "", 0);
  return flat;
}

/** Without what follows `#` outside of quotes. */
function uncommented(line: string): string {
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "#" && (i === 0 || /\s/.test(line[i - 1]!))) return line.slice(0, i).trimEnd();
  }
  return line.trimEnd();
}

/** `500_000` as a number is written. */
const withoutMarks = (value: string): string => (/^[\d_]+$/.test(value) ? value.replaceAll("_", "") : value);

/** Null for what says nothing. */
function scalar(text: string): string | null {
  const value = text.trim();
  const quoted = /^(["'])(.*)\1$/s.exec(value);
  if (quoted !== null) return quoted[2]!;
  if (/^(null|~|none||\{\s*\}|\[\s*\])$/i.test(value)) return null;
  if (/^(true|yes|on)$/i.test(value)) return "true";
  if (/^(false|no|off)$/i.test(value)) return "false";
  const list = /^\[(.*)\]$/s.exec(value);
  if (list !== null)
    return list[1]!
      .split(",")
      .flatMap((item) => scalar(item) ?? [])
      .join(",");
  return value;
}

/** Whether a list or group that begins on the line ends on a later one. */
function staysOpen(line: string): boolean {
  if (!/[:=]\s*[[{]/.test(line)) return false;
  const plain = line.replaceAll(/"[^"]*"|'[^']*'/g, "");
  return (plain.match(/[[{]/g) ?? []).length > (plain.match(/[\]}]/g) ?? []).length;
}

/** Lines without comments, with the number of each; a list over several is one. */
function* wholeLines(text: string): Generator<{ readonly number: number; readonly line: string }> {
  let begun: { readonly number: number; readonly line: string } | null = null;
  /** Of a text over several lines, whose brackets are words of its own. */
  let textIndent = -1;
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const part = uncommented(raw);
    const indent = /^ */.exec(part)![0].length;
    if (textIndent >= 0 && (part.trim() === "" || indent > textIndent)) continue;
    textIndent = /:\s+[|>][+-]?\d*$/.test(part) ? indent : -1;
    const line: string = begun === null ? part : `${begun.line} ${part.trim()}`;
    const number: number = begun?.number ?? i + 1;
    begun = staysOpen(line) ? { number, line } : null;
    if (begun === null) yield { number, line };
  }
  if (begun !== null) yield begun;
}

interface Group {
  readonly indent: number;
  readonly path: string;
}

function fromYaml(text: string): Flat {
  const flat = new Map<string, string>();
  const groups: Group[] = [];
  /** A key without a value yet: a group, or a value on the next lines. */
  let waiting: string | null = null;
  /** Of a line with a value, under which nothing may lie. */
  let ended = Infinity;
  for (const { number, line } of wholeLines(text)) {
    if (/^\s*(---|\.\.\.|%.*)?\s*$/.test(line)) continue;
    const indent = /^ */.exec(line)![0].length;
    const begun: string | null = waiting;
    waiting = null;
    const above = ended;
    ended = Infinity;
    const item = /^\s*-(?:\s+(.*))?$/.exec(line);
    while (groups.length > 0 && indent < groups.at(-1)!.indent + (item === null ? 1 : 0)) groups.pop();
    const path = groups.at(-1)?.path ?? "";
    if (item !== null) {
      // an item of a list: a value, or the first key of a group, which is not looked into
      const value = scalar(item[1] ?? "");
      if (path === "") throw bad(number, line);
      if (value !== null) flat.set(path, flat.has(path) ? `${flat.get(path)},${value}` : value);
      continue;
    }
    const match = /^\s*(["']?)([^:"']+)\1\s*:(?:\s+(.*))?$/.exec(line);
    if (match === null && begun !== null && begun === path) {
      flat.set(path, [flat.get(path) ?? [], scalar(line) ?? []].flat().join(" "));
      waiting = path;
      continue;
    }
    if (match === null || /^[&*][\w-]+\s*$/.test(match[3] ?? "") || flat.size > MOST_KEYS) throw bad(number, line);
    if (indent > above) throw bad(number, line);
    if (/^[|>][+-]?\d*$/.test(match[3] ?? "")) continue;
    const key = path === "" ? match[2]!.trim() : `${path}.${match[2]!.trim()}`;
    const value = scalar(match[3] ?? "");
    if ((match[3] ?? "") === "") {
      groups.push({ indent, path: key });
      waiting = key;
    } else {
      ended = indent;
      if (value !== null) flat.set(key, withoutMarks(value));
    }
  }
  return flat;
}

function fromToml(text: string): Flat {
  const flat = new Map<string, string>();
  let section = "";
  for (const { number, line: whole } of wholeLines(text)) {
    const line = whole.trim();
    if (line === "") continue;
    const header = /^\[([\w.-]+)\]$/.exec(line);
    if (header !== null) {
      section = header[1]!;
      continue;
    }
    const match = /^([\w.-]+)\s*=\s*(.+)$/.exec(line);
    if (match === null || flat.size > MOST_KEYS) throw bad(number, line);
    const value = scalar(match[2]!);
    if (value !== null) flat.set(section === "" ? match[1]! : `${section}.${match[1]!}`, withoutMarks(value));
  }
  return flat;
}
