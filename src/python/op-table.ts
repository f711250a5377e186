/** The op table that the stand-in generates its functions from: one entry per op, in the order of their numbers. */

import { type CompiledOp, findOp, opNames } from "../ops/registry.ts";
import type { Argument, ResultType } from "../ops/schema.ts";
import { codesOf } from "./codec.ts";

export interface OpTableEntry {
  readonly name: string;
  /** PyTorch's name without overload. */
  readonly plainName: string;
  /** What Python calls it: `sum` of `sum_dim_IntList`, `clamp_` of `clamp_Tensor_`. */
  readonly base: string;
  readonly codes: string;
  /** Name, Python text of the default or null, keyword-only. */
  readonly arguments: readonly (readonly [string, string | null, boolean])[];
  /** `T` one tensor, `L` a list, `B` a tensor that the host reads as true or false, `V` a plain value, a digit: so many tensors. */
  readonly results: string;
  readonly resultNames: readonly string[];
  readonly mutates: boolean;
  readonly python: string;
  /** Other names of the function and the method. */
  readonly aliases?: readonly string[];
  /** Its names in torch.special. */
  readonly special?: readonly string[];
  /** Whether its first operand may be a number. */
  readonly takesNumbers?: true;
  /** Methods of Tensor behind Python's operators. */
  readonly signs?: readonly string[];
  /** Whether its function and method take `generator=`. */
  readonly draws?: true;
  /** Whether its function makes a tensor that reads no memory, and takes what all of these do. */
  readonly factory?: "default" | "cpu" | "self";
  /** Whether its function takes `out=`. */
  readonly takesOut: boolean;
  /** Types of the arguments as in the schema, where the types decide between several overloads. */
  readonly types?: readonly string[];
}

/** Names in the order of their numbers. */
export const numberedOps: readonly string[] = opNames().sort();

const RESULT_CODES: Readonly<Record<ResultType, string>> = {
  Tensor: "T",
  "Tensor?": "T",
  "Tensor[]": "L",
  bool: "B",
  value: "V",
};

const pythonKeywords = new Set(["lambda", "from", "in", "is", "not", "or", "and", "if", "else", "end_"]);

function defaultOf(argument: Argument): string | null {
  return argument.hasDefault
    ? argument.defaultText.replace(/^\[(.*)\]$/, "($1)").replace(/^\((\d+)\)$/, "($1,)")
    : null;
}

/** Other names of an operator; in place, they end as it does. */
export const aliasesOf = ({ row, inplace }: CompiledOp): readonly string[] =>
  (row.aliases ?? []).map((alias) => (inplace ? `${alias}_` : alias));

/** `__iadd__` beside `__add__` is in place; `__invert__` is not. */
function signsOf({ row: { signs = [] }, inplace }: CompiledOp): readonly string[] {
  return signs.filter((sign) => (sign.startsWith("__i") && signs.includes(`__${sign.slice(3)}`)) === inplace);
}

/** The table for python/torch/_generated.py. */
export function opTable(): OpTableEntry[] {
  const ops = numberedOps.map((name) => {
    const op = findOp(name);
    if (!op) throw new Error(`no op ${name}`);
    return op;
  });
  const overloads = new Map<string, number>();
  for (const op of ops) if (op.row.python !== "none") overloads.set(op.baseName, (overloads.get(op.baseName) ?? 0) + 1);
  return ops.map((op): OpTableEntry => {
    const [first] = op.results;
    const results = op.results.length > 1 ? String(op.results.length) : RESULT_CODES[first.type];
    const several = op.row.python !== "none" && overloads.get(op.baseName)! > 1;
    const mutates = op.mutates && op.results.length === 1 && first.type === "Tensor";
    return {
      name: op.name,
      plainName: op.plainName,
      base: op.baseName,
      codes: codesOf(op),
      arguments: op.args.map((a) => [pythonKeywords.has(a.name) ? `${a.name}_` : a.name, defaultOf(a), a.keywordOnly]),
      results,
      resultNames: op.results.map((r) => r.name),
      mutates,
      takesOut: !mutates && /[T\d]/.test(results) && op.row.takesOut !== false,
      python: op.row.python ?? "both",
      ...(op.row.aliases && { aliases: aliasesOf(op) }),
      ...(op.row.special && !op.inplace && { special: op.row.special }),
      ...(op.row.takesNumbers && !op.inplace && { takesNumbers: true as const }),
      ...(signsOf(op).length > 0 && { signs: signsOf(op) }),
      ...(op.row.draws && { draws: true as const }),
      ...(op.row.factory && { factory: op.row.factory }),
      ...(several && { types: op.args.map((a) => a.type) }),
    };
  });
}
