/**
 * Where a program's sizes are written: from the names that a user gave to the numbers in the source that stand for them.
 * A name is found where an integer is given to it (assignment, default of a parameter, field or option, keyword, entry of a
 * dictionary), or on the command line; a name that is computed is found by its value, wherever the source has that number.
 */

import { DiagnosticError } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";

/** `B`, `B=batch_size`, `C=512`, and any of them with `@LINE`, more than once: only numbers on these lines of the script. */
export interface SymbolSpec {
  readonly name: string;
  /** The program's name for it; of `cfg.width` the last part counts. Null with a value. */
  readonly target: string | null;
  readonly value: number | null;
  readonly lines: readonly number[];
}

/** A number in the source, or in the arguments of the program. */
export interface NumberPlace {
  readonly file: string;
  /** 0 for an argument. */
  readonly line: number;
  /** In bytes; of an argument its index. */
  readonly column: number;
  readonly endColumn: number;
  readonly value: number;
  readonly names: readonly string[];
}

/** Numbers to change together. */
export interface PlacedSymbol {
  readonly name: string;
  readonly value: number;
  readonly places: readonly NumberPlace[];
  /** The same number elsewhere, for a program that writes a size twice. */
  readonly others: readonly NumberPlace[];
}

const SPEC = /^([A-Za-z_]\w*)(?:=([A-Za-z_][\w.]*|[1-9]\d*))?((?:@[1-9]\d*)*)$/;
const NOT_NAMES = new Set(["ceil", "floor"]);

/** @throws {DiagnosticError} `bad_symbol` for what is not understood, `symbol_twice` */
export function parseSymbols(texts: readonly string[]): SymbolSpec[] {
  const specs = texts
    .flatMap((text) => text.split(","))
    .map((text): SymbolSpec => {
      const match = SPEC.exec(text.trim());
      if (match === null || NOT_NAMES.has(match[1]!))
        throw new DiagnosticError({ code: "bad_symbol", args: { value: text } });
      const [, name = "", target, lines = ""] = match;
      const value = target !== undefined && /^\d/.test(target) ? Number(target) : null;
      return {
        name,
        target: value === null ? (target ?? name).split(".").at(-1)! : null,
        value,
        lines: lines.split("@").slice(1).map(Number),
      };
    });
  for (const [index, { name }] of specs.entries()) {
    if (specs.findIndex((other) => other.name === name) < index) {
      throw new DiagnosticError({ code: "symbol_twice", args: { name } });
    }
  }
  return specs;
}

/** Numbers given to options: `--batch 8`, `--batch=8`. */
export function numbersInArguments(argv: readonly string[]): NumberPlace[] {
  return argv.flatMap((argument, index): NumberPlace[] => {
    const [, own, inside] = /^--?([\w-]+)(?:=(\d+))?$/.exec(argument) ?? [];
    if (own === undefined) return [];
    const text = inside ?? argv[index + 1] ?? "";
    if (!/^[1-9]\d*$/.test(text)) return [];
    const column = inside === undefined ? index + 1 : index;
    const names = [own.replaceAll("-", "_")];
    return [{ file: "", line: 0, column, endColumn: column, value: Number(text), names }];
  });
}

/**
 * Finds the numbers of each symbol.
 *
 * @param observe runs the program and tells which integers it gives to names
 * @throws {DiagnosticError} `symbol_not_found` (also with `_nearest`), `symbol_several`, `symbol_computed`, `symbol_shared`
 */
export function placeSymbols(
  specs: readonly SymbolSpec[],
  script: string,
  numbers: readonly NumberPlace[],
  observe: (names: readonly string[]) => Readonly<Record<string, readonly number[]>>,
): PlacedSymbol[] {
  const onLines = (spec: SymbolSpec): NumberPlace[] =>
    numbers.filter(({ file, line }) => spec.lines.length === 0 || (file === script && spec.lines.includes(line)));
  const numbersOfSpecs = specs.map((spec) => {
    const own = onLines(spec).filter(({ names }) => spec.target !== null && names.includes(spec.target));
    const typed = own.filter(({ line }) => line === 0);
    return typed.length > 0 ? typed : own;
  });
  const unknown = specs.flatMap(({ target }, index) =>
    target !== null && numbersOfSpecs[index]!.length === 0 ? [target] : [],
  );
  const observed = unknown.length > 0 ? observe(unknown) : {};
  const placed = specs.map((spec, index): PlacedSymbol => {
    const { name, target, lines } = spec;
    const own = numbersOfSpecs[index]!;
    if (own.length > 0) {
      const values = new Set(own.map(({ value }) => value));
      if (values.size > 1) {
        const places = own.map(({ line, value }) => `${value}@${line}`).join(", ");
        throw new DiagnosticError({ code: "symbol_several", args: { name, target: target!, places } });
      }
    }
    const value = own[0]?.value ?? spec.value ?? observedValue(spec, observed[target!] ?? [], numbers);
    const alike = onLines(spec).filter((number) => number.value === value);
    if (own.length > 0) return { name, value, places: own, others: lines.length > 0 ? [] : without(alike, own) };
    if (alike.length === 0) {
      throw new DiagnosticError({ code: "symbol_computed", args: { name, target: target ?? String(value), value } });
    }
    return { name, value, places: alike, others: [] };
  });
  return apart(placed, numbersOfSpecs);
}

function observedValue(spec: SymbolSpec, values: readonly number[], numbers: readonly NumberPlace[]): number {
  const { name } = spec;
  const target = spec.target!;
  if (values.length > 1) {
    throw new DiagnosticError({ code: "symbol_values", args: { name, target, values: values.slice(0, 8).join(", ") } });
  }
  if (values[0] !== undefined && values[0] > 0) return values[0];
  // letters are all near to each other
  const known = numbers.flatMap(({ names }) => names).filter((candidate) => candidate.length > 1);
  const [nearest] = target.length > 1 ? nearestNames(target, new Set(known)) : [];
  throw new DiagnosticError(
    nearest === undefined
      ? { code: "symbol_not_found", args: { name: target } }
      : { code: "symbol_not_found_nearest", args: { name: target, nearest } },
  );
}

const without = (some: readonly NumberPlace[], others: readonly NumberPlace[]): NumberPlace[] =>
  some.filter((place) => !others.includes(place));

/** A number that has the name of one symbol does not stand for another; one that could be either is refused. */
function apart(symbols: readonly PlacedSymbol[], numbersOfSpecs: readonly (readonly NumberPlace[])[]): PlacedSymbol[] {
  const named = numbersOfSpecs.flat();
  const cleared = symbols.map((symbol, index) => {
    const foreign = without(named, numbersOfSpecs[index]!);
    return { ...symbol, places: without(symbol.places, foreign), others: without(symbol.others, foreign) };
  });
  cleared.forEach((symbol, index) => {
    const other = cleared.find(
      (candidate, place) => place !== index && candidate.places.some((number) => symbol.places.includes(number)),
    );
    if (other !== undefined || symbol.places.length === 0) {
      throw new DiagnosticError({
        code: "symbol_shared",
        args: {
          name: symbol.name,
          other: other?.name ?? symbols.find(({ value, name }) => value === symbol.value && name !== symbol.name)!.name,
          value: symbol.value,
        },
      });
    }
  });
  return cleared;
}
