/**
 * Schemas of operators in ATen's notation, and their parser.
 *
 * Names are PyTorch's, with the overload where it has one (`sum.dim_IntList`); rows call each other by {@link identifier}, as
 * C++ does. A row whose `Operand` takes a tensor or a number is several overloads at once and has the plain name.
 *
 * `add(Tensor self, Operand other, *, Scalar alpha=1) -> Tensor`. Types: Tensor, Tensor?, Tensor[], Tensor?[], Operand
 * (a tensor or a number), Operand?, Scalar, Scalar?, Scalar[], int, int?, int[], int[]?, float, float?, float[]?, bool,
 * bool?, str, str?, dtype?, device?. `int[]` arguments also take a single int, and as the first argument of a method
 * they take `*sizes`.
 */

export type ArgType =
  | "Tensor"
  | "Tensor?"
  | "Tensor[]"
  | "Tensor?[]"
  | "Operand"
  | "Operand?"
  | "Scalar"
  | "Scalar?"
  | "Scalar[]"
  | "int"
  | "int?"
  | "int[]"
  | "int[]?"
  | "float"
  | "float?"
  | "float[]?"
  | "bool"
  | "bool?"
  | "str"
  | "str?"
  | "dtype?"
  | "device?";

export interface Argument {
  readonly name: string;
  readonly type: ArgType;
  readonly keywordOnly: boolean;
  readonly hasDefault: boolean;
  /** Python text of the default; meaningless without one. */
  readonly defaultText: string;
}

/** What an operator gives: `bool` is a tensor that the host reads, `value` what is no tensor at all. */
const RESULT_TYPES = ["Tensor", "Tensor[]", "Tensor?", "bool", "value"] as const;
export type ResultType = (typeof RESULT_TYPES)[number];
const isResultType = (type: string): type is ResultType => (RESULT_TYPES as readonly string[]).includes(type);

export interface Result {
  readonly name: string;
  readonly type: ResultType;
}

export interface Schema {
  /** PyTorch's name, without overload: `sum` of `sum.dim_IntList`. */
  readonly name: string;
  /** `dim_IntList`; empty where there is none. */
  readonly overload: string;
  readonly args: readonly Argument[];
  readonly results: readonly Result[];
}

/** One letter per type: how an argument crosses from Python (see python/torch/_operands.py). */
export const typeCodes: Record<ArgType, string> = {
  Tensor: "T",
  "Tensor?": "t",
  "Tensor[]": "L",
  "Tensor?[]": "l",
  Operand: "U",
  "Operand?": "u",
  Scalar: "S",
  "Scalar?": "s",
  "Scalar[]": "N",
  int: "i",
  "int?": "i",
  "int[]": "I",
  "int[]?": "I",
  float: "f",
  "float?": "f",
  "float[]?": "F",
  bool: "b",
  "bool?": "b",
  str: "z",
  "str?": "z",
  "dtype?": "d",
  "device?": "D",
};

/** The name under which rows and Python call an operator: `sum_dim_IntList` for `sum.dim_IntList`, as in `at::_ops`. */
export const identifier = (name: string): string => name.replace(".", "_");

/** The name in a schema, with its overload. */
export const operatorName = (schema: string): string => schema.slice(0, schema.indexOf("("));

/** Parses one schema; throws with the text for a type that does not exist. */
export function parseSchema(text: string): Schema {
  const match = /^([\w.]+)\((.*)\)\s*->\s*(.+)$/s.exec(text.trim());
  if (!match) throw new SyntaxError(`not a schema: ${text}`);
  const args: Argument[] = [];
  let keywordOnly = false;
  for (const part of splitTop(match[2])) {
    if (part === "*") {
      keywordOnly = true;
      continue;
    }
    const m = /^(\S+)\s+(\w+)(?:=(.*))?$/.exec(part);
    if (!m || !(m[1] in typeCodes)) throw new SyntaxError(`bad argument '${part}' in ${text}`);
    args.push({
      name: m[2],
      type: m[1] as ArgType,
      keywordOnly,
      hasDefault: m[3] !== undefined,
      defaultText: m[3] ?? "",
    });
  }
  const returned = match[3].trim();
  const inner = returned.startsWith("(") ? returned.slice(1, -1) : returned;
  const results = splitTop(inner).map((part): Result => {
    const [type, name = ""] = part.split(/\s+/);
    if (!isResultType(type)) throw new SyntaxError(`bad result '${part}' in ${text}`);
    return { name, type };
  });
  const [name, overload = ""] = match[1].split(".");
  return { name, overload, args, results };
}

function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === "[" || c === "(") depth++;
    else if (c === "]" || c === ")") depth--;
    else if (i === text.length || (c === "," && depth === 0)) {
      const part = text.slice(start, i).trim();
      if (part) parts.push(part);
      start = i + 1;
    }
  }
  return parts;
}
