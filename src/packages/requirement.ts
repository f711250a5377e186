/** Requirements of Python packages, `name[extra]>=1; python_version < "3.12"`: PEP 508, without addresses of files. */

import { table } from "../base/table.ts";
import { compareVersions, parseSpecifiers, parseVersion, satisfies, type Specifier } from "./version.ts";

export interface Requirement {
  /** As packages are compared: small letters, one dash for each run of separators. */
  readonly name: string;
  readonly extras: readonly string[];
  readonly specifiers: readonly Specifier[];
  readonly marker: string | null;
  readonly text: string;
}

export const normalName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

/** The interpreter that programs run in. */
export const PYTHON = "3.14.0";
const ENVIRONMENT = table<string>({
  python_version: PYTHON.split(".").slice(0, 2).join("."),
  python_full_version: PYTHON,
  implementation_name: "cpython",
  implementation_version: PYTHON,
  platform_python_implementation: "CPython",
  os_name: "posix",
  sys_platform: "linux",
  platform_system: "Linux",
  platform_machine: "x86_64",
  platform_release: "",
  platform_version: "",
});

const REQUIREMENT =
  /^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*(?:\(([^)]*)\)|([^;@]*?))\s*(?:;(.*))?$/s;
const LONGEST = 2000;

/** Null for what is none, or names an address. */
export function parseRequirement(text: string): Requirement | null {
  const match = text.length > LONGEST ? null : REQUIREMENT.exec(text);
  if (match === null) return null;
  const [, name, extras = "", inBrackets, plain = "", marker] = match;
  const specifiers = parseSpecifiers(inBrackets ?? plain);
  if (specifiers === null) return null;
  const named = extras.split(",").map((one) => one.trim());
  return {
    name: normalName(name!),
    extras: named.filter((one) => one !== "").map(normalName),
    specifiers,
    marker: marker?.trim() || null,
    text: text.trim(),
  };
}

const TOKEN = /\s*(?:(\(|\))|(===|==|!=|<=|>=|~=|<|>)|"([^"]*)"|'([^']*)'|([A-Za-z_][\w.]*))/y;

/** Whether a requirement holds here, for one of the extras that are asked for. A marker that cannot be read holds. */
export function applies({ marker }: Requirement, extras: readonly string[]): boolean {
  if (marker === null) return true;
  return ["", ...extras].some((extra) => {
    try {
      return new Marker(marker, extra).value();
    } catch {
      return true;
    }
  });
}

/** Reads `a and (b or c)`; nesting is bounded by the length of a requirement. */
class Marker {
  private readonly tokens: RegExpExecArray[] = [];
  private at = 0;
  private readonly extra: string;

  constructor(text: string, extra: string) {
    this.extra = extra;
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) this.tokens.push(match);
  }

  value(): boolean {
    let found = this.both();
    while (this.word("or")) found = this.both() || found;
    return found;
  }

  private both(): boolean {
    let found = this.one();
    while (this.word("and")) found = this.one() && found;
    return found;
  }

  private one(): boolean {
    if (this.tokens[this.at]?.[1] === "(") {
      this.at++;
      const found = this.value();
      this.at++;
      return found;
    }
    const left = this.operand();
    const negated = this.word("not");
    if (this.word("in")) return this.operand().text.includes(left.text) !== negated;
    const operator = this.tokens[this.at++]?.[2];
    const right = this.operand();
    if (operator === undefined) throw new SyntaxError("marker");
    return compared(left, operator, right);
  }

  private operand(): Operand {
    const token = this.tokens[this.at++];
    const quoted = token?.[3] ?? token?.[4];
    if (quoted !== undefined) return { text: quoted, isVersion: false, isExtra: false };
    const name = token?.[5];
    if (name === "extra") return { text: this.extra, isVersion: false, isExtra: true };
    const text = name === undefined ? undefined : ENVIRONMENT[name];
    if (text === undefined) throw new SyntaxError("marker");
    return { text, isVersion: /version/.test(name!), isExtra: false };
  }

  private word(text: string): boolean {
    if (this.tokens[this.at]?.[5] !== text) return false;
    this.at++;
    return true;
  }
}

interface Operand {
  readonly text: string;
  readonly isVersion: boolean;
  readonly isExtra: boolean;
}

function compared(left: Operand, operator: string, right: Operand): boolean {
  if (left.isExtra || right.isExtra) {
    const same = normalName(left.text) === normalName(right.text);
    return operator === "!=" ? !same : same;
  }
  const [specifier] = left.isVersion ? (parseSpecifiers(`${operator}${right.text}`) ?? []) : [];
  const version = parseVersion(left.text);
  if (specifier !== undefined && version !== null) return satisfies(version, specifier);
  const other = parseVersion(right.text);
  const order =
    version !== null && other !== null
      ? compareVersions(version, other)
      : left.text < right.text
        ? -1
        : Number(left.text > right.text);
  return (
    { "==": order === 0, "===": order === 0, "!=": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0 }[
      operator
    ] ?? order >= 0
  );
}

/** `Requires-Python`; what cannot be read holds. */
export function runsHere(requiresPython: string | null): boolean {
  const specifiers = requiresPython === null ? [] : (parseSpecifiers(requiresPython) ?? []);
  return specifiers.every((one) => satisfies(parseVersion(PYTHON)!, one));
}
