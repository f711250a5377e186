/** Finds the closed forms of a program's memory: names its sizes, runs it at others, and fits what comes out. */

import type { PyodideInterface } from "pyodide";
import { DiagnosticError, type Diagnostic } from "../base/diagnostic.ts";
import {
  chooseRuns,
  deriveFormulas,
  differingOrigin,
  Origins,
  type Attempt,
  type Formulas,
  type Runs,
  type Sample,
  type SymbolValues,
} from "../formulas/index.ts";
import type { WorkerRequest } from "./messages.ts";
import { probeProgram, type ProbeProgram } from "./probe-program.ts";
import { shownPath } from "./run-trace.ts";
import { numbersInArguments, placeSymbols, type PlacedSymbol, type SymbolSpec } from "./symbol-places.ts";

/** @throws {DiagnosticError} when a symbol cannot be found or changed, or the program fails or is not the same twice */
export function findFormulas(
  pyodide: PyodideInterface,
  request: WorkerRequest,
  specs: readonly SymbolSpec[],
  closeHost: () => void,
): Formulas {
  const origins = new Origins();
  const program = probeProgram(pyodide, request, origins, closeHost);
  const own = program.run([], {});
  if ("error" in own) throw new DiagnosticError({ code: "formula_program_fails", args: { error: own.error } });
  const numbers = [...numbersInArguments(request.argv), ...program.numbers()];
  const placed = placeSymbols(specs, request.script, numbers, program.observe);
  const { runs, symbols } = withSecondTry(placed, (chosen) => probe(program, chosen, own.sample, origins));
  requireRepeatable(program, own.sample, origins);
  return deriveFormulas(
    runs,
    origins,
    symbols.map(({ name, value, places }) => ({
      name,
      value,
      places: places.map(({ file, line, column, endColumn }) => ({
        file: line === 0 ? "" : shownPath(file, request),
        line,
        text: line === 0 ? request.argv[column]! : textOf(pyodide, request, file, line, column, endColumn),
      })),
    })),
  );
}

function textOf(
  pyodide: PyodideInterface,
  request: WorkerRequest,
  file: string,
  line: number,
  from: number,
  to: number,
): string {
  const source = file === request.script ? request.source : pyodide.FS.readFile(file, { encoding: "utf8" });
  const text = new TextEncoder().encode(source.split("\n")[line - 1] ?? "");
  return new TextDecoder().decode(text.subarray(from, to));
}

/** A program may write a size twice, and fail when only one of the numbers changes: then all equal numbers change. */
function withSecondTry(
  symbols: readonly PlacedSymbol[],
  probeWith: (symbols: readonly PlacedSymbol[]) => Runs,
): { runs: Runs; symbols: readonly PlacedSymbol[] } {
  try {
    return { runs: probeWith(symbols), symbols };
  } catch (error) {
    if (!(error instanceof DiagnosticError) || symbols.every(({ others }) => others.length === 0)) throw error;
    const taken = symbols.flatMap(({ places }) => places);
    const wider = symbols.map((symbol, index) => ({
      ...symbol,
      places: [
        ...symbol.places,
        ...symbol.others.filter(
          (place) =>
            !taken.includes(place) && !symbols.some((other, at) => at !== index && other.others.includes(place)),
        ),
      ],
      others: [],
    }));
    try {
      return { runs: probeWith(wider), symbols: wider };
    } catch {
      throw error;
    }
  }
}

function probe(program: ProbeProgram, symbols: readonly PlacedSymbol[], own: Sample, origins: Origins): Runs {
  const base: SymbolValues = Object.fromEntries(symbols.map(({ name, value }) => [name, value]));
  const isTensor = (origin: number): boolean => origins.list[origin]!.note === null;
  const attempt: Attempt = (sizes) => {
    const run = program.run(symbols, sizes);
    const refused = (code: string, args: Diagnostic["args"]): { refused: Diagnostic } => ({
      refused: { code, args: { sizes: sizesText(sizes), ...args } },
    });
    if ("error" in run) return refused("formula_sizes_fail", { error: run.error });
    const differs = differingOrigin(own, run.sample, isTensor);
    if (differs === null) return run;
    const { file, line, op } = origins.list[differs]!;
    return refused("formula_other_path", { where: `${file}:${line}`, op: op ?? "" });
  };
  return chooseRuns(base, own, attempt);
}

const sizesText = (sizes: SymbolValues): string =>
  Object.entries(sizes)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

/** A program that draws numbers, or that a run before it has changed, has no formula. */
function requireRepeatable(program: ProbeProgram, own: Sample, origins: Origins): void {
  const again = program.run([], {});
  const same =
    "sample" in again &&
    again.sample.origin.length === own.origin.length &&
    own.origin.every((origin, block) => again.sample.origin[block] === origin) &&
    own.requestedBytes.every((bytes, block) => again.sample.requestedBytes[block] === bytes);
  if (same) return;
  const first = "sample" in again ? own.origin.findIndex((origin, block) => again.sample.origin[block] !== origin) : -1;
  const { file, line } = origins.list[own.origin[first] ?? -1] ?? { file: null, line: 0 };
  throw new DiagnosticError({
    code: "formula_not_repeatable",
    args: { where: file === null ? "" : `${file}:${line}` },
  });
}
