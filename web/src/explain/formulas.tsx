/** Closed forms of the program's memory in the sizes that a person names, with a slider for each size. */

import { signal, useComputed, useSignal, type Signal } from "@preact/signals";
import { formatBytes } from "../../../src/base/bytes.ts";
import { DiagnosticError } from "../../../src/base/diagnostic.ts";
import {
  evaluateFormula,
  formatFormula,
  type Formula,
  type Formulas,
  type SymbolValues,
} from "../../../src/formulas/index.ts";
import { messageOrCode } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { Typeset } from "./typeset.tsx";
import { explainWords as t } from "./words.ts";
import "./formulas.css";

export interface FormulasProps {
  /** What the last search found; kept by the caller, so that it outlives the panel. */
  readonly found: Signal<Formulas | null>;
  readonly typed: Signal<string>;
  readonly onFind: (symbols: readonly string[], signal: AbortSignal) => Promise<Formulas | null>;
}

const searching = signal<AbortController | null>(null);

export function FormulaPanel({ found, typed, onFind }: FormulasProps) {
  const problem = useSignal<string | null>(null);
  const find = async (): Promise<void> => {
    searching.value?.abort();
    const controller = new AbortController();
    searching.value = controller;
    problem.value = null;
    try {
      const symbols = typed.value.split(/[\s,]+/).filter((word) => word !== "");
      const formulas = await onFind(symbols, controller.signal);
      if (formulas !== null) found.value = formulas;
    } catch (error) {
      problem.value =
        error instanceof DiagnosticError
          ? messageOrCode(locale.value, error.diagnostic.code, error.diagnostic.args)
          : String(error);
    } finally {
      if (searching.value === controller) searching.value = null;
    }
  };
  return (
    <div class="formulas">
      <form
        class="formula-form"
        onSubmit={(event) => {
          event.preventDefault();
          void find();
        }}
      >
        <label class="field">
          <span>{t("formulas_label")}</span>
          <input
            type="text"
            value={typed.value}
            spellcheck={false}
            autocapitalize="off"
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
        {searching.value === null ? (
          <button type="submit" disabled={typed.value.trim() === ""}>
            {t("formulas_find")}
          </button>
        ) : (
          <button type="button" onClick={() => searching.value?.abort()}>
            {t("formulas_cancel")}
          </button>
        )}
      </form>
      <p class="soft">{t("formulas_intro")}</p>
      {searching.value !== null && <p role="status">{t("formulas_running")}</p>}
      {problem.value !== null && (
        <p class="refused" role="alert">
          {problem.value}
        </p>
      )}
      {found.value !== null && (
        <Found key={found.value.symbols.map(({ name }) => name).join()} formulas={found.value} />
      )}
    </div>
  );
}

function Found({ formulas }: { readonly formulas: Formulas }) {
  const own: SymbolValues = Object.fromEntries(formulas.symbols.map(({ name, value }) => [name, value]));
  const sizes = useSignal<SymbolValues>(own);
  const names = formulas.symbols.map(({ name }) => name);
  const text = ({ bytes }: Formula): string => formatFormula(bytes, { symbols: names, sizes: own });
  const apartBytes = (formulas.peak[0]?.apart ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
  // where the peak moves, it is the largest of several
  const peakBytes = useComputed(() =>
    Math.max(0, ...formulas.peak.map(({ formula }) => valueOf(formula, sizes.value))),
  );
  const savedBytes = useComputed(() => valueOf(formulas.saved.formula, sizes.value));
  return (
    <>
      <div class="sliders">
        {formulas.symbols.map(({ name, value }) => (
          <label key={name} class="slider">
            <span>
              <code>{name}</code> <b class="num">{sizes.value[name]}</b>
            </span>
            <input
              type="range"
              min={-3}
              max={5}
              step={1}
              value={Math.log2((sizes.value[name] ?? value) / value)}
              aria-valuetext={`${name} ${sizes.value[name]}`}
              onInput={(event) => {
                const scaled = Math.max(1, Math.round(value * 2 ** Number(event.currentTarget.value)));
                sizes.value = { ...sizes.value, [name]: scaled };
              }}
            />
          </label>
        ))}
      </div>
      <dl class="totals">
        <div>
          <dt>{t("formulas_peak")}</dt>
          <dd class="num">{formatBytes(peakBytes.value)}</dd>
          {formulas.peak.map((moment, index) => (
            <dd key={index}>
              <Typeset text={text(moment.formula)} />
              {formulas.peak.length > 1 && <span class="soft"> {t("formulas_at_line", { line: moment.line })}</span>}
            </dd>
          ))}
          <dd class="soft">{t("formulas_plus", { bytes: apartBytes })}</dd>
        </div>
        <div>
          <dt>{t("formulas_saved")}</dt>
          <dd class="num">{formatBytes(savedBytes.value)}</dd>
          <dd>
            <Typeset text={text(formulas.saved.formula)} />
          </dd>
        </div>
      </dl>
      <div class="scroll">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col" class="n">
                {t("column_line")}
              </th>
              <th scope="col">{t("formulas_peak")}</th>
              <th scope="col" class="n">
                {t("column_bytes")}
              </th>
              <th scope="col">{t("formulas_saved")}</th>
            </tr>
          </thead>
          <tbody>
            {formulas.lines
              .filter(({ peak, saved }) => peak.bytes.length + saved.bytes.length > 0)
              .toSorted((a, b) => a.line - b.line)
              .map(({ file, line, peak, saved }) => (
                <tr key={`${file}:${line}`}>
                  <td class="n">{line}</td>
                  <td>{peak.bytes.length > 0 && <Typeset text={text(peak)} />}</td>
                  <td class="n">{peak.bytes.length === 0 ? "" : formatBytes(valueOf(peak, sizes.value))}</td>
                  <td>{saved.bytes.length > 0 && <Typeset text={text(saved)} />}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <p class="soft">{t("formulas_checked", { runs: formulas.runs, count: formulas.checks.length })}</p>
    </>
  );
}

function valueOf(formula: Formula, sizes: SymbolValues): number {
  return evaluateFormula(formula.bytes, sizes);
}
