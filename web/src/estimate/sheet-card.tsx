/** What formulas of textbooks say beside what was simulated, and what the simulation rests on. */

import { parameterCounts, textbookSheet } from "../../../src/estimate/index.ts";
import { message } from "../../../src/i18n/index.ts";
import { estimateNotes } from "../../../src/report/estimate-notes.ts";
import { locale } from "../state/settings.ts";
import { answer, shown } from "./simulation.ts";
import { estimateWords as t, gib, grouped } from "./words.ts";

/** `16 · 8030261248` with digits in groups. */
const readable = (numbers: string): string =>
  numbers.replaceAll(/(?<![\d.])\d{5,}/g, (digits) => grouped(Number(digits)));

export function SheetCard() {
  const before = answer.value;
  const first = before?.estimates[0];
  if (before === null || first === undefined || before.model.config === null) return null;
  const lines = textbookSheet(before.model.config, first, parameterCounts(first, before.model.parameters));
  return (
    <section class={`card ${shown.value?.state === "simulated" ? "" : "est-old"}`} aria-labelledby="est-sheet">
      <h2 id="est-sheet">{t("sheet_title")}</h2>
      <div class="scroll">
        <table class="plain est-sheet-table">
          <thead>
            <tr>
              <th scope="col">{message(locale.value, "sheet_quantity")}</th>
              <th scope="col" class="n">
                {message(locale.value, "sheet_textbook")}
              </th>
              <th scope="col" class="n">
                {message(locale.value, "sheet_simulated")}
              </th>
              <th scope="col" class="n">
                {t("column_off")}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, formula, numbers, bytes, simulatedBytes }) => (
              <tr key={id}>
                <th scope="row">
                  {message(locale.value, `sheet_${id}`)}
                  <div class="est-formula">
                    <code>{formula}</code> = <code>{readable(numbers)}</code>
                  </div>
                </th>
                <td class="n">{gib(bytes)}</td>
                <td class="n">{simulatedBytes === null ? "–" : gib(simulatedBytes)}</td>
                <td class="n soft">
                  {simulatedBytes === null || bytes === 0
                    ? ""
                    : `${simulatedBytes >= bytes ? "+" : "−"}${Math.abs(Math.round(100 * (simulatedBytes / bytes - 1)))}%`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft">{message(locale.value, "sheet_legend")}</p>
    </section>
  );
}

export function NotesCard() {
  const before = answer.value;
  const first = before?.estimates[0];
  if (before === null || first === undefined) return null;
  const lines = estimateNotes(before.model, first, locale.value);
  if (lines.length === 0) return null;
  return (
    <section class="card" aria-labelledby="est-notes">
      <h2 id="est-notes">{t("notes_title")}</h2>
      <ul class="est-notes">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
