/** Formulas as text: peak and saved tensors in bytes and elements, lines and modules as tables, and which runs checked them. */

import { formatBytes } from "../base/bytes.ts";
import {
  evaluateFormula,
  formatFormula,
  sameFormula,
  type Apart,
  type Formula,
  type Formulas,
  type Moment,
  type SymbolValues,
} from "../formulas/index.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Painter } from "./paint.ts";
import { displayWidth, padEnd, padStart, wrap, cut } from "./width.ts";
import { noteName } from "./words.ts";

export interface FormulaTextOptions {
  readonly locale: Locale;
  readonly painter: Painter;
}

const INDENT = "  ";
const MOST_MOMENTS = 4;
const MOST_ROWS = 40;

/** The section's lines joined, with a newline at the end. */
export function formulaReport(formulas: Formulas, options: FormulaTextOptions): string {
  const { painter, locale } = options;
  const sizes: SymbolValues = Object.fromEntries(formulas.symbols.map(({ name, value }) => [name, value]));
  const heading = message(locale, "section_formulas", { sizes: sizesText(sizes) });
  const sections = [
    [...wrap(heading, painter.width).map((line) => painter.strong(line)), ...placeLines(formulas, options)],
    totals(formulas, sizes, options),
    table(formulas, sizes, options, "formula_lines", lineRows(formulas)),
    table(formulas, sizes, options, "formula_modules", moduleRows(formulas)),
    checkLines(formulas, options),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
  return `${text}\n`;
}

const sizesText = (sizes: SymbolValues): string =>
  Object.entries(sizes)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

/** Which numbers in the program were taken for each symbol. */
function placeLines({ symbols }: Formulas, { locale, painter }: FormulaTextOptions): string[] {
  return symbols.flatMap(({ name, places }) => {
    const shown = places.map(({ file, line, text }) =>
      line === 0
        ? message(locale, "formula_place_argument", { text })
        : message(locale, "formula_place", { text, where: `${file}:${line}` }),
    );
    const sentence = message(locale, "formula_places", { name, places: shown.join(", ") });
    return wrap(INDENT + sentence, painter.width, INDENT.repeat(2)).map((line) => painter.faint(line));
  });
}

function totals(formulas: Formulas, sizes: SymbolValues, options: FormulaTextOptions): string[] {
  const { locale, painter } = options;
  const entries: { label: string; lines: string[] }[] = [];
  formulas.peak.slice(0, MOST_MOMENTS).forEach((moment, index) => {
    const label =
      index === 0 ? message(locale, "formula_peak") : message(locale, "formula_peak_at", { where: placeOf(moment) });
    const parts = index === 0 ? apartLine(moment.formula, moment.apart, sizes, options) : [];
    entries.push({ label, lines: [...formulaLines(moment.formula, formulas, sizes, options), ...parts] });
  });
  const { saved } = formulas;
  entries.push({
    label: message(locale, "formula_saved"),
    lines: [
      ...formulaLines(saved.formula, formulas, sizes, options),
      ...apartLine(saved.formula, saved.apart, sizes, options),
    ],
  });
  const lines = entries.flatMap(({ label, lines: texts }) => [
    ...wrap(INDENT + label, painter.width, INDENT),
    ...texts.flatMap((text) => wrap(INDENT.repeat(2) + text, painter.width, INDENT.repeat(3))),
  ]);
  if (formulas.peak.length > 1) {
    lines.push(...wrap(INDENT + message(locale, "formula_several_peaks"), painter.width, INDENT));
  }
  return lines;
}

const placeOf = ({ file, line, op }: Moment): string => [`${file}:${line}`, ...(op === null ? [] : [op])].join(" ");

function write(polynomial: Formula["bytes"], formulas: Formulas, sizes: SymbolValues): string {
  return formatFormula(polynomial, { symbols: formulas.symbols.map(({ name }) => name), sizes });
}

function formulaLines(
  formula: Formula,
  formulas: Formulas,
  sizes: SymbolValues,
  { locale }: FormulaTextOptions,
): string[] {
  return [
    `${write(formula.bytes, formulas, sizes)} ${message(locale, "formula_bytes")}`,
    ...Object.entries(formula.elements).map(
      ([dtype, elements]) => `${write(elements, formulas, sizes)} ${message(locale, "formula_elements", { dtype })}`,
    ),
  ];
}

/** `44.00 MiB = 42.00 MiB by the formula + 1.00 MiB remainders not split off + ...` */
function apartLine(
  formula: Formula,
  apart: readonly Apart[],
  sizes: SymbolValues,
  { locale }: FormulaTextOptions,
): string[] {
  const formulaBytes = evaluateFormula(formula.bytes, sizes);
  const totalBytes = apart.reduce((sum, { bytes }) => sum + bytes, formulaBytes);
  const sum = message(locale, "formula_sum", { totalBytes, formulaBytes });
  return [[sum, ...apart.map((part) => `${formatBytes(part.bytes)} ${apartName(part, locale)}`)].join(" + ")];
}

function apartName({ kind, note, file, line }: Apart, locale: Locale): string {
  if (kind === "scratch") return noteName(locale, note ?? "");
  return message(locale, `formula_apart_${kind}`, { where: `${file}:${line}` });
}

interface Row {
  readonly label: string;
  readonly peak: Formula;
  readonly saved: Formula;
}

/** In the order of the source; with the file where there are several. */
function lineRows({ lines }: Formulas): Row[] {
  const files = [...new Set(lines.map(({ file }) => file))];
  return lines
    .toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line)
    .map((row) => ({
      ...row,
      label: files.length === 1 ? String(row.line) : `${row.file.split("/").at(-1)}:${row.line}`,
    }));
}

/** Without those that only contain one other: all layers together are the list of layers. */
function moduleRows({ modules }: Formulas): Row[] {
  return modules
    .filter(({ module, made }) => {
      const around = modules.find((other) => module === `${other.module}.*`);
      return around === undefined || !sameFormula(around.made.bytes, made.bytes);
    })
    .map((row) => ({ ...row, label: row.module }));
}

/** In elements where the whole program has one dtype, else in bytes. */
function table(
  formulas: Formulas,
  sizes: SymbolValues,
  { locale, painter }: FormulaTextOptions,
  heading: "formula_lines" | "formula_modules",
  all: readonly Row[],
): string[] {
  const rows = all.filter(({ peak, saved }) => peak.bytes.length + saved.bytes.length > 0).slice(0, MOST_ROWS);
  if (rows.length === 0) return [];
  const types = new Set(formulas.peak.flatMap(({ formula }) => Object.keys(formula.elements)));
  const [only] = types;
  const unit =
    types.size === 1 ? message(locale, "formula_elements", { dtype: only! }) : message(locale, "formula_bytes");
  const cell = ({ bytes, elements }: Formula): string => {
    const polynomial = types.size === 1 ? (elements[only!] ?? []) : bytes;
    return polynomial.length === 0 ? "-" : write(polynomial, formulas, sizes);
  };
  const cells = rows.map((row) => ({ label: row.label, peak: cell(row.peak), saved: cell(row.saved) }));
  const header = {
    label: message(locale, heading === "formula_lines" ? "column_line" : "column_module"),
    peak: message(locale, "column_at_peak"),
    saved: message(locale, "column_for_backward"),
  };
  const width = (key: keyof Row): number => Math.max(...[header, ...cells].map((row) => displayWidth(row[key])));
  const labelWidth = Math.min(width("label"), 28);
  const room = painter.width - labelWidth - 3 * INDENT.length;
  const savedWidth = Math.min(width("saved"), Math.floor(room / 2));
  const peakWidth = Math.min(width("peak"), room - savedWidth);
  const mark = painter.ascii ? "~" : "…";
  const line = (row: typeof header): string => {
    const label = cut(row.label, labelWidth, mark);
    return [
      "",
      heading === "formula_lines" ? padStart(label, labelWidth) : padEnd(label, labelWidth),
      padEnd(cut(row.peak, peakWidth, mark), peakWidth),
      cut(row.saved, savedWidth, mark),
    ]
      .join(INDENT)
      .trimEnd();
  };
  return [painter.strong(message(locale, heading, { unit })), painter.faint(line(header)), ...cells.map(line)];
}

function checkLines({ checks, runs }: Formulas, { locale, painter }: FormulaTextOptions): string[] {
  const equal = checks.filter((check) => check.peakBytes === check.formulaBytes + check.apartBytes);
  const sentence = message(locale, "formula_checked", {
    count: equal.length,
    runs,
    sizes: equal.map(({ sizes }) => `(${sizesText(sizes)})`).join("; "),
  });
  return wrap(INDENT + sentence, painter.width, INDENT);
}
