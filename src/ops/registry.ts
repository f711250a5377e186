/** All operator rows by name, compiled on first use; in-place variants are derived here. */

import { nearestNames } from "../base/nearest.ts";
import type { Args, Derivative, OpRow } from "./row.ts";
import { allRows } from "./all.ts";
import { nodeName } from "./node-names.ts";
import { type Argument, identifier, operatorName, parseSchema, type Result, type Schema } from "./schema.ts";

/** A row with what its schema says, ready for dispatch. */
export interface CompiledOp {
  /** Name that other rows and Python use: `add_`, `sum_dim_IntList`. */
  readonly name: string;
  /** PyTorch's name without overload, which messages, profilers and graph nodes use: `sum`. */
  readonly plainName: string;
  /** The name of all its overloads in Python: the schema's without overload, `clamp_` where it is in place. */
  readonly baseName: string;
  readonly row: OpRow;
  readonly args: readonly Argument[];
  readonly defaults: readonly unknown[];
  readonly results: readonly Result[];
  /** The in-place variant of a row that is not itself in place. */
  readonly inplace: boolean;
  /** The op changes its first argument. */
  readonly mutates: boolean;
  /** The row's derivatives in the order in which a node runs them. */
  readonly derivatives: readonly Derivative[];
  /** Arguments with derivatives, in schema order. */
  readonly differentiable: readonly Argument[];
  /** Arguments that hold tensors. */
  readonly tensorArgs: readonly Argument[];
  readonly nodeName: string;
  readonly atenName: string;
  /** The operator that asks for the memory, as a trace names it. */
  readonly allocatingName: (args: Args) => string;
  /** For each saved name, the single argument whose need decides whether it is saved, or null for always. */
  readonly saveGuards: ReadonlyMap<string, string | null>;
}

/** Rows by the name under which others call them; throws with both schemas where two rows have one. */
export function byIdentifier(rows: readonly OpRow[]): Map<string, OpRow> {
  const found = new Map<string, OpRow>();
  for (const row of rows) {
    const name = identifier(operatorName(row.schema));
    const other = found.get(name);
    if (other)
      throw new Error(
        `two rows are called ${name}: '${operatorName(other.schema)}' and '${operatorName(row.schema)}'; name one of them otherwise`,
      );
    found.set(name, row);
  }
  return found;
}

const rowsByName = byIdentifier(allRows);
const compiled = new Map<string, CompiledOp>();

/** The op of that name, or undefined. */
export function findOp(name: string): CompiledOp | undefined {
  const known = compiled.get(name);
  if (known) return known;
  let row = rowsByName.get(name);
  let inplace = false;
  if (!row && name.endsWith("_")) {
    row = rowsByName.get(name.slice(0, -1));
    if (!row?.inplace) return undefined;
    inplace = true;
  }
  if (!row) return undefined;
  const op = compile(name, row, inplace);
  compiled.set(name, op);
  return op;
}

/** The row from which an op of that name is made, or undefined. */
export const rowOf = (name: string): OpRow | undefined =>
  rowsByName.get(name) ?? (name.endsWith("_") ? rowsByName.get(name.slice(0, -1)) : undefined);

/** Names of all ops, derived ones included. */
export function opNames(): string[] {
  const names: string[] = [];
  for (const [name, row] of rowsByName) {
    names.push(name);
    if (row.inplace && !rowsByName.has(`${name}_`)) names.push(`${name}_`);
  }
  return names;
}

/** Up to three known names that look like `name`. */
export function nearestOps(name: string): string[] {
  return nearestNames(name, opNames(), 3);
}

function compile(name: string, row: OpRow, inplace: boolean): CompiledOp {
  const schema: Schema = parseSchema(row.schema);
  // PyTorch generates a node's formulas in the alphabetical order of what they are the gradient of
  const derivatives = [...(row.derivatives ?? [])].sort((a, b) => (a.of.join(", ") < b.of.join(", ") ? -1 : 1));
  const named = new Set(derivatives.flatMap((x) => x.of));
  // an input that one gradient alone needs is kept where that one is asked for; results always are: torchgen's guard_for, save_variables
  const isInput = new Set(schema.args.map((argument) => argument.name));
  const guards = new Map<string, string | null>();
  for (const saved of new Set(derivatives.flatMap((x) => x.saves))) {
    const users = derivatives.filter((x) => x.saves.includes(saved));
    const only = derivatives.length > 1 && users.length === 1 && users[0].of.length === 1 && isInput.has(saved);
    guards.set(saved, only ? users[0].of[0] : null);
  }
  const base = schema.name;
  const baseName = inplace ? `${base}_` : base;
  const plainName = row.as ?? baseName;
  const { library = "aten" } = row;
  const inside = inplace ? undefined : row.inside;
  return {
    name,
    plainName,
    baseName,
    row,
    args: schema.args,
    defaults: schema.args.map(defaultValue),
    results: schema.results,
    inplace,
    derivatives,
    mutates: inplace || (row.mutates?.length ?? 0) > 0,
    differentiable: schema.args.filter((a) => named.has(a.name)),
    tensorArgs: schema.args.filter((a) => a.type.startsWith("Tensor") || a.type.startsWith("Operand")),
    nodeName: typeof row.node === "string" ? row.node : nodeName(base),
    atenName: `${library}::${plainName}`,
    allocatingName:
      typeof inside === "function" ? (a) => `${library}::${inside(a)}` : always(`${library}::${inside ?? plainName}`),
    saveGuards: guards,
  };
}

const always =
  (name: string): ((args: Args) => string) =>
  () =>
    name;

/** The default in the engine's terms. */
function defaultValue(argument: Argument): unknown {
  if (!argument.hasDefault) return undefined;
  const text = argument.defaultText;
  if (text === "None") return null;
  if (text === "True") return true;
  if (text === "False") return false;
  if (text.startsWith("'")) return text.slice(1, -1);
  if (text.startsWith("[")) {
    const inner = text.slice(1, -1).trim();
    return inner ? inner.split(",").map(Number) : [];
  }
  const value = Number(text);
  if (argument.type.startsWith("Scalar") || argument.type.startsWith("Operand"))
    return { scalar: /[.e]/.test(text) ? "float" : "int", value };
  return value;
}
