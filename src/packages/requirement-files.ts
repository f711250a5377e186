/** Requirements that files name: requirements.txt, pyproject.toml (PEP 621), the header of a script (PEP 723). Nothing of them runs. */

import { parseRequirement, type Requirement } from "./requirement.ts";

export interface Named {
  readonly requirements: readonly Requirement[];
  /** Lines that are no requirements of packages by name: addresses, folders, options. */
  readonly ignored: readonly string[];
  /** Other files that these lines name, as written. */
  readonly files: readonly string[];
}

const MOST_LINES = 10_000;

function named(lines: readonly string[], files: readonly string[] = [], options: readonly string[] = []): Named {
  const read = lines.map((line) => [line, parseRequirement(line)] as const);
  return {
    requirements: read.map(([, one]) => one).filter((one) => one !== null),
    ignored: [...options, ...read.filter(([, one]) => one === null).map(([line]) => line)],
    files,
  };
}

export function fromRequirementsText(text: string): Named {
  const whole = text
    .replaceAll(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .slice(0, MOST_LINES);
  const lines = whole.map((line) => line.replace(/(^|\s)#.*$/, "").trim()).filter((line) => line !== "");
  const files = lines.map((line) => /^(?:-r|--requirement)[ =]?\s*(\S+)$/.exec(line)?.[1]);
  const isOption = (line: string): boolean => line.startsWith("-");
  return named(
    // hashes bind files of one platform; those of the index are checked
    lines.filter((line) => !isOption(line)).map((line) => line.replaceAll(/\s--hash[= ]\S+/g, "").trim()),
    files.filter((file) => file !== undefined),
    lines.filter((line, i) => isOption(line) && files[i] === undefined),
  );
}

/** The strings of `dependencies = [...]`, in the table that is asked for. */
function listed(toml: string, table: string | null): readonly string[] {
  const lines = toml.split(/\r?\n/).slice(0, MOST_LINES);
  const start = table === null ? 0 : lines.findIndex((line) => line.trim() === `[${table}]`) + 1;
  if (table !== null && start === 0) return [];
  const end = lines.findIndex((line, i) => i >= start && /^\s*\[[^\]"']*\]\s*(#.*)?$/.test(line));
  const text = lines.slice(start, end === -1 ? lines.length : end).join("\n");
  const opening = /^\s*dependencies\s*=\s*\[/m.exec(text);
  if (opening === null) return [];
  const found: string[] = [];
  const item = /\s*(?:#[^\n]*\n|,|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|(\]))/y;
  item.lastIndex = opening.index + opening[0].length;
  for (let match = item.exec(text); match !== null && match[3] === undefined; match = item.exec(text)) {
    const one = match[1]?.replaceAll(/\\(.)/g, "$1") ?? match[2];
    if (one !== undefined) found.push(one);
  }
  return found;
}

export const fromProject = (text: string): Named => named(listed(text, "project"));

/** Of `# /// script` ... `# ///`; no requirements where there is no such header. */
export function fromScript(text: string): Named {
  const header = /^# \/\/\/ script[ \t]*\r?\n((?:#(?: [^\n]*)?\r?\n)+?)# \/\/\/[ \t]*$/m.exec(text);
  if (header === null) return named([]);
  return named(listed(header[1]!.replaceAll(/^# ?/gm, ""), null));
}

/** What a file of any of these kinds names; its ending tells which it is. */
export function namedIn(path: string, text: string): Named {
  const read = path.endsWith(".toml") ? fromProject : path.endsWith(".py") ? fromScript : fromRequirementsText;
  return read(text);
}
