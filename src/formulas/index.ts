/** Closed forms of memory in the sizes of a program: an algebra of them, and how they are found from runs. */

export { deriveFormulas } from "./derive.ts";
export { chooseRuns, differingOrigin } from "./design.ts";
export type { Attempt, Runs } from "./design.ts";
export { evaluateFormula, formatFormula, parseFormula } from "./expression.ts";
export type { FormatOptions } from "./expression.ts";
export type {
  Apart,
  Check,
  Formula,
  Formulas,
  LinePart,
  ModulePart,
  Moment,
  NamedSize,
  PartFormulas,
} from "./formulas.ts";
export { add, constant, multiply, sameFormula, subtract, symbol, symbolsOf } from "./polynomial.ts";
export type { Factor, Polynomial, SymbolValues, Term } from "./polynomial.ts";
export { Origins, sampleOf } from "./sample.ts";
export type { Origin, Sample } from "./sample.ts";
