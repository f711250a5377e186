/**
 * How arguments cross from Python: a flat list of numbers, booleans and strings, laid out by the op's type codes
 * (src/ops/schema.ts); python/torch/_operands.py has the other side.
 */

import type { CompiledOp } from "../ops/registry.ts";
import { typeCodes } from "../ops/schema.ts";
import { dtype } from "../tensor/dtype.ts";
import type { Scalar } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";

export type Flat = readonly unknown[];

/** The codes of an op's arguments, one letter each. */
export const codesOf = (op: CompiledOp): string => op.args.map((a) => typeCodes[a.type]).join("");

/** An argument of another type than its operator takes. */
export class ArgumentTypeError extends Error {
  readonly typeName: string;

  constructor(typeName: unknown) {
    super("an argument of another type");
    this.typeName = typeof typeName === "string" ? "str" : typeof typeName === "number" ? "float" : typeof typeName;
  }
}

/** What Python needs to say which argument it was: see `_raising.py`. A method's positions leave out `self`. */
export function argumentText(op: CompiledOp, index: number, { typeName }: ArgumentTypeError): string {
  const argument = op.args[index]!;
  const self = op.args.findIndex((a) => a.name === "self");
  const position = argument.keywordOnly ? "" : index + 1;
  const inMethod = argument.keywordOnly ? "" : index + (self >= 0 && self < index ? 0 : 1);
  return `!Argument\n${[op.plainName, argument.name, position, inMethod, argument.type.replace("?", ""), typeName].join(" ")}`;
}

const scalarKinds = ["tensor", "int", "float", "bool", "complex"] as const;

/** Reads one call's arguments; `find` turns a handle into its tensor. */
export class ArgumentReader {
  private at = 0;
  private readonly flat: Flat;
  private readonly find: (handle: number) => Tensor;

  constructor(flat: Flat, start: number, find: (handle: number) => Tensor) {
    this.flat = flat;
    this.at = start;
    this.find = find;
  }

  number(): number {
    return Number(this.flat[this.at++]);
  }

  tensor(): Tensor {
    return this.find(this.number());
  }

  optionalTensor(): Tensor | null {
    const handle = this.flat[this.at++];
    return handle === undefined || handle === null ? null : this.find(Number(handle));
  }

  operand(): Tensor | Scalar | null {
    const kind = this.number();
    const value = this.flat[this.at++];
    if (kind < 0) return null;
    if (kind === 0) return this.find(Number(value));
    return { scalar: scalarKinds[kind] as Scalar["scalar"], value: Number(value) };
  }

  list<T>(read: () => T): T[] | null {
    const n = this.number();
    if (n < 0) return null;
    if (!(n <= this.flat.length)) throw new TorchError("a list is longer than what was given");
    const out: T[] = [];
    for (let i = 0; i < n; i++) out.push(read());
    return out;
  }

  /** One argument by its code. */
  read(code: string): unknown {
    switch (code) {
      case "T":
        return this.tensor();
      case "t":
        return this.optionalTensor();
      case "L":
        return this.list(() => this.tensor());
      case "l":
        return this.list(() => this.optionalTensor());
      case "U":
      case "u":
      case "S":
      case "s":
        return this.operand();
      case "N":
        return this.list(() => this.operand());
      case "d": {
        const name = this.flat[this.at++];
        return name === undefined || name === null ? null : dtype(String(name));
      }
      case "I":
      case "F":
        return this.list(() => this.number());
      case "z":
      case "D":
        return this.flat[this.at++] ?? null;
      default: {
        const value = this.flat[this.at++];
        if (value === undefined || value === null) return null;
        if (typeof value === "bigint") return Number(value);
        if (typeof value === "string" || (code === "i" && typeof value === "number" && !Number.isInteger(value)))
          throw new ArgumentTypeError(value);
        return value;
      }
    }
  }
}
