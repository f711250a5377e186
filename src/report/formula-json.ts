/** Formulas as part of the JSON report: closed forms are texts that `evaluateFormula`, Python and JavaScript understand. */

import { formatFormula, type Formula, type Formulas, type PartFormulas } from "../formulas/index.ts";

/** A plain object. */
export function formulasJson(formulas: Formulas): Record<string, unknown> {
  const symbols = formulas.symbols.map(({ name }) => name);
  const sizes = Object.fromEntries(formulas.symbols.map(({ name, value }) => [name, value]));
  const text = (polynomial: Formula["bytes"]): string => formatFormula(polynomial, { symbols, sizes });
  const formula = ({ bytes, elements }: Formula) => ({
    bytes: text(bytes),
    elements: Object.fromEntries(Object.entries(elements).map(([dtype, count]) => [dtype, text(count)])),
  });
  const part = ({ peak, saved, made }: PartFormulas) => ({
    peak: formula(peak),
    saved: formula(saved),
    made: formula(made),
  });
  return {
    symbols: formulas.symbols,
    peak: formulas.peak.map(({ formula: own, categories, ...moment }) => ({
      ...moment,
      formula: formula(own),
      categories: categories.map(({ category, formula: share }) => ({ category, formula: formula(share) })),
    })),
    saved: { formula: formula(formulas.saved.formula), apart: formulas.saved.apart },
    lines: formulas.lines.map(({ file, line, ...row }) => ({ file, line, ...part(row) })),
    modules: formulas.modules.map(({ module, ...row }) => ({ module, ...part(row) })),
    checks: formulas.checks,
    runs: formulas.runs,
  };
}
